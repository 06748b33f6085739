"""Games of one evening: phases of minutes, and an end at a set time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest

from judge.game import calendar
from judge.game.absences import SetAbsence
from judge.game.clock import ProcessNow, Tick, next_due_at, reminders, reminders_due
from judge.game.deadlines import DeadlineMoved, DeadlinePassed, PowerProtected
from judge.game.decision import Why
from judge.game.house_rules import TEMPLATES, Absences, HouseRules, Nmr, from_pairs
from judge.game.moderator_actions import ChangeRules
from judge.game.phases import PhaseOpened
from judge.game.players.creation import CreateGame
from judge.game.players.joining import Resign
from judge.game.players.standbys import JoinGame
from judge.game.rollback import Unstart
from judge.game.voting import GameEnded
from judge.rules.rulebook import DATC
from tests.unit.game.table import (
    BOARD,
    DAY,
    HOUR,
    MINUTE,
    MONDAY,
    after,
    all_hold,
    created,
    given,
    happened,
    in_phase,
    look,
    phase_of,
    refused,
    started,
    wait,
)

if TYPE_CHECKING:
    from datetime import timedelta

EVENING = TEMPLATES["evening"]


def at_noon(hours: float = 0) -> datetime:
    return MONDAY + hours * HOUR


class TestPhasesOfMinutes:
    @pytest.mark.parametrize("minutes", [5, 15, 59])
    def test_a_phase_of_minutes_lasts_exactly_so_long(self, minutes: int) -> None:
        rules = from_pairs([f"movement_hours={minutes}m"])
        saturday = datetime(2026, 11, 28, 22, 50, tzinfo=UTC)

        assert calendar.deadline(saturday, rules.movement_hours, rules) == (
            saturday + minutes * MINUTE
        )

    def test_from_an_hour_on_the_closing_time_counts(self) -> None:
        rules = from_pairs(["movement_hours=1h30"])

        assert calendar.deadline(MONDAY, rules.movement_hours, rules) == MONDAY.replace(hour=20)

    def test_phases_of_minutes_last_through_a_clock_change(self) -> None:
        rules = replace(EVENING, zone="Europe/Berlin")
        # 02:55 before the clocks change, five minutes before the second 02:00
        before = datetime(2026, 10, 25, 0, 55, tzinfo=UTC)

        assert calendar.deadline(before, 15 * MINUTE, rules) == before + 15 * MINUTE

    def test_grace_and_the_nmr_extension_are_of_minutes_too(self) -> None:
        rules = replace(EVENING, nmr=Nmr.EXTEND, nmr_extension_hours=3 * MINUTE)
        game = started(rules)
        assert game.phase
        assert game.phase.deadline == MONDAY + 30 * MINUTE
        assert game.phase.grace_end == MONDAY + 32 * MINUTE

        [moved] = happened(game, look(MONDAY + 30 * MINUTE))

        assert isinstance(moved, DeadlineMoved)
        assert moved.deadline == "2026-11-23T12:33:00Z"
        assert moved.grace_end == "2026-11-23T12:35:00Z"

    def test_a_reminder_comes_minutes_before_the_deadline(self) -> None:
        game = started(EVENING)

        assert reminders(game) == (MONDAY + 25 * MINUTE,)
        assert len(reminders_due(BOARD, game, MONDAY + 25 * MINUTE)) == 7

    @pytest.mark.parametrize(
        ("before", "due"),
        [(14 * MINUTE, 1), (15 * MINUTE, 0), (24 * HOUR, 0)],
    )
    def test_no_reminder_is_in_the_past_or_in_the_minute_of_the_results(
        self, before: timedelta, due: int
    ) -> None:
        game = in_phase(
            "S1902M", {"FRANCE": "A PAR"}, rules=replace(EVENING, reminder_hours=(before,))
        )

        assert len(reminders(game)) == due

    def test_a_phase_closes_early_a_minute_after_the_last_orders_unless_a_player_waits(
        self,
    ) -> None:
        game = started(EVENING)
        game = given(game, *all_hold(game))
        waiting = given(game, wait("FRANCE"))

        assert next_due_at(BOARD, game) == MONDAY + MINUTE
        assert next_due_at(BOARD, waiting) == MONDAY + 30 * MINUTE

    def test_after_a_takeover_there_is_as_much_time_as_for_a_movement_phase(self) -> None:
        game = given(started(EVENING), Resign("turkey"))
        late = MONDAY + 29 * MINUTE

        moved = happened(game, JoinGame("anna", (), "seed", "TURKEY"), late)[-1]

        assert isinstance(moved, DeadlineMoved)
        assert moved.deadline == "2026-11-23T12:44:00Z"

    def test_bounced_mail_and_an_absence_cost_the_others_a_movement_phase_at_most(self) -> None:
        rules = replace(EVENING, absences=Absences.MOVE)
        late = given(started(rules), look(MONDAY + 30 * MINUTE))
        back = MONDAY + 2 * HOUR
        away = given(started(rules), SetAbsence("ITALY", "italy", MONDAY, back))

        [protected] = happened(late, Tick(MONDAY + 32 * MINUTE, frozenset({"turkey"})))
        opened = happened(away, ProcessNow("mod"))[1]

        assert isinstance(protected, PowerProtected)
        assert protected.grace_end == "2026-11-23T12:47:00Z"
        assert isinstance(opened, PhaseOpened)
        assert opened.deadline == "2026-11-23T14:15:00Z"

    def test_a_deadline_is_moved_by_minutes(self) -> None:
        assert calendar.parse_deadline("+10m", EVENING, MONDAY, MONDAY) == MONDAY + 10 * MINUTE
        assert calendar.parse_deadline("90 min", EVENING, MONDAY, MONDAY) == MONDAY + 90 * MINUTE
        assert calendar.parse_deadline("+2 days", EVENING, MONDAY, MONDAY) == MONDAY + 2 * DAY
        next_week = MONDAY + 7 * DAY
        assert (
            calendar.parse_deadline("in 30m", EVENING, MONDAY, next_week) == MONDAY + 30 * MINUTE
        )

    def test_units_without_orders_hold_after_two_minutes_of_grace(self) -> None:
        game = started(EVENING)
        [passed] = happened(game, look(MONDAY + 30 * MINUTE))
        game = after(game, passed)

        opened = happened(game, look(MONDAY + 32 * MINUTE))[1]

        assert isinstance(passed, DeadlinePassed)
        assert isinstance(opened, PhaseOpened)
        assert (opened.phase, opened.deadline) == ("F1901M", "2026-11-23T12:47:00Z")


CENTERS = {"FRANCE": "PAR BRE MAR SPA", "ENGLAND": "LON EDI LVP", "ITALY": "ROM VEN NAP TUN"}
UNITS = {
    "FRANCE": "A PAR, F BRE, A MAR, A SPA",
    "ENGLAND": "F LON, F EDI, F LVP",
    "ITALY": "A ROM",
}
FOUR_HOURS = HouseRules(ends_after_hours=4 * HOUR)
AT_FOUR = HouseRules(zone="Europe/Berlin", ends_at="2026-11-23T17:00")


@pytest.mark.parametrize("rules", [FOUR_HOURS, AT_FOUR], ids=["so many hours", "named instant"])
class TestAGameEndsByTheClock:
    def test_the_game_ends_after_the_year_open_at_its_end_time(self, rules: HouseRules) -> None:
        spring = in_phase("S1904M", UNITS, {**CENTERS, "ITALY": "ROM"}, rules=rules)

        fall = after(spring, *happened(spring, ProcessNow("mod"), at_noon(4)))
        ended = happened(fall, ProcessNow("mod"), at_noon(4.25))[-1]

        assert phase_of(fall) == "F1904M"
        assert ended == GameEnded("F1904M", "solo", ("FRANCE",), "clock")

    def test_the_game_does_not_end_with_an_earlier_year(self, rules: HouseRules) -> None:
        fall = in_phase("F1904M", UNITS, CENTERS, rules=rules)

        next_year = after(fall, *happened(fall, ProcessNow("mod"), at_noon(3.9)))

        assert phase_of(next_year) == "W1904A"

    def test_the_game_ends_after_the_adjustments_of_the_last_year(self, rules: HouseRules) -> None:
        winter = in_phase("W1904A", UNITS, {**CENTERS, "ITALY": "ROM"}, rules=rules)

        early = after(winter, *happened(winter, ProcessNow("mod"), at_noon(3.9)))

        assert phase_of(early) == "S1905M"
        assert happened(winter, ProcessNow("mod"), at_noon(4))[-1] == GameEnded(
            "W1904A", "solo", ("FRANCE",), "clock"
        )

    def test_powers_with_equally_many_centers_share_a_draw(self, rules: HouseRules) -> None:
        fall = in_phase("F1904M", UNITS, CENTERS, rules=rules)

        assert happened(fall, ProcessNow("mod"), at_noon(5))[-1] == GameEnded(
            "F1904M", "draw", ("FRANCE", "ITALY"), "clock"
        )

    def test_a_solo_ends_the_game_as_usual(self, rules: HouseRules) -> None:
        fall = in_phase(
            "F1904M", UNITS, {**CENTERS, "ITALY": "ROM"}, rules=replace(rules, victory_centers=4)
        )

        assert happened(fall, ProcessNow("mod"), at_noon(5))[-1] == GameEnded(
            "F1904M", "solo", ("FRANCE",)
        )


def test_the_earlier_of_two_end_times_counts() -> None:
    both = replace(AT_FOUR, ends_after_hours=3 * HOUR)

    assert calendar.clock_end(both, MONDAY) == at_noon(3)
    assert calendar.clock_end(both, MONDAY + DAY) == at_noon(4)
    assert calendar.clock_end(both, None) == at_noon(4)
    assert calendar.clock_end(HouseRules(), MONDAY) is None


@pytest.mark.parametrize(
    "text", ["23:00", "2026-12-04", "2026-02-30T12:00", "2026-12-04T25:00", "soon"]
)
def test_an_invalid_end_is_unsound(text: str) -> None:
    assert calendar.unsound_rules(HouseRules(ends_at=text)) == ("ends_at",)


def test_an_end_in_an_unknown_zone_is_unsound() -> None:
    rules = HouseRules(ends_at="2026-12-04T23:00", zone="Mars/Olympus")

    assert set(calendar.unsound_rules(rules)) == {"ends_at", "zone"}


def test_the_moderator_sets_the_end_before_the_start_or_during_the_game() -> None:
    for game in (created(), started()):
        changed = given(game, ChangeRules(AT_FOUR, "mod"))

        assert changed.house_rules == AT_FOUR


def test_an_end_in_the_past_is_refused_but_other_rules_may_change_after_it() -> None:
    past = HouseRules(ends_at="2026-11-23T11:59")
    played_on = started(AT_FOUR)

    assert refused(started(), ChangeRules(past, "mod")) is Why.DEADLINE_IN_PAST
    assert refused(None, CreateGame("lepanto", "standard", DATC, past, "mod")) is (
        Why.DEADLINE_IN_PAST
    )
    happened(played_on, ChangeRules(replace(AT_FOUR, listed=False), "mod"), at_noon(6))


def test_the_hours_count_from_the_first_phase_and_again_after_a_new_start() -> None:
    game = started(FOUR_HOURS)

    assert created(FOUR_HOURS).started is None
    assert game.started == MONDAY
    assert given(game, ProcessNow("mod")).started == MONDAY
    assert given(game, Unstart("too few", "mod")).started is None
