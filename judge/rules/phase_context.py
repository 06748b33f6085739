"""The board and the position of one phase, indexed for quick lookup."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from judge.rules.board import Map, Terrain
from judge.rules.rule_options import MisnamedUnit
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Hold,
    Location,
    Position,
    Power,
    Province,
    Unit,
    UnitKind,
    UnitName,
    province_of,
    unit_name,
)

NO_UNIT = -1  # in place of the index of a unit
LEGAL = MisnamedUnit.LEGAL


class PhaseContext:
    """What every question about the orders of one phase needs.

    *units* are those of the position, known by their index, and *at* is the index of the unit in a
    province. *named* is the same, for who takes a unit by the place that an order names and looks
    no closer; it knows none if the rulebook does not forgive that kind or owner of a unit are
    missing or wrong in an order.
    """

    def __init__(self, board: Map, position: Position, rulebook: Rulebook) -> None:
        self.board = board
        self.reach = map_index_of(board)
        self.position = position
        self.rulebook = rulebook
        self.units = position.units
        self.at = position.at
        self.named: Mapping[Location, int] = self.at if _forgives_wrong_names(rulebook) else {}
        self._afloat: int | None = None
        self._dues: Mapping[Power, int] | None = None

    # Kept by hand: mypyc takes a `cached_property` for one that is worked out each time.
    @property
    def afloat(self) -> int:
        """Return the bits of the seas that hold a fleet."""
        if self._afloat is None:
            seas, at, units = self.reach.sea, self.at, self.units
            self._afloat = sum(
                [seas[sea] for sea in seas.keys() & at.keys() if units[at[sea]].kind is FLEET]
            )
        return self._afloat

    def sailed(self, seas: int) -> bool:
        """Tell whether a fleet is in one of *seas*, given by their bits."""
        names, at, units = self.reach.seas, self.at, self.units
        while seas:
            sea = seas & -seas
            seas ^= sea
            unit = at.get(names[sea])
            if unit is not None and units[unit].kind is FLEET:
                return True
        return False

    @property
    def dues(self) -> Mapping[Power, int]:
        """Return how many units each power may build, or below zero must remove."""
        if self._dues is None:
            self._dues = self.position.dues(self.board.powers)
        return self._dues

    def unit_in(self, province: Province) -> Unit | None:
        """Return the unit that stands in *province*, the dislodged aside."""
        index = self.at.get(province)
        return None if index is None else self.units[index]

    def addressed(self, location: Location) -> int:
        """Return the unit that an order for *location* plainly means, `NOBODY` if none is."""
        unit = self.named.get(location, NO_UNIT)
        if unit == NO_UNIT and self.named:
            unit = self.at.get(self.reach.province.get(location, location), NO_UNIT)
            if self.units[unit].location != location:
                return NO_UNIT
        return unit

    def landings(self, unit: Unit) -> Destinations:
        """Return where *unit* can go without a convoy."""
        return self.reach.post(unit).landings


def _forgives_wrong_names(law: Rulebook) -> bool:
    return (
        law.kind_omitted is LEGAL
        and law.kind_wrong is LEGAL
        and law.power_omitted is LEGAL
        and law.power_wrong is LEGAL
    )


MAPS_CACHED_MAX = 16  # More boards than one process ever plays at once.

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET  # Looking into an enum takes long.

BY_POWER_AND_LOCATION: Callable[[Unit], str] = attrgetter("key")

Destinations = Mapping[Province, tuple[Location, ...]]


class UnitCache(dict[Power, Unit]):
    """The units of each power that can stand at one post, made when first asked for."""

    def __init__(self, kind: UnitKind, location: Location) -> None:
        super().__init__()
        self._kind, self._location = kind, location

    def __missing__(self, power: Power) -> Unit:
        return self.setdefault(power, Unit(power, self._kind, self._location))


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    """Where a unit of one kind can stand, and all that the map says of a unit there.

    *touches* are the locations that it can go to without a convoy, with the post that awaits it
    there; *landings* the same locations by province. *shore* has the bits of the seas from which a
    fleet takes an army on board, none for a fleet. *units* has the unit of each power that stands
    here, always the same one; *hold* is what is supposed of a unit here that has no order.
    """

    kind: UnitKind
    location: Location
    province: Province
    shore: int = 0
    touches: dict[Location, MapNode] = field(default_factory=dict)
    landings: dict[Province, tuple[Location, ...]] = field(default_factory=dict)
    units: UnitCache = field(init=False)
    hold: Hold = field(init=False)

    def __post_init__(self) -> None:
        """Wait for the units that will stand here."""
        object.__setattr__(self, "units", UnitCache(self.kind, self.location))
        object.__setattr__(self, "hold", Hold(UnitName(self.kind, self.location)))


OFF_THE_MAP = MapNode(ARMY, "", "")  # the post of a unit where it cannot be


@dataclass(frozen=True, slots=True)
class MapIndex:
    """The map as lookups.

    *armies* and *fleets* are the posts by location, *posts* all of them by the name of a unit that
    stands there, *sea* is the bit of each sea, *seas* the sea of each bit, *shore* the seas that
    touch each coastal province, *beside* the seas next to that of a bit, *neighbors* all provinces
    that touch, for whatever unit, *province* that of each location; *centers* are the provinces
    with a supply center, *rank* tells of a unit where it comes among others.
    """

    armies: dict[Location, MapNode]
    fleets: dict[Location, MapNode]
    posts: dict[str, MapNode]
    sea: dict[Province, int]
    seas: dict[int, Province]
    shore: dict[Province, int]
    beside: dict[int, int]
    neighbors: Mapping[Province, frozenset[Province]]
    province: Mapping[Location, Province]
    centers: frozenset[Province]
    rank: Callable[[Unit], tuple[int, Location] | str]

    def of(self, kind: UnitKind) -> dict[Location, MapNode]:
        """Return the posts of units of *kind*."""
        return self.armies if kind is ARMY else self.fleets

    def post(self, unit: Unit) -> MapNode:
        """Return the post of *unit*, one that leads nowhere if it stands where it cannot."""
        return self.posts.get(unit.name) or MapNode(unit.kind, unit.location, unit.province)


@lru_cache(maxsize=MAPS_CACHED_MAX)
def map_index_of(board: Map) -> MapIndex:
    """Return the lookups of *board*, always the same ones."""
    places = board.places
    seas = sorted(code for code, place in places.items() if place.terrain is Terrain.SEA)
    bit = {code: 1 << index for index, code in enumerate(seas)}
    touching = {code: _adjacent_provinces(board, code) for code in places}
    wet = {code: sum(bit.get(other, 0) for other in touching[code]) for code in places}
    shore = {code: wet[code] for code in places if places[code].terrain is Terrain.COAST}
    province = {location: province_of(location) for location in board.locations}
    armies, fleets = _nodes(ARMY, board.army, shore), _nodes(FLEET, board.fleet, {})
    return MapIndex(
        armies=armies,
        fleets=fleets,
        posts={
            unit_name(each.kind, each.location): each
            for each in (*armies.values(), *fleets.values())
        },
        sea=bit,
        seas={each: code for code, each in bit.items()},
        shore=shore,
        beside={bit[code]: wet[code] for code in seas},
        neighbors=touching,
        province=province,
        centers=frozenset(board.centers),
        rank=_sort_key(board.powers),
    )


def _sort_key(powers: tuple[Power, ...]) -> Callable[[Unit], tuple[int, Location] | str]:
    """Return what puts units in the order of powers and places."""
    if powers == tuple(sorted(powers)):
        return BY_POWER_AND_LOCATION
    rank = {power: index for index, power in enumerate(powers)}
    return lambda unit: (rank[unit.power], unit.location)


def _nodes(
    kind: UnitKind,
    borders: Mapping[Location, frozenset[Location]],
    shore: Mapping[Province, int],
) -> dict[Location, MapNode]:
    posts = {at: MapNode(kind, at, province_of(at), shore.get(at, 0)) for at in borders}
    for at, touched in borders.items():
        for location in sorted(touched):
            post, other = posts[at], posts[location]
            post.touches[location] = other
            post.landings[other.province] = (
                *post.landings.get(other.province, ()),
                location,
            )
    return posts


def _adjacent_provinces(board: Map, province: Province) -> frozenset[Province]:
    locations = (province, *board.coasts_of(province))
    return frozenset(
        province_of(other)
        for borders in (board.army, board.fleet)
        for location in locations
        for other in borders.get(location, ())
    )
