"""The years of a game: which turns a year has, what follows which, when centers change owners.

A turn is a movement phase with its retreats. In the standard game a year has two, Spring and
Fall, and centers change owners after Fall (rulebook XIII).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from types import MappingProxyType

from judge.rules.types import ADJUSTMENTS, FALL, MOVEMENT, RETREATS, SPRING, WINTER, Phase, Season


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn in *season*, *year* years after its cycle begins.

    After it, centers change owners and powers adjust if it *adjusts*.
    """

    season: Season
    year: int = 0
    adjusts: bool = False


@dataclass(frozen=True, slots=True)
class Calendar:
    """The *turns* of a cycle of *years*, in order; a cycle begins in *first_year*.

    *names* are of seasons called otherwise than Spring, Fall and Winter. Raises `ValueError` for
    turns that are out of order, beyond the cycle, or never adjust.
    """

    turns: tuple[Turn, ...]
    years: int = 1
    first_year: int = 0
    names: Mapping[Season, str] = field(default_factory=lambda: MappingProxyType({}))
    _index: Mapping[tuple[Season, int], int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the turns, and index them by season and year."""
        for before, after in pairwise((turn.year, turn.season.order) for turn in self.turns):
            if before >= after:
                raise ValueError("the turns of the calendar are not in order")
        if not any(turn.adjusts for turn in self.turns):
            raise ValueError("no turn of the calendar has adjustments")
        if not all(0 <= turn.year < self.years for turn in self.turns):
            raise ValueError(f"a turn of the calendar is not in its {self.years} years")
        index = {(turn.season, turn.year): number for number, turn in enumerate(self.turns)}
        object.__setattr__(self, "_index", MappingProxyType(index))

    def turn_of(self, phase: Phase) -> int | None:
        """Return the index of the turn that *phase* belongs to, adjustments too; None if none."""
        year = (phase.year - self.first_year) % self.years
        if phase.kind is not ADJUSTMENTS:
            return self._index.get((phase.season, year))
        for number, turn in enumerate(self.turns):
            if turn.adjusts and turn.year == year and self._winter(number) is phase.season:
                return number
        return None

    def __contains__(self, phase: Phase) -> bool:
        return self.turn_of(phase) is not None

    def adjusts_after(self, phase: Phase) -> bool:
        """Return whether centers change owners after the turn of *phase*."""
        number = self.turn_of(phase)
        return number is not None and self.turns[number].adjusts

    def counts_between(self, before: Phase, after: Phase) -> bool:
        """Return whether centers change owners between a phase and the one that follows it."""
        last = before.kind is RETREATS or (before.kind is MOVEMENT and after.kind is not RETREATS)
        return last and self.adjusts_after(before)

    def year_counted(self, phase: Phase) -> int:
        """Return the year in whose row of a chart the owners at the start of *phase* are.

        It is that of the turn before, such as 1900 for `S1901M`.
        """
        number = self.turn_of(phase)
        if phase.kind is ADJUSTMENTS or number is None:
            return phase.year
        begun = phase.year - self.turns[number].year
        return begun + (
            self.turns[number - 1].year if number else self.turns[-1].year - self.years
        )

    def adjustments_after(self, phase: Phase) -> Phase:
        """Return the adjustment phase after the turn of *phase*, which has one."""
        number = self._required_turn(phase)
        return Phase(self._winter(number), phase.year, ADJUSTMENTS)

    def following(self, phase: Phase) -> Phase:
        """Return the next phase, even if there is nothing to order in it."""
        if phase.kind is MOVEMENT:
            return Phase(phase.season, phase.year, RETREATS)
        if phase.kind is RETREATS and self.adjusts_after(phase):
            return self.adjustments_after(phase)
        return self.next_movement(phase)

    def next_movement(self, phase: Phase) -> Phase:
        """Return the next phase in which units move."""
        number = self._required_turn(phase)
        begun = phase.year - self.turns[number].year
        if number + 1 < len(self.turns):
            turn = self.turns[number + 1]
        else:
            turn, begun = self.turns[0], begun + self.years
        return Phase(turn.season, begun + turn.year, MOVEMENT)

    def cycle_from(self, phase: Phase) -> Iterator[Phase]:
        """Yield *phase* and all that follow it in a cycle."""
        for _ in self.turns:
            for _ in range(3):  # at most a movement, retreats and adjustments a turn
                yield phase
                phase = self.following(phase)

    def phases_of(self, year: int) -> tuple[Phase, ...]:
        """Return the phases of *year*, in order; none if it is no year of the game."""
        found: list[Phase] = []
        for turn in self.turns:
            if turn.year == (year - self.first_year) % self.years:
                movement = Phase(turn.season, year, MOVEMENT)
                found += [movement, Phase(turn.season, year, RETREATS)]
                found += [self.adjustments_after(movement)] if turn.adjusts else []
        return tuple(found)

    def _winter(self, number: int) -> Season:
        """Return the season of adjustments: Winter, unless another turn of that year follows."""
        turn = self.turns[number]
        later = self.turns[number + 1 :]
        return turn.season if any(other.year == turn.year for other in later) else WINTER

    def _required_turn(self, phase: Phase) -> int:
        number = self.turn_of(phase)
        if number is None:
            raise ValueError(f"the calendar has no phase {phase}")
        return number


STANDARD_TURNS: Sequence[Turn] = (Turn(SPRING), Turn(FALL, adjusts=True))
STANDARD_CALENDAR = Calendar(tuple(STANDARD_TURNS))
