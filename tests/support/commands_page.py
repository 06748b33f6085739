"""Write the tables of commands in `docs/commands.md`: `python -m tests.support.commands_page`.

The rows come from the table of commands, and the last table from its advice on other judges'.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from judge.adapters.variant_files import load_map
from judge.app.commands.table import ALL_COMMANDS, COMMANDS, SECTIONS
from judge.mail.body import Line, Text
from judge.mail.language.command_syntax import UnknownCommand
from judge.mail.language.command_table import LINES_BETWEEN, SPELLINGS_BETWEEN
from judge.mail.language.foreign_commands import ADVICE
from judge.mail.reader.email_text import read_lines
from judge.reports.render import sentences

FILE = Path(__file__).parents[2] / "docs/commands.md"
PART = re.compile(r"(?<=<!-- generated: commands -->\n).*?(?=<!-- end -->)", re.DOTALL)
BOARD = load_map()


def spellings(written: str) -> tuple[str, ...]:
    """Return each way to write a command that *written* has, as an email."""
    ways = written.replace(LINES_BETWEEN, "\n").split(SPELLINGS_BETWEEN)
    return tuple(filter(None, ways))


def all_spellings() -> tuple[str, ...]:
    """Return every way to write a command."""
    forms = [form for each in ALL_COMMANDS for form in each.forms]
    ours = [way for form in forms for way in (*spellings(form.ours), *spellings(form.also))]
    return tuple(dict.fromkeys(ours))


def first_spellings() -> tuple[str, ...]:
    """Return one way to write each form of a command."""
    forms = (form for each in ALL_COMMANDS for form in each.forms)
    return tuple(ways[0] for form in forms if (ways := spellings(form.ours)))


def advice(spelling: str) -> str | None:
    """Return what is said of a *spelling* that is no command here."""
    lines = tuple(Line(i, each) for i, each in enumerate(spelling.split("\n"), 1))
    for said in read_lines(Text(lines), BOARD, COMMANDS):
        if isinstance(said, UnknownCommand):
            return sentences("elsewhere")[said.advice] if said.advice else ""
    return None


def foreign_commands() -> dict[str, list[str]]:
    """Return what is no command here, by the advice that the judge gives."""
    ours = all_spellings()
    found: dict[str, list[str]] = {}
    for beginning in ADVICE:
        words = advice(beginning)
        if words and not any(each.startswith(beginning) for each in ours):
            found.setdefault(words, []).append(beginning)
    return found


def page(text: str) -> str:
    """Return *text* with its tables as they should be."""
    return PART.sub(lambda _: "\n".join(_lines()), text)


def _lines() -> Iterator[str]:
    for title, commands in SECTIONS.items():
        yield from ("", f"## {title}", "")
        yield from ("| command | also understood | what it does |", "|---|---|---|")
        for form in (form for each in commands for form in each.forms):
            ours, also = spellings(form.ours), spellings(form.also)
            yield f"| {_cell(ours)} | {_cell(also)} | {form.does} |"
    yield from ("", "## Not here", "")
    yield from ("| of nJudge and DPjudge | the judge answers |", "|---|---|")
    yield from (f"| {_cell(each)} | {words} |" for words, each in foreign_commands().items())
    yield from ("", "")


def _cell(ways: Iterable[str]) -> str:
    return ", ".join(f"`{each.replace(chr(10), ' ... ')}`" for each in ways)


if __name__ == "__main__":
    FILE.write_text(page(FILE.read_text(encoding="utf-8")), encoding="utf-8")
