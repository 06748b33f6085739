"""News of a game that changes its course or its table: one frozen class a kind, in one mail."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge.reports.duties import Duty, duty_of
from judge.reports.headings import heading_of

if TYPE_CHECKING:
    from judge.game.game import Game
    from judge.reports.greetings import Heading
    from judge.rules.geography import Map
    from judge.rules.vocabulary import Power


@dataclass(frozen=True, slots=True)
class RolledBack:
    """Play goes on from an earlier phase; *undone* were played, and *letters* read, since then.

    *restored* says whether the orders of then stand again.
    """

    undone: tuple[str, ...]
    letters: int
    reason: str
    restored: bool


@dataclass(frozen=True, slots=True)
class Corrected:
    """The board was put right by hand."""

    reason: str


News: TypeAlias = RolledBack | Corrected


@dataclass(frozen=True, slots=True, kw_only=True)
class TableNews:
    """*news* of a game, and what the reader has to order now, if that changes with it."""

    heading: Heading
    news: News
    duty: Duty | None = None


def table_news(
    board: Map, game: Game, reader: Power | None, news: News, *, judge_code: str
) -> TableNews:
    """Tell *reader* the *news* of *game*."""
    position = game.position if reader and isinstance(news, RolledBack | Corrected) else None
    duty = duty_of(board, position, reader) if position and reader else None
    return TableNews(heading=heading_of(board, game, judge_code), news=news, duty=duty)
