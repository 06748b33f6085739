"""The formats of printed reports (Markdown, BBCode, HTML, Typst): escapes, columns, tables.

A template in one of these formats escapes all values that it prints; only macros make markup.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial

from jinja2 import Environment, Template
from markupsafe import Markup, escape

from judge.errors import printable
from judge.reports.languages import SOURCE, template_functions
from judge.reports.render import template_environment
from judge.reports.text_formatting import BEFORE_A_MARK, COLUMNS_MAX, NO_BREAK
from judge.resources import cache_until_replaced

WORD_JOINER = "\N{WORD JOINER}"  # is not seen, and keeps what it parts from being a tag
MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$]|^\s*(?:[-+=#]|\d+[.)])")
TYPST = re.compile(r"[!-/:-@\[-`{-~]")  # every sign of ASCII: none of them is a letter of its own
FENCE_MIN = 3


def escape_markdown(text: str) -> str:
    """Return *text* so CommonMark and GitHub print it unchanged."""
    return MARKDOWN.sub(_with_backslash, printable(text))


def _with_backslash(found: re.Match[str]) -> str:
    sign = found[0].lstrip()
    return f"{sign[:-1]}\\{sign[-1]}"


def escape_bbcode(text: str) -> str:
    """Return *text* without tags, since BBCode cannot escape them."""
    return printable(text).replace("[", f"[{WORD_JOINER}")


def escape_html(text: str) -> str:
    """Return *text* so a browser prints it unchanged."""
    return str(escape(printable(text)))


def escape_typst(text: str) -> str:
    """Return *text* so Typst prints it unchanged: a backslash before each special character."""
    return TYPST.sub(r"\\\g<0>", printable(text))


FORMATS: dict[str, Callable[[str], str]] = {
    "text": printable,
    "markdown": escape_markdown,
    "bbcode": escape_bbcode,
    "html": escape_html,
    "docx": escape_html,  # which is made of HTML
    "pdf": escape_typst,
}


def template_in_format(form: str, name: str, language: str) -> Template:
    """Return the template *name* for *language* in the format *form*."""
    return format_environment(form, language).get_template(name)


@cache_until_replaced
def format_environment(form: str, language: str = SOURCE) -> Environment:
    """Return the Jinja environment for reports in *form* and *language*, which escapes values."""
    escaped, whole = partial(_escape_unless_markup, FORMATS[form]), template_environment(language)
    overlaid = whole.overlay(autoescape=True, finalize=escaped)
    overlaid.globals = whole.globals | template_functions(language, escaped)
    overlaid.filters = whole.filters | {
        "columns": order_columns,
        "dense": without_blank_lines,
        "grid": text_table,
        "listed": comma_list,
        "rule": table_rule,
        "as_it_is": unescaped,
        "fence": code_fence,
        "typst_string": typst_string,
    }
    return overlaid


def _escape_unless_markup(escaping: Callable[[str], str], value: object) -> Markup:
    """Return *value*, escaped unless it is markup already."""
    return value if isinstance(value, Markup) else Markup(escaping(str(value)))  # noqa: S704


def unescaped(text: str) -> Markup:
    """Return *text* for a place without markup."""
    return Markup(printable(text))  # noqa: S704


def code_fence(text: str) -> str:
    """Return the fence around *text* in Markdown, longer than any in it."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(FENCE_MIN, longest + 1)


def typst_string(text: str) -> Markup:
    """Return *text* as a string literal of Typst."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return Markup(f'"{quoted}"')  # noqa: S704


ORDERS_A_LINE = 2
GAP = "  "
CELL_END = "\t"  # is in no text that is printed, nor are ends of lines
LAST_MIN = 24  # columns that the last of a table has, however wide the others are
UNESCAPED_BAR = re.compile(r"(?<!\\)\|")
NUMBER = re.compile(r"[-+]?\d*")


def order_columns(cells: str, label: str) -> Markup:
    """Return *cells*, one a line, in columns behind *label*, with commas between them.

    Every label is as wide as the others, and ends in a space.
    """
    listed = [each.strip() for each in cells.splitlines() if each.strip()]
    separated = [*(f"{each}," for each in listed[:-1]), *listed[-1:]]
    lines = _column_lines(separated, (COLUMNS_MAX - len(label)) // ORDERS_A_LINE)
    heads = [label, *[""] * len(separated)]
    return _joined_lines(
        f"{head:<{len(label)}}{line}" for head, line in zip(heads, lines, strict=False)
    )


def comma_list(cells: str) -> Markup:
    """Return *cells*, one a line, with commas between them."""
    return Markup(", ".join(each.strip() for each in cells.splitlines() if each.strip()))  # noqa: S704 - escaped


def without_blank_lines(lines: str) -> Markup:
    """Return *lines* without blank ones."""
    return _joined_lines(each for each in lines.splitlines() if each.strip())


def table_rule(row: str) -> Markup:
    """Return the line below *row*, the header of a Markdown table."""
    return Markup("|" + "---|" * UNESCAPED_BAR.subn("", row)[1])  # noqa: S704 - of our own


def _column_lines(cells: Iterable[str], wide: int) -> Iterator[str]:
    """Yield lines of as many *cells* as there are columns; a *wide* cell has a line of its own."""
    line: list[str] = []
    for each in cells:
        if line and (len(line) == ORDERS_A_LINE or max(len(line[0]), len(each)) >= wide):
            yield _side_by_side(line, wide)
            line = []
        line.append(each)
    yield _side_by_side(line, wide)


def _side_by_side(cells: Iterable[str], wide: int) -> str:
    return "".join(each.ljust(wide) for each in cells).rstrip()


def text_table(rows: str) -> Markup:
    """Return a table of *rows*, one a line, whose cells end with a tab.

    Columns of numbers are aligned right; the last column is wrapped if it is too long.
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
        lines += _broken_row(padded, start)
    return _joined_lines(lines)


def _broken_row(row: Sequence[str], start: int) -> Iterator[str]:
    """Yield the lines of *row*, whose last cell begins in the column *start*."""
    head = "".join(f"{each}{GAP}" for each in row[:-1])
    cell = BEFORE_A_MARK.sub(NO_BREAK, row[-1].rstrip())
    for line in textwrap.wrap(cell, max(COLUMNS_MAX - start, LAST_MIN)) or [""]:
        yield f"{head}{line}".replace(NO_BREAK, " ").rstrip()
        head = " " * start


def _joined_lines(lines: Iterable[str]) -> Markup:
    return Markup("\n".join(lines) + "\n")  # noqa: S704 - of what is escaped already
