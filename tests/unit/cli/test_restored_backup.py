"""`judge restore`: new Message-IDs, an event in every log, one email to each game."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime, timedelta
from email import message_from_bytes
from email.policy import default
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.system_clock import SystemClock
from judge.app.admin.restored_backup import begin_epoch
from judge.app.deadlines import note_wake_up
from judge.app.game.apply import apply_command
from judge.app.outbound.queue import ReplyMeaning, token_for
from judge.app.ports.people import MailForm, Purpose
from judge.cli.root import root
from judge.game.clock import ProcessNow
from judge.game.moderator_actions import Terminate
from judge.game.rollback import GameRestored
from judge.mail.compose import message_id
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres
from tests.support.table import FIRST_DEADLINE, JUDGE, MODERATOR, POWERS, Mail, Table, address_of

LOST = timedelta(hours=30)
OBSERVER = "observer@players.example"


def run(*words: str, database: Path | DatabaseServer) -> Result:
    where = database.url if isinstance(database, DatabaseServer) else str(database)
    settings = {"JUDGE_ADDRESS": JUDGE, "JUDGE_MAIL_FORM": "text"}
    return CliRunner().invoke(root, [*words, "--database", where], env=settings)


def at(time: datetime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SystemClock, "now", lambda _: time)


def close_phase(table: Table) -> None:
    with table.database.write() as transaction:
        now = table.clock.now()
        apply_command(table.judge, transaction, "garnet", ProcessNow("operator"), now)


class LostJudge:
    """A judge that was backed up in Spring 1901, and lost after it sent the results."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.table = table = Table(folder, "lost")
        table.open("baltic", moderator=MODERATOR)
        table.join("baltic", "ENGLAND")
        table.start("adriatic")
        with table.database.write() as transaction:
            over = Terminate("operator")
            apply_command(table.judge, transaction, "adriatic", over, table.clock.now())
        table.start("garnet")
        [confirm] = table.mail(OBSERVER, "OBSERVE garnet")
        table.reply(confirm, confirm.yes)
        table.pass_time(hours=20)
        table.send("FRANCE", "A Par - Bur", "garnet")
        at(table.clock.time, patch)
        self.saved, self.backup = table.clock.time, folder / "backup.gz"
        assert run("backup", str(self.backup), database=table.file).exit_code == 0
        self.deadline = table.deadline("garnet")
        self.before = table.outbox()
        close_phase(table)
        self.since = table.outbox()[len(self.before) :]
        self.now = table.clock.time = self.saved + LOST
        at(self.now, patch)

    def results(self) -> Mail:
        """Return the results that France received and that no longer count."""
        return next(mail for mail in self.since if mail.recipient == address_of("FRANCE"))


@pytest.fixture(scope="module")
def lost(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LostJudge]:
    with pytest.MonkeyPatch.context() as patch:
        found = LostJudge(tmp_path_factory.mktemp("lost"), patch)
        yield found
        found.table.close()


@contextmanager
def restoring(
    lost: LostJudge, folder: Path, server: DatabaseServer | None = None
) -> Iterator[Table]:
    """Restore the backup, start the judge on it and yield it."""
    done = run("restore", str(lost.backup), database=server or folder / "judge.db")
    assert done.exit_code == 0, done.output
    with closing(Table(folder, "restored", server)) as table:
        table.clock.time = lost.now
        note_wake_up(table.judge)
        table.run_once()
        yield table


@pytest.fixture(scope="module")
def restored(lost: LostJudge, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Table]:
    """Return a judge restored from the backup, to which no email was sent since."""
    with restoring(lost, tmp_path_factory.mktemp("restored")) as table:
        yield table


@pytest.fixture
def played_on(lost: LostJudge, tmp_path: Path) -> Iterator[Table]:
    """Return a restored judge that has reached the phase of the lost results again."""
    with restoring(lost, tmp_path) as table:
        close_phase(table)
        assert table.phase("garnet") == lost.table.phase("garnet")
        yield table


def emails_since(restored: Table, lost: LostJudge) -> tuple[Mail, ...]:
    return restored.outbox()[len(lost.before) :]


def check_restored(restored: Table, lost: LostJudge) -> None:
    """Check the events and emails of a restored judge."""
    logs = [restored.log(name) for name in ("baltic", "garnet", "adriatic")]
    events = [each.event for log in logs for each in log]
    [first, *others] = [each for each in events if isinstance(each, GameRestored)]
    assert {each.epoch for each in others} == {first.epoch}
    assert first.epoch.startswith("1-")
    assert [first.phase, *(each.phase for each in others)] == [None, "S1901M", "S1901M"]
    assert datetime.fromisoformat(first.saved) == lost.saved
    with restored.database.read() as transaction:
        assert transaction.secrets.epoch() == first.epoch

    sent = emails_since(restored, lost)
    garnet = [mail for mail in sent if ":garnet - " in mail.subject]
    assert sorted(mail.recipient for mail in garnet) == sorted(
        [*map(address_of, POWERS), OBSERVER]
    )
    baltic = [mail for mail in sent if ":baltic - " in mail.subject]
    assert sorted(mail.recipient for mail in baltic) == sorted([MODERATOR, address_of("ENGLAND")])
    assert len(sent) == len(garnet) + len(baltic), "the third game is over"
    told = next(mail for mail in garnet if mail.recipient == address_of("FRANCE"))
    assert f"{lost.saved:%H:%M}" in told.words
    assert "results of S1901M or of a later phase" in told.words
    assert f"{lost.deadline + LOST:%H:%M}" in told.words
    assert "send them again" in told.words


def test_every_log_and_one_email_to_each_game_say_that_a_backup_was_restored(
    lost: LostJudge, restored: Table
) -> None:
    check_restored(restored, lost)


@pytest.mark.slow
def test_the_same_in_postgresql(lost: LostJudge, tmp_path: Path, postgres: Postgres) -> None:
    with restoring(lost, tmp_path, postgres.empty()) as table:
        check_restored(table, lost)


def test_the_time_since_the_backup_is_given_back_once(lost: LostJudge, restored: Table) -> None:
    note_wake_up(restored.judge)
    restored.run_once()

    assert restored.deadline("garnet") == lost.deadline + LOST


def test_orders_from_before_the_backup_still_count(restored: Table) -> None:
    assert restored.current_orders("FRANCE", "garnet") == ("A PAR - BUR",)


def test_a_late_power_is_told_until_when_it_may_order(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("garnet", "first_spring_extension_hours=0", "grace_hours=24")
        table.wait_until(FIRST_DEADLINE + timedelta(hours=1))
        began = table.clock.time
        table.clock.time += timedelta(hours=5)
        with table.database.write() as transaction:
            transaction.agenda.record_heartbeat(began)
            assert begin_epoch(table.judge, transaction, began) == []

        told = table.emails_to(address_of("FRANCE"))[-1]
        until = FIRST_DEADLINE + timedelta(hours=29)
        assert f"takes late orders until {until:%a %d %b %Y %H:%M}" in told.words


def test_deadlines_of_phases_that_are_lost_leave_the_calendars(tmp_path: Path) -> None:
    with closing(Table(tmp_path, form=MailForm.HTML)) as table:
        table.open("baltic", moderator=MODERATOR)
        table.start("garnet")
        began = table.clock.time
        table.clock.time += timedelta(hours=5)
        with table.database.write() as transaction:
            transaction.agenda.record_heartbeat(began)
            assert begin_epoch(table.judge, transaction, began) == []

        assert calendar_changes(table, address_of("FRANCE")) == [
            ("PUBLISH", "deadline.garnet"),
        ]
        assert calendar_changes(table, MODERATOR) == [("CANCEL", "deadline.baltic")]


def calendar_changes(table: Table, reader: str) -> list[tuple[str, str]]:
    """Return method and event of each calendar in the last email to *reader*."""
    with table.database.read() as transaction:
        mail = transaction.outbox.find(table.emails_to(reader)[-1].message_id)
    assert mail
    parts = message_from_bytes(mail.raw, policy=default).walk()
    texts = [
        str(part.get_content()) for part in parts if part.get_content_type() == "text/calendar"
    ]
    return [
        (text.split("METHOD:")[1].split()[0], text.split("UID:")[1].split("@")[0])
        for text in texts
    ]


def test_an_email_about_the_same_has_another_message_id_and_reply_address(
    lost: LostJudge, restored: Table
) -> None:
    def ids(table: Table) -> tuple[str, str]:
        with table.database.write() as transaction:
            person = transaction.people.by_address(address_of("FRANCE"))
            assert person
            meaning = ReplyMeaning(game="garnet", power="FRANCE", phase="F1901M", subject="7")
            token = token_for(transaction, Purpose.ORDERS, person, meaning)
            key = transaction.secrets.id_key()
        return token.text, message_id(key, "garnet:20:PhaseResults", person.id, "judge.example")

    assert not {*ids(lost.table)} & {*ids(restored)}


def test_a_reply_to_results_that_no_longer_count_changes_nothing_and_says_why(
    lost: LostJudge, played_on: Table
) -> None:
    [answer] = played_on.reply(lost.results(), "A Par - Pic\nF Bre - Mid")

    assert played_on.current_orders("FRANCE", "garnet") == ()
    assert "no longer counts" in answer.words
    assert played_on.phase("garnet") in answer.words
    [receipt] = played_on.reply(answer, "A Bur - Mun\nF Bre - Mid\nA Mar H")
    assert receipt.kind == "receipt"
    assert "A BUR - MUN" in played_on.current_orders("FRANCE", "garnet")
    now = {mail.message_id for mail in emails_since(played_on, lost)}
    assert not now & {mail.message_id for mail in lost.since}


def test_replies_are_matched_by_the_email_that_they_answer(
    lost: LostJudge, tmp_path: Path
) -> None:
    with restoring(lost, tmp_path) as table:
        start = next(
            mail
            for mail in lost.before
            if mail.recipient == address_of("ITALY") and ":garnet" in mail.subject
        )
        table.reply(start, "A Ven H\nA Rom - Apu\nF Nap - Ion")
        assert "A ROM - APU" in table.current_orders("ITALY", "garnet"), (
            "it came before the backup"
        )

        [answer] = table.mail(
            address_of("GERMANY"),
            "A Mun H",
            In_Reply_To=lost.results().message_id,
            subject="Re: orders",
        )
        assert "no longer counts" in answer.words, "it names the email only in its thread"
        assert table.current_orders("GERMANY", "garnet") == ()

        [answer] = table.mail("newcomer@players.example", "A Par H", lost.results().reply_to)
        assert "no longer counts" in answer.words, "a player who joined since the backup"


def last_epoch(database: Path) -> str:
    shown = run("log", "show", "baltic", "--json", database=database).stdout.splitlines()
    event = json.loads(shown[-1])
    assert event["type"] == "game_restored"
    epoch: str = event["payload"]["epoch"]
    return epoch


@pytest.mark.slow
def test_each_restore_is_an_epoch_and_epochs_count_up(lost: LostJudge, tmp_path: Path) -> None:
    one, two, third = (tmp_path / f"{name}.db" for name in ("one", "two", "third"))
    for file in (one, two):
        assert run("restore", str(lost.backup), database=file).exit_code == 0
    run("backup", str(tmp_path / "again.gz"), database=one)
    run("restore", str(tmp_path / "again.gz"), database=third)

    epochs = [last_epoch(file) for file in (one, two, third)]
    assert [each[:2] for each in epochs] == ["1-", "1-", "2-"]
    assert len(set(epochs)) == 3


def test_checking_a_backup_writes_nothing(lost: LostJudge, tmp_path: Path) -> None:
    there = tmp_path / "judge.db"
    shutil.copy(lost.table.file, there)
    before = there.read_bytes()

    checked = run("restore", "--check", str(lost.backup), database=there)

    assert checked.output.startswith("could be restored: 3 games")
    assert there.read_bytes() == before
    assert [*tmp_path.iterdir()] == [there]


def test_a_moved_judge_sends_nothing_and_keeps_its_ids(lost: LostJudge, tmp_path: Path) -> None:
    there = tmp_path / "judge.db"
    assert run("restore", "--moved", str(lost.backup), database=there).exit_code == 0

    with closing(Table(tmp_path, "lost")) as moved:
        assert moved.outbox() == lost.before
        assert moved.count_events(GameRestored, "garnet") == 0
        with moved.database.read() as transaction:
            assert transaction.secrets.epoch() == ""
            assert transaction.secrets.id_key() == transaction.secrets.token_key()
