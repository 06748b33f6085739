"""Read a text as an email with orders, where the units are that those are for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from judge.adapters.variant_files import load_map
from judge.app.commands.email_orders import read_email
from judge.app.commands.situation import Situation
from judge.mail.body import split
from judge.notation.order_text import read_owned_order, write_order
from judge.rules.board import Terrain
from judge.rules.types import (
    Build,
    Disband,
    DislodgedUnit,
    Order,
    Phase,
    Position,
    Power,
    Retreat,
    Unit,
    UnitKind,
    UnitName,
    Waive,
)

BOARD = load_map()
NOWHERE = "SWI"  # that an attack came from


def carried_out(text: str, meant: Iterable[str], power: Power = "FRANCE") -> set[str]:
    """Return the orders of *text* that are carried out where those *meant* are possible.

    They are of *power*, or of the one at home where they build, and written without kinds, but for
    builds.
    """
    orders = [read_owned_order(each) for each in meant]
    read = read_email(_situation(orders, power), split(text)).orders
    return {without_kinds(write_order(each)) for each in read}


def without_kinds(order: str) -> str:
    """Return *order* without the kinds of its units; a build needs its kind."""
    if order.endswith(" B"):
        return order
    return " ".join(word for word in order.split() if word not in {"A", "F"})


def _situation(orders: Iterable[Order], power: Power) -> Situation:
    builds = [each.unit.province for each in orders if isinstance(each, Build)]
    waives = any(isinstance(each, Waive) for each in orders)
    power = BOARD.places[builds[0]].home_of[0] if builds else power
    names = [name for each in orders for name in _units(each)]
    units = {name.province: Unit(power, _kind(name), name.location) for name in names}
    retreats = [each for each in orders if isinstance(each, Retreat)]
    dislodged = tuple(
        DislodgedUnit(
            units.pop(each.unit.province),
            NOWHERE,
            attacker_convoyed=False,
            retreats=(each.target,),
        )
        for each in retreats
    )
    owners = dict.fromkeys(BOARD.homes_of(power), power) if builds or waives else {}
    adjusts = builds or waives or any(isinstance(each, Disband) for each in orders)
    phase = Phase.parse("S1901R" if retreats else "W1901A" if adjusts else "S1901M")
    return Situation(
        BOARD,
        Position(phase=phase, units=tuple(units.values()), owners=owners, dislodged=dislodged),
        power,
    )


def _units(order: Order) -> Iterator[UnitName]:
    if not isinstance(order, Build | Waive):
        named = (getattr(order, role, None) for role in ("unit", "supported", "army"))
        yield from (each for each in named if each)


def _kind(name: UnitName) -> UnitKind:
    at_start = (each.kind for each in BOARD.start.units if each.province == name.province)
    at_sea = BOARD.places[name.province].terrain is Terrain.SEA
    return name.kind or next(at_start, UnitKind.FLEET if at_sea else UnitKind.ARMY)
