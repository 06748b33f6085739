"""A game of one evening, played by mail with a simulated clock, ends at its time limit."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest

from judge.app.deadlines import note_wake_up
from judge.archive.reading import Doubts, Reading, format_named
from judge.archive.records import EndKind
from judge.game.game_state import Ending
from judge.game.payloads import parse_instant
from judge.game.phases import PhaseOpened
from tests.support.recorded_game import BOARD
from tests.support.table import MODERATOR, MONDAY, POWERS, Mail, Table, address_of

GAME = "tonight"
HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TICK = MINUTE
LENGTHS = {"M": 15 * MINUTE, "R": 5 * MINUTE, "A": 5 * MINUTE}
FRANCE = {
    "S1901M": "F Bre-Mid\nA Mar-Spa\nA Par H",
    "F1901M": "F Mid-Por\nA Spa H\nA Par H",
    "W1901A": "Build A Mar\nBuild F Bre",
}


def open_evening(judge: Table, *rules: str) -> None:
    """Open a game of one evening by mail and join seven players."""
    [question] = judge.mail(MODERATOR, " ".join((f"CREATE {GAME} template=evening", *rules)))
    judge.reply(question, "YES")
    for power in POWERS:
        judge.join(GAME, power)


def send_orders(judge: Table, *, but: str = "") -> None:
    """Send orders for all players but one: France attacks, the others hold."""
    phase = judge.phase(GAME)
    quiet = {but, "FRANCE"} if phase in FRANCE else {but}
    if phase.endswith("M"):
        judge.all_hold(GAME, but=tuple(quiet))
    if phase in FRANCE:
        judge.send("FRANCE", FRANCE[phase], GAME)


def wait_for_next_phase(judge: Table) -> tuple[datetime, tuple[Mail, ...]]:
    """Run the judge until the phase closes; return the time and the emails sent meanwhile."""
    phase, before = judge.phase(GAME), len(judge.outbox())
    while judge.game(GAME).ending is None and judge.phase(GAME) == phase:
        judge.wait_until(judge.clock.time + TICK)
    return judge.clock.time, judge.outbox()[before:]


def test_a_game_of_one_evening_is_played_through(judge: Table) -> None:
    open_evening(judge)
    closed: dict[str, datetime] = {}
    mails: list[Mail] = []

    while judge.game(GAME).ending is None:
        phase = judge.phase(GAME)
        judge.pass_time(minutes=3)
        send_orders(judge, but="" if "1902" in phase else "TURKEY")
        if phase == "F1902M":
            judge.send("ENGLAND", "SET WAIT", GAME)
        closed[phase], told = wait_for_next_phase(judge)
        mails += told

    # Each phase was open for its 15 or 5 minutes, and two more for Turkey.
    opened = [each.event for each in judge.log(GAME) if isinstance(each.event, PhaseOpened)]
    for each in opened:
        length = 30 * MINUTE if each.number == 1 else LENGTHS[each.phase[-1]]
        begun, due = parse_instant(each.opened), parse_instant(each.deadline)
        assert due - begun == length
        assert closed[each.phase] - begun <= length + 2 * MINUTE + TICK
    # With all orders in a phase closes early, and with a WAIT at the deadline.
    start = {each.phase: parse_instant(each.opened) for each in opened}
    assert closed["S1902M"] - start["S1902M"] == 3 * MINUTE + MINUTE
    assert closed["F1902M"] - start["F1902M"] == 15 * MINUTE
    # Turkey alone was reminded, five minutes before the deadlines by which it had no orders.
    reminders = [mail for mail in mails if mail.kind == "reminder"]
    assert {mail.recipient for mail in reminders} == {address_of("TURKEY")}
    assert len(reminders) == sum(code.endswith("M") for code in closed) - 2
    assert all("less than 5 minutes until the deadline" in mail.words for mail in reminders)
    # The year that was open after four hours was the last: France has the most centers.
    *_, fall_before, _, last = [code for code in closed if code.endswith("M")]
    assert closed[fall_before] < MONDAY + 4 * HOUR <= closed[last]
    assert judge.game(GAME).ending == Ending("solo", ("FRANCE",), "clock")
    [result] = [
        mail
        for mail in mails
        if mail.recipient == address_of("ITALY") and "Results" in mail.subject
    ][-1:]
    assert "Time is up: the game ends by the clock" in result.words
    assert "The game was won by France." in result.words


def test_the_emails_of_a_game_of_one_evening_are_read_back_as_one_game(judge: Table) -> None:
    open_evening(judge, "ends_after_hours=2m")
    while judge.game(GAME).ending is None:
        send_orders(judge)
        wait_for_next_phase(judge)
    mails = (raw.decode() for (raw,) in judge.query("SELECT raw FROM outbox ORDER BY id"))

    ours = format_named("ours")
    text = "".join(f"From - \n{mail}\n\n" for mail in mails)
    [record] = ours.read(Reading(BOARD, "mail", "0", Doubts("mail")), text.splitlines())

    assert judge.game(GAME).ending == Ending("solo", ("FRANCE",), "clock")
    assert record.name == GAME
    assert record.ending
    assert (record.ending.kind, record.ending.powers) == (EndKind.SOLO, ("FRANCE",))


class TestPlayersSeeTheEndByTheClock:
    def test_the_rules_sheet_and_the_start_email_name_the_end(self, judge: Table) -> None:
        open_evening(judge, "zone=Europe/Berlin", "ends_at=2026-11-23T17:00")

        [start] = judge.emails_to(address_of("ITALY"), "game_start")
        sheet = judge.send("ITALY", "RULES", GAME)

        for mail in (start, sheet):
            assert "game year that is open on Mon 23 Nov 2026 17:00 Europe/Berlin" in mail.words
            assert "game year that is open 4 hours after its start" in mail.words
            assert "15 minutes for movement, 5 minutes for retreats" in mail.words
            assert "phases close at" not in mail.words

    def test_the_status_names_the_end(self, judge: Table) -> None:
        open_evening(judge)

        assert (
            "ends with the game year that is open on Mon 23 Nov 2026 16:00 UTC."
            in judge.send("ITALY", "STATUS", GAME).words
        )

    def test_the_results_of_each_phase_but_the_last_name_the_end(self, judge: Table) -> None:
        open_evening(judge, "last_year=1901")
        results: dict[str, Mail] = {}

        while judge.game(GAME).ending is None:
            phase = judge.phase(GAME)
            _, told = wait_for_next_phase(judge)
            [results[phase]] = [
                mail
                for mail in told
                if mail.recipient == address_of("ITALY") and mail.kind == "phase_results"
            ]

        end = "The game ends with the game year that is open on Mon 23 Nov 2026 16:00 UTC."
        *earlier, last = results.values()
        assert earlier
        assert all(end in mail.words for mail in earlier)
        assert end not in last.words

    def test_all_are_told_when_the_moderator_sets_the_end_during_the_game(
        self, table: Table
    ) -> None:
        moderator = table.emails_to(MODERATOR)[-1]
        mails = table.reply(moderator, "SET RULE ends_at=2026-12-04T23:00 grace_hours=30m")
        told = [mail for mail in mails if "Parameter Change" in mail.subject]

        assert {address_of(power) for power in POWERS} <= {mail.recipient for mail in told}
        assert all("open on Fri 04 Dec 2026 23:00 UTC" in mail.words for mail in told)
        assert all("30 minutes after the deadline" in mail.words for mail in told)

    @pytest.mark.parametrize("text", ["15m", "15 minutes", "15 Min"])
    def test_an_end_in_minutes_is_understood(self, table: Table, text: str) -> None:
        moderator = table.emails_to(MODERATOR)[-1]
        table.reply(moderator, f"SET RULE grace_hours = {text} listed=no")

        assert table.game().house_rules.grace_hours == 15 * MINUTE
        assert not table.game().house_rules.listed

    def test_an_end_in_the_past_is_refused(self, table: Table) -> None:
        [told] = table.reply(table.emails_to(MODERATOR)[-1], "SET RULE ends_at=2026-11-22T23:00")

        assert "That time lies in the past." in told.words

    def test_an_invalid_instant_is_quoted(self, table: Table) -> None:
        [told] = table.reply(table.emails_to(MODERATOR)[-1], "SET RULE ends_at=soon")

        assert "ends_at 2026-12-04T23:00" in told.words

    def test_an_invalid_length_is_quoted(self, table: Table) -> None:
        [told] = table.reply(table.emails_to(MODERATOR)[-1], "SET RULE grace_hours=15s")

        assert "grace_hours must be a length of time, such as 15m" in told.words


class TestEveryLanguageTellsMinutes:
    def test_german_emails_name_minutes(self, judge: Table) -> None:
        open_evening(judge)
        sheet = judge.send("ITALY", "SET LANGUAGE DE\nRULES", GAME)

        assert "Zeit: 15 Minuten für Züge, 5 Minuten für Rückzüge" in sheet.words
        assert "mit dem Spieljahr, das 4 Stunden nach ihrem Beginn läuft" in sheet.words

    def test_french_emails_name_minutes(self, judge: Table) -> None:
        open_evening(judge)
        sheet = judge.send("ITALY", "SET LANGUAGE FR\nRULES", GAME)

        assert "Temps : 15 minutes pour les mouvements" in sheet.words
        assert "en cours 4 heures après son début" in sheet.words


def test_an_outage_of_minutes_is_given_back(judge: Table) -> None:
    open_evening(judge)
    judge.pass_time(minutes=20)
    deadline = judge.deadline(GAME)

    judge.clock.time += 2 * MINUTE
    note_wake_up(judge.judge)
    judge.run_once()
    assert judge.deadline(GAME) == deadline

    judge.clock.time += 9 * MINUTE
    note_wake_up(judge.judge)
    judge.run_once()
    assert judge.deadline(GAME) == deadline + 9 * MINUTE


def test_more_time_is_asked_for_and_given_in_minutes(judge: Table) -> None:
    open_evening(judge)
    deadline = judge.deadline(GAME)

    judge.send("ITALY", "EXTENSION 10m BECAUSE the phone rings", GAME)
    asked = judge.emails_to(MODERATOR)[-1]
    judge.reply(asked, "GRANT ITALY")
    moved = judge.deadline(GAME)
    judge.reply(asked, "SET DEADLINE +5m")

    assert "asks for 10 minutes more" in asked.words
    assert moved == deadline + 10 * MINUTE
    assert judge.deadline(GAME) == deadline + 15 * MINUTE
