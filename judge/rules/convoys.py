"""Find convoy routes, and choose between land and sea (rulebook XII, DATC 4.A)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.rules.outcomes import Unmatched
from judge.rules.phase_context import FLEET, MapIndex, PhaseContext
from judge.rules.rule_options import ConvoyRoutes, ConvoyToNeighbor, ViaWithoutConvoy, WrittenRoute
from judge.rules.rulebook import CONVOY_OR_HOLD, Rulebook
from judge.rules.types import Move, Province, Unit, province_of

FALLS_BACK_TO_LAND = {ConvoyToNeighbor.INTENT_FALLBACK, ConvoyToNeighbor.OPPOSITE_UNDISRUPTED}

# A module constant is faster than an enum lookup.
ALL_ROUTES, OWN_FIRST = ConvoyRoutes.ALL_ROUTES, ConvoyRoutes.ONE_ROUTE_OWN_FIRST
IGNORED, REQUIRED = WrittenRoute.IGNORED, WrittenRoute.REQUIRED


@dataclass(frozen=True, slots=True)
class ConvoyRoute:
    """The fleets that can convoy an army.

    *fleets* are those on a route without a shortcut (DATC 6.F.12). The army needs all of them if
    *whole*, otherwise any chain of them; if *or_land*, it goes by land when the convoy fails.
    """

    start: Province
    destination: Province
    fleets: tuple[int, ...]
    whole: bool = False
    or_land: bool = False

    def last(self, context: PhaseContext) -> Province:
        """Return the last sea of a shortest route."""
        return shortest_route(
            context.map_index, self.start, self.destination, sea_bits(context, self.fleets)
        )[-1]


def sea_bits(context: PhaseContext, fleets: Iterable[int]) -> int:
    """Return the bits of the seas that *fleets* are in."""
    seas, units = context.map_index.bit_of_sea, context.units
    found = 0
    for fleet in fleets:
        found |= seas.get(units[fleet].province, 0)
    return found


def convoy_route_of(
    context: PhaseContext, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> ConvoyRoute | Unmatched | None:
    """Return the route of *army*, None if it goes by land, or why it cannot move at all.

    *ordered* are the fleets with a matching convoy order; *opposite* is whether the unit at the
    destination is ordered to move to where the army is.
    """
    unit, destination = context.units[army], province_of(order.target)
    if unit.kind is FLEET:
        return None
    offered = _offered_route(context, unit, destination, order, ordered) if ordered else None
    if destination not in context.reachable(unit):
        return offered or Unmatched.NO_CONVOY
    rulebook = context.rulebook
    if not _prefers_sea(context, army, order, ordered, opposite=opposite):
        return None
    if offered:
        return replace(offered, or_land=_falls_back(rulebook, order))
    no_land = must_go_by_sea(rulebook) and not _falls_back(rulebook, order)
    return Unmatched.NO_CONVOY if no_land else None


def _falls_back(rulebook: Rulebook, order: Move) -> bool:
    """Return whether the army of *order* goes by land if its convoy fails."""
    rule = rulebook.convoy_to_neighbor
    own_fleet_alone = rule is ConvoyToNeighbor.VIA_OR_FALLBACK and not order.via_convoy
    return own_fleet_alone or rule in FALLS_BACK_TO_LAND


def must_go_by_sea(rulebook: Rulebook) -> bool:
    """Return whether an army ordered by convoy stays if there is none (DATC 4.A.3)."""
    keeps = rulebook.convoy_to_neighbor in CONVOY_OR_HOLD
    return keeps and rulebook.via_without_convoy is ViaWithoutConvoy.INVALID


def _prefers_sea(
    context: PhaseContext, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> bool:
    """Return whether *army*, which could go by land, goes by convoy if there is one."""
    rule = context.rulebook.convoy_to_neighbor
    match rule:
        case ConvoyToNeighbor.ALWAYS_CONVOY:
            return True
        case ConvoyToNeighbor.OPPOSITE_MOVE | ConvoyToNeighbor.OPPOSITE_UNDISRUPTED:
            return opposite
        case (
            ConvoyToNeighbor.INTENT_FALLBACK
            | ConvoyToNeighbor.INTENT_NO_FALLBACK
            | ConvoyToNeighbor.VIA_OR_FALLBACK
        ):
            return _is_convoy_intended(context, army, order, ordered)
        case ConvoyToNeighbor.EXPLICIT:
            return order.via_convoy
        case _:
            assert_never(rule)


def _is_convoy_intended(
    context: PhaseContext, army: int, order: Move, ordered: Sequence[int]
) -> bool:
    """Return whether the orders of its power show the intent to convoy *army* (DATC 4.A.3)."""
    own = any(context.units[fleet].power == context.units[army].power for fleet in ordered)
    return order.via_convoy or (own and not _is_route_missing(context, order))


def _is_route_missing(context: PhaseContext, order: Move) -> bool:
    return context.rulebook.written_route is REQUIRED and not order.route


def _offered_route(
    context: PhaseContext, army: Unit, destination: Province, order: Move, ordered: Sequence[int]
) -> ConvoyRoute | None:
    """Return the route that the *ordered* fleets offer *army*, if they are a chain."""
    map_index, start, rulebook = context.map_index, army.province, context.rulebook
    fleets = tuple(ordered)
    if rulebook.written_route is not IGNORED and order.route:
        fleets = tuple(each for each in fleets if context.units[each].province in order.route)
        chain = len(fleets) == len(order.route) and is_convoy_path(
            map_index, start, destination, sea_bits(context, fleets)
        )
        return ConvoyRoute(start, destination, fleets, whole=True) if chain else None
    seas = sea_bits(context, fleets)
    if rulebook.written_route is REQUIRED or not is_convoy_path(
        map_index, start, destination, seas
    ):
        return None
    if len(fleets) > 1:
        if rulebook.convoy_routes is OWN_FIRST:
            own = tuple(each for each in fleets if context.units[each].power == army.power)
            if is_convoy_path(map_index, start, destination, sea_bits(context, own)):
                fleets, seas = own, sea_bits(context, own)
        needed = fleets_on_routes(map_index, start, destination, seas)
        fleets = tuple([each for each in fleets if sea_bits(context, (each,)) & needed])
    return ConvoyRoute(start, destination, fleets, rulebook.convoy_routes is not ALL_ROUTES)


def is_convoy_path(
    map_index: MapIndex, start: Province, destination: Province, fleets: int
) -> bool:
    """Return whether *fleets*, given by the bits of their seas, link the two provinces."""
    return are_seas_linked(
        map_index,
        map_index.coastal_seas.get(start, 0),
        map_index.landing_seas.get(destination, 0),
        fleets,
    )


def are_seas_linked(map_index: MapIndex, start: int, target: int, fleets: int) -> bool:
    """Return whether *fleets* link the seas *start* with the seas *target*, all given by bits."""
    front = seen = start & fleets
    while front:
        if front & target:
            return True
        front = _adjacent_seas(map_index, front) & fleets & ~seen
        seen |= front
    return False


def fleets_on_routes(
    map_index: MapIndex, start: Province, destination: Province, fleets: int
) -> int:
    """Return those of *fleets* on a route without a shortcut (DATC 4.E.1, 6.F.12, 6.G.19).

    On such a route no fleet or coast is adjacent to any but its neighbors in the chain, so the
    chain breaks without any one of its fleets.
    """
    target, first = (
        map_index.landing_seas.get(destination, 0),
        map_index.coastal_seas.get(start, 0) & fleets,
    )
    found = 0
    chains = [(0, first, first)]  # each with the seas to go on to, and those ruled out
    while chains:
        chain, options, excluded = chains.pop()
        while options:
            sea = options & -options
            options ^= sea
            if sea & target:
                found |= chain | sea
                continue
            adjacent = map_index.adjacent_seas[sea]
            beyond = adjacent & fleets & ~excluded
            if beyond:
                chains.append((chain | sea, beyond, excluded | adjacent))
    return found


def shortest_route(
    map_index: MapIndex, start: Province, destination: Province, fleets: int
) -> tuple[Province, ...]:
    """Return the seas of the shortest route that *fleets* offer, in order; empty if none.

    Of equally short routes it is the first in alphabetical order.
    """
    target = map_index.landing_seas.get(destination, 0)
    names = {bit: sea for sea, bit in map_index.bit_of_sea.items() if bit & fleets}
    routes: list[tuple[int, ...]] = [
        (bit,) for bit in names if bit & map_index.coastal_seas.get(start, 0)
    ]
    seen = 0
    while routes:
        for route in routes:
            if route[-1] & target:
                return tuple(names[bit] for bit in route)
            seen |= route[-1]
        routes = [
            (*route, bit)
            for route in routes
            for bit in names
            if bit & map_index.adjacent_seas[route[-1]] and not bit & seen
        ]
    return ()


def _adjacent_seas(map_index: MapIndex, seas: int) -> int:
    adjacent = 0
    while seas:
        sea = seas & -seas
        seas ^= sea
        adjacent |= map_index.adjacent_seas[sea]
    return adjacent
