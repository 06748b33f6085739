"""Deadlines, grace, late players, vacant powers and takeovers."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from judge.game.absences import SetAbsence
from judge.game.clock import ProcessNow, next_due_at
from judge.game.deadlines import (
    AskExtension,
    DeadlineMoved,
    DeadlinePassed,
    MoveDeadline,
    MoveGrace,
)
from judge.game.decision import Why
from judge.game.future_orders import PlanWait
from judge.game.game_state import Game, SeatState
from judge.game.house_rules import HouseRules, Nmr
from judge.game.phases import PhaseClosed, PhaseOpened
from judge.game.players.joining import Resign
from judge.game.players.seats import CivilDisorderDeclared, PowerTakenOver, PowerVacated
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.game.voting import GameEnded
from judge.rules.types import Phase
from tests.unit.game.table import (
    BOARD,
    DAY,
    DEADLINE,
    HOUR,
    MINUTE,
    MONDAY,
    STANDARD,
    adjust,
    after,
    all_hold,
    clear,
    created,
    deadline_of,
    given,
    happened,
    in_phase,
    look,
    opened,
    ready,
    refused,
    started,
    submit,
    wait,
)

THURSDAY = datetime.fromisoformat("2026-11-26T20:00:00Z")  # 72 hours after Monday
FRIDAY = THURSDAY + DAY


def later(rules: HouseRules = STANDARD) -> Game:
    """Return a game in its second phase, which has no first-phase extension."""
    return opened(BOARD.start, rules)


def late_turkey(rules: HouseRules = STANDARD) -> Game:
    """Return a game after Thursday's deadline with orders from everybody except Turkey."""
    game = later(rules)
    return given(game, *all_hold(game, but="TURKEY"), look(THURSDAY))


def vacant_turkey() -> Game:
    return given(late_turkey(), look(FRIDAY))


def closes(game: Game, at: datetime) -> bool:
    return any(isinstance(event, PhaseClosed) for event in happened(game, look(at)))


def test_with_orders_from_all_the_phase_closes_at_the_deadline() -> None:
    rules = HouseRules(early_closing=False)
    game = given(later(rules), *all_hold(later(rules)))

    assert happened(game, look(THURSDAY - MINUTE)) == ()
    assert [type(event) for event in happened(game, look(THURSDAY))] == [PhaseClosed, PhaseOpened]


def test_nothing_closes_while_mail_from_before_the_deadline_is_unanswered() -> None:
    game = later(HouseRules(early_closing=False))
    game = given(game, *all_hold(game))

    assert happened(game, look(THURSDAY - MINUTE), now=THURSDAY + HOUR) == ()


def test_a_player_without_orders_is_late_and_has_grace() -> None:
    game = later()
    game = given(game, *all_hold(game, but="TURKEY"))

    assert happened(game, look(THURSDAY)) == (
        DeadlinePassed("S1901M", ("TURKEY",), "2026-11-27T20:00:00Z"),
    )


def test_the_deadline_passes_once() -> None:
    assert happened(late_turkey(), look(THURSDAY + HOUR)) == ()


def test_a_player_who_cleared_all_orders_is_late() -> None:
    game = later()
    game = given(game, *all_hold(game), clear("TURKEY"))

    assert happened(game, look(THURSDAY))[0] == DeadlinePassed(
        "S1901M", ("TURKEY",), "2026-11-27T20:00:00Z"
    )


def test_a_partial_set_is_neither_late_nor_missing() -> None:
    game = given(later(), *all_hold(later(), but="TURKEY"), submit("TURKEY", "A Con H"))
    closed, *_ = happened(game, look(THURSDAY))

    assert isinstance(closed, PhaseClosed)
    assert closed.nmr == ()


def test_the_last_late_orders_close_the_phase_half_an_hour_later() -> None:
    game = given(late_turkey(), all_hold_of("TURKEY", THURSDAY + HOUR))

    assert next_due_at(BOARD, game) == THURSDAY + 90 * MINUTE
    assert closes(game, THURSDAY + 90 * MINUTE)


def test_the_last_half_hour_is_not_longer_than_the_grace() -> None:
    game = given(late_turkey(), all_hold_of("TURKEY", FRIDAY - MINUTE))

    assert next_due_at(BOARD, game) == FRIDAY


def test_a_partial_set_given_in_grace_is_played_at_its_end() -> None:
    game = given(late_turkey(), submit("TURKEY", "A Con H", at=THURSDAY + HOUR))

    assert next_due_at(BOARD, game) == FRIDAY
    assert closes(game, FRIDAY)


def test_at_the_end_of_grace_the_power_is_vacant_for_seven_days() -> None:
    assert happened(late_turkey(), look(FRIDAY)) == (
        PowerVacated("TURKEY", "turkey", "S1901M", "nmr", "2026-12-04T20:00:00Z"),
    )


def test_the_game_waits_for_somebody_to_take_the_vacant_power_over() -> None:
    game = vacant_turkey()

    assert next_due_at(BOARD, game) == FRIDAY + 7 * DAY
    assert happened(game, look(FRIDAY + 6 * DAY)) == ()


def test_a_removed_player_cannot_order() -> None:
    command = submit("TURKEY", "A Con H", at=FRIDAY + HOUR)

    assert refused(vacant_turkey(), command) is Why.NOT_A_PLAYER


def test_a_takeover_gives_at_least_a_day() -> None:
    saturday = FRIDAY + DAY

    assert happened(vacant_turkey(), JoinGame("new", (), "seed", "TURKEY"), now=saturday) == (
        PowerTakenOver("TURKEY", "new", "S1901M"),
        DeadlineMoved("S1901M", "2026-11-30T20:00:00Z", "2026-12-01T20:00:00Z", "takeover", None),
    )


def test_after_a_takeover_everybody_may_change_orders() -> None:
    assert happened(taken_over(), submit("FRANCE", "A Par-Bur", at=FRIDAY + HOUR))


def test_after_the_takeover_window_units_are_in_civil_disorder_and_the_phase_closes() -> None:
    declared, closed, phase = happened(vacant_turkey(), look(FRIDAY + 7 * DAY))

    assert declared == CivilDisorderDeclared("TURKEY", "S1901M")
    assert isinstance(closed, PhaseClosed)
    assert isinstance(phase, PhaseOpened)


def test_a_power_in_civil_disorder_is_not_waited_for() -> None:
    game = given(vacant_turkey(), look(FRIDAY + 7 * DAY))
    game = given(game, *all_hold(game, but="TURKEY", at=FRIDAY + 7 * DAY))

    assert next_due_at(BOARD, game) == FRIDAY + 7 * DAY + 12 * HOUR


def test_a_power_in_civil_disorder_can_be_taken_over() -> None:
    game = given(vacant_turkey(), look(FRIDAY + 7 * DAY), JoinGame("new", (), "seed"))

    assert game.power_of("new") == "TURKEY"


def test_by_another_house_rule_civil_disorder_comes_at_once() -> None:
    game = late_turkey(HouseRules(nmr=Nmr.CIVIL_DISORDER))
    vacated, declared, closed, _ = happened(game, look(FRIDAY))

    assert vacated == PowerVacated("TURKEY", "turkey", "S1901M", "nmr", "2026-12-04T20:00:00Z")
    assert declared == CivilDisorderDeclared("TURKEY", "S1901M")
    assert isinstance(closed, PhaseClosed)


def test_by_another_house_rule_the_units_hold_and_the_player_stays() -> None:
    game = late_turkey(HouseRules(nmr=Nmr.HOLD))
    closed, _ = happened(game, look(FRIDAY))

    assert isinstance(closed, PhaseClosed)
    assert closed.nmr == ("TURKEY",)
    assert given(game, look(FRIDAY)).power_of("turkey") == "TURKEY"


EXTEND = HouseRules(nmr=Nmr.EXTEND, nmr_extension_hours=48 * HOUR)
WAIT = HouseRules(nmr=Nmr.WAIT)


def test_by_another_house_rule_the_deadline_is_moved_once_and_nobody_is_removed() -> None:
    monday = THURSDAY + 4 * DAY
    game = late_turkey(EXTEND)
    moved = happened(given(later(EXTEND), *all_hold(later(EXTEND), but="TURKEY")), look(THURSDAY))
    late = given(game, look(monday))
    closed, _ = happened(late, look(monday + DAY))

    assert moved == (
        DeadlineMoved("S1901M", "2026-11-30T20:00:00Z", "2026-12-01T20:00:00Z", "nmr", None),
    )
    assert late.phase
    assert late.phase.late == {"TURKEY"}
    assert isinstance(closed, PhaseClosed)
    assert given(late, look(monday + DAY)).power_of("turkey") == "TURKEY"


def test_the_deadline_is_moved_in_each_phase_anew() -> None:
    game = given(late_turkey(EXTEND), look(THURSDAY + 4 * DAY), look(THURSDAY + 5 * DAY))

    [moved] = happened(game, look(deadline_of(game)))

    assert isinstance(moved, DeadlineMoved)
    assert moved.reason == "nmr"


def test_in_the_first_phase_its_own_extension_comes_before_that_of_the_house_rule() -> None:
    game = started(HouseRules(nmr=Nmr.EXTEND))

    [moved] = happened(game, look(DEADLINE))
    [passed] = happened(given(game, look(DEADLINE)), look(DEADLINE + 2 * DAY))

    assert isinstance(moved, DeadlineMoved)
    assert moved.reason == "first_spring"
    assert isinstance(passed, DeadlinePassed)


def test_nobody_is_given_more_time_where_processing_is_manual() -> None:
    rules = replace(EXTEND, manual_processing=True)

    assert isinstance(happened(later(rules), look(THURSDAY))[0], DeadlinePassed)


def test_by_another_house_rule_the_late_are_waited_for_without_end() -> None:
    game = late_turkey(WAIT)

    assert next_due_at(BOARD, game) is None
    assert happened(game, look(THURSDAY + 100 * DAY)) == ()


def test_the_phase_closes_half_an_hour_after_their_orders() -> None:
    later_on = FRIDAY + 9 * DAY
    in_grace = given(late_turkey(WAIT), all_hold_of("TURKEY", FRIDAY - MINUTE))
    complete = given(late_turkey(WAIT), all_hold_of("TURKEY", later_on))
    partial = given(late_turkey(WAIT), submit("TURKEY", "A Con H", at=later_on))

    assert next_due_at(BOARD, in_grace) == FRIDAY + 29 * MINUTE
    assert next_due_at(BOARD, complete) == later_on + 30 * MINUTE
    assert next_due_at(BOARD, partial) == later_on + 30 * MINUTE


def test_a_partial_set_is_not_played_before_grace_ends() -> None:
    game = given(late_turkey(WAIT), submit("TURKEY", "A Con H", at=THURSDAY + HOUR))

    assert next_due_at(BOARD, game) == FRIDAY


def test_in_the_first_phase_the_late_are_waited_for_too() -> None:
    game = given(started(WAIT), look(DEADLINE), look(DEADLINE + 2 * DAY))

    assert next_due_at(BOARD, game) is None


def test_in_the_first_phase_the_deadline_is_moved_by_two_days_first() -> None:
    game = started()
    game = given(game, *all_hold(game, but="TURKEY"))

    assert happened(game, look(DEADLINE)) == (
        DeadlineMoved(
            "S1901M", "2026-12-02T20:00:00Z", "2026-12-03T20:00:00Z", "first_spring", None
        ),
    )


@pytest.mark.parametrize(
    ("power", "until"),
    [
        pytest.param("TURKEY", DEADLINE + 7 * DAY, id="of a late player"),
        pytest.param("ITALY", DEADLINE + 2 * DAY, id="of somebody who has ordered"),
    ],
)
def test_the_extension_ends_after_the_absence(power: str, until: datetime) -> None:
    game = started()
    away = SetAbsence(power, power.lower(), DEADLINE + DAY, DEADLINE + 6 * DAY)
    game = given(game, *all_hold(game, but="TURKEY"), away, look(DEADLINE))

    assert deadline_of(game).date() == until.date()


def test_in_the_first_phase_nobody_is_removed() -> None:
    game = started()
    game = given(game, *all_hold(game, but="TURKEY"), look(DEADLINE), look(DEADLINE + 2 * DAY))
    closed, _ = happened(game, look(DEADLINE + 3 * DAY))

    assert game.phase
    assert game.phase.late == {"TURKEY"}
    assert isinstance(closed, PhaseClosed)
    assert closed.nmr == ("TURKEY",)
    assert given(game, look(DEADLINE + 3 * DAY)).seats["TURKEY"].state is SeatState.PLAYED


def test_r60_a_long_absence_of_the_clock_does_one_thing_after_the_other() -> None:
    game = given(later(), *all_hold(later(), but="TURKEY"))

    events = happened(game, look(FRIDAY + HOUR))

    assert [type(event) for event in events] == [DeadlinePassed, PowerVacated]


def test_a_game_that_nobody_plays_any_longer_is_abandoned() -> None:
    game = given(later(), look(THURSDAY), look(FRIDAY))

    assert happened(game, look(FRIDAY + 7 * DAY))[-1] == GameEnded("S1901M", "abandoned", ())
    assert next_due_at(BOARD, given(game, look(FRIDAY + 7 * DAY))) is None


def test_where_processing_is_manual_the_deadline_is_only_announced() -> None:
    rules = HouseRules(manual_processing=True)
    game = given(started(rules), *all_hold(started(rules), but="TURKEY"))

    assert next_due_at(BOARD, game) == DEADLINE
    assert happened(game, look(DEADLINE)) == (
        DeadlinePassed("S1901M", ("TURKEY",), "2026-12-01T20:00:00Z"),
    )
    assert next_due_at(BOARD, given(game, look(DEADLINE))) is None
    assert happened(given(game, look(DEADLINE)), look(DEADLINE + 30 * DAY)) == ()


def test_a_phase_can_be_closed_with_whatever_is_there() -> None:
    closed, _ = happened(given(later(), submit("FRANCE", "A Par-Bur")), ProcessNow("operator"))

    assert isinstance(closed, PhaseClosed)
    assert closed.orders == {"FRANCE": ("A PAR - BUR",)}
    assert "TURKEY" in closed.nmr


def test_only_the_phase_that_was_meant_is_closed() -> None:
    assert refused(later(), ProcessNow("operator", "F1901M")) is Why.OTHER_PHASE
    assert happened(later(), ProcessNow("operator", "S1901M"))


@pytest.mark.parametrize(
    "command", [ProcessNow("operator"), MoveDeadline(THURSDAY, "holidays")], ids=["now", "move"]
)
def test_a_forming_game_has_no_deadline(command: ProcessNow | MoveDeadline) -> None:
    assert refused(created(), command) is Why.NOT_STARTED


def test_a_deadline_is_moved_for_a_reason_and_gives_everybody_the_time() -> None:
    moved = MoveDeadline(FRIDAY + 3 * DAY, "holidays", "mod")

    assert happened(late_turkey(), moved) == (
        DeadlineMoved("S1901M", "2026-11-30T20:00:00Z", "2026-12-01T20:00:00Z", "holidays", "mod"),
    )
    assert happened(given(late_turkey(), moved), submit("FRANCE", "A Par-Bur", at=FRIDAY))


def test_a_deadline_or_grace_set_to_its_present_value_is_not_moved() -> None:
    assert refused(later(), MoveDeadline(THURSDAY, "again")) is Why.NOTHING_CHANGED
    assert refused(later(), MoveGrace(FRIDAY, "again", "mod")) is Why.NOTHING_CHANGED


def test_a_new_deadline_resets_a_moved_grace() -> None:
    game = given(later(), MoveGrace(FRIDAY + DAY, "holidays", "mod"))

    assert happened(game, MoveDeadline(THURSDAY, "no holidays")) == (
        DeadlineMoved(
            "S1901M", "2026-11-26T20:00:00Z", "2026-11-27T20:00:00Z", "no holidays", None
        ),
    )


def test_a_deadline_is_not_moved_into_the_past() -> None:
    assert refused(later(), MoveDeadline(MONDAY, "at once")) is Why.DEADLINE_IN_PAST


def test_a_deadline_is_not_moved_beyond_all_measure() -> None:
    far = datetime.max.replace(tzinfo=UTC)

    assert refused(later(), MoveDeadline(far, "never")) is Why.DEADLINE_TOO_FAR


def test_grace_is_moved_and_the_deadline_stays() -> None:
    game = given(later(), AskExtension("ITALY", "italy", 24 * HOUR, ""))
    command = MoveGrace(FRIDAY + DAY, "holidays", "mod")

    assert happened(game, command) == (
        DeadlineMoved("S1901M", "2026-11-26T20:00:00Z", "2026-11-28T20:00:00Z", "holidays", "mod"),
    )
    moved = given(game, command)
    assert deadline_of(moved) == THURSDAY
    assert moved.phase
    assert moved.phase.asked == {"ITALY": 24 * HOUR}


def test_after_the_deadline_those_who_are_late_are_named_again() -> None:
    command = MoveGrace(FRIDAY + DAY, "holidays", "mod")

    assert happened(late_turkey(), command, now=THURSDAY + HOUR) == (
        DeadlinePassed("S1901M", ("TURKEY",), "2026-11-28T20:00:00Z"),
    )
    assert next_due_at(BOARD, given(late_turkey(), command)) == FRIDAY + DAY


def test_grace_ends_after_the_deadline_in_the_future_and_within_limits() -> None:
    far = datetime.max.replace(tzinfo=UTC)

    assert refused(later(), MoveGrace(THURSDAY - HOUR, "")) is Why.GRACE_TOO_SOON
    assert refused(late_turkey(), MoveGrace(FRIDAY, ""), now=FRIDAY) is Why.GRACE_TOO_SOON
    assert refused(later(), MoveGrace(far, "")) is Why.DEADLINE_TOO_FAR
    assert refused(created(), MoveGrace(FRIDAY, "")) is Why.NOT_STARTED


def test_a_power_whose_player_resigned_is_waited_for_until_a_takeover() -> None:
    game = given(later(), *all_hold(later(), but="TURKEY"), Resign("turkey"))

    assert happened(game, look(THURSDAY)) == (
        DeadlinePassed("S1901M", (), "2026-11-27T20:00:00Z"),
    )
    assert closes(game, MONDAY + 7 * DAY)


def test_the_orders_of_a_player_who_resigned_count() -> None:
    game = given(later(), *all_hold(later()), Resign("turkey"))

    assert closes(game, THURSDAY)


def test_wait_and_ready_of_a_player_who_resigned_are_dropped() -> None:
    rules, fall = HouseRules(need_ready=True), Phase.parse("F1901M")
    game = given(later(rules), *all_hold(later(rules)), wait("TURKEY"), ready("TURKEY"))
    game = given(
        game, PlanWait("TURKEY", "turkey", fall, wait=True, nonce="nonce"), Resign("turkey")
    )

    assert game.phase
    assert (game.phase.waiting, game.phase.ready) == (frozenset(), frozenset())
    assert not any(game.waits.values())
    assert game.phase.standing["TURKEY"]
    assert closes(game, THURSDAY)


def test_civil_disorder_before_the_deadline_takes_the_orders_away() -> None:
    game = later(HouseRules(takeover_hours=24 * HOUR, early_closing=False))
    game = given(game, *all_hold(game), Resign("turkey"), look(MONDAY + DAY))

    assert game.phase
    assert "TURKEY" not in game.phase.standing
    assert closes(game, THURSDAY)


def test_a_takeover_in_good_time_moves_no_deadline() -> None:
    game = given(later(), Resign("turkey"), JoinGame("new", (), "seed"))

    assert deadline_of(game) == THURSDAY


def test_a_takeover_of_a_power_with_nothing_to_order_moves_no_deadline() -> None:
    game = in_phase("W1901A", {"FRANCE": "A SPA", "TURKEY": "A CON"}, {"FRANCE": "PAR MAR"})
    game = given(game, Resign("turkey"))

    assert len(happened(game, JoinGame("new", (), "seed"))) == 1


def test_the_orders_of_a_takeover_count_as_any_others() -> None:
    command = replace(all_hold_of("TURKEY", FRIDAY + HOUR), person="new")

    assert closes(given(taken_over(), command), FRIDAY + 90 * MINUTE)


def test_a_power_without_a_choice_is_not_waited_for() -> None:
    game = in_phase("W1901A", {"FRANCE": "A SPA", "TURKEY": "A CON"}, {"FRANCE": "PAR MAR"})

    assert closes(given(game, adjust("FRANCE", "A Par")), MONDAY + HOUR)


def taken_over() -> Game:
    """Return a game whose Turkey is taken over at the end of grace."""
    game = vacant_turkey()
    return after(game, *happened(game, JoinGame("new", (), "seed"), now=FRIDAY))


def all_hold_of(power: str, at: datetime) -> SubmitOrders:
    units = ", ".join(f"{unit} H" for unit in BOARD.start.units_of(power))
    return submit(power, units, at)
