"""The Diplomacy Adjudicator Test Cases of L. B. Kruijswijk, edition 3.2, on every fact."""

from __future__ import annotations

from unittest.mock import ANY

import pytest

from judge.adapters.variant_files import load_map
from judge.rules.adjudication import adjudicate
from judge.rules.rulebook import DATC, Rulebook, from_payload, to_payload
from tests.datc.facts import (
    IDS,
    Case,
    cases_of_other_editions,
    cases_of_the_edition,
    expected,
    orders_of,
    position_of,
    retreat_of,
    told,
)

CASES = cases_of_the_edition()
OTHERS = cases_of_other_editions()

QUESTIONS = {
    "4.A.1": "convoy_routes",
    "4.A.3": "convoy_to_neighbor",
    "4.A.5": "retreat_to_convoyed_origin",
    "4.A.7": "dislodged_bounce",
    "4.B.1": "moved_coast_open",
    "4.B.3": "moved_coast_wrong",
    "4.B.4": "supported_coast",
    "4.B.5": "standing_coast_wrong",
    "4.B.6": "coast_superfluous",
    "4.B.7": "build_coast_omitted",
    "4.C.4": "fleet_inland",
    "4.D.4": "excess_builds",
    "4.D.6": "excess_removals",
    "4.D.8": "automatic_removal",
}


def rulebook_of(choice: dict[str, str]) -> Rulebook | None:
    """Return the rulebook that differs from DATC 3.2 in *choice*; None if it is not known here."""
    try:
        named = {QUESTIONS[question]: key for question, key in choice.items()}
        return from_payload(to_payload(DATC) | named)
    except (KeyError, ValueError):
        return None


OTHER_CHOICES = [
    pytest.param(case, choice, rulebook, id=f"{case['id']} {choice['choice']}")
    for case in [*CASES.values(), *OTHERS.values()]
    for choice in case.get("otherwise", ())
    if (rulebook := rulebook_of(choice["choice"])) and "changes" in choice
]


def test_no_case_is_missing() -> None:
    assert sorted(CASES) == sorted(IDS)
    assert len(IDS) == 176
    assert len(OTHERS) == 22


@pytest.mark.parametrize("number", IDS)
def test_comes_out_as_in_datc_3_2(number: str) -> None:
    comes_out(CASES[number], DATC)


@pytest.mark.parametrize("number", OTHERS)
def test_comes_out_as_in_another_edition(number: str) -> None:
    rulebook = rulebook_of(OTHERS[number].get("rules", {}))

    assert rulebook
    comes_out(OTHERS[number], rulebook)


@pytest.mark.parametrize(("case", "choice", "rulebook"), OTHER_CHOICES)
def test_comes_out_otherwise_by_another_choice(
    case: Case, choice: Case, rulebook: Rulebook
) -> None:
    last = case.get("then", case)
    position = position_of(case)
    result = adjudicate(load_map(), position, orders_of(case), rulebook)
    if last is not case:
        position = result.after
        result = adjudicate(load_map(), position, orders_of(last), rulebook)
    facts = {**expected(otherwise(last, choice)), "dislodged": ANY, "contested": ANY}
    if "after" not in choice:
        facts["after"] = ANY

    assert told(position, result) == facts


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


def otherwise(case: Case, choice: Case) -> Case:
    """Return *case* with what another *choice* changes."""
    changed = {
        power: [(text, choice["changes"].get(text, words)) for text, words in orders]
        for power, orders in case["orders"].items()
    }
    return {**case, **choice, "orders": changed}
