"""Whether an army goes by sea, and over which fleets (rulebook XII, DATC 4.A.1, 4.A.3, 4.A.6)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from judge.rules.convoys import carries, shortest, useful
from judge.rules.making import maker
from judge.rules.order import Move
from judge.rules.outcome import Unmatched
from judge.rules.questions import ConvoyRoutes, ConvoyToNeighbor, ViaWithoutConvoy, WrittenRoute
from judge.rules.reach import FLEET
from judge.rules.rulebook import SEA_OR_NOTHING, Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Province, Unit, province_of

FALLING_BACK = {ConvoyToNeighbor.INTENT_FALLBACK, ConvoyToNeighbor.OPPOSITE_UNDISRUPTED}

# Looking into an enum takes long.
ALL_ROUTES, OWN_FIRST = ConvoyRoutes.ALL_ROUTES, ConvoyRoutes.ONE_ROUTE_OWN_FIRST
IGNORED, REQUIRED = WrittenRoute.IGNORED, WrittenRoute.REQUIRED


@dataclass(frozen=True, slots=True)
class Voyage:
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

    def last(self, scene: Scene) -> Province:
        """Return the sea from which the army lands, on a shortest route."""
        return shortest(scene.reach, self.start, self.end, bits(scene, self.fleets))[-1]


new_voyage = maker(Voyage)


def bits(scene: Scene, fleets: Iterable[int]) -> int:
    """Return the bits of the seas that *fleets* are in."""
    seas, units = scene.reach.sea, scene.units
    found = 0
    for fleet in fleets:
        found |= seas.get(units[fleet].province, 0)
    return found


def voyage_of(
    scene: Scene, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> Voyage | Unmatched | None:
    """Return how *army* goes by sea, None if it goes by land, or why it does not go at all.

    *ordered* are the fleets with an order to carry it there; *opposite* says that the unit there
    was ordered to come where the army is.
    """
    unit, end = scene.units[army], province_of(order.target)
    if unit.kind is FLEET:
        return None
    offered = _offered(scene, unit, end, order, ordered) if ordered else None
    if end not in scene.landings(unit):
        return offered or Unmatched.NO_CONVOY
    law = scene.rulebook
    if not _by_sea(scene, army, order, ordered, opposite=opposite):
        return None
    if offered:
        return replace(offered, or_land=law.convoy_to_neighbor in FALLING_BACK)
    return Unmatched.NO_CONVOY if insists(law) else None


def insists(law: Rulebook) -> bool:
    """Tell whether an army that is to go by sea stays if nobody carries it (DATC 4.A.3)."""
    keeps = law.convoy_to_neighbor in SEA_OR_NOTHING
    return keeps and law.via_without_convoy is ViaWithoutConvoy.INVALID


def _by_sea(
    scene: Scene, army: int, order: Move, ordered: Sequence[int], *, opposite: bool
) -> bool:
    """Tell whether *army*, which could go by land, is to go by sea if it can."""
    rule = scene.rulebook.convoy_to_neighbor
    match rule:
        case ConvoyToNeighbor.ALWAYS_CONVOY:
            return True
        case ConvoyToNeighbor.OPPOSITE_MOVE | ConvoyToNeighbor.OPPOSITE_UNDISRUPTED:
            return opposite
        case ConvoyToNeighbor.INTENT_FALLBACK | ConvoyToNeighbor.INTENT_NO_FALLBACK:
            return _intended(scene, army, order, ordered)
        case ConvoyToNeighbor.EXPLICIT:
            return order.via_convoy
        case _:
            assert_never(rule)


def _intended(scene: Scene, army: int, order: Move, ordered: Sequence[int]) -> bool:
    """Tell whether the orders of its power show that *army* is to go by sea."""
    own = any(scene.units[fleet].power == scene.units[army].power for fleet in ordered)
    return order.via_convoy or (own and not _route_missing(scene, order))


def _route_missing(scene: Scene, order: Move) -> bool:
    return scene.rulebook.written_route is REQUIRED and not order.route


def _offered(
    scene: Scene, army: Unit, end: Province, order: Move, ordered: Sequence[int]
) -> Voyage | None:
    """Return the way that the *ordered* fleets offer to *army*, if they make a chain."""
    reach, start, law = scene.reach, army.province, scene.rulebook
    fleets = tuple(ordered)
    if law.written_route is not IGNORED and order.route:
        fleets = tuple(each for each in fleets if scene.units[each].province in order.route)
        chain = len(fleets) == len(order.route) and carries(reach, start, end, bits(scene, fleets))
        return Voyage(start, end, fleets, whole=True) if chain else None
    seas = bits(scene, fleets)
    if law.written_route is REQUIRED or not carries(reach, start, end, seas):
        return None
    if len(fleets) > 1:
        if law.convoy_routes is OWN_FIRST:
            own = tuple(each for each in fleets if scene.units[each].power == army.power)
            if carries(reach, start, end, bits(scene, own)):
                fleets, seas = own, bits(scene, own)
        needed = useful(reach, start, end, seas)
        fleets = tuple([each for each in fleets if bits(scene, (each,)) & needed])
    return new_voyage(start, end, fleets, law.convoy_routes is not ALL_ROUTES)
