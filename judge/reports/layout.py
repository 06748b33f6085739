"""Columns in plain text: of orders beside the name of their power, and of tables."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from markupsafe import Markup

from judge.reports.text import COLUMNS_MAX

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

ORDERS_A_LINE = 2
GAP = "  "
CELL_END = "\t"  # is in no text that is printed, nor are ends of lines
LAST_MIN = 24  # columns that the last of a table has, however wide the others are
UNESCAPED_BAR = re.compile(r"(?<!\\)\|")
NUMBER = re.compile(r"[-+]?\d*")


def columns(cells: str, label: str) -> Markup:
    """Return *cells*, one a line, in columns behind *label*, with commas between them.

    Every label is as wide as the others, and ends in a space.
    """
    listed = [each.strip() for each in cells.splitlines() if each.strip()]
    told = [*(f"{each}," for each in listed[:-1]), *listed[-1:]]
    lines = _filled(told, (COLUMNS_MAX - len(label)) // ORDERS_A_LINE)
    heads = [label, *[""] * len(told)]
    return _lines(f"{head:<{len(label)}}{line}" for head, line in zip(heads, lines, strict=False))


def listed(cells: str) -> Markup:
    """Return *cells*, one a line, with commas between them."""
    return Markup(", ".join(each.strip() for each in cells.splitlines() if each.strip()))  # noqa: S704 - escaped


def dense(lines: str) -> Markup:
    """Return *lines* without those that are blank."""
    return _lines(each for each in lines.splitlines() if each.strip())


def rule(row: str) -> Markup:
    """Return what stands in Markdown between *row*, the heads of a table, and the rows."""
    return Markup("|" + "---|" * UNESCAPED_BAR.subn("", row)[1])  # noqa: S704 - of our own


def _filled(cells: Iterable[str], wide: int) -> Iterator[str]:
    """Yield lines of as many *cells* as there are columns; one too *wide* has its own line."""
    line: list[str] = []
    for each in cells:
        if line and (len(line) == ORDERS_A_LINE or max(len(line[0]), len(each)) >= wide):
            yield _side_by_side(line, wide)
            line = []
        line.append(each)
    yield _side_by_side(line, wide)


def _side_by_side(cells: Iterable[str], wide: int) -> str:
    return "".join(each.ljust(wide) for each in cells).rstrip()


def grid(rows: str) -> Markup:
    """Return *rows*, one a line and each of cells that end with a tab, as a table.

    Columns of numbers stand to the right; the last column is broken where it is too long.
    """
    cells = [row.split(CELL_END)[:-1] for row in rows.splitlines() if row.strip()]
    by_column = list(zip(*cells, strict=True))
    wide = [max(map(len, column)) for column in by_column]
    right = [all(map(NUMBER.fullmatch, column[1:])) for column in by_column]
    start = sum(wide[:-1]) + len(GAP) * (len(wide) - 1)
    lines: list[str] = []
    for row in cells:
        padded = [
            each.rjust(width) if is_right else each.ljust(width)
            for each, width, is_right in zip(row, wide, right, strict=True)
        ]
        lines += _broken(padded, start)
    return _lines(lines)


def _broken(row: Sequence[str], start: int) -> Iterator[str]:
    """Yield the lines of *row*, whose last cell begins in the column *start*."""
    head = "".join(f"{each}{GAP}" for each in row[:-1])
    last = textwrap.wrap(row[-1].rstrip(), max(COLUMNS_MAX - start, LAST_MIN)) or [""]
    for line in last:
        yield f"{head}{line}".rstrip()
        head = " " * start


def _lines(lines: Iterable[str]) -> Markup:
    return Markup("\n".join(lines) + "\n")  # noqa: S704 - of what is escaped already
