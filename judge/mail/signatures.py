"""Where a signature begins; nothing below it counts, whatever it holds."""

from __future__ import annotations

from judge.mail.phrases import NOTICE_STARTS, SIGNATURE_STARTS

DELIMITERS = ("--", "—", "–")  # noqa: RUF001 - phones turn two hyphens into a dash
WORDS_MAX = 12  # `Sent from my iPhone` and its like; a longer line is a sentence of its writer's.


def opens_signature(line: str) -> bool:
    """Say whether a signature, the mark of a phone or a company's notice begins with *line*."""
    written = line.strip()
    start = written[:100].casefold().lstrip("*_ ")
    if written in DELIMITERS or start.startswith(NOTICE_STARTS):
        return True
    return start.startswith(SIGNATURE_STARTS) and len(written[:500].split()) <= WORDS_MAX
