"""The shape of plain text: paragraphs, lists, and lines that stand as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from itertools import takewhile
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ITEM, UNDER_ITEM = "- ", "  "
SET_IN = (UNDER_ITEM, "| ")
GAP = re.compile(r" {3,}")  # between columns
NARROW_GAP = re.compile(r" {2,}")  # behind a long cell
IN_COLUMNS = re.compile(r".*\S {3}")
PAIRS = 4  # cells: two pairs beside each other


class Shape(Enum):
    """What the lines of a block have in common."""

    PROSE = "prose"
    ITEMS = "items"
    SET_IN = "set_in"  # under the line before, or quoted
    COLUMNS = "columns"


@dataclass(frozen=True, slots=True)
class Block:
    """Some lines of one *shape*; an item may have several, a line break between them."""

    shape: Shape
    lines: tuple[str, ...]

    @property
    def rows(self) -> tuple[tuple[str, str], ...]:
        """Return what stands first in each line of a block of columns, and the rest.

        Where all lines are two pairs beside each other, each pair is a row.
        """
        lines = [line.strip() for line in self.lines]
        cells = [_cells(line) for line in lines]
        if all(len(each) == PAIRS and not each[1].isdecimal() for each in cells):
            return tuple((row[at], row[at + 1]) for row in cells for at in (0, 2))
        second = _second(lines)
        return tuple(_cut(line, second) for line in lines)


def blocks(text: str) -> tuple[Block, ...]:
    """Cut *text*, whose lines may be of any length, into blocks.

    If *text* is markup, so are the lines: nothing in them is changed, and none is cut.
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
    """Return where the second cell of *lines*, which are in columns, begins."""
    return next(found.end() for found in map(GAP.search, map(str.strip, lines)) if found)


def _above(lines: Sequence[str], line: str) -> int:
    """Count the last of *lines* that have a cell above the second one of *line*."""
    second = _second([line])
    return len(list(takewhile(lambda each: _is_below(each, second), reversed(lines))))


def _is_below(line: str, second: int) -> bool:
    """Tell whether *line* has a cell in the column that begins there, with little or no gap."""
    told = line.strip()
    return told[second - 2 : second] in {"  ", ": "} and not told[second : second + 1].isspace()


def _cut(line: str, second: int) -> tuple[str, str]:
    """Cut *line* behind its first cell."""
    found = GAP.search(line)
    start, end = found.span() if found else (second, second)
    return line[:start].strip(), line[end:].strip()
