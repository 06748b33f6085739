"""What is counted in recorded games: counters only, so that two tallies add up to one."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, fields
from typing import Self

from judge.rules.types import PhaseKind, Power


@dataclass(slots=True)
class Tally:
    """What was counted in any number of games; each counter counts games, but for those named.

    *phases*, *orders* (power, kind, what came of it) and *units* (power, what befell them) count
    these. *lengths* are in game years. *ends* are the words of `EndKind`, or `UNTOLD`; *won* are
    its words with the power that won or was conceded to, *draws* the members of each. *openings*
    have a line a power. *charted* counts the games that have a chart of the year; *centers*
    and *indices* sum up what these charts say.
    """

    formats: Counter[str] = field(default_factory=Counter)
    phases: Counter[PhaseKind] = field(default_factory=Counter)
    lengths: Counter[int] = field(default_factory=Counter)
    ends: Counter[str] = field(default_factory=Counter)
    won: Counter[tuple[str, Power]] = field(default_factory=Counter)
    draws: Counter[tuple[Power, ...]] = field(default_factory=Counter)
    openings: Counter[tuple[Power, str]] = field(default_factory=Counter)
    survived: Counter[Power] = field(default_factory=Counter)
    eliminated: Counter[tuple[Power, int]] = field(default_factory=Counter)
    charted: Counter[int] = field(default_factory=Counter)
    centers: Counter[tuple[int, Power]] = field(default_factory=Counter)
    indices: Counter[tuple[int, str]] = field(default_factory=Counter)
    orders: Counter[tuple[Power, str, str]] = field(default_factory=Counter)
    units: Counter[tuple[Power, str]] = field(default_factory=Counter)

    @property
    def games(self) -> int:
        """Return how many games were counted."""
        return self.formats.total()

    def __add__(self, other: Tally) -> Tally:
        return Tally(*(getattr(self, name) + getattr(other, name) for name in COUNTERS))

    def __iadd__(self, other: Tally) -> Self:
        for name in COUNTERS:
            getattr(self, name).update(getattr(other, name))
        return self


COUNTERS = tuple(each.name for each in fields(Tally))
