"""What the map allows, worked out once: where each unit can go, and the seas as bits of an int."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter

from judge.rules.geography import Map, Terrain
from judge.rules.order import Hold, UnitName
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind, name_of, province_of

MAPS_KEPT = 16  # More boards than one process ever plays at once.

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET  # Looking into an enum takes long.

ALPHABET: Callable[[Unit], str] = attrgetter("key")

Landings = Mapping[Province, tuple[Location, ...]]


class Garrison(dict[Power, Unit]):
    """The units of each power that can stand at one post, made when first asked for."""

    def __init__(self, kind: UnitKind, location: Location) -> None:
        super().__init__()
        self._kind, self._location = kind, location

    def __missing__(self, power: Power) -> Unit:
        return self.setdefault(power, Unit(power, self._kind, self._location))


@dataclass(frozen=True, slots=True, eq=False)
class Post:
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
    touches: dict[Location, Post] = field(default_factory=dict)
    landings: dict[Province, tuple[Location, ...]] = field(default_factory=dict)
    units: Garrison = field(init=False)
    hold: Hold = field(init=False)

    def __post_init__(self) -> None:
        """Wait for the units that will stand here."""
        object.__setattr__(self, "units", Garrison(self.kind, self.location))
        object.__setattr__(self, "hold", Hold(UnitName(self.kind, self.location)))


NOWHERE = Post(ARMY, "", "")  # the post of a unit where it cannot be


@dataclass(frozen=True, slots=True)
class Reach:
    """The map as lookups.

    *armies* and *fleets* are the posts by location, *posts* all of them by the name of a unit that
    stands there, *sea* is the bit of each sea, *seas* the sea of each bit, *shore* the seas that
    touch each coastal province, *beside* the seas next to that of a bit, *neighbors* all provinces
    that touch, for whatever unit, *province* that of each location; *centers* are the provinces
    with a supply center, *rank* tells of a unit where it comes among others.
    """

    armies: dict[Location, Post]
    fleets: dict[Location, Post]
    posts: dict[str, Post]
    sea: dict[Province, int]
    seas: dict[int, Province]
    shore: dict[Province, int]
    beside: dict[int, int]
    neighbors: Mapping[Province, frozenset[Province]]
    province: Mapping[Location, Province]
    centers: frozenset[Province]
    rank: Callable[[Unit], tuple[int, Location] | str]

    def of(self, kind: UnitKind) -> dict[Location, Post]:
        """Return the posts of units of *kind*."""
        return self.armies if kind is ARMY else self.fleets

    def post(self, unit: Unit) -> Post:
        """Return the post of *unit*, one that leads nowhere if it stands where it cannot."""
        return self.posts.get(unit.name) or Post(unit.kind, unit.location, unit.province)


@lru_cache(maxsize=MAPS_KEPT)
def reach_of(board: Map) -> Reach:
    """Return the lookups of *board*, always the same ones."""
    places = board.places
    seas = sorted(code for code, place in places.items() if place.terrain is Terrain.SEA)
    bit = {code: 1 << index for index, code in enumerate(seas)}
    touching = {code: _touching(board, code) for code in places}
    wet = {code: sum(bit.get(other, 0) for other in touching[code]) for code in places}
    shore = {code: wet[code] for code in places if places[code].terrain is Terrain.COAST}
    province = {location: province_of(location) for location in board.locations}
    armies, fleets = _posts(ARMY, board.army, shore), _posts(FLEET, board.fleet, {})
    return Reach(
        armies=armies,
        fleets=fleets,
        posts={
            name_of(each.kind, each.location): each
            for each in (*armies.values(), *fleets.values())
        },
        sea=bit,
        seas={each: code for code, each in bit.items()},
        shore=shore,
        beside={bit[code]: wet[code] for code in seas},
        neighbors=touching,
        province=province,
        centers=frozenset(board.centers),
        rank=_rank(board.powers),
    )


def _rank(powers: tuple[Power, ...]) -> Callable[[Unit], tuple[int, Location] | str]:
    """Return what puts units in the order of powers and places."""
    if powers == tuple(sorted(powers)):
        return ALPHABET
    rank = {power: index for index, power in enumerate(powers)}
    return lambda unit: (rank[unit.power], unit.location)


def _posts(
    kind: UnitKind,
    borders: Mapping[Location, frozenset[Location]],
    shore: Mapping[Province, int],
) -> dict[Location, Post]:
    posts = {at: Post(kind, at, province_of(at), shore.get(at, 0)) for at in borders}
    for at, touched in borders.items():
        for location in sorted(touched):
            post, other = posts[at], posts[location]
            post.touches[location] = other
            post.landings[other.province] = (
                *post.landings.get(other.province, ()),
                location,
            )
    return posts


def _touching(board: Map, province: Province) -> frozenset[Province]:
    locations = (province, *board.coasts_of(province))
    return frozenset(
        province_of(other)
        for borders in (board.army, board.fleet)
        for location in locations
        for other in borders.get(location, ())
    )
