"""The head of a mail in which others stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from judge.reports.greetings import Heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Mails with these *subjects*, of so many *games*, stand below."""

    heading: Heading
    subjects: tuple[str, ...]
    games: int


def digest(heading: Heading, subjects: Sequence[str], games: int) -> Digest:
    """Tell which mails follow."""
    return Digest(heading=heading, subjects=tuple(subjects), games=games)
