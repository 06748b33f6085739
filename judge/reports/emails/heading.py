"""The heading that every email begins with, and the head of a digest."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from judge.game.game_state import Game, Stage
from judge.rules.types import Phase

if TYPE_CHECKING:
    from datetime import datetime

    from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class Answer:
    """Where an answer to a mail goes, and the *tag* that its subject must have, if any."""

    address: str
    tag: str = ""


@dataclass(frozen=True, slots=True)
class Heading:
    """The lines that every mail begins with, and what its dates and places are named by.

    A mail to a stranger has neither game nor board; a game that forms or is over has no deadline.
    *answer* is None for what is answered in words only; *language* is the reader's. What is
    *gathered* may stand within another mail, so that a reply to that is no answer to it.
    """

    judge_code: str
    game: str | None = None
    board: Map | None = None
    anonymous: bool = False
    phase: Phase | None = None
    deadline: datetime | None = None
    zone: str = "UTC"
    over: bool = False
    answer: Answer | None = None
    language: str = "en"
    gathered: bool = False

    @property
    def deadline_code(self) -> str | None:
        """Return the phase as the deadline line shows it: with an X if the game is over."""
        if self.phase is None:
            return None
        return f"{self.phase.code}X" if self.over else self.phase.code


def heading_of(board: Map, game: Game, judge_code: str) -> Heading:
    """Return the heading of a mail that is sent while *game* stands as it does."""
    return Heading(
        judge_code,
        game=game.name,
        board=board,
        anonymous=game.house_rules.anonymous,
        phase=game.position.phase if game.position else None,
        deadline=game.phase.deadline if game.phase else None,
        zone=game.house_rules.zone,
        over=game.stage is Stage.ENDED,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """Mails with these *subjects*, of so many *games*, stand below."""

    heading: Heading
    subjects: tuple[str, ...]
    games: int


def digest_heading(heading: Heading, subjects: Sequence[str], games: int) -> Digest:
    """Tell which mails follow."""
    return Digest(heading=heading, subjects=tuple(subjects), games=games)
