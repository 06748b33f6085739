"""What a judge's mails say of a game, cut into pieces that are not yet understood."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from judge.archive.judges.lines import Line, Sentence
from judge.archive.record import EndKind
from judge.rules.types import Phase


class Told(Enum):
    """What the heading of a table of units says that it is."""

    RESULTS = "results"
    ORDERS = "orders"  # of somebody, or in old versions and at DPjudge the results
    STATUS = "status"
    START = "start"


@dataclass(frozen=True, slots=True)
class Row:
    """A line `POWER: text` of a table; *word* is the power as written."""

    word: str
    text: str
    number: int


@dataclass(slots=True)
class Draft:
    """A table of units under its *heading*, with all that belongs to it.

    *phase* is None where the heading names a phase that the game does not have. *whole* says that
    the report came to its end, *strange* is what stood in it and is not known.
    """

    told: Told
    phase: Phase | None
    heading: Sentence
    rows: list[Row] = field(default_factory=list)
    driven: list[Sentence] = field(default_factory=list)
    owners: list[Row] = field(default_factory=list)
    counts: list[Row] = field(default_factory=list)
    strange: list[Sentence] = field(default_factory=list)
    chart_line: int | None = None
    following: Phase | None = None
    following_due: datetime | None = None
    whole: bool = False
    deadline: datetime | None = None
    reported: datetime | None = None
    last: int = 0


@dataclass(slots=True)
class PressDraft:
    """A message under its heading: who *signed* it and to whom, as written."""

    signed: str | None
    readers: tuple[str, ...]
    phase: Phase | None
    sent: datetime | None
    deep: int
    number: int
    lines: list[Line] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Taken:
    """Somebody took over the power named *word*, as of *phase*."""

    word: str
    address: str
    phase: Phase | None


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended, as a sentence says it: the powers by their *words*."""

    kind: EndKind
    words: tuple[str, ...]
    phase: Phase | None
    text: str
    line: int


@dataclass(slots=True)
class Chronicle:
    """All that is told of the game *name* of a *judge*, in the order of the file.

    *addresses* are those of the players by power, *summary* the lines of the last summary;
    *history* is the line of the heading of a history that does not end; *complete* says that
    nothing more of the game is to come.
    """

    name: str
    judge: str | None = None
    variant: str | None = None
    drafts: list[Draft] = field(default_factory=list)
    press: list[PressDraft] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    summary: list[Line] = field(default_factory=list)
    outcomes: list[Outcome] = field(default_factory=list)
    first: int = 1
    last: int = 1
    history: int | None = None
    complete: bool = False

    @property
    def worth_telling(self) -> bool:
        """Tell whether more than the name of the game is known."""
        return bool(self.drafts or self.press or self.summary or self.outcomes)
