"""Places, units and orders as a report names them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, assert_never

from judge.notation.words import COAST_NAMES
from judge.notation.writer import KIND_NAMES, write_long, write_short
from judge.rules.geography import Map, Terrain
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
from judge.rules.outcome import Impossible
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind, province_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.rules.position import Position


def place(board: Map, location: Location) -> str:
    """Name *location* in full: `St. Petersburg (south coast)`."""
    province, _, coast = location.partition("/")
    known = board.places.get(province)
    name = known.name if known else province
    return f"{name} ({COAST_NAMES.get(coast, coast)})" if coast else name


def the_place(board: Map, location: Location) -> str:
    """Name *location* inside a sentence, seas with their article."""
    known = board.places.get(province_of(location))
    article = "the " if known and known.terrain is Terrain.SEA else ""
    return article + place(board, location)


def nation(board: Map, power: str) -> str:
    """Name *power*; what is no power of the board (the moderator) is named as it calls itself."""
    return board.nations[power].name if power in board.nations else power.capitalize()


def adjective(board: Map, power: Power) -> str:
    """Say whose a unit is: `Austrian`."""
    return board.nations[power].adjective


def as_seen(
    order: Order, position: Position, power: Power, fault: Impossible | None = None
) -> Order:
    """Name foreign units in *order* of *power* by owner, unless its *fault* is to lack that."""
    if fault is Impossible.POWER_NEEDED:
        return order
    owners = {each.province: each.power for each in position.units}
    owners |= {each.unit.province: each.unit.power for each in position.dislodged}
    named = partial(_named, owners, power)
    match order:
        case Hold() | Move() | Retreat() | Disband():
            return replace(order, unit=named(order.unit))
        case SupportHold() | SupportMove():
            return replace(order, unit=named(order.unit), supported=named(order.supported))
        case Convoy():
            return replace(order, unit=named(order.unit), army=named(order.army))
        case Build() | Waive():
            return order
        case _:
            assert_never(order)


def long(board: Map, order: Order) -> str:
    """Write *order* as judges report it: `Army Budapest -> Serbia.`."""
    return write_long(order, board)


def brief(board: Map, order: Order) -> str:
    """Write *order* as players do: `A Bud-Ser`."""
    return write_short(order, board)


def brief_place(board: Map, location: Location) -> str:
    """Write *location* as players do in an order: `Stp(sc)`."""
    return brief_unit(board, Unit("", UnitKind.ARMY, location)).removeprefix("A ")


def unit_name(board: Map, unit: Unit) -> str:
    """Name *unit* as judges do: `Fleet St. Petersburg (south coast)`."""
    return f"{KIND_NAMES[unit.kind]} {place(board, unit.location)}"


def brief_unit(board: Map, unit: Unit) -> str:
    """Name *unit* as players begin an order: `F Stp(sc)`."""
    return write_short(Hold(UnitName(unit.kind, unit.location)), board).removesuffix(" H")


def _named(owners: Mapping[Province, Power], power: Power, name: UnitName) -> UnitName:
    owner = name.power or owners.get(name.province)
    return replace(name, power=None if owner == power else owner)
