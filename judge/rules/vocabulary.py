"""The words of the board: powers, provinces, locations, units.

Powers and places are plain strings, so that positions and events hold names and never a Map: a
power is its upper-case name (`AUSTRIA`), a province its three-letter code (`STP`), a location a
province or one coast of it (`STP/NC`). Who reads a place out of a text interns it: the rules look
up a hundred of them a phase, and find the same string sooner than an equal one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import lru_cache
from sys import intern
from typing import TypeAlias

from judge.overriding import override

LOCATIONS_KEPT = 1024  # More than any board has; asked for hundreds of times a phase.

Power: TypeAlias = str
Province: TypeAlias = str
Location: TypeAlias = str


class UnitKind(Enum):
    """What a unit is; the value is the letter it is written with."""

    ARMY = "A"
    FLEET = "F"


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit on the board; a fleet in a province of two coasts stands on one of them.

    *province* is where it is, whatever the coast; *name* is as players write it, `F STP/NC`; *key*
    sorts units by power and place.
    """

    power: Power
    kind: UnitKind
    location: Location
    province: Province = field(init=False, compare=False, repr=False)
    name: str = field(init=False, compare=False, repr=False)
    key: str = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Work out once what is asked of a unit in every phase."""
        at = self.location
        object.__setattr__(self, "province", province_of(at) if "/" in at else at)
        object.__setattr__(self, "name", name_of(self.kind, at))
        object.__setattr__(self, "key", f"{self.power} {at}")

    @override
    def __str__(self) -> str:
        return self.name


@lru_cache(maxsize=LOCATIONS_KEPT)
def province_of(location: Location) -> Province:
    """Drop the coast of *location*: `STP/NC` is in `STP`."""
    return intern(location.partition("/")[0])


def name_of(kind: UnitKind, location: Location) -> str:
    """Return what a unit of *kind* at *location* is called: `F STP/NC`; always the same string."""
    return intern(f"{kind.value} {location}")
