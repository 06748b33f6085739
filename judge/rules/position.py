"""Who stands where: everything about a game that the rules need to know before the orders."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias, cast

from judge.rules.making import maker
from judge.rules.phase import Phase
from judge.rules.vocabulary import Location, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class DislodgedUnit:
    """A unit that must retreat or disband, and where it may go.

    *attacked_from* is the province its attacker came from, *attacker_convoyed* whether he came by
    sea (DATC 4.A.5).
    """

    unit: Unit
    attacked_from: Province
    attacker_convoyed: bool
    retreats: tuple[Location, ...]


@dataclass(frozen=True, slots=True)
class Position:
    """The board at the start of *phase*.

    *units* are in order of power and place, without the dislodged ones; *owners* says whose each
    owned center is; *contested* are the provinces left empty by a standoff, where nobody may
    retreat; *builds* overrides what a power may build (+) or must remove (-), which is otherwise
    its centers minus its units. *at* is the number among *units* of the one in a province.
    """

    phase: Phase
    units: tuple[Unit, ...]
    owners: Mapping[Province, Power] = field(default_factory=dict)
    dislodged: tuple[DislodgedUnit, ...] = ()
    contested: frozenset[Province] = frozenset()
    builds: Mapping[Power, int] = field(default_factory=dict)
    at: Mapping[Province, int] = field(init=False, compare=False, repr=False)

    def __post_init__(self) -> None:
        """Work out once who stands where."""
        object.__setattr__(self, "at", places_of(self.units))

    def units_of(self, power: Power) -> tuple[Unit, ...]:
        """Return the units of *power* that stand, in order of place."""
        return tuple(unit for unit in self.units if unit.power == power)

    def due(self, power: Power) -> int:
        """Return how many units *power* may build, or below zero must remove."""
        if power in self.builds:
            return self.builds[power]
        units = [unit.power for unit in self.units].count(power)
        return list(self.owners.values()).count(power) - units

    def dues(self, powers: Iterable[Power]) -> Mapping[Power, int]:
        """Return for each of *powers* what is `due`, counted for all at once."""
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


def places_of(units: Iterable[Unit]) -> Mapping[Province, int]:
    """Return the number among *units* of the one in each province."""
    return {unit.province: number for number, unit in enumerate(units)}


Making: TypeAlias = Callable[
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
new_position, new_dislodged = cast("Making", maker(Position)), maker(DislodgedUnit)
