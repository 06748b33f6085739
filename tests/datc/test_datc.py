"""The Diplomacy Adjudicator Test Cases of L. B. Kruijswijk, edition 3.2, on every fact."""

from __future__ import annotations

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import DATC, Rulebook
from tests.datc.cases_file import (
    IDS,
    Case,
    cases_of_other_editions,
    cases_of_the_edition,
    expected,
    law_of,
    orders_of,
    position_of,
    retreat_of,
    told,
)

CASES = cases_of_the_edition()
OTHERS = cases_of_other_editions()
VERIFIED = [number for number, case in OTHERS.items() if "unverified" not in case]


def test_no_case_is_missing() -> None:
    assert sorted(CASES) == sorted(IDS)
    assert len(IDS) == 176
    assert (len(OTHERS), len(VERIFIED)) == (22, 19)


@pytest.mark.parametrize("number", IDS)
def test_comes_out_as_in_datc_3_2(number: str) -> None:
    comes_out(CASES[number], DATC)


@pytest.mark.parametrize("number", VERIFIED)
def test_comes_out_as_in_another_edition(number: str) -> None:
    comes_out(OTHERS[number], law_of(OTHERS[number].get("rules", {})))


def comes_out(case: Case, rulebook: Rulebook) -> None:
    position = position_of(case)
    result = adjudicate(load_map(), position, orders_of(case), rulebook)

    assert told(position, result) == expected(case)
    if "then" in case:
        retreat = retreat_of(case)
        waiting = tuple(each for each in retreat.dislodged if each.retreats)
        assert set(result.after.dislodged) == set(waiting)
        result = adjudicate(load_map(), retreat, orders_of(case["then"]), rulebook)
        assert told(retreat, result) == expected(case["then"])
