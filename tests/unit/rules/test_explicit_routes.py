"""An army takes the convoy path that its order names, if the rulebook allows it (DATC 4.A.6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import (
    Available,
    ConvoyBroken,
    Fails,
    Illegal,
    Impossible,
    Invalid,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.rule_options import ConvoyRoutes, MisnamedUnit, WrittenRoute
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Convoy, Move, UnitKind, UnitName
from tests.datc.case_notation import read_order
from tests.unit.rules.play_phase import BOARD, fate_in, ordered, played, standing, verdict_in

SEAS = standing(
    {"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["F IRI", "F MAO"]},
)
ATTACK = ["F IRI - ENG", "F MAO S F IRI - ENG"]
CARRIED = ["F ENG C A LON - BEL", "F NTH C A LON - BEL"]


def sailed(route: tuple[str, ...], rule: WrittenRoute, fleets: Sequence[str] = CARRIED) -> Verdict:
    """Return the verdict of the army in London while the fleet in the Channel is dislodged."""
    army = Move(UnitName(UnitKind.ARMY, "LON"), "BEL", via_convoy=True, route=route)
    orders = {
        "ENGLAND": [army, *map(read_order, fleets)],
        "FRANCE": [*map(read_order, ATTACK)],
    }
    return verdict_in(adjudicate(BOARD, SEAS, orders, Rulebook(written_route=rule)), "LON")


@pytest.mark.parametrize("rule", WrittenRoute)
def test_an_army_sails_where_it_is_said_to(rule: WrittenRoute) -> None:
    assert isinstance(sailed(("NTH",), rule), Succeeds)


@pytest.mark.parametrize("rule", [WrittenRoute.OPTIONAL, WrittenRoute.REQUIRED])
def test_a_route_that_is_broken_is_not_left_for_another(rule: WrittenRoute) -> None:
    assert sailed(("ENG",), rule) == Fails(ConvoyBroken(("ENG",), other_route=True))
    assert sailed(("NTH", "ENG"), rule) == Fails(ConvoyBroken(("ENG",), other_route=True))


def test_any_route_will_do_where_none_is_read_or_none_is_written() -> None:
    assert isinstance(sailed(("ENG",), WrittenRoute.IGNORED), Succeeds)
    assert isinstance(sailed((), WrittenRoute.OPTIONAL), Succeeds)


@pytest.mark.parametrize("route", [("ENG",), ("NTH", "ENG")])
def test_every_fleet_of_a_written_route_must_be_ordered_to_convoy(route: tuple[str, ...]) -> None:
    sailing = sailed(route, WrittenRoute.OPTIONAL, CARRIED[1:])

    assert sailing == Invalid(Unmatched.NO_CONVOY)


def test_a_fleet_whose_route_has_a_gap_does_not_break_the_one_route_of_an_army() -> None:
    result = played(
        {
            "ENGLAND": [
                "A LON - NWY",
                "F NTH C A LON - NWY",
                "F ENG C A LON - NWY",
                "F IRI H",
                "F NAO H",
                "F NWG H",
            ],
            "FRANCE": ["F MAO - ENG", "F BRE S F MAO - ENG"],
        },
        rulebook=Rulebook(convoy_routes=ConvoyRoutes.ONE_ROUTE),
    )

    assert isinstance(verdict_in(result, "LON"), Succeeds)
    assert fate_in(result, "ENG")


@pytest.mark.parametrize(
    ("end", "own", "other"), [("BEL", "IRI", "ENG"), ("SWE", "NTH", "SKA")], ids=["alone", "too"]
)
def test_an_army_goes_by_fleets_of_others_where_its_own_would_come_first(
    end: str, own: str, other: str
) -> None:
    orders = {
        "ENGLAND": [f"A LON - {end}", f"F {own} C A LON - {end}"],
        "FRANCE": [f"F {other} C A LON - {end}"],
    }
    own_first = Rulebook(convoy_routes=ConvoyRoutes.ONE_ROUTE_OWN_FIRST)

    assert isinstance(verdict_in(played(orders, rulebook=own_first), "LON"), Succeeds)


@pytest.mark.parametrize(
    ("army", "verdict"),
    [
        pytest.param(UnitName(UnitKind.ARMY, "LON"), Succeeds, id="named well"),
        pytest.param(UnitName(UnitKind.FLEET, "LON"), Invalid, id="named a fleet"),
    ],
)
def test_where_the_rulebook_is_strict_a_convoy_must_name_its_army_well(
    army: UnitName, verdict: type[Verdict]
) -> None:
    strict = Rulebook(kind_wrong=MisnamedUnit.ILLEGAL)
    north_sea = Convoy(UnitName(UnitKind.FLEET, "NTH"), army, "BEL")
    orders = {"ENGLAND": [read_order("A LON - BEL"), north_sea]}

    assert isinstance(verdict_in(adjudicate(BOARD, SEAS, orders, strict), "LON"), verdict)


def test_no_power_convoys_the_army_of_another() -> None:
    result = ordered(SEAS, {"FRANCE": ["A LON - BEL"], "ENGLAND": ["F NTH C A LON - BEL"]})

    assert result.outcomes[0].verdict == Illegal(Impossible.NOT_YOURS)


def test_no_army_is_convoyed_inland() -> None:
    near = played({"ITALY": ["A VEN - TYR", "F ADR C A VEN - TYR"]})
    far = played({"ITALY": ["A VEN - BUD", "F ADR H"]})

    assert verdict_in(near, "ADR") == Illegal(Impossible.NO_ROUTE)
    assert isinstance(verdict_in(near, "VEN"), Succeeds)
    assert verdict_in(far, "VEN") == Illegal(Impossible.UNREACHABLE)


def test_a_convoy_that_is_possible_sometime_waits_for_a_chain_in_vain() -> None:
    rulebook = rulebook_named("datc,counted_orders=possible_sometime")
    result = played({"ENGLAND": ["A LON - TUN", "F ENG C A LON - TUN"]}, rulebook=rulebook)

    assert verdict_in(result, "ENG") == Available()
    assert verdict_in(result, "LON") == Invalid(Unmatched.NO_CONVOY)


def test_a_fleet_is_not_convoyed_where_it_goes_by_itself() -> None:
    """DATC 6.A.7."""
    result = played({"ENGLAND": ["F LON - WAL", "F ENG C F LON - WAL"]})

    assert verdict_in(result, "ENG") == Illegal(Impossible.FLEET_CONVOYED)
    assert isinstance(verdict_in(result, "LON"), Succeeds)


def test_an_army_with_an_unwanted_convoy_meets_the_unit_that_comes_by_land() -> None:
    result = played(
        {"FRANCE": ["A PIC - BEL"], "ENGLAND": ["F ENG C A PIC - BEL"], "GERMANY": ["A HOL - BEL"]}
    )

    assert isinstance(verdict_in(result, "PIC"), Fails)
    assert isinstance(verdict_in(result, "HOL"), Fails)


def test_an_army_that_moves_from_inland_is_not_convoyed() -> None:
    result = played({"ITALY": ["A TYR - VEN", "F ADR C A TYR - VEN"]})

    assert verdict_in(result, "ADR") == Illegal(Impossible.NO_ROUTE)
    assert verdict_in(result, "TYR") == Succeeds(Strength("TYR"))


def test_a_convoyed_army_meets_all_units_that_come_by_land() -> None:
    result = played(
        {
            "ENGLAND": ["A LON - BEL", "F NTH C A LON - BEL"],
            "FRANCE": ["A PIC - BEL"],
            "GERMANY": ["A HOL - BEL"],
        }
    )

    landed = StoodOff(Strength("LON"), (Strength("HOL"), Strength("PIC")))
    assert verdict_in(result, "LON") == Fails(landed)


def test_a_convoyed_army_attacking_from_its_last_fleet_passes_a_unit_it_would_meet_on_land() -> (
    None
):
    """DATC 4.A.4."""
    orders = {"ENGLAND": ["A WAL - LVP", "F IRI C A WAL - LVP"], "FRANCE": ["A LVP - WAL"]}
    result = played(orders, rulebook=rulebook_named("datc,convoyed_attack_from=from_fleet"))

    assert verdict_in(result, "WAL") == Succeeds(Strength("WAL"), ("IRI",))
    assert verdict_in(result, "LVP") == Succeeds(Strength("LVP"))


def test_an_army_does_not_cross_the_adriatic_when_its_fleet_is_driven_out() -> None:
    result = played(
        {
            "ITALY": ["A VEN - ALB", "F ADR C A VEN - ALB"],
            "AUSTRIA": ["F ION - ADR", "F TRI S F ION - ADR"],
        }
    )

    assert verdict_in(result, "VEN") == Fails(ConvoyBroken(("ADR",)))
