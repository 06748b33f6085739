"""Plain text of emails: 72 columns, dates with their zone, paragraphs and lists."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from functools import lru_cache
from itertools import takewhile

from judge.errors import printable
from judge.game.calendar import local
from judge.reports.languages import SOURCE, format_day

COLUMNS_MAX = 72
QUOTED_CHARACTERS_MAX = 60  # of a player's line shown back to them; it fits a line of ours
NO_BREAK = "\N{NO-BREAK SPACE}"
BEFORE_A_MARK = re.compile(r" (?=[:;?!](?:\s|$))")  # which French sets apart
BLANK_LINES = re.compile(r"\n{3,}")
LABEL = re.compile(r" *(?:- |\w+:  +)?")  # what the continuation of a line stands under


def wrap(text: str) -> str:
    """Wrap lines of *text* that are too long, with the indent of their beginning.

    Several blank lines, which templates leave where they print nothing, become one.
    """
    lines = "\n".join(_wrap_line(line) for line in text.split("\n")).replace(NO_BREAK, " ")
    return BLANK_LINES.sub("\n\n", lines).strip("\n")


def with_no_break_spaces(text: str) -> str:
    """Keep *text* on the line of the word before it: programs read a mark with its order."""
    return text.replace(" ", NO_BREAK)


@lru_cache(maxsize=64)  # all readers of a phase get the same times
def format_instant(instant: datetime, zone: str, language: str = SOURCE) -> str:
    """Return *instant* for people: `Fri 27 Nov 2026 20:00 Europe/Berlin (19:00 UTC)`."""
    here, utc = local(instant, zone), instant.astimezone(UTC)
    if zone == "UTC":
        return _join_unbroken(format_day(utc, language), f"{utc:%H:%M} UTC")
    there = "" if utc.date() == here.date() else f"{format_day(utc, language, year=False)} "
    return _join_unbroken(
        format_day(here, language), f"{here:%H:%M} {zone}", f"({there}{utc:%H:%M} UTC)"
    )


def format_timestamp(instant: datetime, zone: str) -> str:
    """Return *instant* as judges write it, for programs: `Fri Nov 27 2026 20:00:00 +0100`."""
    return f"{local(instant, zone):%a %b %d %Y %H:%M:%S %z}"


def format_short(instant: datetime, zone: str, language: str = SOURCE) -> str:
    """Return *instant* for a subject: `Fri 27 Nov 20:00 Europe/Berlin`."""
    here = local(instant, zone)
    return f"{format_day(here, language, year=False)} {here:%H:%M} {zone}"


def one_line(text: str, longest: int = QUOTED_CHARACTERS_MAX) -> str:
    """Return *text* by a player as one line of at most *longest* characters."""
    line = " ".join(printable(text).split())
    return line if len(line) <= longest else f"{line[: longest - 4]} ..."


def _join_unbroken(*parts: str) -> str:
    """Join *parts* so that lines wrap only between them."""
    return " ".join(with_no_break_spaces(part) for part in parts)


def _wrap_line(line: str) -> str:
    if len(line) <= COLUMNS_MAX:
        return line.rstrip()
    label = LABEL.match(line)
    indent = " " * label.end() if label else ""
    return textwrap.fill(
        BEFORE_A_MARK.sub(NO_BREAK, line),
        COLUMNS_MAX,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
        drop_whitespace=True,
    )


ITEM, UNDER_ITEM = "- ", "  "
SET_IN = (UNDER_ITEM, "| ")
COLUMN_GAP = re.compile(r" {3,}")  # between columns
NARROW_GAP = re.compile(r" {2,}")  # behind a long cell
IN_COLUMNS = re.compile(r".*\S {3}")
PAIRS = 4  # cells: two pairs beside each other


class Shape(Enum):
    """The common shape of the lines of a block."""

    PROSE = "prose"
    ITEMS = "items"
    SET_IN = "set_in"  # under the line before, or quoted
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one *shape*; an item may have several, with line breaks between them."""

    shape: Shape
    lines: tuple[str, ...]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return the first cell of each line of a block of columns, and the rest.

        If all lines are two pairs side by side, each pair is a row.
        """
        lines = [line.strip() for line in self.lines]
        cells = [_cells(line) for line in lines]
        if all(len(each) == PAIRS and not each[1].isdecimal() for each in cells):
            return tuple((row[at], row[at + 1]) for row in cells for at in (0, 2))
        second = _second(lines)
        return tuple(_cut(line, second) for line in lines)


def text_blocks(text: str) -> tuple[Block, ...]:
    """Cut *text*, whose lines may be of any length, into blocks.

    If *text* is markup, its lines are neither changed nor cut.
    """
    return tuple(
        block for lines in _paragraphs(text.split("\n")) for block in _in_paragraph(lines)
    )


def _paragraphs(lines: Iterable[str]) -> Iterator[list[str]]:
    paragraph: list[str] = []
    for line in lines:
        if line.strip():
            paragraph.append(line)
        elif paragraph:
            yield paragraph
            paragraph = []
    if paragraph:
        yield paragraph


def _in_paragraph(lines: list[str]) -> Iterator[Block]:
    """Yield a block for each run of lines of one shape."""
    shape, run = Shape.PROSE, list[str]()
    for line in lines:
        if shape is Shape.ITEMS and line.startswith(UNDER_ITEM):
            run[-1] += "\n" + line.strip()
            continue
        this = _shape(line)
        if (shape, this) == (Shape.COLUMNS, Shape.PROSE) and _is_below(line, _second(run)):
            this = Shape.COLUMNS
        if this is not shape and run:
            above = _above(run, line) if this is Shape.COLUMNS and shape is Shape.PROSE else 0
            if rest := run[: len(run) - above]:
                yield Block(shape, tuple(rest))
            run = run[len(rest) :]
        shape = this
        run.append(line.removeprefix(ITEM).strip() if shape is not Shape.COLUMNS else line)
    yield Block(shape, tuple(run))


def _shape(line: str) -> Shape:
    if line.startswith(ITEM):
        return Shape.ITEMS
    if IN_COLUMNS.match(line):
        return Shape.COLUMNS
    return Shape.SET_IN if line.startswith(SET_IN) else Shape.PROSE


def _cells(line: str) -> list[str]:
    starts = [0, *(found.end() for found in NARROW_GAP.finditer(line))]
    ends = [*(found.start() for found in NARROW_GAP.finditer(line)), len(line)]
    return [line[start:end] for start, end in zip(starts, ends, strict=True)]


def _second(lines: Iterable[str]) -> int:
    """Return where the second column of *lines* begins."""
    return next(found.end() for found in map(COLUMN_GAP.search, map(str.strip, lines)) if found)


def _above(lines: Sequence[str], line: str) -> int:
    """Count the last of *lines* that have a cell above the second one of *line*."""
    second = _second([line])
    return len(list(takewhile(lambda each: _is_below(each, second), reversed(lines))))


def _is_below(line: str, second: int) -> bool:
    """Return whether *line* has a cell in the column that begins there, with little or no gap."""
    text = line.strip()
    return text[second - 2 : second] in {"  ", ": "} and not text[second : second + 1].isspace()


def _cut(line: str, second: int) -> tuple[str, str]:
    """Cut *line* behind its first cell."""
    found = COLUMN_GAP.search(line)
    start, end = found.span() if found else (second, second)
    return line[:start].strip(), line[end:].strip()
