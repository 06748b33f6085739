"""One recorded game, whatever program or hand wrote it down: the shape that all formats share.

A record holds what its source tells and no more: what is not told is None or empty, and what was
told in a way that can be doubted is kept as a `Doubt`. Mail addresses are left out unless they are
asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from judge.rules.types import Order, Phase, Position, Power, Province, Unit


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that was not read for certain: the *line* (from 1), what stands there, and why."""

    line: int | None
    text: str
    why: str


@dataclass(frozen=True, slots=True)
class Source:
    """Where a record was read: the *format* by name, the file, its digest, and the lines."""

    format: str
    name: str
    sha256: str
    first_line: int = 1
    last_line: int | None = None


class Hold(Enum):
    """In what way somebody holds a power."""

    PLAYER = "player"
    STANDBY = "standby"
    TAKEOVER = "takeover"
    CIVIL_DISORDER = "civil_disorder"


@dataclass(frozen=True, slots=True)
class Seat:
    """Who played *power*, from the phase *since* to the phase *until*, both included if known."""

    power: Power
    player: str | None
    hold: Hold = Hold.PLAYER
    since: Phase | None = None
    until: Phase | None = None
    address: str | None = None


@dataclass(frozen=True, slots=True)
class WrittenOrder:
    """An order as its source has it: *text* as written, *order* as understood, None if it is not.

    *results* are the words of the source in our terms (see `RESULTS`), None if it tells none.
    """

    power: Power
    text: str
    order: Order | None
    results: tuple[str, ...] | None = None
    line: int | None = None


# What sources say of an order: those of judges by e-mail, by whatever name they go elsewhere.
# "disrupted" is a convoy's, "no convoy" an army's; an order with none of these went as written.
RESULTS = (
    "bounce",
    "cut",
    "void",
    "no convoy",
    "disrupted",
    "dislodged",
    "destroyed",
)


@dataclass(frozen=True, slots=True)
class RecordedPhase:
    """One phase: the position before, what was ordered, and what the source says came of it.

    *position* is None in a gap, where only *centers* may be known (a chart of the year's end).
    *removed* are units that the source says left the board without an order, *results_told* says
    that it tells what became of the orders, *edition* counts corrected reports of the same phase
    from 1.
    """

    phase: Phase
    position: Position | None
    orders: tuple[WrittenOrder, ...] = ()
    removed: tuple[tuple[Power, Unit], ...] = ()
    results_told: bool = False
    deadline: datetime | None = None
    reported: datetime | None = None
    edition: int = 1
    first_line: int | None = None
    last_line: int | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedPress:
    """A message: who signed it (None: nobody), to whom (empty: all), and what it says."""

    phase: Phase | None
    sender: str | None
    readers: tuple[str, ...]
    text: str
    sent: datetime | None = None
    line: int | None = None


class EndKind(Enum):
    """How a game ended."""

    SOLO = "solo"
    DRAW = "draw"
    CONCESSION = "concession"
    ABANDONED = "abandoned"


@dataclass(frozen=True, slots=True)
class Ending:
    """How the game ended: who won or shared it, in which phase, and what the source says of it."""

    kind: EndKind
    powers: tuple[Power, ...]
    phase: Phase | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class YearChart:
    """How many centers each power had at the end of a *year*, and which, where that is told."""

    year: int
    counts: Mapping[Power, int]
    owners: Mapping[Province, Power] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A recorded game.

    *numbers* are those by which it is known: `boardman`, `miller`, `ep`, `judge`. *rulebook* is
    the text of the law that its source followed (`judge.rules.rulebook.rulebook_named`),
    *settings* are its parameters as the source tells them. Phases are in the order of play,
    corrected editions
    after the first.
    """

    name: str
    source: Source
    variant: str = "standard"
    rulebook: str | None = None
    numbers: Mapping[str, str] = field(default_factory=dict)
    gamemaster: str | None = None
    zine: str | None = None
    issue: str | None = None
    seats: tuple[Seat, ...] = ()
    phases: tuple[RecordedPhase, ...] = ()
    press: tuple[RecordedPress, ...] = ()
    charts: tuple[YearChart, ...] = ()
    ending: Ending | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    doubts: tuple[Doubt, ...] = ()

    @property
    def played(self) -> Sequence[RecordedPhase]:
        """Return each phase once, in its last edition, in the order of play."""
        editions = {each.phase: each for each in self.phases}
        return sorted(editions.values(), key=lambda each: each.phase)
