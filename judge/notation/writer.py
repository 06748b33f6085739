"""Orders to text, in three hands: the judge's own, that of its reports, and the rulebook's."""

from __future__ import annotations

from typing import assert_never

from judge.notation.words import COAST_NAMES
from judge.rules.geography import Map
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.vocabulary import Location, UnitKind, province_of

KIND_NAMES = {UnitKind.ARMY: "Army", UnitKind.FLEET: "Fleet"}


def write(order: Order) -> str:
    """Write *order* as programs exchange it: `A LON - BEL VIA`, `F STP/NC B`.

    Owners of units are left out, as in that form; seas named by the writer stay: `A LON - NTH - BEL`.
    """
    match order:
        case Hold(unit):
            return f"{_unit(unit)} H"
        case Move(unit, target, via_convoy, route):
            stops = " - ".join((_unit(unit), *route, target))
            return f"{stops} VIA" if via_convoy and not route else stops
        case SupportHold(unit, supported):
            return f"{_unit(unit)} S {_unit(supported)}"
        case SupportMove(unit, supported, target):
            return f"{_unit(unit)} S {_unit(supported)} - {target}"
        case Convoy(unit, army, target):
            return f"{_unit(unit)} C {_unit(army)} - {target}"
        case Retreat(unit, target):
            return f"{_unit(unit)} R {target}"
        case Disband(unit):
            return f"{_unit(unit)} D"
        case Build(unit):
            return f"{_unit(unit)} B"
        case Waive():
            return "WAIVE"
        case _:
            assert_never(order)


def _unit(unit: UnitName) -> str:
    return f"{unit.kind.value} {unit.location}" if unit.kind else unit.location
