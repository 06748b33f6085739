"""Where a signature begins; nothing below it counts, whatever it holds."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.phrases import MAILERS, NOTICE_STARTS, SENT, SIGNATURE_STARTS

if TYPE_CHECKING:
    from collections.abc import Sequence

DELIMITERS = ("--", "—", "–")  # noqa: RUF001 - phones turn two hyphens into a dash
BEFORE_MARK = " \t-\u2013\u2014|*_(["
CAPITAL = re.compile(
    rf"(?<=\S)[{re.escape(BEFORE_MARK)}]*\s[{re.escape(BEFORE_MARK)}]*(?=[^\W\d_a-z][a-z\u00e9])"
)
MARKED_MAX = 300  # characters of a line in which the mark of a phone begins
WORDS_MAX = 12  # `Sent from my iPhone` and its like; a longer line is a sentence of its writer's.


def opens_signature(line: str) -> bool:
    """Say whether a signature, the mark of a phone or a company's notice begins with *line*."""
    written = line.strip()
    start = written[:100].casefold().lstrip("*_ ")
    if written in DELIMITERS or start.startswith(NOTICE_STARTS):
        return True
    return _is_mark(written) and mark_behind(written) == len(written)


def _is_mark(written: str) -> bool:
    start = written[:100].casefold().lstrip("*_ ")
    words = [word.strip(".*_()") for word in written[:500].casefold().split()]
    if not words or len(words) > WORDS_MAX:
        return False
    return start.startswith(SIGNATURE_STARTS) or _names_its_mailer(words)


def mark_behind(line: str) -> int:
    """Return where the mark of a phone begins behind other words of *line*, its end if none does.

    `A Par-Bur Sent from my iPhone` is what is left of a mail of one line.
    """
    starts = (found.start() for found in CAPITAL.finditer(line[:MARKED_MAX]))
    marks = (at for at in starts if _begins_mark(line[at:].lstrip(BEFORE_MARK)))
    return next(marks, len(line))


def _begins_mark(text: str) -> bool:
    start = text[:100].casefold()
    sent = start.startswith(SIGNATURE_STARTS) or start.split()[0] in SENT
    return sent and _is_mark(text)


def _names_its_mailer(words: Sequence[str]) -> bool:
    """Tell `Sent from Mailspring`, however its words are turned: `Von Yahoo Mail gesendet`."""
    line = " ".join(words)
    return not SENT.isdisjoint((words[0], words[-1])) and any(each in line for each in MAILERS)
