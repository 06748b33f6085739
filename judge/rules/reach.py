"""What the map allows, worked out once: where each unit can go, and the seas as bits of an int."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.rules.geography import Map, Terrain
from judge.rules.vocabulary import Location, Province, UnitKind, province_of

MAPS_KEPT = 16  # More boards than one process ever plays at once.

Landings = Mapping[Province, tuple[Location, ...]]


@dataclass(frozen=True, slots=True)
class Reach:
    """The map as lookups, keyed by province.

    *army* and *fleet* give for a location the provinces that such a unit can move to without a
    convoy, and for each the locations there that it can reach. *sea* is the bit of each sea,
    *shore* the seas that touch each coastal province, *beside* the seas next to that of a bit,
    *neighbors* all provinces that touch, for whatever unit.
    """

    army: Mapping[Location, Landings]
    fleet: Mapping[Location, Landings]
    sea: Mapping[Province, int]
    shore: Mapping[Province, int]
    beside: Mapping[int, int]
    neighbors: Mapping[Province, frozenset[Province]]

    def of(self, kind: UnitKind) -> Mapping[Location, Landings]:
        """Return where units of *kind* can go."""
        return self.army if kind is UnitKind.ARMY else self.fleet


@lru_cache(maxsize=MAPS_KEPT)
def reach_of(board: Map) -> Reach:
    """Return the lookups of *board*, always the same ones."""
    places = board.places
    seas = sorted(code for code, place in places.items() if place.terrain is Terrain.SEA)
    bit = {code: 1 << index for index, code in enumerate(seas)}
    army = {location: _landings(touched) for location, touched in board.army.items()}
    fleet = {location: _landings(touched) for location, touched in board.fleet.items()}
    touching = {code: _touching(board, code) for code in places}
    wet = {code: sum(bit.get(other, 0) for other in touching[code]) for code in places}
    return Reach(
        army=army,
        fleet=fleet,
        sea=bit,
        shore={code: wet[code] for code in places if places[code].terrain is Terrain.COAST},
        beside={bit[code]: wet[code] for code in seas},
        neighbors=touching,
    )


def _landings(touched: frozenset[Location]) -> Landings:
    landings: dict[Province, tuple[Location, ...]] = {}
    for location in sorted(touched):
        province = province_of(location)
        landings[province] = (*landings.get(province, ()), location)
    return landings


def _touching(board: Map, province: Province) -> frozenset[Province]:
    locations = (province, *board.coasts_of(province))
    return frozenset(
        province_of(other)
        for borders in (board.army, board.fleet)
        for location in locations
        for other in borders.get(location, ())
    )
