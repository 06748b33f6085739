"""Civil disorder removes the units farthest from their home centers (DATC 4.D.8)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.adjustments import distances
from judge.rules.rule_options import AutomaticRemoval, RemovalTies
from judge.rules.rulebook import DATC, Rulebook
from tests.datc.cases_file import cases_of_other_editions, position_of
from tests.unit.rules.play_phase import BOARD, names, ordered, standing

NOWHERE = len(BOARD.locations)
NORTH = standing(
    {"RUSSIA": ["A BER", "F BAL", "F BUL/SC", "A NAF"], "ENGLAND": ["F BOT"]},
    "W1901A",
    centers={"RUSSIA": ["SWE"]},
)
OLD_CASES = {
    number: case
    for number, case in cases_of_other_editions().items()
    if case.get("rules") == {"4.D.8": "home_dptg"}
}


@pytest.mark.parametrize(
    ("rule", "far"),
    [
        (AutomaticRemoval.OWNED_ANY, [2, 1, 6, 5]),
        (AutomaticRemoval.HOME_ANY, [2, 2, 2, 5]),
        (AutomaticRemoval.HOME_DPTG, [2, 2, 3, 5]),
        (AutomaticRemoval.COUNTRY_2000, [2, 1, 3, 5]),
        (AutomaticRemoval.CONVOY_ONE_ANY, [1, 2, 3, 1]),
        (AutomaticRemoval.CONVOY_ONE_FLEETS, [1, 2, 3, NOWHERE]),
        (AutomaticRemoval.CONVOY_ONE_OWN, [2, 2, 3, NOWHERE]),
    ],
)
def test_each_rule_counts_its_own_steps(rule: AutomaticRemoval, far: list[int]) -> None:
    counted = distances(BOARD, NORTH, NORTH.units_of("RUSSIA"), rule)

    assert [counted[unit] for unit in NORTH.units_of("RUSSIA")] == far


@pytest.mark.parametrize("rule", AutomaticRemoval)
def test_a_unit_without_home_centers_is_equally_far_everywhere(rule: AutomaticRemoval) -> None:
    nowhere = standing({"RUSSIA": ["A BER", "F BAL"]}, "W1901A")
    homeless = replace(
        BOARD,
        places={code: replace(p, home_of=(), country=None) for code, p in BOARD.places.items()},
    )

    counted = distances(homeless, nowhere, nowhere.units, rule)

    assert set(counted.values()) == {NOWHERE}


def test_only_fleets_at_sea_carry_an_army() -> None:
    winter = standing({"ITALY": ["A ALB"]}, "W1901A")

    far = distances(BOARD, winter, winter.units, AutomaticRemoval.CONVOY_ONE_FLEETS)

    assert list(far.values()) == [2]  # by Trieste to Venice, not over the Adriatic


@pytest.mark.parametrize("number", OLD_CASES)
def test_any_step_and_fleet_moves_differ_in_one_case_only(number: str) -> None:
    case = OLD_CASES[number]
    rulebook = Rulebook(automatic_removal=AutomaticRemoval.HOME_ANY)

    removed = names(adjudicate(BOARD, position_of(case), {}, rulebook).removed)

    printed = [f"{power} {unit}" for power, units in case["removed"].items() for unit in units]
    assert removed == (["RUSSIA F HEL"] if number == "6.J.6@2.5" else printed)


@pytest.mark.parametrize(
    ("ties", "first"),
    [(RemovalTies.FULL_NAMES, "F NTH"), (RemovalTies.RECORD_CODES, "F NWG")],
)
def test_ties_go_by_the_alphabet_of_names_or_of_record_codes(
    ties: RemovalTies, first: str
) -> None:
    winter = standing({"ENGLAND": ["F NTH", "F NWG"]}, "W1901A", builds={"ENGLAND": -1})

    result = ordered(winter, {}, replace(DATC, removal_ties=ties))

    assert [str(unit) for unit in result.removed] == [first]
