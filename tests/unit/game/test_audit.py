"""Verification of a recorded phase by adjudicating it again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.game.clock import ProcessNow
from judge.game.game_state import Game
from judge.game.phases import Difference, PhaseClosed, verify_phase
from tests.unit.game.table import BOARD, created, given, happened, started, submit

NOW = ProcessNow("operator")


@pytest.fixture(name="before")
def before_the_close() -> Game:
    return given(started(), submit("FRANCE", "A Par-Bur, A Mar S A Par-Bur"))


@pytest.fixture(name="closed")
def what_was_recorded(before: Game) -> PhaseClosed:
    closed = happened(before, NOW)[0]
    assert isinstance(closed, PhaseClosed)
    return closed


def test_an_honest_log_verifies(before: Game, closed: PhaseClosed) -> None:
    assert verify_phase(BOARD, before, closed) == ()


def test_the_name_of_the_resolver_is_not_compared(before: Game, closed: PhaseClosed) -> None:
    assert verify_phase(BOARD, before, replace(closed, resolver="0")) == ()


def test_the_name_of_the_rulebook_is_not_compared(before: Game, closed: PhaseClosed) -> None:
    assert verify_phase(BOARD, before, replace(closed, rulebook="custom")) == ()


def test_a_log_from_before_paradoxes_were_recorded_verifies(
    before: Game, closed: PhaseClosed
) -> None:
    assert verify_phase(BOARD, before, replace(closed, paradoxes=None)) == ()


def test_orders_that_were_not_submitted_are_found(before: Game, closed: PhaseClosed) -> None:
    forged = replace(closed, orders={"FRANCE": ("A PAR H",)})

    assert verify_phase(BOARD, before, forged) == (
        Difference("orders", forged.orders, closed.orders),
    )


def test_a_verdict_that_does_not_follow_is_found(before: Game, closed: PhaseClosed) -> None:
    forged = replace(closed, verdicts=closed.verdicts[1:])

    assert [each.field for each in verify_phase(BOARD, before, forged)] == ["verdicts"]


def test_a_close_without_an_open_phase_is_found(closed: PhaseClosed) -> None:
    assert verify_phase(BOARD, created(), closed) == (Difference("phase", "S1901M", None),)
