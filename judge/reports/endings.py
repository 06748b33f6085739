"""The last mail of a game."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from judge.reports.contexts import GameOver
from judge.reports.headings import heading_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from judge.game.game_state import Game
    from judge.rules.board import Map
    from judge.rules.types import Position, Power


def game_over(
    board: Map,
    game: Game,
    centers: Mapping[int, Mapping[Power, int]],
    *,
    judge_code: str,
    was_due: datetime | None = None,
) -> GameOver:
    """Tell everybody how *game* ended; *centers* are those of each power by year.

    The phase that was open when it ended *was_due* then.
    """
    assert game.ending is not None, "the game is over"
    return GameOver(
        heading=heading_of(board, game, judge_code),
        ending=game.ending,
        was_due=was_due,
        centers=centers,
    )


def centers_by_year(
    start: Position, positions: Iterable[Position]
) -> Mapping[int, Mapping[Power, int]]:
    """Count the centers at the end of each year, and of the last as far as it went.

    *positions* are those of each phase, in order.
    """
    held = {start.phase.year - 1: Counter(start.owners.values())}
    for position in positions:
        if not position.owners:
            continue  # Some records do not tell who owned what.
        spring = position.phase.season.value == "S"
        held[position.phase.year - spring] = Counter(position.owners.values())
    return held
