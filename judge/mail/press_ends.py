"""Where a block of press may begin and where it ends, as far as that is seen without a board."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from judge.mail.signatures import opens_signature

if TYPE_CHECKING:
    from collections.abc import Sequence

CLOSINGS = ("ENDPRESS", "ENDBROADCAST")
MAY_OPEN = re.compile(r"\s*(?:\S+\s+){0,2}(?:PRESS|BROADCAST)\b", re.IGNORECASE)


def closes_press(line: str) -> bool:
    """Say whether *line* is ENDPRESS, however it is spaced."""
    return "".join(line.upper().split()).strip(".") in CLOSINGS


def signature_begins(lines: Sequence[str]) -> int:
    """Return where the signature of a mail begins: one inside a block of press ends only that."""
    closings = [i for i, line in enumerate(lines) if closes_press(line)]
    inside = False
    for i, line in enumerate(lines):
        if i in closings:
            inside = False
        elif closings and i < closings[-1] and MAY_OPEN.match(line):
            inside = True
        elif not inside and opens_signature(line):
            return i
    return len(lines)
