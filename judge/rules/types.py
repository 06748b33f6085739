"""Powers, provinces and units; orders; phases; positions.

Powers and locations are plain strings, so positions and events need no Map: a power is its
upper-case name (`AUSTRIA`), a province its three-letter code (`STP`), a location a province or one
coast of it (`STP/NC`). Readers intern these strings, because equal objects are found faster.

An order names units as its writer did, so the kind, the coast or the power may be missing or
wrong. Whether that matters is up to the rulebook (DATC 4.B, 4.C); see `legality`.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache, total_ordering
from sys import intern
from typing import Final, TypeAlias, cast, final

from judge.rules.fast_dataclass import fast_constructor

LOCATIONS_CACHED_MAX = 1024  # More than any board has; looked up hundreds of times a phase.

Power: TypeAlias = str
Province: TypeAlias = str
Location: TypeAlias = str

NEUTRAL: Final = "NEUTRAL"  # the power of units that nobody orders; they hold


class UnitKind(Enum):
    """The kind of a unit; the value is the letter that orders use."""

    ARMY = "A"
    FLEET = "F"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board.

    *province* is that of its location, *name* is as players write it, `F STP/NC`; *key* sorts
    units by power and location.
    """

    power: Power
    kind: UnitKind
    location: Location
    province: Province = field(init=False, compare=False, repr=False)
    name: str = field(init=False, compare=False, repr=False)
    key: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Compute what every phase needs of a unit."""
        at = self.location
        object.__setattr__(self, "province", province_of(at) if "/" in at else at)
        object.__setattr__(self, "name", unit_name(self.kind, at))
        object.__setattr__(self, "key", f"{self.power} {at}")

    def __str__(self) -> str:
        return self.name

    def named(self) -> UnitName:
        """Return the unit as an order names it."""
        return UnitName(self.kind, self.location)


@lru_cache(maxsize=LOCATIONS_CACHED_MAX)
def province_of(location: Location) -> Province:
    """Return the province of *location*: `STP/NC` is in `STP`."""
    return intern(location.partition("/")[0])


def unit_name(kind: UnitKind, location: Location) -> str:
    """Return the name of a unit, `F STP/NC`, always the same string object."""
    return intern(f"{kind.value} {location}")


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as an order names it: `A BUR`, `F STP/NC`, `RUSSIAN A WAR`, or only `BUR`."""

    kind: UnitKind | None
    location: Location
    power: Power | None = None

    @property
    def province(self) -> Province:
        """Return the province, whatever the coast."""
        return province_of(self.location)


@dataclass(frozen=True, slots=True)
class Hold:
    """The unit stays where it is."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Move:
    """The unit moves to *target*; *route* are the seas that the order names.

    In a retreat phase a move is read as a retreat.
    """

    unit: UnitName
    target: Location
    via_convoy: bool = False
    route: tuple[Province, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportHold:
    """The unit supports *supported* to hold (rulebook IX.6)."""

    unit: UnitName
    supported: UnitName


@dataclass(frozen=True, slots=True)
class SupportMove:
    """The unit supports the move of *supported* to *target* (rulebook IX.1)."""

    unit: UnitName
    supported: UnitName
    target: Location


@dataclass(frozen=True, slots=True)
class Convoy:
    """The fleet convoys *army* to *target* (rulebook XII)."""

    unit: UnitName
    army: UnitName
    target: Location


@dataclass(frozen=True, slots=True)
class Retreat:
    """The dislodged unit retreats to *target*."""

    unit: UnitName
    target: Location


@dataclass(frozen=True, slots=True)
class Disband:
    """The unit leaves the board, after it was dislodged or as a removal."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit at a location."""

    unit: UnitName


@final
@dataclass(frozen=True, slots=True)
class Waive:
    """One build is not made (DATC 4.D.7)."""


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
Order: TypeAlias = (
    Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build | Waive
)


class Season(Enum):
    """The seasons of a game year; adjustments belong to the winter (rulebook XIII)."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"

    @property
    def order(self) -> int:
        """Return which season of the year this is, from 0."""
        return SEASON_LETTERS.index(self.value)


class PhaseKind(Enum):
    """The kind of a phase."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


# A module constant is faster than an enum lookup.
MOVEMENT, RETREATS, ADJUSTMENTS = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
SPRING, FALL, WINTER = Season.SPRING, Season.FALL, Season.WINTER

SEASON_LETTERS, KIND_LETTERS = "SFW", "MRA"  # in the order of play
PHASE_CODE = re.compile(r"([SFW])(\d{4})([MRAB])", re.IGNORECASE)


@total_ordering
@dataclass(frozen=True, slots=True)
class Phase:
    """One phase, ordered by time.

    Spring 1901 movement is `S1901M`, the adjustments of that year `W1901A`.
    """

    season: Season
    year: int
    kind: PhaseKind

    @property
    def code(self) -> str:
        """Return the code, such as `S1901M`, `F1901R`, `W1901A`."""
        return f"{self.season.value}{self.year:04}{self.kind.value}"

    @classmethod
    def parse(cls, code: str) -> Phase:
        """Return the phase of *code*; `F1901B`, as judges write on the deadline line, is `W1901A`.

        Raises `ValueError` for any other text. Whether a game has such a phase is up to the
        calendar of its board.
        """
        found = PHASE_CODE.fullmatch(code.strip())
        if not found:
            raise ValueError(f"no phase code: {code!r}")
        season, year, kind = found[1].upper(), int(found[2]), found[3].upper()
        if kind == "B" and season in "FW":
            season, kind = "W", "A"
        if kind == "B":
            raise ValueError(f"no phase of the game: {code!r}")
        return cls(Season(season), year, PhaseKind(kind))

    def __lt__(self, other: Phase) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[int, int, int]:
        return self.year, self.season.order, KIND_LETTERS.index(self.kind.value)

    def __str__(self) -> str:
        return self.code


@dataclass(frozen=True, slots=True)
class DislodgedUnit:
    """A unit that must retreat or disband, with the locations that it can retreat to.

    *attacked_from* is the province its attacker came from, *attacker_convoyed* whether by convoy
    (DATC 4.A.5).
    """

    unit: Unit
    attacked_from: Province
    attacker_convoyed: bool
    retreats: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The board at the start of *phase*.

    *units* are sorted by power and location, without the dislodged ones; *owners* are those of the
    centers; *contested* are the provinces left empty by a bounce, closed to retreats; *builds*
    overrides how many units a power may build, or below zero must remove, which is otherwise its
    centers minus its units. *unit_at* has the index of the unit in each province. *listed* are all
    units in the order of nJudge's list, oldest first; only games with the answer `oldest` to DATC
    4.D.8 have it.
    """

    phase: Phase
    units: tuple[Unit, ...]
    owners: Mapping[Province, Power] = field(default_factory=dict)
    dislodged: tuple[DislodgedUnit, ...] = ()
    contested: frozenset[Province] = frozenset()
    builds: Mapping[Power, int] = field(default_factory=dict)
    unit_at: Mapping[Province, int] = field(init=False, compare=False, repr=False)
    listed: tuple[Unit, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Index the units by province."""
        object.__setattr__(self, "unit_at", units_by_province(self.units))

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of *power*, sorted by location, without dislodged ones."""
        return tuple(unit for unit in self.units if unit.power == power)

    def due(self, power: Power) -> int:
        """Return how many units *power* may build, or below zero must remove."""
        if power in self.builds:
            return self.builds[power]
        units = [unit.power for unit in self.units].count(power)
        return list(self.owners.values()).count(power) - units

    def dues(self, powers: Iterable[Power]) -> Mapping[Power, int]:
        """Return what is `due` for each of *powers*."""
        balance: dict[Power, int] = defaultdict(int)
        for owner in self.owners.values():
            balance[owner] += 1
        for unit in self.units:
            balance[unit.power] -= 1
        balance.update(self.builds)
        return {power: balance[power] for power in powers}

    def centers_of(self, power: Power) -> tuple[Province, ...]:
        """Return the centers that *power* owns, in alphabetical order."""
        return tuple(sorted(center for center, owner in self.owners.items() if owner == power))

    def dislodged_of(self, power: Power) -> tuple[DislodgedUnit, ...]:
        """Return the units of *power* that must retreat."""
        return tuple(each for each in self.dislodged if each.unit.power == power)


def units_by_province(units: Iterable[Unit]) -> Mapping[Province, int]:
    """Return the index in *units* of the unit in each province."""
    return {unit.province: number for number, unit in enumerate(units)}


PositionFactory: TypeAlias = Callable[
    [
        Phase,
        tuple[Unit, ...],
        Mapping[Province, Power],
        tuple[DislodgedUnit, ...],
        frozenset[Province],
        Mapping[Power, int],
        Mapping[Province, int],
    ],
    Position,
]
new_position = cast("PositionFactory", fast_constructor(Position))
