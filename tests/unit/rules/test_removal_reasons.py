"""Civil disorder gives the reason for each removal: distance, kind of unit, or alphabet."""

from __future__ import annotations

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.reasons import Removal, RemovalPrecedence, explain_removals
from judge.rules.rule_options import AutomaticRemoval
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Unit, UnitKind
from tests.unit.rules.play_phase import BOARD, standing

HELD = {"RUSSIA": ["MOS", "STP", "WAR"]}


def removed(units: list[str], due: int = -1, rulebook: Rulebook | None = None) -> list[Removal]:
    """Return the reasons for Russia's removals that were not ordered."""
    rulebook = rulebook or rulebook_named("datc")
    position = standing({"RUSSIA": units}, "W1901A", HELD, {"RUSSIA": due})
    judged = adjudicate(BOARD, position, {}, rulebook)
    return [*explain_removals(BOARD, position, judged.removed, judged.after, rulebook)]


def russian(unit: str) -> Unit:
    return Unit("RUSSIA", UnitKind(unit[0]), unit[2:])


@pytest.mark.parametrize(
    ("units", "gone", "steps", "why"),
    [
        (["A MUN", "A WAR"], "A MUN", 2, RemovalPrecedence.FARTHEST),
        (["A UKR", "F LVN"], "F LVN", 1, RemovalPrecedence.FLEET),
        (["A UKR", "A LVN"], "A LVN", 1, RemovalPrecedence.ALPHABET),
    ],
)
def test_a_unit_goes_before_the_next(
    units: list[str], gone: str, steps: int, why: RemovalPrecedence
) -> None:
    (removal,) = removed(units)

    assert (removal.unit, removal.distance, removal.why) == (russian(gone), steps, why)


def test_the_unit_that_would_be_next_is_named_with_its_distance() -> None:
    (removal,) = removed(["A MUN", "A WAR", "A UKR"])

    assert (removal.spared, removal.spared_distance) == (russian("A UKR"), 1)


def test_the_rulebook_decides_which_unit_is_removed_next() -> None:
    """Finland is of the country of Russia; both are a step from its home centers."""
    country = Rulebook(automatic_removal=AutomaticRemoval.COUNTRY_2000)
    units = ["A MUN", "A FIN", "A GAL"]

    assert [each.spared for each in removed(units)] == [russian("A FIN")]
    assert [each.spared for each in removed(units, rulebook=country)] == [russian("A GAL")]


def test_each_removed_unit_is_compared_with_those_that_stay() -> None:
    assert [(each.unit, each.spared) for each in removed(["A MUN", "A UKR", "A WAR"], -2)] == [
        (russian("A MUN"), russian("A WAR")),
        (russian("A UKR"), russian("A WAR")),
    ]


def test_where_all_go_there_is_nobody_to_compare_with() -> None:
    (removal,) = removed(["A UKR"])

    assert (removal.spared, removal.distance) == (None, 1)


def test_where_no_way_leads_there_is_no_distance() -> None:
    by_moves = Rulebook(automatic_removal=AutomaticRemoval.CONVOY_ONE_OWN)
    (removal,) = removed(["A LON", "A WAR"], rulebook=by_moves)

    assert (removal.unit, removal.distance) == (russian("A LON"), None)
    assert removal.rule is AutomaticRemoval.CONVOY_ONE_OWN
