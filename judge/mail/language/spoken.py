"""Where in a mail something is said."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.rules.board import Map

GAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Spoken:
    """Where something is said, *line* counted from 1 in the decoded body."""

    line: int
    text: str = field(repr=False)


Maker: TypeAlias = Callable[..., Spoken]  # Wants only the line and its text.
Reader: TypeAlias = Callable[[list[str], Map], Maker | None]
