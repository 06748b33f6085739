"""Writes the tables of commands in `docs/commands.md`: `python -m tests.support.commands_page`.

The rows are in `commands.toml`. Reading each spelling as an email shows whether the judge
understands it or answers with advice.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.app.commands.table import COMMANDS
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import UnknownCommand
from judge.mail.reader.email_text import read_lines
from judge.reports.render import sentences

FILE = Path(__file__).parents[2] / "docs/commands.md"
ROWS = Path(__file__).with_name("commands.toml")
PART = re.compile(r"(?<=<!-- generated: commands -->\n).*?(?=<!-- end -->)", re.DOTALL)
SEVERAL = " | "
BOARD = load_map()


@dataclass(frozen=True, slots=True)
class Row:
    """One command: its spellings here and with the other judges, and what it does."""

    section: str
    ours: tuple[str, ...]
    njudge: tuple[str, ...]
    dpjudge: tuple[str, ...]
    does: str

    @property
    def spellings(self) -> tuple[str, ...]:
        """Return each way to write it."""
        return tuple(dict.fromkeys((*self.ours, *self.njudge, *self.dpjudge)))


def rows() -> tuple[Row, ...]:
    """Return the rows of the table."""
    sections = tomllib.loads(ROWS.read_text(encoding="utf-8"))["section"]
    return tuple(
        Row(each["title"], _spellings(ours), _spellings(njudge), _spellings(dpjudge), does)
        for each in sections
        for ours, njudge, dpjudge, does in each["rows"]
    )


def advice(spelling: str) -> str | None:
    """Return what is said of a *spelling* that is no command here."""
    lines = tuple(Line(i, each) for i, each in enumerate(spelling.split("\n"), 1))
    for said in read_lines(Text(lines), BOARD, COMMANDS):
        if isinstance(said, UnknownCommand):
            return sentences("elsewhere")[said.advice] if said.advice else ""
    return None


def page(text: str) -> str:
    """Return *text* with its tables as they should be."""
    return PART.sub(lambda _: f"{table()}\n", text)


def table() -> str:
    """Return a table for each section, and one of what has no command here."""
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    section = ""
    for row in rows():
        if row.does:
            if row.section != section:
                section = row.section
                yield from ("", f"## {section}", "")
                yield from ("| command | also understood | what it does |", "|---|---|---|")
            others = tuple(each for each in row.spellings if each not in row.ours)
            yield f"| {_cell(row.ours)} | {_cell(others)} | {row.does} |"
    yield from (
        "",
        "## Not here",
        "",
        "| of nJudge and DPjudge | the judge answers |",
        "|---|---|",
    )
    yield from (f"| {_cell(row.spellings)} | {_answer(row)} |" for row in rows() if not row.does)
    yield ""


def _answer(row: Row) -> str:
    return " ".join(dict.fromkeys(advice(each) or "" for each in row.spellings))


def _cell(spellings: tuple[str, ...]) -> str:
    return ", ".join(f"`{each.replace(chr(10), ' ... ')}`" for each in spellings)


def _spellings(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, cell.split(SEVERAL)))


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
