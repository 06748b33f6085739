"""Units and places as notation names them, whoever has them and wherever they can go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.reading.chunks import Chunk
from judge.reading.tokens import VERBS
from judge.reading.world import World
from judge.rules import types
from judge.rules.board import Terrain
from judge.rules.types import Province, Unit, UnitKind

ORDERS = frozenset({"order", "orders", "moves", "befehle", "züge", "ordres", "coups"})
IN_FULL = frozenset({"army", "fleet", "armee", "flotte", "armée"})


def units_named(chunk: Chunk, world: World) -> tuple[Unit, ...]:
    """Return the units that *chunk* may name, those of the writer if it may be one of them."""
    kind = chunk.kind
    places = [each for each in chunk.places if kind is None or world.can_stand(kind, each)]
    found = tuple(_unit_at(chunk, place, world) for place in places or chunk.places)
    own = tuple(unit for unit in found if world.own.get(unit.province) == unit)
    standing = tuple(unit for unit in found if world.standing.get(unit.province) == unit)
    return own or standing or found


def _unit_at(chunk: Chunk, place: Province, world: World) -> Unit:
    here = world.own.get(place) or world.standing.get(place)
    sea = world.board.places[place].terrain is Terrain.SEA
    kind = chunk.kind or (here.kind if here else UnitKind.FLEET if sea else UnitKind.ARMY)
    power = here.power if here else chunk.owner or ""
    location = here.location if here and here.kind is kind else place
    named = f"{place}/{chunk.coast}" if chunk.coast and world.board.coasts_of(place) else ""
    return Unit(power, kind, named or location)


def with_coasts(order: types.Order, world: World) -> tuple[types.Order, ...]:
    """Return *order*, or one for each coast there is if it names another."""
    match order:
        case (
            types.Move(unit, place)
            | types.Retreat(unit, place)
            | types.SupportMove(supported=unit, target=place)
        ) if (places := _coasts(unit, place, world)) != (place,):
            return tuple(replace(order, target=each) for each in places)
        case types.SupportHold(supported=unit) if (
            places := _coasts(unit, unit.location, world)
        ) != (unit.location,):
            named = (replace(unit, location=each) for each in places)
            return tuple(replace(order, supported=each) for each in named)
        case types.Build(unit) | types.Disband(unit) | types.Hold(unit) if (
            places := _coasts(unit, unit.location, world)
        ) != (unit.location,):
            return tuple(replace(order, unit=replace(unit, location=each)) for each in places)
        case _:
            return (order,)


def _coasts(
    unit: types.UnitName, place: types.Location, world: World
) -> tuple[types.Location, ...]:
    if place in world.board.locations:
        return (place,)
    province = types.province_of(place)
    coasts = world.board.coasts_of(province)
    return coasts if coasts and unit.kind is UnitKind.FLEET else (province,)


def is_formal(chunk: Chunk) -> bool:
    """Return whether *chunk* names a unit in full words: `Army Paris`."""
    return chunk.key in IN_FULL and bool(chunk.places) and not chunk.prep


def is_unread(chunks: Sequence[Chunk]) -> bool:
    """Return whether *chunks*, in which nothing is ordered, have the marks of an order."""
    unit = any(
        c.has_kind and (c.strict or is_formal(c)) and (c.units or c.guessed) for c in chunks
    )
    return any(
        (c.strict or (unit and c.places)) if c.prep == "to" else unit and c.strict
        for c in chunks
        if (c.role == "np" and c.prep == "to") or c.role in VERBS
    )


def repeats_orders(chunks: Sequence[Chunk]) -> bool:
    """Return whether *chunks* ask for earlier orders: `same orders`."""
    roles = [c.role for c in chunks]
    same = roles.index("same") if "same" in roles else len(roles)
    return any(c.key in ORDERS for c in chunks[same : same + 3])


def can_be(order: types.Order, world: World) -> bool:
    """Return whether a retreat or a build is possible; other orders are."""
    match order:
        case types.Retreat(unit, target):
            mine = world.own.get(unit.province)
            return mine is not None and world.reach(mine, types.province_of(target)) == 0
        case types.Build(unit):
            return unit.province in world.sites
        case _:
            return True
