"""The shape of plain text: paragraphs, lists, and lines that stand as they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ITEM, UNDER_ITEM = "- ", "  "
SET_IN = (UNDER_ITEM, "| ")
GAP = "   "  # and more between columns
IN_COLUMNS = re.compile(rf".*\S{GAP}")


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
        """Return what stands first in each line of a block of columns, and the rest."""
        cut = (line.strip().partition(GAP) for line in self.lines)
        return tuple((first, rest.strip()) for first, _, rest in cut)


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
        if this is not shape and run:
            yield Block(shape, tuple(run))
            run = []
        shape = this
        run.append(line.removeprefix(ITEM).strip() if shape is not Shape.COLUMNS else line)
    yield Block(shape, tuple(run))


def _shape(line: str) -> Shape:
    if line.startswith(ITEM):
        return Shape.ITEMS
    if IN_COLUMNS.match(line):
        return Shape.COLUMNS
    return Shape.SET_IN if line.startswith(SET_IN) else Shape.PROSE
