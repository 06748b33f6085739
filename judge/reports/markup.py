"""The formats of forums, pages and typesetters, and what keeps text from being read as markup.

A template in one of these formats escapes what it prints, whatever that is; only what macros
make is markup already.
"""

from __future__ import annotations

import re
from functools import cache, partial
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from judge.reports.languages import SOURCE, template_words
from judge.reports.layout import columns, dense, grid, listed, rule
from judge.reports.render import environment

if TYPE_CHECKING:
    from collections.abc import Callable

    from jinja2 import Environment, Template

WORD_JOINER = "\N{WORD JOINER}"  # is not seen, and keeps what it parts from being a tag
MARKDOWN = re.compile(r"[\\`*_\[\]<>|~&$]|^\s*(?:[-+=#]|\d+[.)])")
TYPST = re.compile(r"[!-/:-@\[-`{-~]")  # every sign of ASCII: none of them is a letter of its own
FENCE_MIN = 3


def plain(text: str) -> str:
    """Return *text* on one line, without what a terminal obeys."""
    return "".join(each if each.isprintable() else " " for each in text)


def markdown(text: str) -> str:
    """Return *text* so that CommonMark and GitHub print it as it is."""
    return MARKDOWN.sub(_with_backslash, plain(text))


def _with_backslash(found: re.Match[str]) -> str:
    sign = found[0].lstrip()
    return f"{sign[:-1]}\\{sign[-1]}"


def bbcode(text: str) -> str:
    """Return *text* without tags: there is no sign in BBCode by which one could be escaped."""
    return plain(text).replace("[", f"[{WORD_JOINER}")


def html(text: str) -> str:
    """Return *text* so that a browser prints it as it is."""
    return str(escape(plain(text)))


def typst(text: str) -> str:
    """Return *text* so that Typst prints it as it is: behind a backslash any sign is only that."""
    return TYPST.sub(r"\\\g<0>", plain(text))


FORMATS: dict[str, Callable[[str], str]] = {
    "text": plain,
    "markdown": markdown,
    "bbcode": bbcode,
    "html": html,
    "docx": html,  # which is made of HTML
    "pdf": typst,
}


def template_in(form: str, name: str, language: str) -> Template:
    """Return the template *name*, which writes *language* in the format *form*."""
    return environment_of(form, language).get_template(name)


@cache
def environment_of(form: str, language: str = SOURCE) -> Environment:
    """Return what reads the templates of reports in *form*, and escapes what they print.

    They say in *language* what they say.
    """
    escaped, whole = partial(_escaped, FORMATS[form]), environment(language)
    overlaid = whole.overlay(autoescape=True, finalize=escaped)
    overlaid.globals = whole.globals | template_words(language, escaped)
    overlaid.filters = whole.filters | {
        "columns": columns,
        "dense": dense,
        "grid": grid,
        "listed": listed,
        "rule": rule,
        "as_it_is": as_it_is,
        "fence": fence,
        "typst_string": typst_string,
    }
    return overlaid


def _escaped(escaping: Callable[[str], str], value: object) -> Markup:
    """Return *value* as it is printed: what is markup stays as it is."""
    return value if isinstance(value, Markup) else Markup(escaping(str(value)))  # noqa: S704


def as_it_is(text: str) -> Markup:
    """Return *text* for a place where nothing is markup."""
    return Markup(plain(text))  # noqa: S704


def fence(text: str) -> str:
    """Return what stands around *text* in Markdown, so that no line of it ends the block."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    return "`" * max(FENCE_MIN, longest + 1)


def typst_string(text: str) -> Markup:
    """Return *text* as a string of Typst's code."""
    quoted = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return Markup(f'"{quoted}"')  # noqa: S704
