"""Find the signature of an email, the mark of its mail program and a company's notice."""

# ruff: noqa: RUF001 - some of the languages are written in Cyrillic

from __future__ import annotations

import re
from collections.abc import Sequence

from judge.mail.quotes import MAY_OPEN, ends_press
from judge.mail.words import phrases


def signature_begins(lines: Sequence[str]) -> int:
    """Return the index of the first line of the signature; one inside press does not count."""
    closes = [ends_press(line) for line in lines]
    last = max((i for i, closing in enumerate(closes) if closing), default=-1)
    inside = False
    for i, line in enumerate(lines):
        if closes[i]:
            inside = False
        elif i < last and MAY_OPEN.match(line):
            inside = True
        elif not inside and opens_signature(line):
            return i
    return len(lines)


DELIMITERS = ("--", "—", "–")
BEFORE_MARK = " \t-\u2013\u2014|*_(["
CAPITAL = re.compile(
    rf"(?<=\S)[{re.escape(BEFORE_MARK)}]*\s[{re.escape(BEFORE_MARK)}]*(?=[^\W\d_a-z][a-z\u00e9])"
)
MARKED_MAX = 300  # where a phone's mark may begin in a line, in characters
WORDS_MAX = 12  # `Sent from my iPhone` and the like; a longer line is a sentence of the sender.


def opens_signature(line: str) -> bool:
    """Return whether *line* begins a signature, a client mark or a company's notice."""
    written = line.strip()
    start = written[:100].casefold().lstrip("*_ ")
    if written in DELIMITERS or start.startswith(NOTICE_STARTS):
        return True
    return _is_client_mark(written) and client_mark_after(written) == len(written)


def _is_client_mark(written: str) -> bool:
    start = written[:100].casefold().lstrip("*_ ")
    words = written[:500].casefold().split(maxsplit=WORDS_MAX)
    if not words or len(words) > WORDS_MAX:
        return False
    return start.startswith(SIGNATURE_STARTS) or _names_its_mailer(words)


def client_mark_after(line: str) -> int:
    """Return the offset of a client mark after other words in *line*; its end if there is none.

    `A Par-Bur Sent from my iPhone` is what some clients leave of a one-line email.
    """
    starts = (found.start() for found in CAPITAL.finditer(line[:MARKED_MAX]))
    marks = (at for at in starts if _begins_mark(line[at:].lstrip(BEFORE_MARK)))
    return next(marks, len(line))


def _begins_mark(text: str) -> bool:
    start = text[:100].casefold()
    sent = start.startswith(SIGNATURE_STARTS) or start.split()[0] in SENT
    return sent and _is_client_mark(text)


def _names_its_mailer(words: Sequence[str]) -> bool:
    if SENT.isdisjoint(word.strip(".*_()") for word in (words[0], words[-1])):
        return False
    line = " ".join(word.strip(".*_()") for word in words)
    return any(each in line for each in MAILERS)


SENT = frozenset(phrases("sent"))
MAILERS = phrases("mailers")
SIGNATURE_STARTS = phrases("signature_starts")
NOTICE_STARTS = phrases("notice_starts")
