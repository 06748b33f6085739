"""All orders that a power could give and that could be carried out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from judge.rules.board import Map, Terrain
from judge.rules.legality import impossibility
from judge.rules.phase_sequence import open_homes
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)


def possible_orders(
    board: Map, position: Position, power: Power, rulebook: Rulebook
) -> Iterator[tuple[UnitName | None, tuple[Order, ...]]]:
    """Yield each unit of *power* that may be ordered, with its orders; None has the waived build.

    A unit that may be built is one of those.
    """
    for unit, orders in _candidate_orders(board, position, power):
        possible = tuple(
            each
            for each in orders
            if impossibility(board, position, power, each, rulebook) is None
        )
        if possible:
            yield unit, possible


def _candidate_orders(
    board: Map, position: Position, power: Power
) -> Iterator[tuple[UnitName | None, Iterable[Order]]]:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            for unit in position.units_of(power):
                yield _unit_name(unit), _movements(board, position, unit)
        case PhaseKind.RETREATS:
            for each in position.dislodged_of(power):
                name = _unit_name(each.unit)
                retreats = (Retreat(name, target) for target in each.retreats)
                yield name, (*retreats, Disband(name))
        case PhaseKind.ADJUSTMENTS:
            yield from _adjustments(board, position, power)
        case kind:
            assert_never(kind)


def _adjustments(
    board: Map, position: Position, power: Power
) -> Iterator[tuple[UnitName | None, Iterable[Order]]]:
    due = position.due(power)
    if due < 0:
        for unit in position.units_of(power):
            yield _unit_name(unit), (Disband(_unit_name(unit)),)
    elif due > 0:
        for home in open_homes(board, position, power):
            for kind, locations in (
                (UnitKind.ARMY, (home,)),
                (UnitKind.FLEET, board.coasts_of(home) or (home,)),
            ):
                for location in locations:
                    name = UnitName(kind, location)
                    yield name, (Build(name),)
        yield None, (Waive(),)


def _movements(board: Map, position: Position, unit: Unit) -> Iterator[Order]:
    """Yield what *unit* might do, most of which a rule may forbid."""
    name = _unit_name(unit)
    near = sorted(_neighbors(board, unit))
    shores = [code for code, place in board.places.items() if place.terrain is Terrain.COAST]
    others = [other for other in position.units if other.province != unit.province]
    yield Hold(name)
    yield from (Move(name, target) for target in near)
    if unit.kind is UnitKind.ARMY and unit.province in shores:
        yield from (Move(name, target, via_convoy=target in near) for target in shores)
    reached = {province_of(target) for target in near}
    for other in others:
        supported = _unit_name(other)
        if other.province in reached:
            yield SupportHold(name, supported)
        carried = other.kind is UnitKind.ARMY and other.province in shores
        own = {province_of(target) for target in _neighbors(board, other)}
        for target in sorted(reached):
            if target != other.province and (target in own or (carried and target in shores)):
                yield SupportMove(name, supported, target)
        if carried and board.places[unit.province].terrain is Terrain.SEA:
            yield from (Convoy(name, supported, shore) for shore in shores)


def _neighbors(board: Map, unit: Unit) -> frozenset[Location]:
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    return borders.get(unit.location, frozenset())


def _unit_name(unit: Unit) -> UnitName:
    return UnitName(unit.kind, unit.location)
