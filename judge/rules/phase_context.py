"""One phase, indexed for quick lookup, and the units and coasts that orders name.

Orders may name them in part or wrongly (DATC 4.B, 4.C).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from operator import attrgetter
from typing import assert_never

from judge.rules.board import Map, Terrain
from judge.rules.outcomes import Impossible
from judge.rules.rule_options import (
    CoastSuperfluous,
    MisnamedUnit,
    MovedCoastOpen,
    MovedCoastSingle,
    MovedCoastWrong,
    StandingCoastWrong,
    SupportedCoast,
)
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
        self.board = board.open_in(position.phase) if board.closures else board
        self.map_index = map_index_of(self.board)
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

# Module constants are faster than enum lookups.
ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
IGNORED_COAST = CoastSuperfluous.IGNORED

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
    can convoy an army from here; a fleet has none. *units* caches the unit of each power; *hold*
    is the order of a unit here without one.
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

    Archipelagos, where fleets convoy, count as seas. *armies* and *fleets* have the nodes by
    location, *nodes* all of them by the name of a unit there (`F STP/NC`). *coastal_seas* are the
    seas from which a fleet can take an army from each coastal province, *landing_seas* those from
    which it can bring one there; only one-way borders make them differ. *adjacent_seas* are those
    next to the sea of a bit. *neighbors* are adjacent for any kind of unit, *province* is that of
    each location, *centers* the provinces with a supply center.
    """

    armies: dict[Location, MapNode]
    fleets: dict[Location, MapNode]
    nodes: dict[str, MapNode]
    bit_of_sea: dict[Province, int]
    sea_of_bit: dict[int, Province]
    coastal_seas: dict[Province, int]
    landing_seas: dict[Province, int]
    adjacent_seas: dict[int, int]
    neighbors: Mapping[Province, frozenset[Province]]
    province: Mapping[Location, Province]
    centers: frozenset[Province]

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
    seas = sorted(
        code for code, place in places.items() if place.terrain is Terrain.SEA or place.convoys
    )
    bits = {code: 1 << index for index, code in enumerate(seas)}
    neighbors = {code: _adjacent_provinces(board, code) for code in places}
    sailed = {code: _adjacent_provinces(board, code, fleets_only=True) for code in places}
    next_to = {code: sum(bits.get(other, 0) for other in sailed[code]) for code in places}
    coasts = [code for code, place in places.items() if place.terrain is Terrain.COAST]
    coastal_seas = {code: next_to[code] for code in coasts}
    landing_seas = {
        code: sum(bit for sea, bit in bits.items() if code in sailed[sea]) for code in coasts
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
        landing_seas=landing_seas,
        adjacent_seas={bit: next_to[sea] for sea, bit in bits.items()},
        neighbors=neighbors,
        province={location: province_of(location) for location in board.locations},
        centers=frozenset(board.centers),
    )


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


def _adjacent_provinces(
    board: Map, province: Province, *, fleets_only: bool = False
) -> frozenset[Province]:
    return frozenset(
        province_of(other)
        for borders in ((board.fleet,) if fleets_only else (board.army, board.fleet))
        for location in (province, *board.coasts_of(province))
        for other in borders.get(location, ())
    )


def landing_location(context: PhaseContext, unit: Unit, target: Location) -> Location | Impossible:
    """Return where *unit* moves if ordered to *target* without a convoy, or why it cannot."""
    province = province_of(target)
    options = context.reachable(unit).get(province)
    if options is None:
        return Impossible.UNREACHABLE
    if target in options:
        return target
    if has_superfluous_coast(context, unit, target):
        return Impossible.COAST_SUPERFLUOUS
    if names_coast(context, unit, target):
        corrected = context.rulebook.moved_coast_wrong is MovedCoastWrong.CORRECTED
        return options[0] if corrected else Impossible.COAST_UNREACHABLE
    if unit.kind is UnitKind.ARMY or options == (province,):
        return province
    return _default_coast(context, province, options)


def target_location(context: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return the location that *unit* moves to when ordered to *target*, by convoy or not.

    An impossible target is returned as it is written.
    """
    if unit.kind is UnitKind.ARMY:
        return province_of(target)
    found = landing_location(context, unit, target)
    return target if isinstance(found, Impossible) else found


def supported_coast(context: PhaseContext, unit: Unit, target: Location) -> Location:
    """Return the location that a support of *unit* to *target* is for (DATC 4.B.4).

    A coast must be the one that the unit goes to; a province alone means any coast.
    """
    province, rule = province_of(target), context.rulebook.supported_coast
    if unit.kind is UnitKind.ARMY or rule is SupportedCoast.IGNORED:
        return province
    if names_coast(context, unit, target):
        return target
    if rule is SupportedCoast.REQUIRED_DEFAULT:
        return context.board.default_coasts.get(province, province)
    return province


def has_superfluous_coast(context: PhaseContext, unit: Unit, named: Location) -> bool:
    """Return whether *named* has an illegal coast: one that *unit* cannot have (DATC 4.B.6)."""
    rulebook = context.rulebook
    return (
        rulebook.coast_superfluous is not IGNORED_COAST  # nearly always
        and is_coast_refused(rulebook, unit.kind)
        and named != province_of(named)
        and not names_coast(context, unit, named)
    )


def is_coast_refused(rulebook: Rulebook, kind: UnitKind) -> bool:
    """Return whether an order with a coast that a unit of *kind* cannot have is illegal."""
    rule = rulebook.coast_superfluous
    return rule is CoastSuperfluous.ILLEGAL or (
        rule is CoastSuperfluous.ILLEGAL_FOR_FLEETS and kind is FLEET
    )


def coast_fault(context: PhaseContext, unit: Unit, named: Location) -> Impossible | None:
    """Return what is wrong with the coast *named* as where *unit* is (DATC 4.B.5, 4.B.6)."""
    if not names_coast(context, unit, named):
        return (
            Impossible.COAST_SUPERFLUOUS if has_superfluous_coast(context, unit, named) else None
        )
    strict = context.rulebook.standing_coast_wrong is StandingCoastWrong.ILLEGAL
    return Impossible.STANDING_COAST_WRONG if strict and named != unit.location else None


def names_coast(context: PhaseContext, unit: Unit, named: Location) -> bool:
    """Return whether *named* is a coast, and *unit* a fleet."""
    is_coast = "/" in named and named in context.board.locations
    return is_coast and unit.kind is UnitKind.FLEET


def _default_coast(
    context: PhaseContext, province: Location, options: tuple[Location, ...]
) -> Location | Impossible:
    """Return the coast of *province* to use if an order names none (DATC 4.B.1, 4.B.2)."""
    default, rulebook = context.board.default_coasts[province], context.rulebook
    if len(options) > 1:
        taken = rulebook.moved_coast_open is MovedCoastOpen.DEFAULT_COAST and default in options
        return default if taken else Impossible.COAST_NEEDED
    match rulebook.moved_coast_single:
        case MovedCoastSingle.ONLY_COAST:
            return options[0]
        case MovedCoastSingle.DEFAULT_COAST:
            return default if default in options else Impossible.COAST_OMITTED
        case MovedCoastSingle.FAILS:
            return Impossible.COAST_OMITTED
        case rule:
            assert_never(rule)


def naming_fault(
    context: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Impossible | None:
    """Return what is wrong with *name* for *unit* in an order of *power*."""
    for why, treatment in _naming_faults(context, power, unit, name):
        if treatment is MisnamedUnit.ILLEGAL:
            return why
    return coast_fault(context, unit, name.location)


def has_loose_name(context: PhaseContext, power: Power, unit: Unit, name: UnitName) -> bool:
    """Return whether *name* is accepted only if no other order names *unit* properly."""
    return any(
        treatment is MisnamedUnit.LEGAL_UNLESS_BETTER
        for _, treatment in _naming_faults(context, power, unit, name)
    )


def _naming_faults(
    context: PhaseContext, power: Power, unit: Unit, name: UnitName
) -> Iterator[tuple[Impossible, MisnamedUnit]]:
    """Yield what is missing or wrong in *name*, and how the rulebook treats it."""
    rulebook = context.rulebook
    if name.kind is None:
        yield Impossible.KIND_NEEDED, rulebook.kind_omitted
    elif name.kind is not unit.kind:
        yield Impossible.KIND_WRONG, rulebook.kind_wrong
    if name.power is None:
        if unit.power != power:
            yield Impossible.POWER_NEEDED, rulebook.power_omitted
    elif name.power != unit.power:
        yield Impossible.POWER_WRONG, rulebook.power_wrong
