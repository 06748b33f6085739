"""Early closing of phases, and what prevents it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from judge.game.clock import next_due_at
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules
from judge.rules.rulebook import rulebook_named
from tests.unit.game.table import (
    BOARD,
    DEADLINE,
    HOUR,
    MINUTE,
    MONDAY,
    STANDARD,
    adjust,
    all_hold,
    clear,
    given,
    happened,
    in_phase,
    look,
    phase_of,
    ready,
    started,
    submit,
    wait,
)

EVENING = MONDAY + 13 * HOUR  # a movement phase that opened at noon may close by then


def all_in(rules: HouseRules = STANDARD) -> Game:
    game = started(rules)
    return given(game, *all_hold(game, at=EVENING))


def test_a_phase_closes_half_an_hour_after_the_last_change() -> None:
    game = all_in()

    assert next_due_at(BOARD, game) == EVENING + 30 * MINUTE
    assert happened(game, look(EVENING + 29 * MINUTE)) == ()
    assert phase_of(given(game, look(EVENING + 30 * MINUTE))) == "F1901M"


def test_each_change_of_orders_begins_the_half_hour_anew() -> None:
    game = given(all_in(), submit("FRANCE", "A Par-Bur", at=EVENING + 20 * MINUTE))

    assert next_due_at(BOARD, game) == EVENING + 50 * MINUTE


def test_the_same_orders_sent_again_are_no_change() -> None:
    game = given(all_in(), submit("FRANCE", "A Par H", at=EVENING + 20 * MINUTE))

    assert next_due_at(BOARD, game) == EVENING + 30 * MINUTE


def test_a_movement_phase_is_open_for_twelve_hours_at_least() -> None:
    game = started()

    assert next_due_at(BOARD, given(game, *all_hold(game, at=MONDAY))) == MONDAY + 12 * HOUR


def test_a_retreat_phase_need_not_be_open_for_long() -> None:
    game = given(dislodged(), submit("ITALY", "A Ven-Apu", at=MONDAY + HOUR))

    assert next_due_at(BOARD, game) == MONDAY + 90 * MINUTE


def test_mail_that_is_not_answered_yet_may_still_hold_a_phase_open() -> None:
    assert happened(all_in(), look(EVENING), now=DEADLINE) == ()


def test_a_power_without_all_its_orders_keeps_the_phase_open() -> None:
    game = given(all_in(), clear("FRANCE", "PAR", at=EVENING))

    assert next_due_at(BOARD, game) == DEADLINE


def test_a_power_with_an_impossible_order_keeps_the_phase_open() -> None:
    game = given(all_in(), submit("FRANCE", "A Par-Mun", at=EVENING))

    assert next_due_at(BOARD, game) == DEADLINE


def test_a_partial_set_is_played_at_the_deadline() -> None:
    game = given(all_in(), clear("FRANCE", "PAR", at=EVENING), look(DEADLINE))

    assert phase_of(game) == "F1901M"


def test_a_power_that_waits_keeps_the_phase_open_until_the_deadline_only() -> None:
    game = given(all_in(), wait("FRANCE", at=EVENING))

    assert next_due_at(BOARD, game) == DEADLINE
    assert phase_of(given(game, look(DEADLINE))) == "F1901M"


def test_withdrawing_wait_lets_the_phase_close() -> None:
    game = given(all_in(), wait("FRANCE", at=EVENING), wait("FRANCE", on=False, at=EVENING))

    assert next_due_at(BOARD, game) == EVENING + 30 * MINUTE


def test_wait_is_for_one_phase() -> None:
    game = given(all_in(), wait("FRANCE", at=EVENING), look(DEADLINE))

    assert game.phase
    assert game.phase.waiting == frozenset()


def test_where_ready_is_needed_all_orders_are_not_enough() -> None:
    game = all_in(HouseRules(need_ready=True))
    all_ready = given(game, *(ready(power, at=EVENING) for power in BOARD.powers))

    assert next_due_at(BOARD, game) == DEADLINE
    assert next_due_at(BOARD, all_ready) == EVENING + 30 * MINUTE


def test_where_ready_is_needed_the_deadline_does_not_ask_for_it() -> None:
    assert phase_of(given(all_in(HouseRules(need_ready=True)), look(DEADLINE))) == "F1901M"


def test_a_moderator_may_have_no_early_closing() -> None:
    assert next_due_at(BOARD, all_in(HouseRules(early_closing=False))) == DEADLINE


def test_builds_are_in_when_each_is_given_or_waived() -> None:
    game = in_phase("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "PAR MAR BRE"})
    one = given(game, adjust("FRANCE", "Build A Par"))
    both = given(game, adjust("FRANCE", "Build A Par, waive"))

    assert next_due_at(BOARD, one) == MONDAY + 32 * HOUR
    assert next_due_at(BOARD, both) == MONDAY + 30 * MINUTE


@pytest.mark.parametrize(
    ("rule", "closes"), [("first", 30 * MINUTE), ("last", 30 * MINUTE), ("none", 32 * HOUR)]
)
def test_builds_beyond_those_due_keep_no_phase_open_unless_none_counts_then(
    rule: str, closes: timedelta
) -> None:
    rulebook = rulebook_named(f"datc,excess_builds={rule}")
    game = in_phase("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "PAR MAR BRE"}, rulebook=rulebook)
    three = given(game, adjust("FRANCE", "Build A Par, Build F Bre, Build A Mar"))

    assert next_due_at(BOARD, three) == MONDAY + closes


def test_removals_beyond_those_due_keep_no_phase_open() -> None:
    game = in_phase("W1901A", {"FRANCE": "A SPA, A PAR, F BRE"}, {"FRANCE": "PAR MAR"})
    one, three = "Remove A Spa", "Remove A Spa, Remove A Par, Remove F Bre"

    assert next_due_at(BOARD, given(game, adjust("FRANCE", one))) == MONDAY + 30 * MINUTE
    assert next_due_at(BOARD, given(game, adjust("FRANCE", three))) == MONDAY + 30 * MINUTE


def test_a_build_that_cannot_be_made_keeps_the_phase_open() -> None:
    game = in_phase("W1901A", {"FRANCE": "A SPA"}, {"FRANCE": "PAR MAR BRE"})
    three = given(game, adjust("FRANCE", "Build A Par, Build F Bre, Build A Mun"))

    assert next_due_at(BOARD, three) == MONDAY + 32 * HOUR


def test_a_unit_without_a_retreat_needs_no_order() -> None:
    lost = in_phase(
        "S1902R",
        {"AUSTRIA": "A TRI, A ROM", "ITALY": "F NAP"},
        {"AUSTRIA": "TRI", "ITALY": "NAP"},
        dislodged={"ITALY": {"A VEN": ("TRI", "APU"), "A TUS": ("ROM", "")}},
    )
    disbanded = given(lost, submit("ITALY", "A Tus D"))

    assert next_due_at(BOARD, disbanded) == MONDAY + 32 * HOUR
    assert (
        next_due_at(BOARD, given(disbanded, submit("ITALY", "A Ven-Apu"))) == MONDAY + 30 * MINUTE
    )


def test_only_powers_that_must_act_are_waited_for() -> None:
    assert next_due_at(BOARD, dislodged()) == MONDAY + 32 * HOUR
    assert (
        phase_of(given(dislodged(), submit("ITALY", "A Ven-Apu"), look(MONDAY + HOUR))) == "F1902M"
    )


def dislodged() -> Game:
    return in_phase(
        "S1902R",
        {"AUSTRIA": "A TRI", "ITALY": "F NAP"},
        {"AUSTRIA": "TRI", "ITALY": "NAP"},
        dislodged={"ITALY": {"A VEN": ("TRI", "APU ROM")}},
    )
