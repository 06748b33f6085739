"""Convoy routes: chains of fleets, and who goes by sea (rulebook XII, DATC 4.A)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.rules.fast_dataclass import fast_constructor
from judge.rules.outcome import Unmatched
from judge.rules.phase_context import FLEET, MapIndex, PhaseContext
from judge.rules.rule_options import ConvoyRoutes, ConvoyToNeighbor, ViaWithoutConvoy, WrittenRoute
from judge.rules.rulebook import CONVOY_OR_HOLD, Rulebook
from judge.rules.types import Move, Province, Unit, province_of

FALLS_BACK_TO_LAND = {ConvoyToNeighbor.INTENT_FALLBACK, ConvoyToNeighbor.OPPOSITE_UNDISRUPTED}

# Looking into an enum takes long.
ALL_ROUTES, OWN_FIRST = ConvoyRoutes.ALL_ROUTES, ConvoyRoutes.ONE_ROUTE_OWN_FIRST
IGNORED, REQUIRED = WrittenRoute.IGNORED, WrittenRoute.REQUIRED


@dataclass(frozen=True, slots=True)
class ConvoyRoute:
    """The way of an army over sea.

    *fleets* are those on a route without a shortcut (DATC 6.F.12); *whole* says that none of them
    may be missing, where else any chain of them will do; *or_land* that the army goes by land if
    they fail.
    """

    start: Province
    end: Province
    fleets: tuple[int, ...]
    whole: bool = False
    or_land: bool = False

    def last(self, scene: PhaseContext) -> Province:
        """Return the sea from which the army lands, on a shortest route."""
        return shortest_route(scene.reach, self.start, self.end, sea_bits(scene, self.fleets))[-1]


new_convoy_route = fast_constructor(ConvoyRoute)


def sea_bits(scene: PhaseContext, fleets: Iterable[int]) -> int:
    """Return the bits of the seas that *fleets* are in."""
    seas, units = scene.reach.sea, scene.units
    found = 0
    for fleet in fleets:
        found |= seas.get(units[fleet].province, 0)
    return found


def convoy_route_of(
    scene: PhaseContext, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> ConvoyRoute | Unmatched | None:
    """Return how *army* goes by sea, None if it goes by land, or why it does not go at all.

    *ordered* are the fleets with an order to carry it there; *opposite* says that the unit there
    was ordered to come where the army is.
    """
    unit, end = scene.units[army], province_of(order.target)
    if unit.kind is FLEET:
        return None
    offered = _offered_route(scene, unit, end, order, ordered) if ordered else None
    if end not in scene.landings(unit):
        return offered or Unmatched.NO_CONVOY
    law = scene.rulebook
    if not _prefers_sea(scene, army, order, ordered, opposite=opposite):
        return None
    if offered:
        return replace(offered, or_land=law.convoy_to_neighbor in FALLS_BACK_TO_LAND)
    return Unmatched.NO_CONVOY if must_go_by_sea(law) else None


def must_go_by_sea(law: Rulebook) -> bool:
    """Tell whether an army that is to go by sea stays if nobody carries it (DATC 4.A.3)."""
    keeps = law.convoy_to_neighbor in CONVOY_OR_HOLD
    return keeps and law.via_without_convoy is ViaWithoutConvoy.INVALID


def _prefers_sea(
    scene: PhaseContext, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> bool:
    """Tell whether *army*, which could go by land, is to go by sea if it can."""
    rule = scene.rulebook.convoy_to_neighbor
    match rule:
        case ConvoyToNeighbor.ALWAYS_CONVOY:
            return True
        case ConvoyToNeighbor.OPPOSITE_MOVE | ConvoyToNeighbor.OPPOSITE_UNDISRUPTED:
            return opposite
        case ConvoyToNeighbor.INTENT_FALLBACK | ConvoyToNeighbor.INTENT_NO_FALLBACK:
            return _is_convoy_intended(scene, army, order, ordered)
        case ConvoyToNeighbor.EXPLICIT:
            return order.via_convoy
        case _:
            assert_never(rule)


def _is_convoy_intended(
    scene: PhaseContext, army: int, order: Move, ordered: Sequence[int]
) -> bool:
    """Tell whether the orders of its power show that *army* is to go by sea."""
    own = any(scene.units[fleet].power == scene.units[army].power for fleet in ordered)
    return order.via_convoy or (own and not _is_route_missing(scene, order))


def _is_route_missing(scene: PhaseContext, order: Move) -> bool:
    return scene.rulebook.written_route is REQUIRED and not order.route


def _offered_route(
    scene: PhaseContext, army: Unit, end: Province, order: Move, ordered: Sequence[int]
) -> ConvoyRoute | None:
    """Return the way that the *ordered* fleets offer to *army*, if they make a chain."""
    reach, start, law = scene.reach, army.province, scene.rulebook
    fleets = tuple(ordered)
    if law.written_route is not IGNORED and order.route:
        fleets = tuple(each for each in fleets if scene.units[each].province in order.route)
        chain = len(fleets) == len(order.route) and is_convoy_path(
            reach, start, end, sea_bits(scene, fleets)
        )
        return ConvoyRoute(start, end, fleets, whole=True) if chain else None
    seas = sea_bits(scene, fleets)
    if law.written_route is REQUIRED or not is_convoy_path(reach, start, end, seas):
        return None
    if len(fleets) > 1:
        if law.convoy_routes is OWN_FIRST:
            own = tuple(each for each in fleets if scene.units[each].power == army.power)
            if is_convoy_path(reach, start, end, sea_bits(scene, own)):
                fleets, seas = own, sea_bits(scene, own)
        needed = fleets_on_routes(reach, start, end, seas)
        fleets = tuple([each for each in fleets if sea_bits(scene, (each,)) & needed])
    return new_convoy_route(start, end, fleets, law.convoy_routes is not ALL_ROUTES)


def is_convoy_path(reach: MapIndex, start: Province, end: Province, fleets: int) -> bool:
    """Tell whether *fleets*, the bits of the seas they are in, link *start* with *end*."""
    return are_seas_linked(reach, reach.shore.get(start, 0), reach.shore.get(end, 0), fleets)


def are_seas_linked(reach: MapIndex, start: int, goal: int, fleets: int) -> bool:
    """Tell whether *fleets* link the seas *start* with the seas *goal*; all are bits of seas."""
    front = seen = start & fleets
    while front:
        if front & goal:
            return True
        front = _adjacent_seas(reach, front) & fleets & ~seen
        seen |= front
    return False


def fleets_on_routes(reach: MapIndex, start: Province, end: Province, fleets: int) -> int:
    """Return those of *fleets* on a route without a shortcut (DATC 4.E.1, 6.F.12, 6.G.19).

    On such a route each fleet touches the next, and no fleet or shore touches any but its
    neighbors in the chain: leave one fleet out, and the chain is broken.
    """
    goal, first = reach.shore.get(end, 0), reach.shore.get(start, 0) & fleets
    found = 0
    chains = [(0, first, first)]  # each with where it may go on, and what it may touch no more
    while chains:
        chain, options, barred = chains.pop()
        while options:
            sea = options & -options
            options ^= sea
            if sea & goal:
                found |= chain | sea
                continue
            around = reach.beside[sea]
            beyond = around & fleets & ~barred
            if beyond:
                chains.append((chain | sea, beyond, barred | around))
    return found


def shortest_route(
    reach: MapIndex, start: Province, end: Province, fleets: int
) -> tuple[Province, ...]:
    """Return the seas of a shortest route that *fleets* offer, in order; none if there is none.

    Of routes equally short the first in alphabetical order is taken.
    """
    goal = reach.shore.get(end, 0)
    names = {bit: sea for sea, bit in reach.sea.items() if bit & fleets}
    routes: list[tuple[int, ...]] = [(bit,) for bit in names if bit & reach.shore.get(start, 0)]
    seen = 0
    while routes:
        for route in routes:
            if route[-1] & goal:
                return tuple(names[bit] for bit in route)
            seen |= route[-1]
        routes = [
            (*route, bit)
            for route in routes
            for bit in names
            if bit & reach.beside[route[-1]] and not bit & seen
        ]
    return ()


def _adjacent_seas(reach: MapIndex, seas: int) -> int:
    around = 0
    while seas:
        sea = seas & -seas
        seas ^= sea
        around |= reach.beside[sea]
    return around
