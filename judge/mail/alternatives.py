"""Choose between the plain text and the HTML of one email.

Mail programs send one text in both forms. Plain text is wrapped, may lose tables and other parts,
or only refers to the HTML; HTML made from plain text may lose its lines. The two are compared by
their words and, where these agree, by their line ends, in linear time.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain

WRAPPED_MIN = 60  # characters; no mail program wraps text in fewer columns
BOILERPLATE_WORDS_MAX = 80
BOILERPLATE = re.compile(r"\b(html|mime|browser|text-only)\b", re.IGNORECASE)
# Only in one form: link targets, picture names, list bullets and numbers.
LINK = re.compile(r"[<(\[]?\b(?:https?://|mailto:|tel:)\S{1,2000}", re.IGNORECASE)
PICTURE = re.compile(r"\[(?:image|cid)\b[^\]\n]{0,200}\]", re.IGNORECASE)
BULLET = re.compile(r"\A\s*(?:\d{1,2}[.)]|[-*+•·o§])\s+")
WORD = re.compile(r"[^\W_]+")
GAP = re.compile(r"\s{2,}|\t")  # between the cells of a table
LOST = re.compile(r"[^\x00-\x7f]+|\?+")  # replacements that a wrong character set leaves
REPLACED = "\N{REPLACEMENT CHARACTER}"


@dataclass(frozen=True)
class Form:
    """One form of an email: its new *lines*, and its *old* ones (quotes and signature)."""

    lines: Sequence[str]
    old: Sequence[str] = ()

    @cached_property
    def words(self) -> Sequence[Sequence[str]]:
        """The words of each new line."""
        return [_words(line) for line in self.lines]

    @cached_property
    def text(self) -> str:
        """The new words, without spaces."""
        return "".join(map("".join, self.words))

    @cached_property
    def count(self) -> Counter[str]:
        """Return how often each new word occurs."""
        return Counter(chain.from_iterable(self.words))

    @cached_property
    def old_count(self) -> Counter[str]:
        """Return how often each old word occurs."""
        return Counter(word for line in self.old for word in _words(line))


def is_html_better(plain: Form, html: Form) -> bool:
    """Return whether to read *html*: it has lines or words that *plain* has lost."""
    if _is_boilerplate(plain, html):
        return True
    if _differ_by_charset(plain, html):
        return _damage(html) < _damage(plain)
    if plain.text == html.text:
        return _keeps_lines(plain, html)
    only_written, only_shown = plain.count - html.count, html.count - plain.count
    if not only_written:
        return bool(only_shown) and not _is_from(only_shown, plain)
    return _is_from(only_written, html) and not _is_from(only_shown, plain)


def is_same_text(plain: Form, html: Form) -> bool:
    """Return whether *plain* is only *html* wrapped, or only refers to it."""
    return plain.text == html.text or _is_boilerplate(plain, html)


def has_more_words(unread: Form, read: Form) -> bool:
    """Return whether *unread* has new words that *read* has nowhere."""
    return unread.text != read.text and bool(unread.count - read.count - read.old_count)


def have_same_lines(one: Form, other: Form) -> bool:
    """Return whether both have the same lines, apart from spaces and list marks."""
    return _text_lines(one.lines) == _text_lines(other.lines)


def _is_boilerplate(plain: Form, html: Form) -> bool:
    if not 0 < plain.count.total() <= BOILERPLATE_WORDS_MAX:
        return False
    names_html = any(BOILERPLATE.search(line) for line in plain.lines)
    return names_html and (html.count - plain.count).total() * 2 > html.count.total()


def _text_lines(lines: Sequence[str]) -> list[str]:
    cleaned = (" ".join(_without_marks(line).split()) for line in lines)
    return [line for line in cleaned if line]


def _without_marks(line: str) -> str:
    if ":" in line:
        line = LINK.sub(" ", line)
    if "[" in line:
        line = PICTURE.sub(" ", line)
    return BULLET.sub("", line, count=1)


def _words(line: str) -> list[str]:
    return WORD.findall(_without_marks(line).casefold())


def _is_from(words: Counter[str], form: Form) -> bool:
    """Return whether most of *words* are old in *form*, which shows that they are not new text."""
    return bool(words) and (words & form.old_count).total() * 2 >= words.total()


def _differ_by_charset(plain: Form, html: Form) -> bool:
    one, other = _signs(plain.lines), _signs(html.lines)
    return one != other and LOST.sub("?", one) == LOST.sub("?", other)


def _signs(lines: Sequence[str]) -> str:
    return "".join("".join(_without_marks(line).split()) for line in lines)


def _damage(form: Form) -> tuple[int, int, int]:
    signs = _signs(form.lines)
    return signs.count(REPLACED), signs.count("?"), len(signs)


def _keeps_lines(plain: Form, html: Form) -> bool:
    """Return whether *html*, with the same words, has line ends that *plain* has lost.

    If *html* has joined lines too, *plain* is better.
    """
    ends, html_ends = _line_ends(plain), _line_ends(html)
    lost_by_html = {at: end for at, end in ends.items() if at not in html_ends}
    lost_by_plain = {at: end for at, end in html_ends.items() if at not in ends}
    rows = _gaps(html.lines)
    if not all(at in rows for at in lost_by_html) and not _are_wrapped(lost_by_html):
        return False
    return bool(lost_by_html) or not _are_wrapped(lost_by_plain)


@dataclass(frozen=True, slots=True)
class _LineEnd:
    """The end of a line: its *length*, and that of the *next* word; None at a paragraph's end."""

    length: int
    next: int | None


def _line_ends(form: Form) -> dict[int, _LineEnd]:
    ends: dict[int, _LineEnd] = {}
    above, length, blank = 0, 0, False
    for line, words in zip(form.lines, form.words, strict=True):
        if not words:
            blank = True
            continue
        ends[above] = _LineEnd(length, None if blank else len(line.split(maxsplit=1)[0]))
        above += sum(map(len, words))
        length, blank = len(line.rstrip()), False
    ends.pop(0, None)
    return ends


def _gaps(lines: Sequence[str]) -> set[int]:
    gaps: set[int] = set()
    above = 0
    for line in lines:
        for cell in GAP.split(_without_marks(line)):
            above += sum(map(len, _words(cell)))
            gaps.add(above)
    return gaps


def _are_wrapped(ends: dict[int, _LineEnd]) -> bool:
    """Return whether all *ends* are where a program wraps: the next word never fitted."""
    if any(end.next is None for end in ends.values()):
        return False
    longest = max((end.length for end in ends.values()), default=0)
    room = min((end.length + (end.next or 0) for end in ends.values()), default=WRAPPED_MIN)
    return room >= max(longest, WRAPPED_MIN)
