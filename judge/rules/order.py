"""Orders, as a player means them: one frozen class an order, legal or not.

An order names units as its writer did, so the kind, the coast or the owner may be missing or
wrong; whether that matters is a question of the rulebook (DATC 4.B, 4.C), answered in `legality`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from judge.rules.vocabulary import Location, Power, Province, UnitKind, province_of


@dataclass(frozen=True, slots=True)
class UnitName:
    """A unit as somebody wrote it: `A BUR`, `F STP/NC`, `RUSSIAN A WAR`, or only `BUR`."""

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
    """The unit attacks *target*; *via_convoy* says by sea, *route* which seas its writer named.

    A retreat may be written as a move too: in a retreat phase it is read as one.
    """

    unit: UnitName
    target: Location
    via_convoy: bool = False
    route: tuple[Province, ...] = ()


@dataclass(frozen=True, slots=True)
class SupportHold:
    """The unit supports *supported* in staying where it is (rulebook IX.6)."""

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
    """The fleet carries *army* to *target* (rulebook XII)."""

    unit: UnitName
    army: UnitName
    target: Location


@dataclass(frozen=True, slots=True)
class Retreat:
    """The dislodged unit goes to *target*."""

    unit: UnitName
    target: Location


@dataclass(frozen=True, slots=True)
class Disband:
    """The unit leaves the board: dislodged, or one too many for its power's centers."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Build:
    """A new unit, where it is to stand."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Waive:
    """One build is not made (DATC 4.D.7)."""


MovementOrder: TypeAlias = Hold | Move | SupportHold | SupportMove | Convoy
Order: TypeAlias = (
    Hold | Move | SupportHold | SupportMove | Convoy | Retreat | Disband | Build | Waive
)
