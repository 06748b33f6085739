"""An army goes over the seas that its order names, if the rulebook reads them (DATC 4.A.6)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from judge.rules.adjudication import adjudicate
from judge.rules.order import Move, UnitName
from judge.rules.outcome import ConvoyBroken, Fails, Invalid, Succeeds, Unmatched, Verdict
from judge.rules.questions import WrittenRoute
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import UnitKind
from tests.datc.reading import read_order
from tests.unit.rules.playing import BOARD, standing, verdict_in

SEAS = standing(
    {"ENGLAND": ["A LON", "F ENG", "F NTH"], "FRANCE": ["F IRI", "F MAO"]},
)
ATTACK = ["F IRI - ENG", "F MAO S F IRI - ENG"]
CARRIED = ["F ENG C A LON - BEL", "F NTH C A LON - BEL"]


def sailed(route: tuple[str, ...], rule: WrittenRoute, fleets: Sequence[str] = CARRIED) -> Verdict:
    """Return what becomes of the army in London, while the fleet in the Channel is dislodged."""
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
    assert sailed(("ENG",), rule) == Fails(ConvoyBroken(("ENG",)))


def test_any_route_will_do_where_none_is_read_or_none_is_written() -> None:
    assert isinstance(sailed(("ENG",), WrittenRoute.IGNORED), Succeeds)
    assert isinstance(sailed((), WrittenRoute.OPTIONAL), Succeeds)


def test_a_fleet_that_has_other_orders_carries_nobody_on_a_written_route() -> None:
    sailing = sailed(("NTH",), WrittenRoute.OPTIONAL, CARRIED[:1])

    assert sailing == Invalid(Unmatched.NO_CONVOY)
