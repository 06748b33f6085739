"""Where a block of press may begin and where it ends, as far as that is seen without a board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.signatures import opens_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

CLOSINGS = ("ENDPRESS", "ENDBROADCAST")
OPENS = re.compile(
    r"\s*(?:(?:PREVIEW|POSTAL|GREY|GRAY|ANONYMOUS|UNSIGNED|WHITE|SIGNED)\s+)*(?:PRESS|BROADCAST)\b"
    r"(?P<plainly>\s*(?:$|[:-]|(?:TO|FROM|FAKE|GR[EA]Y|WHITE|QUIET)\b))?",
    re.IGNORECASE,
)
MAY_OPEN = re.compile(r"\s*(?:\S+\s+){0,2}(?:PRESS|BROADCAST)\b", re.IGNORECASE)


def closes_press(line: str) -> bool:
    """Say whether *line* is ENDPRESS, however it is spaced."""
    return "".join(line.upper().split()).strip(".") in CLOSINGS


def in_press(lines: Sequence[str], old: Sequence[bool]) -> list[bool]:
    """Say of each of *lines* whether it stands in a block of press that its writer typed.

    Both its first and its last line are new, and not among those that are *old*. What is marked
    as a quote between them belongs to the press. With ENDPRESS below, a line that begins with
    PRESS always opens a block (`press_lines.opening`), unless another plainly opens one below it.
    """
    inside = [False] * len(lines)
    start = None
    for i, line in enumerate(lines):
        if old[i]:
            continue
        if closes_press(line):
            if start is not None:
                inside[start : i + 1] = [True] * (i + 1 - start)
            start = None
        elif found := OPENS.match(line):
            start = i if start is None or found["plainly"] else start
    return inside


def signature_begins(lines: Sequence[str]) -> int:
    """Return where the signature of a mail begins: one inside a block of press ends only that."""
    closes = [closes_press(line) for line in lines]
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
