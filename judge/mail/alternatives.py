"""Which form of an email is read, if it has two: its plain text or its HTML.

Mail programs send both, and mean the same. Plain text is wrapped at a column, loses tables and
parts of the text, or says only that there is HTML; HTML made of a plain text may lose its lines.
Each form is compared with the other by its words, and where these agree, by where its lines end.
The time is linear in the length of both.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

WRAPPED_MIN = 60  # characters; no mail program wraps text in fewer columns
BOILERPLATE_WORDS_MAX = 80
BOILERPLATE = re.compile(r"\b(html|mime|browser|text-only)\b", re.IGNORECASE)
# What only one form has: targets of links, names of pictures, the number or dot of a list's item.
LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:)\S{1,2000}", re.IGNORECASE)
PICTURE = re.compile(r"\[(?:image|cid)\b[^\]\n]{0,200}\]", re.IGNORECASE)
BULLET = re.compile(r"\A\s*(?:\d{1,2}[.)]|[-*+•·o§])\s+")
WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"\s{2,}|\t")  # between the cells of a table
LOST = re.compile(r"[^\x00-\x7f]+|\?+")  # what a wrong character set makes of letters
REPLACED = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True, slots=True)
class Form:
    """One form of an email: its new *lines*, and its *old* ones (quotes and signature)."""

    lines: Sequence[str]
    old: Sequence[str] = ()


def is_html_better(plain: Form, html: Form) -> bool:
    """Return whether *html* is to be read: it has lines or words that *plain* has lost."""
    written, shown = _count(plain.lines), _count(html.lines)
    if _is_boilerplate(plain, html):
        return True
    if _differ_by_charset(plain, html):
        return _damage(html) < _damage(plain)
    if _text(plain.lines) == _text(html.lines):
        return _keeps_lines(plain.lines, html.lines)
    only_written, only_shown = written - shown, shown - written
    if not only_written:
        return bool(only_shown) and not _is_from(only_shown, plain.old)
    return _is_from(only_written, html.old) and not _is_from(only_shown, plain.old)


def says_nothing_else(plain: Form, html: Form) -> bool:
    """Return whether *plain*, which is not read, is only wrapped, or says that there is *html*."""
    return _text(plain.lines) == _text(html.lines) or _is_boilerplate(plain, html)


def has_more_words(unread: Form, read: Form) -> bool:
    """Return whether *unread* has new words that *read* has nowhere."""
    if _text(unread.lines) == _text(read.lines):
        return False
    return bool(_count(unread.lines) - _count(read.lines) - _count(read.old))


def have_same_lines(one: Form, other: Form) -> bool:
    """Return whether both say the same in the same lines, but for spaces and marks of lists."""
    return _said(one.lines) == _said(other.lines)


def _is_boilerplate(plain: Form, html: Form) -> bool:
    """Tell `Your mail program cannot show HTML` in place of what *html* says."""
    words = _count(plain.lines)
    if not words or words.total() > BOILERPLATE_WORDS_MAX:
        return False
    names_html = any(BOILERPLATE.search(line) for line in plain.lines)
    shown = _count(html.lines)
    return names_html and (shown - words).total() * 2 > shown.total()


def _said(lines: Sequence[str]) -> list[str]:
    said = (" ".join(_bare(line).split()) for line in lines)
    return [line for line in said if line]


def _bare(line: str) -> str:
    """Return *line* without what only one form of an email has."""
    return BULLET.sub("", PICTURE.sub(" ", LINK.sub(" ", line)), count=1)


def _words(line: str) -> list[str]:
    return WORD.findall(_bare(line).casefold())


def _text(lines: Sequence[str]) -> str:
    """Return the letters and digits of *lines*, without any space."""
    return "".join(word for line in lines for word in _words(line))


def _count(lines: Sequence[str]) -> Counter[str]:
    return Counter(word for line in lines for word in _words(line))


def _is_from(words: Counter[str], old: Sequence[str]) -> bool:
    """Return whether most of *words* stand in *old*: one form says that they are no new text."""
    return bool(words) and (words & _count(old)).total() * 2 >= words.total()


def _differ_by_charset(plain: Form, html: Form) -> bool:
    one, other = _signs(plain.lines), _signs(html.lines)
    return one != other and LOST.sub("?", one) == LOST.sub("?", other)


def _signs(lines: Sequence[str]) -> str:
    return "".join("".join(_bare(line).split()) for line in lines)


def _damage(form: Form) -> tuple[int, int, int]:
    """Count what a wrong character set left: marks of replacement, `?`, letters for one letter."""
    signs = _signs(form.lines)
    return signs.count(REPLACED), signs.count("?"), len(signs)


def _keeps_lines(plain: Sequence[str], html: Sequence[str]) -> bool:
    """Return whether *html*, of the same words, has lines that *plain* wraps or runs together.

    Where it has run lines together itself, *plain* is better.
    """
    ends, html_ends = _line_ends(plain), _line_ends(html)
    lost_by_html = {at: end for at, end in ends.items() if at not in html_ends}
    lost_by_plain = {at: end for at, end in html_ends.items() if at not in ends}
    rows = _gaps(html)
    if not all(at in rows for at in lost_by_html) and not _are_wrapped(lost_by_html):
        return False
    return bool(lost_by_html) or not _are_wrapped(lost_by_plain)


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a line: its *length*, and that of the *next* word, None in the next paragraph."""

    length: int
    next: int | None


def _line_ends(lines: Sequence[str]) -> dict[int, _End]:
    """Give each end of a line by how many letters and digits stand above it, but the last."""
    ends: dict[int, _End] = {}
    above, length, blank = 0, 0, False
    for line in lines:
        words = _words(line)
        if not words:
            blank = True
            continue
        ends[above] = _End(length, None if blank else len(line.split(maxsplit=1)[0]))
        above += sum(map(len, words))
        length, blank = len(line.rstrip()), False
    ends.pop(0, None)
    return ends


def _gaps(lines: Sequence[str]) -> set[int]:
    """Return how many letters and digits stand above each gap between two cells of a table."""
    gaps: set[int] = set()
    above = 0
    for line in lines:
        for cell in GAP.split(_bare(line)):
            above += sum(map(len, _words(cell)))
            gaps.add(above)
    return gaps


def _are_wrapped(ends: dict[int, _End]) -> bool:
    """Return whether all *ends* are where a program breaks lines: no other word had room there."""
    if any(end.next is None for end in ends.values()):
        return False
    longest = max((end.length for end in ends.values()), default=0)
    room = min((end.length + (end.next or 0) for end in ends.values()), default=WRAPPED_MIN)
    return room >= max(longest, WRAPPED_MIN)
