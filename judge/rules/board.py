"""The board of a variant: provinces, borders, powers, calendar, and where it starts.

`judge.boards` reads and checks them. The rules ask a board, so none of them names one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from types import MappingProxyType

from judge.rules import types
from judge.rules.calendar import STANDARD_CALENDAR, Calendar

DEFAULT_VARIANT = "standard"  # where nothing names another
DERIVED_BOARDS_CACHED_MAX = 64  # by board and phase, or by board and build sites


class Terrain(Enum):
    """The terrain of a province: armies inland, fleets at sea, both on a coast.

    No unit enters an impassable province.
    """

    INLAND = "inland"
    COAST = "coast"
    SEA = "sea"
    IMPASSABLE = "impassable"


class BuildSites(Enum):
    """In which of its empty centers a power can build (rulebook XIII: its home centers)."""

    HOME = "home"
    ANY_HOME = "any_home"  # in centers that are home to any power
    ANY = "any"
    ANY_WITH_A_HOME = "any_with_a_home"  # while it owns one of its home centers
    ANY_WITH_ALL_HOMES = "any_with_all_homes"  # while it owns all of its home centers


@dataclass(frozen=True, slots=True)
class Nation:
    """A power of the variant: `AUSTRIA`, Austria, Austrian, and the letter it goes by (A).

    The letter may also be a digit or two signs.
    """

    power: types.Power
    name: str
    adjective: str
    letter: str


@dataclass(frozen=True, slots=True)
class BoardProvince:
    """A province; *aliases* are what else people call it, *coasts* (`nc`, `sc`) if it has two.

    *country* is the power whose land it is on the board, *home_of* those which can build there. A
    fleet on a coast that *convoys* can convoy as at sea (DATC chapter 9).
    """

    code: types.Province
    name: str
    aliases: tuple[str, ...]
    terrain: Terrain
    center: bool
    home_of: tuple[types.Power, ...] = ()
    country: types.Power | None = None
    coasts: tuple[str, ...] = ()
    convoys: bool = False


@dataclass(frozen=True, slots=True)
class TranslatedNames:
    """The names of powers and provinces in another language: the `name`, and other forms.

    A power has an `adjective` and, where sentences take other forms than the name, `the` and `of`
    (`die Türkei`, `der Türkei`); a province has `in` (`in der Nordsee`). *aliases* are what else
    people write, *seasons* what seasons are called that have names of their own.
    """

    powers: Mapping[types.Power, Mapping[str, str]]
    places: Mapping[types.Province, Mapping[str, str]]
    aliases: Mapping[types.Power | types.Province, tuple[str, ...]]
    seasons: Mapping[types.Season, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Closure:
    """A border closed to units of *kinds* in some *seasons*, or in the years *first* to *last*.

    It is closed from *start* to *end* and back (DATC chapters 8 and 10).
    """

    start: types.Location
    end: types.Location
    kinds: frozenset[types.UnitKind]
    seasons: frozenset[types.Season]
    first: int
    last: int

    def applies_in(self, phase: types.Phase) -> bool:
        """Return whether the border is closed in *phase*."""
        return phase.season in self.seasons and self.first <= phase.year <= self.last


Borders = Mapping[types.Location, frozenset[types.Location]]


@dataclass(frozen=True, slots=True, eq=False)
class Map:
    """A checked board. It equals only itself, so that it can key a cache.

    *locations* are all of them, coasts counted (81 on the standard board); *army* and *fleet* give
    for a location those it touches for that kind of unit: armies by province, fleets by coast.
    *default_coasts* are for provinces of two coasts, *record_codes* what records of other judges
    call some of the provinces. *tongues* are by the codes of languages. *nations* has the powers,
    and `NEUTRAL` if the board has neutral units; *powers* are in the order reports print them,
    *centers* in alphabetical order.

    A power wins with *victory_centers*, or when it owns all of *victory_held*. *extra_sites* are
    where a power can build apart from *build_sites*. With *first_armies*, a start with builds puts
    an army where a power orders none. Powers *without_players* are in civil disorder from the
    start; neutral units are *rebuilt* on unowned centers. *house_rules* are those that the variant
    suggests. *digest* identifies what was read.
    """

    name: str
    nations: Mapping[types.Power, Nation]
    places: Mapping[types.Province, BoardProvince]
    locations: frozenset[types.Location]
    army: Borders
    fleet: Borders
    start: types.Position
    default_coasts: Mapping[types.Province, types.Location] = field(default_factory=dict)
    record_codes: Mapping[types.Province, str] = field(default_factory=dict)
    victory_centers: int = 18
    tongues: Mapping[str, TranslatedNames] = field(default_factory=dict)
    title: str = ""
    calendar: Calendar = STANDARD_CALENDAR
    build_sites: BuildSites = BuildSites.HOME
    extra_sites: Mapping[types.Power, tuple[types.Province, ...]] = field(default_factory=dict)
    victory_held: frozenset[types.Province] = frozenset()
    closures: tuple[Closure, ...] = ()
    without_players: frozenset[types.Power] = frozenset()
    rebuilt: bool = False
    first_armies: bool = False
    house_rules: Mapping[str, str] = field(default_factory=dict)
    source: str = ""
    doubts: tuple[str, ...] = ()
    digest: str = ""

    powers: tuple[types.Power, ...] = field(init=False)
    centers: tuple[types.Province, ...] = field(init=False)
    garrisons: tuple[types.Unit, ...] = field(init=False, repr=False)
    _homes: Mapping[types.Power, tuple[types.Province, ...]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Compute what every phase needs."""
        places = sorted(self.places.items())
        powers = tuple(power for power in self.nations if power != types.NEUTRAL)
        homes = {
            power: tuple(code for code, place in places if power in place.home_of)
            for power in powers
        }
        object.__setattr__(self, "powers", powers)
        object.__setattr__(self, "centers", tuple(code for code, at in places if at.center))
        object.__setattr__(self, "garrisons", self.start.units_of(types.NEUTRAL))
        object.__setattr__(self, "_homes", homes)

    @property
    def is_default(self) -> bool:
        """Return whether this is the board of games that name no other."""
        return self.name == DEFAULT_VARIANT

    @property
    def players(self) -> tuple[types.Power, ...]:
        """Return the powers that people play."""
        return tuple(power for power in self.powers if power not in self.without_players)

    def homes_of(self, power: types.Power) -> tuple[types.Province, ...]:
        """Return the home centers of *power*, in alphabetical order."""
        return self._homes.get(power, ())

    def country_of(self, power: types.Power) -> tuple[types.Province, ...]:
        """Return the provinces of the country of *power*, centers or not."""
        return tuple(code for code, place in self.places.items() if place.country == power)

    def coasts_of(self, province: types.Province) -> tuple[types.Location, ...]:
        """Return the coasts of *province* (`STP/NC`, `STP/SC`), none if it has only one."""
        return tuple(f"{province}/{coast.upper()}" for coast in self.places[province].coasts)

    def open_in(self, phase: types.Phase) -> Map:
        """Return the board without the borders that are closed in *phase*."""
        closed = tuple(each for each in self.closures if each.applies_in(phase))
        return _without_borders(self, closed) if closed else self

    def with_build_sites(self, sites: BuildSites) -> Map:
        """Return the board with other *sites* to build, always the same object."""
        return self if sites is self.build_sites else _with_build_sites(self, sites)


@lru_cache(DERIVED_BOARDS_CACHED_MAX)
def _without_borders(board: Map, closed: tuple[Closure, ...]) -> Map:
    def remaining(borders: Borders, kind: types.UnitKind) -> Borders:
        pairs = {
            pair
            for each in closed
            if kind in each.kinds
            for pair in ((each.start, each.end), (each.end, each.start))
        }
        return MappingProxyType(
            {
                location: frozenset(other for other in touched if (location, other) not in pairs)
                for location, touched in borders.items()
            }
        )

    return replace(
        board,
        army=remaining(board.army, types.UnitKind.ARMY),
        fleet=remaining(board.fleet, types.UnitKind.FLEET),
        closures=(),
    )


@lru_cache(DERIVED_BOARDS_CACHED_MAX)
def _with_build_sites(board: Map, sites: BuildSites) -> Map:
    return replace(board, build_sites=sites)
