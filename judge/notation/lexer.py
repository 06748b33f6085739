"""Characters to tokens: every dash a dash, and nothing lost of where a word stood."""

from __future__ import annotations

import re
from dataclasses import dataclass

# Mail programs make one dash of another: hyphens, dashes and minus of Unicode, arrows, and `=>`.
DASH = r"[-\u2010-\u2015\u2212\ufe58\ufe63\uff0d]"
ARROW = r"[>\u2190-\u21ff\u2794-\u27bf\u27f0-\u27ff\u00bb\u203a\u25b6\u25b8\u25ba]"
APOSTROPHE = r"['\u2018\u2019]"
TOKEN = re.compile(
    rf"(?P<word>[^\W_]+(?:{APOSTROPHE}[^\W_]+)*)"
    rf"|(?P<arrow>=*{DASH}*\s?{ARROW}+)"
    rf"|(?P<dash>{DASH}+)"
    r"|(?P<mark>[^\w\s])"
)
# Full stops, quotes, exclamation marks, emphasis and characters without width say nothing.
SILENT = frozenset(
    "._!\"'`\u2018\u2019\u201c\u201d\u2026\u00ab\u200b\u200c\u200d\u2060\ufeff\u00ad"
)


ELIDED = ("l'", "d'", "s'")  # French articles: `l'armée`


@dataclass(frozen=True, slots=True)
class Token:
    """A word or a mark: *text* as written, *key* in lower case, *column* in its line, from 1."""

    text: str
    key: str
    column: int


def tokenize(line: str, column: int = 1) -> tuple[Token, ...]:
    """Cut *line*, whose first character stands in *column*, into tokens."""
    return tuple(
        Token(found[0], _key(found), column + found.start())
        for found in TOKEN.finditer(line)
        if found[0] not in SILENT
    )


def _key(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "arrow":
            return "->"
        case "dash":
            return "-"
        case "word":
            plain = re.sub(APOSTROPHE, "'", found[0].casefold()).removesuffix("'s")
            return plain[2:] if plain.startswith(ELIDED) else plain
        case _:
            return found[0]
