"""The DATC cases have the same results without the fast path."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate_movement
from judge.rules.phase_context import PhaseContext
from judge.rules.rulebook import RULEBOOKS, Rulebook
from judge.rules.types import MOVEMENT
from tests.datc.cases_file import cases_of_the_edition, orders_of, position_of

BOARD = load_map()


@pytest.mark.parametrize("rulebook", RULEBOOKS.values(), ids=RULEBOOKS)
def test_the_datc_needs_no_fast_path(rulebook: Rulebook) -> None:
    for case in cases_of_the_edition().values():
        position, orders = position_of(case), orders_of(case)
        if position.phase.kind is MOVEMENT:
            context = PhaseContext(BOARD, position, rulebook)

            fast = adjudicate_movement(context, orders)
            full = adjudicate_movement(context, orders, use_fast_path=False)

            assert fast == full
            assert (fast.outcomes, fast.unordered) == (full.outcomes, full.unordered)
