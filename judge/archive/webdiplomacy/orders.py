"""An order of webDiplomacy, and what is said to have come of it: that it failed, but not why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import assert_never

from judge.archive.values import MalformedError
from judge.archive.webdiplomacy.numbers import place
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

KINDS = {"Army": UnitKind.ARMY, "Fleet": UnitKind.FLEET}
BUILDS = {"Build Army": UnitKind.ARMY, "Build Fleet": UnitKind.FLEET}


def read_order(told: Mapping[str, object], units: Mapping[Province, Unit]) -> Order:
    """Read an order for one of *units*, or about them. Raises `MalformedError`."""
    kind = told.get("type")
    if kind == "Wait":
        return Waive()
    if isinstance(kind, str) and kind in BUILDS:
        return Build(UnitName(BUILDS[kind], _at(told)))
    unit = _ordered(told, units)
    order: Order
    match kind:
        case "Hold":
            order = Hold(unit)
        case "Move":
            order = Move(unit, _place(told, "toTerrID"), told.get("viaConvoy") == "Yes")
        case "Support hold":
            order = SupportHold(unit, _named(_place(told, "toTerrID"), units))
        case "Support move":
            supported = _named(_place(told, "fromTerrID"), units)
            order = SupportMove(unit, supported, _place(told, "toTerrID"))
        case "Convoy":
            army = UnitName(UnitKind.ARMY, _place(told, "fromTerrID"))
            order = Convoy(unit, army, _place(told, "toTerrID"))
        case "Retreat":
            order = Retreat(unit, _place(told, "toTerrID"))
        case "Disband" | "Destroy":
            order = Disband(unit)
        case _:
            raise MalformedError(kind, "no type of order")
    return order


def results(
    told: Mapping[str, object], order: Order, given: Mapping[Province, Order]
) -> tuple[str, ...] | None:
    """Return what became of *order*, *given* all orders by where their units stand.

    None if that is not told.
    """
    if told.get("success") not in {"Yes", "No"}:
        return None
    words = [*_troubles(order, given)] if told["success"] == "No" else []
    if told.get("dislodged") == "Yes":
        words.append("dislodged")
    return tuple(words)


def _troubles(order: Order, given: Mapping[Province, Order]) -> Iterator[str]:
    """Yield why *order* failed: a support without the move that it is for is void, not cut."""
    match order:
        case Move():
            yield "bounce"
        case SupportHold():
            yield "void" if isinstance(given.get(order.supported.province), Move) else "cut"
        case SupportMove():
            yield "cut" if _moves(given.get(order.supported.province), order.target) else "void"
        case Convoy():
            yield "disrupted" if _moves(given.get(order.army.province), order.target) else "void"
        case Retreat():
            yield "bounce"
            yield "destroyed"
        case Disband() | Build() | Waive():
            yield "void"
        case Hold():
            pass
        case _:
            assert_never(order)


def _moves(order: Order | None, target: Location) -> bool:
    return isinstance(order, Move) and province_of(order.target) == province_of(target)


def _ordered(told: Mapping[str, object], units: Mapping[Province, Unit]) -> UnitName:
    """Return the unit of the order *told*, on the coast where it stands."""
    at, kind = _at(told), told.get("unitType")
    there = units.get(province_of(at))
    if not isinstance(kind, str) or kind not in KINDS:
        return _named(at, units)
    if there and there.kind is KINDS[kind]:
        return UnitName(there.kind, there.location)
    return UnitName(KINDS[kind], at)


def _named(at: Location, units: Mapping[Province, Unit]) -> UnitName:
    there = units.get(province_of(at))
    return UnitName(there.kind, there.location) if there else UnitName(None, at)


def _at(told: Mapping[str, object]) -> Location:
    return place(told, "terrID") or _place(told, "toTerrID")


def _place(told: Mapping[str, object], key: str) -> Location:
    found = place(told, key)
    if found is None:
        raise MalformedError(key, f"is missing in an order of type {told.get('type')}")
    return found
