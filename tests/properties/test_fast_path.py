"""The fast path gives the same results as the full rules."""

from __future__ import annotations

from hypothesis import given

from judge.rules.adjudication import adjudicate_movement
from judge.rules.phase_context import PhaseContext
from judge.rules.rulebook import Rulebook
from tests.properties.conflicts import BOARD, Fight, fights, rulebooks, with_hard_cases


@with_hard_cases()
@given(fights, rulebooks)
def test_a_phase_comes_out_the_same_with_and_without_the_fast_path(
    built: Fight, rulebook: Rulebook
) -> None:
    position, orders = built
    context = PhaseContext(BOARD, position, rulebook)

    fast = adjudicate_movement(context, orders)
    full = adjudicate_movement(context, orders, use_fast_path=False)

    assert fast.outcomes == full.outcomes
    assert fast.unordered == full.unordered
    assert fast.after == full.after
    assert {*fast.paradoxes} == {*full.paradoxes}
