"""However late an email is rendered, it discloses what it would have disclosed at once."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest

from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.outbound.queue import ReplyMeaning, token_for
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import Purpose
from judge.game.decision import Accepted
from judge.game.players.seats import PowerTakenOver
from judge.game.players.standbys import JoinGame
from judge.mail.headers import address_with
from tests.support.carriers import deliver
from tests.support.table import JUDGE, MODERATOR, MONDAY, POWERS, Table, address_of, render_email

FRANCE, GERMANY, TURKEY = map(address_of, ("FRANCE", "GERMANY", "TURKEY"))
QUESTIONS = "STATUS\nRULES\nMAP\nHISTORY\nSUMMARY\nWHOGAME\nOPTIONS\nHELP PRESS\nDIARY READ"
SENT = (  # by whom, about which game, what
    (FRANCE, "baltic", "A Par-Bur\nA Mar S A Par-Bur\nF Bre-Lon\nA Spa H"),
    (FRANCE, "baltic", "DIARY\nGermany lies.\nENDDIARY\nABSENT 24 Dec TO 2 Jan\nEXTENSION 24"),
    (FRANCE, "garnet", "A Par-Bur\nF Bre-MAO"),
    (GERMANY, "garnet", "F Kie-Den\nPRESS TO F\nLeave Burgundy.\nENDPRESS"),
    (TURKEY, "baltic", "PRESS TO ALL BUT G\nGermany is next.\nENDPRESS\nPROPOSE DRAW"),
    (MODERATOR, "baltic", "SET COMMENT BEGIN\nSlow\nEND\nGRANT F\nPAUSE\nRESUME"),
    (MODERATOR, "garnet", "PROCESS S1901M"),
    (MODERATOR, "baltic", "PROCESS S1901M"),
    (FRANCE, "baltic", f"A Bur-Mun\n{QUESTIONS}"),
    (FRANCE, "garnet", f"A Bur H\n{QUESTIONS}"),
    (FRANCE, "garnet", "LIST"),
    (GERMANY, "garnet", QUESTIONS),
    (GERMANY, "baltic", QUESTIONS),
    (MODERATOR, "baltic", "EJECT TURKEY"),
    (MODERATOR, "baltic", "SET DEADLINE +24h"),
)
SENT_LATER = (
    (FRANCE, "baltic", "SET HANDLE Kaiserin\nPRESS TO G\nOf later.\nENDPRESS"),
    (MODERATOR, "baltic", "ROLLBACK BECAUSE of an error\nSET RULE nmr=replace"),
    (MODERATOR, "garnet", "ROLLBACK BECAUSE of an error\nSET RULE press=none"),
)
PAGES = {  # of which the emails consisted before 0.3.0
    *("BoardMap", "DeadlineChange", "DiariesAndStatements", "GameList", "GameNews", "GameOver"),
    *("GameStart", "Help", "History", "LateNotice", "PhaseResults", "PressEmail", "Receipt"),
    *("Reminder", "RulesSheet", "Status", "Summary", "Unanswered", "Vacancy", "WhoGame"),
}
NEWS = {  # of games: projections of the log
    *("deadline_change", "game_over", "game_start", "late_notice", "letter", "phase_results"),
    *("reminder", "table_news", "vacancy"),
}
KINDS = NEWS | {"receipt", "game_list"}
FACTS = Path(__file__).parents[2] / "golden" / "facts" / "0.3.0.jsonl"
FIRST_HANDLE = "player-285ffb"  # of the player of France


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a store with an open game and a blind one, and emails of each kind."""
    folder = tmp_path_factory.mktemp("played")
    with closing(Table(folder)) as table:
        table.start("baltic", moderator=MODERATOR)
        table.start("garnet", "blind=on", moderator=MODERATOR)
        send(table, SENT)
        for _ in range(10):  # Reminders go out, players are late, and their powers become vacant.
            table.clock.time += timedelta(hours=8)
            table.run_once()
        send(table, [(MODERATOR, "garnet", "TERMINATE")])
    return folder


def send(table: Table, mails: Sequence[tuple[str, str, str]]) -> None:
    """Send *mails* without looking at what the judge answers, so that it stays unrendered."""
    for person, game, text in mails:
        reply_to = reply_address(table, person, game)
        table.deliver(table.compose(person, text, reply_to), None, reply_to)
        table.run_once()
        table.clock.time += timedelta(minutes=1)


def reply_address(table: Table, address: str, game: str) -> str:
    """Return the address of replies to the latest email about *game*."""
    state = table.game(game)
    assert state.position
    with table.database.write() as transaction:
        person = transaction.people.by_address(address)
        assert person
        power, phase = state.power_of(person.id), state.position.phase.code
        about = ReplyMeaning(game=game, power=power, phase=phase)
        token = token_for(transaction, Purpose.ORDERS, person, about)
        transaction.people.issue(token)
    return address_with(token.text, table.judge.address, table.judge.delimiter)


def unrendered_in(table: Table) -> Mapping[str, OutgoingMail]:
    """Return the emails that are not rendered yet, by Message-ID."""
    with table.database.read() as transaction:
        outbox, now = transaction.outbox, table.clock.now()
        waiting = outbox.unrendered(now, 10_000, outbox.unrendered_games(now, 10_000))
    return {mail.message_id: mail for mail in waiting}


@pytest.fixture
def copies(played: Path, tmp_path: Path) -> Iterator[tuple[Table, Table]]:
    for name in ("early", "late"):
        shutil.copytree(played, tmp_path / name)
    with (
        closing(Table(tmp_path / "early", "early")) as early,
        closing(Table(tmp_path / "late", "late")) as late,
    ):
        early.clock.time = late.clock.time = MONDAY + timedelta(days=5)
        yield early, late


@pytest.mark.gate
def test_an_email_of_each_kind_discloses_a_year_later_what_it_would_have_at_once(
    copies: tuple[Table, Table],
) -> None:
    early, late = copies
    waiting = unrendered_in(early)
    assert {each.kind for each in waiting.values()} >= KINDS
    at_once = {mail.message_id: mail for mail in early.outbox() if mail.message_id in waiting}
    late.clock.time = early.clock.time + timedelta(days=1)
    send(late, SENT_LATER)
    with late.database.write() as transaction:
        now = late.clock.now()
        newcomer = register_person(late.judge, transaction, "new@players.example", now)
        join = JoinGame(newcomer.id, (("TURKEY",),), "seed")
        taken = apply_command(late.judge, transaction, "baltic", join, now)
        assert isinstance(taken.decision, Accepted)
        assert isinstance(taken.decision.events[0], PowerTakenOver)
    for _ in range(12):
        late.clock.time += timedelta(days=31)
        late.run_once()
    assert unrendered_in(late).keys() > waiting.keys()

    after_a_year = {mail.message_id: mail for mail in late.outbox()}

    assert len(at_once) > 4 * len(POWERS)
    for name, mail in at_once.items():
        again = after_a_year[name]
        text = again.text.replace("Kaiserin", FIRST_HANDLE)
        assert (again.subject, text.splitlines()) == (mail.subject, mail.text.splitlines())


def test_news_of_a_game_are_stored_as_the_names_of_events_only(
    copies: tuple[Table, Table],
) -> None:
    news = [mail for mail in unrendered_in(copies[0]).values() if mail.kind in NEWS]
    texts = "".join(mail.raw.decode() for mail in copies[0].outbox())
    assert "Germany is next." in texts

    assert {mail.kind for mail in news} == NEWS
    for mail in news:
        [page] = (mail.facts or "").split("\n")[1:]
        name, _, fields = page.partition(" ")
        facts = json.loads(fields)
        heading = {key for key, each in facts.pop("heading").items() if each}
        assert name in ("Announced", "OrdersMissing")
        assert heading == {"judge_code", "game", "zone", "language"}
        assert facts.keys() in (
            {"first", "last", "person", "cause"},
            {"version", "power", "length", "waiting"},
        )


def test_press_that_is_not_rendered_yet_is_dropped_when_its_author_is_erased(
    copies: tuple[Table, Table],
) -> None:
    table, _ = copies
    waiting = [mail for mail in unrendered_in(table).values() if mail.kind == "letter"]
    with table.database.write() as transaction:
        author = transaction.people.by_address(TURKEY)
        assert author
        transaction.connection.exec_driver_sql(
            "DELETE FROM person_keys WHERE person = ?", (author.id,)
        )

    sent = [mail for mail in deliver(table) if mail.kind == "letter"]

    assert len(waiting) > len(sent) > 0
    assert not any(b"Germany is next." in mail.raw for mail in sent)
    states = dict(table.query("SELECT message_id, state FROM outbox"))
    assert {states[mail.message_id] for mail in waiting} == {"sent", "given_up"}


def test_emails_that_were_queued_by_an_earlier_release_can_be_rendered(played: Path) -> None:
    """Never write `FACTS` again, but the file of a later release beside it.

    Such emails may wait for months. A field that a page has got since needs a default.
    """
    with closing(Table(played)) as table:
        table.clock.time = MONDAY + timedelta(days=5)
        if not FACTS.exists():
            write_facts_of(table)
        stored = [json.loads(line) for line in FACTS.read_text(encoding="utf-8").splitlines()]
        for page, facts in stored:
            mail = OutgoingMail(
                "<1@judge.example>", JUDGE, FRANCE, b"", MONDAY, "kind", facts=facts
            )
            assert render_email(table.judge, mail), page

    assert {page for page, _ in stored} >= PAGES


def write_facts_of(table: Table) -> None:
    """Write the shortest facts that have each page."""
    found = dict[str, str]()
    for facts in sorted((mail.facts or "" for mail in unrendered_in(table).values()), key=len):
        for line in facts.split("\n")[1:]:
            found.setdefault(line.partition(" ")[0], facts)
    lines = (json.dumps(each, ensure_ascii=False) for each in sorted(found.items()))
    FACTS.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
