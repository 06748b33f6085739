"""Generate random positions and orders that conflict: most supports and convoys match."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random  # noqa: TID251 the caller seeds it
from typing import TypeAlias

from judge.rules.board import Map
from judge.rules.convoys import fleets_on_routes, is_convoy_path
from judge.rules.phase_context import map_index_of
from judge.rules.types import (
    Convoy,
    Hold,
    Move,
    Order,
    Phase,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    province_of,
)

Orders: TypeAlias = Mapping[Power, Sequence[Order]]

CONVOYED = 0.5  # Of the armies that could cross the sea, how many try.


def crowd(board: Map, chance: Random, count: int) -> Position:
    """Place *count* units of all powers close together."""
    neighbors = map_index_of(board).neighbors
    taken: list[Province] = [
        chance.choice(sorted(code for code in board.places if neighbors[code]))
    ]
    while len(taken) < count:
        near = sorted({n for each in taken for n in neighbors[each]} - set(taken))
        taken.append(chance.choice(near))
    units = tuple(_unit(board, chance, province) for province in taken)
    return Position(Phase.parse("S1901M"), units)


def tangle(board: Map, chance: Random, position: Position) -> Orders:
    """Order every unit of *position* something that is possible, most of it about the others."""
    map_index = map_index_of(board)
    afloat = sum(map_index.bit_of_sea.get(unit.province, 0) for unit in position.units)
    moves: dict[Unit, Move] = {}
    for unit in position.units:
        if chance.random() < 0.5 and (move := _move(board, chance, unit, afloat)):
            moves[unit] = move
    orders: dict[Power, list[Order]] = {}
    for unit in position.units:
        order = moves.get(unit) or _help(board, chance, position, moves, unit)
        orders.setdefault(unit.power, []).append(order)
    return orders


def name(unit: Unit) -> UnitName:
    return UnitName(unit.kind, unit.location)


def _unit(board: Map, chance: Random, province: Province) -> Unit:
    locations = [each for each in sorted(board.locations) if province_of(each) == province]
    choices = [
        (kind, location)
        for kind, borders in ((UnitKind.ARMY, board.army), (UnitKind.FLEET, board.fleet))
        for location in locations
        if location in borders
    ]
    kind, location = chance.choice(choices)
    return Unit(chance.choice(board.powers), kind, location)


def _move(board: Map, chance: Random, unit: Unit, afloat: int) -> Move | None:
    map_index = map_index_of(board)
    if unit.kind is UnitKind.ARMY and chance.random() < CONVOYED:
        across = [
            shore
            for shore in sorted(map_index.coastal_seas)
            if shore != unit.province and is_convoy_path(map_index, unit.province, shore, afloat)
        ]
        if across:
            return Move(name(unit), chance.choice(across), via_convoy=chance.random() < 0.5)
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    near = sorted(borders[unit.location])
    return Move(name(unit), chance.choice(near)) if near else None


def _help(
    board: Map, chance: Random, position: Position, moves: Mapping[Unit, Move], unit: Unit
) -> Order:
    map_index = map_index_of(board)
    near = map_index.node_of(unit).reachable
    sea = map_index.bit_of_sea.get(unit.province, 0)
    afloat = sum(map_index.bit_of_sea.get(each.province, 0) for each in position.units)
    convoys: list[Order] = [
        Convoy(name(unit), name(army), move.target)
        for army, move in moves.items()
        if army.kind is UnitKind.ARMY
        and sea & fleets_on_routes(map_index, army.province, province_of(move.target), afloat)
    ]
    supports: list[Order] = [
        SupportMove(name(unit), name(mover), move.target)
        for mover, move in moves.items()
        if province_of(move.target) in near
    ]
    supports += [
        SupportHold(name(unit), name(other))
        for other in position.units
        if other not in moves and other.province in near
    ]
    choices = convoys if convoys and chance.random() < 0.7 else supports
    return chance.choice(choices) if choices else Hold(name(unit))
