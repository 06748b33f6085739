"""The end of a letter, where its writer's name stands: `Best,` and `Jean Dupont`, `-- Jean`.

No list has all names. What follows words of farewell, and is as short as one, is taken for one.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.masking import STRUCK

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

LINE_MAX = 60  # characters of a farewell, and of a name
FAREWELL = (
    r"(?:(?:with|my|very|all|the|kind|kindest|best|warm|warmest|many|most|yours|good|viele|liebe"
    r"|beste|schöne|mit|freundlichen|herzliche|bien|meilleures|mes) )*"
    r"(?:best|regards|wishes|greetings|cheers|yours|sincerely|truly|faithfully|respectfully"
    r"|cordially|thanks|thank you|thx|ciao|bye|love|luck|take care|see you|grüße|grüßen|gruß|gruss"
    r"|lg|mfg|vg|dein|deine|euer|ihr|danke|cordialement|amicalement|sincèrement|salutations"
    r"|à bientôt|à toi|à vous|bises|merci)"
)
ALONE = re.compile(rf"\s*{FAREWELL}\s*[,.!:-]*\s*", re.IGNORECASE)
BEFORE = re.compile(rf"\s*{FAREWELL}\s*(?:[,:!]|\s[-\u2013\u2014])\s*", re.IGNORECASE)
DASH = re.compile(r"\s*(?:-{1,3}|\u2014|\u2013|~|/)\s*(?=[A-Z])")
WORD = re.compile(r"[^\W\d_]+")
WORDS_MAX = 5  # of a name
PARTICLES = frozenset(("de", "la", "le", "von", "van", "der", "den", "of", "the"))


def unsigned(text: str, spared: Collection[str]) -> tuple[str, tuple[str, ...]]:
    """Return *text* without the names that it closes with, and these.

    What is made of the *spared* words alone, in small letters, is none.
    """
    lines = text.split("\n")
    written = [i for i, line in enumerate(lines) if line.strip()]
    struck: list[str] = []
    for at, i in enumerate(written):
        after = written[at + 1 : at + 2]
        closes = len(lines[i]) <= LINE_MAX and (not after or after[0] > i + 1)  # `PS:` may follow
        start = _start(lines, i, written[at - 1] if at else None) if closes else None
        if start is not None and _is_name(lines[i][start:], spared):
            struck.append(lines[i][start:].strip())
            lines[i] = lines[i][:start] + STRUCK
    return "\n".join(lines), tuple(struck)


def _start(lines: Sequence[str], i: int, above: int | None) -> int | None:
    """Return where in line *i* a name would begin: behind a farewell or a dash, or below one."""
    if found := BEFORE.match(lines[i]):
        return found.end()
    if above is None:
        return None
    if len(lines[above]) <= LINE_MAX and ALONE.fullmatch(lines[above]):
        return 0
    found = None if DASH.match(lines[above]) else DASH.match(lines[i])
    return found.end() if found else None


def _is_name(text: str, spared: Collection[str]) -> bool:
    """Say whether *text* is one word or a few with capital letters, some of them not *spared*."""
    words = WORD.findall(text)
    if not 0 < len(words) <= WORDS_MAX or any(mark in text for mark in '?:;()"0123456789'):
        return False
    written = all(word[0].isupper() or word in PARTICLES for word in words)
    known = all(word.casefold() in spared for word in words)
    return (written or len(words) == 1) and not known
