"""Reminders: their recipients and their times."""

from __future__ import annotations

from judge.game.clock import next_due_at, reminders, reminders_due
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.game.phases import has_ordered_all
from judge.game.players.joining import Resign
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    HOUR,
    MINUTE,
    all_hold,
    created,
    given,
    in_phase,
    look,
    started,
    submit,
)


def only_turkey_is_missing() -> Game:
    return given(started(), *all_hold(started(), but="TURKEY"))


def test_there_is_a_reminder_a_day_and_four_hours_before_the_deadline() -> None:
    game = only_turkey_is_missing()

    assert reminders(game) == (DEADLINE - 24 * HOUR, DEADLINE - 4 * HOUR)
    assert reminders_due(BOARD, game, DEADLINE - 24 * HOUR - MINUTE) == ()
    assert reminders_due(BOARD, game, DEADLINE - 24 * HOUR) == ((24 * HOUR, "TURKEY"),)
    assert reminders_due(BOARD, game, DEADLINE - 4 * HOUR) == ((4 * HOUR, "TURKEY"),)
    assert reminders_due(BOARD, game, DEADLINE) == ()


def test_a_player_with_a_partial_set_is_reminded() -> None:
    game = given(only_turkey_is_missing(), submit("TURKEY", "A Con H"))

    assert reminders_due(BOARD, game, DEADLINE - HOUR) == ((4 * HOUR, "TURKEY"),)


def test_vacant_powers_are_not_reminded() -> None:
    game = given(only_turkey_is_missing(), Resign("turkey"))

    assert reminders_due(BOARD, game, DEADLINE - HOUR) == ()


def test_a_reminder_time_before_the_phase_is_skipped() -> None:
    rules = HouseRules(reminder_hours=(4 * HOUR, 48 * HOUR))
    game = in_phase("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "PAR MAR"}, rules=rules)
    assert game.phase

    assert reminders(game) == (game.phase.deadline - 4 * HOUR,)
    assert reminders_due(BOARD, game, game.phase.opened) == ()


def test_after_the_deadline_there_are_no_reminders() -> None:
    game = given(only_turkey_is_missing(), look(DEADLINE), look(DEADLINE + 48 * HOUR))

    assert game.phase
    assert game.phase.passed
    assert reminders(game) == ()
    assert reminders_due(BOARD, game, DEADLINE + 49 * HOUR) == ()


def test_before_the_start_nothing_is_due() -> None:
    assert reminders(created()) == ()
    assert reminders_due(BOARD, created(), DEADLINE) == ()
    assert next_due_at(BOARD, created()) is None


def test_a_power_is_complete_when_the_phase_needs_nothing_more_from_it() -> None:
    game = only_turkey_is_missing()

    assert has_ordered_all(BOARD, game, "FRANCE")
    assert not has_ordered_all(BOARD, game, "TURKEY")
    assert has_ordered_all(BOARD, created(), "TURKEY")
