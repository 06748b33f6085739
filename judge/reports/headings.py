"""The first lines of a mail about a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.game_state import Game, Stage
from judge.reports.greetings import Heading

if TYPE_CHECKING:
    from judge.rules.board import Map


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
