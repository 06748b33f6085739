"""The board, position and rulebook of one phase, indexed for quick lookup."""

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
    """The board, position and rulebook of one phase, as lookups.

    *units* are those of the position, known by their index; *unit_at* has the index of the unit in
    each province. *unit_by_location* is the same for orders that name a unit by the exact location
    and need no further check; it is empty under rulebooks that reject a missing or wrong unit kind
    or power.
    """

    def __init__(self, board: Map, position: Position, rulebook: Rulebook) -> None:
        self.board = board
        self.map_index = map_index_of(board)
        self.position = position
        self.rulebook = rulebook
        self.units = position.units
        self.unit_at = position.unit_at
        lenient = _allows_wrong_names(rulebook)
        self.unit_by_location: Mapping[Location, int] = self.unit_at if lenient else {}
        self._seas_with_fleets: int | None = None
        self._dues: Mapping[Power, int] | None = None

    # Cached by hand: mypyc compiles a `cached_property` to one that is computed each time.
    @property
    def seas_with_fleets(self) -> int:
        """Return the bits of the seas that hold a fleet."""
        if self._seas_with_fleets is None:
            bits, unit_at, units = self.map_index.bit_of_sea, self.unit_at, self.units
            self._seas_with_fleets = sum(
                [
                    bits[sea]
                    for sea in bits.keys() & unit_at.keys()
                    if units[unit_at[sea]].kind is FLEET
                ]
            )
        return self._seas_with_fleets

    def has_fleet_in(self, seas: int) -> bool:
        """Return whether a fleet is in one of *seas*, given by their bits."""
        names, unit_at, units = self.map_index.sea_of_bit, self.unit_at, self.units
        while seas:
            sea = seas & -seas
            seas ^= sea
            unit = unit_at.get(names[sea])
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
        """Return the unit in *province*, not counting dislodged ones."""
        index = self.unit_at.get(province)
        return None if index is None else self.units[index]

    def find_unit(self, location: Location) -> int:
        """Return the unit exactly at *location*, `NO_UNIT` if that needs a closer check."""
        unit = self.unit_by_location.get(location, NO_UNIT)
        if unit == NO_UNIT and self.unit_by_location:
            province = self.map_index.province.get(location, location)
            unit = self.unit_at.get(province, NO_UNIT)
            if self.units[unit].location != location:
                return NO_UNIT
        return unit

    def reachable(self, unit: Unit) -> LocationsByProvince:
        """Return where *unit* can go without a convoy."""
        return self.map_index.node_of(unit).reachable


def _allows_wrong_names(rulebook: Rulebook) -> bool:
    return (
        rulebook.kind_omitted is LEGAL
        and rulebook.kind_wrong is LEGAL
        and rulebook.power_omitted is LEGAL
        and rulebook.power_wrong is LEGAL
    )


MAPS_CACHED_MAX = 16  # More boards than one process plays at once.

ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET  # A module constant is faster than an enum lookup.

BY_POWER_AND_LOCATION: Callable[[Unit], str] = attrgetter("key")

LocationsByProvince = Mapping[Province, tuple[Location, ...]]


class UnitCache(dict[Power, Unit]):
    """The unit of each power at one location, created on first use."""

    def __init__(self, kind: UnitKind, location: Location) -> None:
        super().__init__()
        self._kind, self._location = kind, location

    def __missing__(self, power: Power) -> Unit:
        return self.setdefault(power, Unit(power, self._kind, self._location))


@dataclass(frozen=True, slots=True, eq=False)
class MapNode:
    """A location for units of one kind, with all that the map says of a unit there.

    *adjacent* has the nodes that such a unit can reach without a convoy, by location; *reachable*
    has the same locations by province. *coastal_seas* are the bits of the seas from which a fleet
    can convoy an army here; a fleet has none. *units* caches the unit of each power; *hold* is the
    order of a unit here without one.
    """

    kind: UnitKind
    location: Location
    province: Province
    coastal_seas: int = 0
    adjacent: dict[Location, MapNode] = field(default_factory=dict)
    reachable: dict[Province, tuple[Location, ...]] = field(default_factory=dict)
    units: UnitCache = field(init=False)
    hold: Hold = field(init=False)

    def __post_init__(self) -> None:
        """Prepare the units and the hold order of this location."""
        object.__setattr__(self, "units", UnitCache(self.kind, self.location))
        object.__setattr__(self, "hold", Hold(UnitName(self.kind, self.location)))


@dataclass(frozen=True, slots=True)
class MapIndex:
    """The map as lookups; sets of seas are integers with one bit for each sea.

    *armies* and *fleets* have the nodes by location, *nodes* all of them by the name of a unit
    there (`F STP/NC`). *coastal_seas* are the seas next to each coastal province, *adjacent_seas*
    those next to the sea of a bit. *neighbors* are adjacent for any kind of unit, *province* is
    that of each location, *centers* the provinces with a supply center; *sort_key* sorts units by
    power and location.
    """

    armies: dict[Location, MapNode]
    fleets: dict[Location, MapNode]
    nodes: dict[str, MapNode]
    bit_of_sea: dict[Province, int]
    sea_of_bit: dict[int, Province]
    coastal_seas: dict[Province, int]
    adjacent_seas: dict[int, int]
    neighbors: Mapping[Province, frozenset[Province]]
    province: Mapping[Location, Province]
    centers: frozenset[Province]
    sort_key: Callable[[Unit], tuple[int, Location] | str]

    def nodes_of(self, kind: UnitKind) -> dict[Location, MapNode]:
        """Return the nodes of units of *kind*."""
        return self.armies if kind is ARMY else self.fleets

    def node_of(self, unit: Unit) -> MapNode:
        """Return the node of *unit*, one without neighbors if the unit cannot be there."""
        return self.nodes.get(unit.name) or MapNode(unit.kind, unit.location, unit.province)


@lru_cache(maxsize=MAPS_CACHED_MAX)
def map_index_of(board: Map) -> MapIndex:
    """Return the lookups of *board*, always the same object."""
    places = board.places
    seas = sorted(code for code, place in places.items() if place.terrain is Terrain.SEA)
    bits = {code: 1 << index for index, code in enumerate(seas)}
    neighbors = {code: _adjacent_provinces(board, code) for code in places}
    next_to = {code: sum(bits.get(other, 0) for other in neighbors[code]) for code in places}
    coastal_seas = {
        code: next_to[code] for code in places if places[code].terrain is Terrain.COAST
    }
    armies, fleets = _nodes(ARMY, board.army, coastal_seas), _nodes(FLEET, board.fleet, {})
    return MapIndex(
        armies=armies,
        fleets=fleets,
        nodes={
            unit_name(each.kind, each.location): each
            for each in (*armies.values(), *fleets.values())
        },
        bit_of_sea=bits,
        sea_of_bit={bit: sea for sea, bit in bits.items()},
        coastal_seas=coastal_seas,
        adjacent_seas={bit: next_to[sea] for sea, bit in bits.items()},
        neighbors=neighbors,
        province={location: province_of(location) for location in board.locations},
        centers=frozenset(board.centers),
        sort_key=_sort_key(board.powers),
    )


def _sort_key(powers: tuple[Power, ...]) -> Callable[[Unit], tuple[int, Location] | str]:
    if powers == tuple(sorted(powers)):
        return BY_POWER_AND_LOCATION
    index_of = {power: index for index, power in enumerate(powers)}
    return lambda unit: (index_of[unit.power], unit.location)


def _nodes(
    kind: UnitKind,
    borders: Mapping[Location, frozenset[Location]],
    coastal_seas: Mapping[Province, int],
) -> dict[Location, MapNode]:
    nodes = {
        location: MapNode(kind, location, province_of(location), coastal_seas.get(location, 0))
        for location in borders
    }
    for location, neighbors in borders.items():
        node = nodes[location]
        for neighbor in sorted(neighbors):
            other = nodes[neighbor]
            node.adjacent[neighbor] = other
            known = node.reachable.get(other.province, ())
            node.reachable[other.province] = (*known, neighbor)
    return nodes


def _adjacent_provinces(board: Map, province: Province) -> frozenset[Province]:
    return frozenset(
        province_of(other)
        for borders in (board.army, board.fleet)
        for location in (province, *board.coasts_of(province))
        for other in borders.get(location, ())
    )
