"""XIII.2: after Fall, powers build or disband to match their supply centers."""

from __future__ import annotations

import pytest

from judge.game.decision import Why
from judge.game.house_rules import TEMPLATES
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position
from tests.rulebook.examples import places, played, position
from tests.unit.game.table import in_phase, refused, send_press


def winter(units: str, centers: str) -> Position:
    """Return the adjustments of a France with *units* and *centers*."""
    return position("W1901A", {"FRANCE": units}, centers={"FRANCE": centers})


def france(rulebook: Rulebook, units: str, centers: str, orders: str) -> str:
    """Return the units of France after *orders*."""
    after = played(rulebook, winter(units, centers), {"FRANCE": orders})
    return places(after.units).get("FRANCE", "")


@pytest.mark.parametrize(
    ("orders", "left"),
    [("Remove A Gas", "A BUR, F BRE"), ("Remove F Bre", "A BUR, A GAS")],
)
def test_the_excess_is_disbanded_whichever_the_power_chooses(
    rulebook: Rulebook, orders: str, left: str
) -> None:
    assert france(rulebook, "A Gas, A Bur, F Bre", "PAR BRE", orders) == left


def test_surplus_removals_have_no_effect(rulebook: Rulebook) -> None:
    assert france(rulebook, "A Gas, A Bur, F Bre", "PAR BRE", "Remove A Gas, Remove A Bur") == (
        "A BUR, F BRE"
    )
    assert france(rulebook, "A Gas, A Bur", "PAR BRE", "Remove A Gas") == "A BUR, A GAS"


def test_one_unit_is_built_in_each_vacant_home_center(rulebook: Rulebook) -> None:
    centers = "PAR MAR BRE SPA"

    assert france(rulebook, "A Spa", centers, "Build A Par, Build F Bre, Build A Mar") == (
        "A MAR, A PAR, A SPA, F BRE"
    )
    assert france(rulebook, "A Spa", centers, "Build A Par, Build A Par") == "A PAR, A SPA"


@pytest.mark.parametrize(
    ("units", "centers"),
    [
        ("A Par", "PAR BRE"),
        ("A Bur", "BRE MAR"),
        ("A Bur", "BRE MUN"),
    ],
    ids=["occupied", "lost", "lost, though others are owned"],
)
def test_none_is_built_where_the_center_is_not_vacant_and_owned(
    rulebook: Rulebook, units: str, centers: str
) -> None:
    assert france(rulebook, units, centers, "Build A Par") == units.upper()


def test_none_is_built_away_from_home(rulebook: Rulebook) -> None:
    assert france(rulebook, "A Bur", "SPA PAR", "Build A Spa") == "A BUR"


@pytest.mark.parametrize(
    ("orders", "units"),
    [
        ("WAIVE, WAIVE", "A GAS"),
        ("Build A Par, WAIVE", "A GAS, A PAR"),
        ("Build A Par", "A GAS, A PAR"),
    ],
)
def test_builds_may_be_waived(rulebook: Rulebook, orders: str, units: str) -> None:
    assert france(rulebook, "A Gas", "PAR BRE MAR", orders) == units


def test_on_a_coast_army_or_fleet_is_named(rulebook: Rulebook) -> None:
    assert france(rulebook, "A Gas", "BRE MAR", "Build A Bre") == "A BRE, A GAS"
    assert france(rulebook, "A Gas", "BRE MAR", "Build F Bre") == "A GAS, F BRE"
    assert france(rulebook, "A Gas", "BRE MAR", "Build Bre") == "A GAS"


@pytest.mark.parametrize(
    ("order", "built"),
    [
        ("Build F Stp(nc)", "F STP/NC"),
        ("Build F Stp(sc)", "F STP/SC"),
        ("Build F Stp", None),
        ("Build A Stp", "A STP"),
    ],
)
def test_in_st_petersburg_a_fleet_needs_its_coast(
    rulebook: Rulebook, order: str, built: str | None
) -> None:
    start = position("W1901A", {"RUSSIA": "A Mos"}, centers={"RUSSIA": "MOS STP"})

    after = played(rulebook, start, {"RUSSIA": order})

    assert {str(unit) for unit in after.units} == {"A MOS", built} - {None}


def test_a_power_without_home_centers_fights_on_and_builds_when_one_is_regained_and_left(
    rulebook: Rulebook,
) -> None:
    abroad = position(
        "W1901A",
        {"GERMANY": "A Sil, F Den"},
        centers={"GERMANY": "BEL HOL DEN", "RUSSIA": "BER KIE MUN"},
    )
    build = {"GERMANY": "Build A Ber"}

    fought = played(rulebook, abroad, build, {"GERMANY": "A Sil-Ber"})
    regained = played(rulebook, fought, {"GERMANY": "A Ber H"})
    left = played(rulebook, regained, {"GERMANY": "A Ber-Pru"}, {"GERMANY": "A Pru H"})
    built = played(rulebook, left, build)

    assert places(fought.units) == {"GERMANY": "A BER, F DEN"}
    assert regained.owners["BER"] == "GERMANY"
    assert regained.phase.code == "S1903M"  # It stands in the only place to build in.
    assert left.phase.code == "W1903A"
    assert places(built.units) == {"GERMANY": "A BER, A PRU, F DEN"}


def test_no_diplomacy_precedes_them() -> None:
    game = in_phase(
        "W1901A",
        {"FRANCE": "A SPA", "ITALY": "A ROM"},
        {"FRANCE": "PAR MAR"},
        rules=TEMPLATES["rulebook"],
    )

    assert refused(game, send_press("FRANCE", "ITALY")) is Why.PRESS_NOT_ALLOWED
