"""One report of a zine, line by line: the orders of one season, and what stands around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime

from judge.archive.judges.dates import read_date
from judge.archive.judges.phrases import ENDED, ending_kind, names_in
from judge.archive.names import power_of
from judge.archive.record import Doubt, Ending
from judge.archive.zine.headings import CHART, DUE, STATUS, WHEN, Heading, announced, chart_row
from judge.archive.zine.marks import Marked, marked_orders, underlined
from judge.notation.parser import parse
from judge.notation.readings import Prose
from judge.rules.board import Map
from judge.rules.types import Phase, Power, Province

# `AUSTRIA:`, `Austria (Ann Smith): A Vie-Gal`, or the name alone on its line
OF_POWER = re.compile(
    r"\s*(?P<word>[A-Za-z]{3,})(?:\s*\((?P<person>[^():]+)\))?(?::(?=\s|$)|\s*$)"
)
COUNT_DUE = re.compile(r"\s*(?:(?:builds?|removes?) \d+|no change|even)\.?\s*", re.IGNORECASE)
TABLE = re.compile(r"(?:builds|removals|retreats|adjustments):\s+\w", re.IGNORECASE)
CANNOT_RETREAT = re.compile(r"The (?:Army|Fleet) in (?P<place>.+?) cannot retreat", re.IGNORECASE)
LINE_CHARACTERS_MAX = 2000  # A longer line is a paragraph of prose.
GAMEMASTER = re.compile(
    r"(?:GM|Game ?master|Guest GM):\s*(?P<name>[^,;<>()@]*[^\s,;<>()@.])", re.IGNORECASE
)
NOTHING_FAILED = re.compile(r"(?:No order failed|All orders succeed(?:ed)?)\.?", re.IGNORECASE)
REMARK = re.compile(r"No order for unit|All dislodged units destroyed", re.IGNORECASE)


@dataclass(slots=True)
class OrderLine:
    """A line of *orders*: those of *power*, or of a *block* of lines that names no power."""

    number: int
    power: Power | None
    block: int
    orders: Sequence[Marked]


@dataclass(slots=True)
class Chapter:
    """What stands under one *heading*: nothing of it is understood yet."""

    heading: Heading
    first_line: int
    last_line: int
    lines: list[OrderLine] = field(default_factory=list)
    owners: dict[Province, Power] = field(default_factory=dict)
    chart_line: int | None = None
    destroyed: list[tuple[str, int]] = field(default_factory=list)
    following: Phase | None = None
    deadline: datetime | None = None
    players: dict[Power, str] = field(default_factory=dict)
    gamemaster: str | None = None
    ending: Ending | None = None
    nothing_failed: bool = False  # it says so, where no order has a mark
    notes: list[str] = field(default_factory=list)
    faults: list[Doubt] = field(default_factory=list)


class ChapterReader:
    """Reads the lines of one *chapter*."""

    def __init__(self, board: Map, heading: Heading, line: int) -> None:
        self.chapter = Chapter(heading, line, line)
        self._board = board
        self._power: Power | None = None
        self._block = 0
        self._silent = True  # nothing was ordered since the power was named

    def take(self, line: str, number: int) -> None:
        """Take one line."""
        chapter, text = self.chapter, line.strip()
        if not text:
            self._end_block()
        if not text or len(line) > LINE_CHARACTERS_MAX:
            return
        chapter.last_line = number
        if chapter.lines and chapter.lines[-1].number == number - 1:
            marked = underlined(chapter.lines[-1].orders, line)
            if marked is not None:
                chapter.lines[-1].orders = marked
                return
        if not (self._is_aside(text, number) or self._is_order(line, number)):
            self._take_notice(text)

    def _end_block(self) -> None:
        if not self._silent:
            self._power, self._silent = None, True
            self._block += 1

    def _is_aside(self, text: str, number: int) -> bool:
        """Tell whether *text* belongs to a chart, or is a remark of a program; keep what it is."""
        chapter = self.chapter
        if CHART.fullmatch(text):
            chapter.chart_line = number
        elif row := chart_row(self._board, text):
            chapter.chart_line = chapter.chart_line or number
            chapter.owners.update(dict.fromkeys(row.centers, row.power))
            chapter.faults += [Doubt(number, text, fault) for fault in row.faults]
        elif destroyed := CANNOT_RETREAT.match(text):
            chapter.destroyed.append((destroyed["place"], number))
        elif TABLE.match(text):
            chapter.faults.append(Doubt(number, text, "a table that cannot be read"))
        elif REMARK.match(text):
            chapter.notes.append(text)
        else:
            return False
        return True

    def _is_order(self, line: str, number: int) -> bool:
        """Tell whether *line* names a power, or is one of orders; take it in then."""
        named = OF_POWER.match(line)
        power = power_of(self._board, named["word"]) if named else None
        start = named.end() if named and power else 0
        if named and power:
            self._end_block()
            self._power, self._silent = power, True
            self._introduce(power, named["person"] or "")
        orders = list(marked_orders(line, start))
        if COUNT_DUE.fullmatch(line[start:]):
            self.chapter.notes.append(line.strip())
        elif any(self._meant(each) for each in orders):
            self._silent = False
            self.chapter.lines.append(OrderLine(number, self._power, self._block, orders))
        else:
            return bool(named and power and not line[start:].strip())
        return True

    def _introduce(self, power: Power, person: str) -> None:
        if STATUS.search(person):
            self.chapter.notes.append(f"{power}: {person}")
        elif person and "@" not in person:
            self.chapter.players[power] = person.strip()

    def _take_notice(self, text: str) -> None:
        chapter = self.chapter
        if DUE.search(text):
            chapter.following = announced(text) or chapter.following
            chapter.deadline = read_date(WHEN.sub("", text)) or chapter.deadline
        elif NOTHING_FAILED.fullmatch(text):
            chapter.nothing_failed = True
        elif found := GAMEMASTER.match(text):
            chapter.gamemaster = found["name"]
        elif found := ENDED.match(text):
            self._end(found, text)
        elif STATUS.search(text) and "@" not in text:
            chapter.notes.append(text)

    def _end(self, found: re.Match[str], text: str) -> None:
        powers = [power_of(self._board, name) for name in names_in(found["powers"])]
        if None in powers:
            self.chapter.faults.append(Doubt(self.chapter.last_line, text, "an ending of nobody"))
        known = tuple(power for power in powers if power)
        self.chapter.ending = Ending(ending_kind(found), known, reason=text)

    def _meant(self, marked: Marked) -> bool:
        """Tell whether *marked* was meant as an order, rightly or not."""
        readings = parse(marked.text, self._board, s_stands=True)
        return any(not isinstance(each, Prose) for each in readings)
