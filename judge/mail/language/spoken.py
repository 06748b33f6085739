"""Where in a mail something is said."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Where something is said, *line* counted from 1 in the decoded body."""

    line: int
    text: str = field(repr=False)
