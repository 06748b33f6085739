"""`judge restore`: other Message-IDs, an event in every log, one email to each game."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.system_clock import SystemClock
from judge.app.deadlines import note_wake_up
from judge.cli.root import root
from judge.game.rollback import GameRestored
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres
from tests.support.table import JUDGE, MODERATOR, POWERS, Mail, Table, of

SAVED = timedelta(hours=20)  # after the start
LOST = timedelta(hours=30)
FIRST = "A Par - Bur\nA Mar H\nF Bre H"
OBSERVER = "observer@players.example"


def run(*words: str, database: Path | DatabaseServer) -> Result:
    where = database.url if isinstance(database, DatabaseServer) else str(database)
    settings = {"JUDGE_ADDRESS": JUDGE, "JUDGE_MAIL_FORM": "text"}
    return CliRunner().invoke(root, [*words, "--database", where], env=settings)


def at(time: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _: time)


class Lost:
    """A judge that was backed up in Spring 1901, and lost after it mailed the results."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.table = table = Table(folder, "lost")
        table.open("baltic", moderator=MODERATOR)
        table.start("garnet")
        [confirm] = table.mail(OBSERVER, "OBSERVE garnet")
        table.reply(confirm, "YES")
        table.pass_time(hours=20)
        table.says("FRANCE", "A Par - Bur", "garnet")
        at(table.clock.time, patch)
        self.saved, self.backup = table.clock.time, folder / "backup.gz"
        assert run("backup", str(self.backup), database=table.file).exit_code == 0
        self.deadline = table.deadline("garnet")
        self.sent_before = {mail.message_id for mail in table.outbox()}
        table.play("garnet", FRANCE="A Par - Pic\nA Mar H\nF Bre H")
        table.says("FRANCE", "A Pic - Bel", "garnet")
        self.now = table.clock.time = self.saved + LOST
        self.sent_since = table.outbox()[len(self.sent_before) :]
        at(self.now, patch)


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lost]:
    with pytest.MonkeyPatch.context() as patch:
        found = Lost(tmp_path_factory.mktemp("lost"), patch)
        yield found
        found.table.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def empty(request: pytest.FixtureRequest) -> DatabaseServer | None:
    """Return an empty server to restore into; None for a file."""
    if request.param == "sqlite":
        return None
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.empty()


@pytest.fixture
def restored(lost: Lost, tmp_path: Path, empty: DatabaseServer | None) -> Iterator[Table]:
    done = run("restore", str(lost.backup), database=empty or tmp_path / "judge.db")
    assert done.exit_code == 0, done.output
    with closing(Table(tmp_path, "lost", empty)) as table:
        table.clock.time = lost.now
        note_wake_up(table.judge)
        table.turn()
        yield table


def emails_since(restored: Table, lost: Lost) -> tuple[Mail, ...]:
    return tuple(m for m in restored.outbox() if m.message_id not in lost.sent_before)


def test_a_restored_judge_never_reuses_a_message_id_for_other_contents(
    lost: Lost, restored: Table
) -> None:
    restored.play("garnet", FRANCE=FIRST)
    restored.play("garnet", FRANCE="A Bur - Mun\nA Mar H\nF Bre H")

    then = {mail.message_id for mail in lost.sent_since}
    now = {mail.message_id for mail in emails_since(restored, lost)}
    assert len(then) > 10
    assert len(now) > 30
    assert not then & now


def test_tokens_of_lost_emails_mean_nothing_and_earlier_ones_still_find_their_game(
    lost: Lost, restored: Table
) -> None:
    with restored.database.read() as transaction:
        known = {
            mail.message_id: transaction.people.redeem(mail.token)
            for mail in (*lost.table.outbox(), *emails_since(restored, lost))
            if mail.token
        }
    first_sent = [mail for mail in lost.sent_since if mail.kind == "phase_results"]
    assert first_sent
    assert all(known[mail.message_id] is None for mail in first_sent)
    assert all(known[each] for each in lost.sent_before if each in known)


def test_every_log_says_that_a_backup_was_restored(lost: Lost, restored: Table) -> None:
    logs = {name: restored.log(name) for name in ("baltic", "garnet")}
    events = [each.event for log in logs.values() for each in log]
    [first, second] = [each for each in events if isinstance(each, GameRestored)]

    assert first.epoch == second.epoch
    assert first.epoch.startswith("1-")
    assert {first.phase, second.phase} == {None, "S1901M"}
    assert datetime.fromisoformat(first.saved) == lost.saved
    with restored.database.read() as transaction:
        assert transaction.secrets.epoch() == first.epoch


def test_one_email_to_each_game_says_what_no_longer_counts_and_where_it_goes_on(
    lost: Lost, restored: Table
) -> None:
    sent = emails_since(restored, lost)

    assert sorted(mail.recipient for mail in sent) == sorted(
        [*map(of, POWERS), OBSERVER, MODERATOR]
    )
    [told] = [mail for mail in sent if mail.recipient == of("FRANCE")]
    assert f"{lost.saved:%H:%M}" in told.words
    assert "results of S1901M or of a later phase" in told.words
    deadline = lost.deadline + LOST
    assert restored.deadline("garnet") == deadline
    assert f"{deadline:%H:%M}" in told.words
    assert "send them again" in told.words


def test_the_time_since_the_backup_is_given_back_once(lost: Lost, restored: Table) -> None:
    restored.pass_time(hours=0.2)
    note_wake_up(restored.judge)
    restored.turn()

    assert restored.deadline("garnet") == lost.deadline + LOST


def test_orders_from_before_the_backup_still_count(restored: Table) -> None:
    assert restored.standing("FRANCE", "garnet") == ("A PAR - BUR",)


def test_a_reply_to_results_that_no_longer_count_changes_nothing_and_says_why(
    lost: Lost, restored: Table
) -> None:
    [lost_results] = [
        mail
        for mail in lost.sent_since
        if mail.recipient == of("FRANCE") and mail.kind == "phase_results"
    ]
    restored.play("garnet", FRANCE=FIRST)
    assert restored.phase("garnet") == lost.table.phase("garnet")  # for which it asked orders

    [answer] = restored.reply(lost_results, "A Pic - Bel\nF Bre - Mid")

    assert restored.standing("FRANCE", "garnet") == ()
    assert "no longer counts" in answer.words
    [receipt] = restored.reply(answer, "A Bur - Mun\nF Bre - Mid\nA Mar H")
    assert receipt.kind == "receipt"
    assert "A BUR - MUN" in restored.standing("FRANCE", "garnet")


def test_a_reply_that_names_a_lost_email_only_in_its_thread_changes_nothing(
    lost: Lost, restored: Table
) -> None:
    [lost_results] = [
        mail
        for mail in lost.sent_since
        if mail.recipient == of("FRANCE") and mail.kind == "phase_results"
    ]
    [answer] = restored.mail(
        of("FRANCE"), "A Bur - Mun", In_Reply_To=lost_results.message_id, subject="Re: orders"
    )
    assert "no longer counts" in answer.words


def test_replies_to_emails_from_before_the_backup_still_count(lost: Lost, restored: Table) -> None:
    [start] = [
        mail
        for mail in lost.table.outbox()
        if mail.recipient == of("ITALY")
        and mail.kind == "game_start"
        and mail.message_id in lost.sent_before
    ]
    restored.reply(start, "A Ven H\nA Rom - Apu\nF Nap - Ion")

    assert "A ROM - APU" in restored.standing("ITALY", "garnet")


def test_a_player_who_joined_after_the_backup_is_answered_too(lost: Lost, restored: Table) -> None:
    token = next(mail for mail in lost.sent_since if mail.token).reply_to
    [answer] = restored.mail("newcomer@players.example", "A Par - Bur", token)

    assert "no longer counts" in answer.words


def test_two_restores_of_one_backup_are_two_epochs(lost: Lost, tmp_path: Path) -> None:
    epochs = set()
    for name in ("one.db", "two.db"):
        assert run("restore", str(lost.backup), database=tmp_path / name).exit_code == 0
        shown = run("log", "show", "baltic", "--json", database=tmp_path / name)
        epochs.add(json.loads(shown.stdout.splitlines()[-1])["payload"]["epoch"])

    assert len(epochs) == 2


def test_epochs_count_up(lost: Lost, tmp_path: Path) -> None:
    run("restore", str(lost.backup), database=tmp_path / "one.db")
    run("backup", str(tmp_path / "again.gz"), database=tmp_path / "one.db")
    run("restore", str(tmp_path / "again.gz"), database=tmp_path / "two.db")

    shown = run("log", "show", "baltic", "--json", database=tmp_path / "two.db").stdout
    restores = [json.loads(line) for line in shown.splitlines() if "game_restored" in line]
    assert [each["payload"]["epoch"][:2] for each in restores] == ["1-", "2-"]


def test_checking_a_backup_writes_nothing(lost: Lost, tmp_path: Path) -> None:
    there = tmp_path / "judge.db"
    shutil.copy(lost.table.file, there)
    before = there.read_bytes()

    checked = run("restore", "--check", str(lost.backup), database=there)

    assert checked.output.startswith("could be restored: 2 games")
    assert there.read_bytes() == before
    assert [*tmp_path.iterdir()] == [there]


def test_a_judge_that_moved_says_nothing_and_keeps_its_ids(lost: Lost, tmp_path: Path) -> None:
    there = tmp_path / "judge.db"
    assert run("restore", "--moved", str(lost.backup), database=there).exit_code == 0

    with closing(Table(tmp_path, "lost")) as moved:
        assert {mail.message_id for mail in moved.outbox()} == lost.sent_before
        assert moved.happened(GameRestored, "garnet") == 0
        with moved.database.read() as transaction:
            assert transaction.secrets.epoch() == ""
            assert transaction.secrets.id_key() == transaction.secrets.token_key()
