"""Diaries and statements, as their readers get them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.reports.headings import heading_of

if TYPE_CHECKING:
    from judge.game.game_state import Game
    from judge.reports.greetings import Heading
    from judge.rules.board import Map
    from judge.rules.types import Power


@dataclass(frozen=True, slots=True)
class Note:
    """What the player of *by*, or the moderator (None), wrote; a note has *number* and *phase*."""

    by: Power | None
    lines: tuple[str, ...]
    number: int = 0
    phase: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memoirs:
    """What was written down of a game; its *notes* are the reader's *own*, or everybody's."""

    heading: Heading
    statements: tuple[Note, ...]
    notes: tuple[Note, ...]
    own: bool


def memoirs(
    board: Map,
    game: Game,
    statements: tuple[Note, ...],
    notes: tuple[Note, ...],
    *,
    own: bool,
    judge_code: str,
) -> Memoirs:
    """Show what was written down of *game*."""
    return Memoirs(
        heading=heading_of(board, game, judge_code), statements=statements, notes=notes, own=own
    )
