"""When: the phases of a game year and the codes they are written with."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from functools import total_ordering

from judge.overriding import override
from judge.rules.making import maker


class Season(Enum):
    """The seasons of a game year; adjustments belong to the winter (rulebook XIII)."""

    SPRING = "S"
    FALL = "F"
    WINTER = "W"


class PhaseKind(Enum):
    """What is ordered in a phase."""

    MOVEMENT = "M"
    RETREATS = "R"
    ADJUSTMENTS = "A"


# Looking into an enum takes long, and these are asked for in every phase.
MOVEMENT, RETREATS, ADJUSTMENTS = PhaseKind.MOVEMENT, PhaseKind.RETREATS, PhaseKind.ADJUSTMENTS
SPRING, FALL, WINTER = Season.SPRING, Season.FALL, Season.WINTER

PHASE_CODE = re.compile(r"([SFW])(\d{4})([MRAB])", re.IGNORECASE)
SEQUENCE = ("SM", "SR", "FM", "FR", "WA")  # The phases of one year, in the order of play.


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
        return f"{self.season.value}{self.year}{self.kind.value}"

    @classmethod
    def parse(cls, code: str) -> Phase:
        """Read a *code*; `F1901B`, as judges write adjustments on the deadline line, is `W1901A`.

        Raises `ValueError` when it names no phase of the game.
        """
        found = PHASE_CODE.fullmatch(code.strip())
        if not found:
            raise ValueError(f"no phase code: {code!r}")
        season, year, kind = found[1].upper(), int(found[2]), found[3].upper()
        if kind == "B" and season in "FW":
            season, kind = "W", "A"
        if season + kind not in SEQUENCE:
            raise ValueError(f"no phase of the game: {code!r}")
        return cls(Season(season), year, PhaseKind(kind))

    def following(self) -> Phase:
        """Return the next phase of the calendar, whether or not anybody has to order in it."""
        if self.kind is MOVEMENT:
            return _phase(self.season, self.year, RETREATS)
        if self.season is SPRING:
            return Phase(FALL, self.year, MOVEMENT)
        if self.season is FALL:
            return Phase(WINTER, self.year, ADJUSTMENTS)
        return Phase(SPRING, self.year + 1, MOVEMENT)

    def next_movement(self) -> Phase:
        """Return the next phase in which units move."""
        if self.season is SPRING:
            return _phase(FALL, self.year, MOVEMENT)
        return _phase(SPRING, self.year + 1, MOVEMENT)

    def __lt__(self, other: Phase) -> bool:
        return (self.year, SEQUENCE.index(self.season.value + self.kind.value)) < (
            other.year,
            SEQUENCE.index(other.season.value + other.kind.value),
        )

    @override
    def __str__(self) -> str:
        return self.code


_phase = maker(Phase)
