"""Where games stand, for those who ask."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.game import Game, SeatState, Stage
from judge.reports.contexts import GameLine, GameList, Heading, Status
from judge.reports.headings import heading_of
from judge.reports.starts import shown_handles
from judge.reports.states import state_of
from judge.reports.year_ends import year_end

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from judge.rules.geography import Map
    from judge.rules.vocabulary import Power


def games(listed: Iterable[tuple[Map, Game]], *, judge_code: str) -> GameList:
    """List those of the games, each with its board, that anybody may know of."""
    lines = (_line(board, game) for board, game in listed if game.house_rules.listed)
    return GameList(heading=Heading(judge_code), games=tuple(lines))


def status(
    board: Map,
    game: Game,
    reader: Power | None,
    handles: Mapping[Power, str],
    *,
    judge_code: str,
) -> Status:
    """Say where *game* stands, with what stands for *reader* and for nobody else."""
    forming = game.stage is Stage.FORMING
    return Status(
        heading=heading_of(board, game, judge_code),
        handles=shown_handles(board, game, handles),
        missing_players=len(board.powers) - len(game.joined) if forming else 0,
        position=game.position,
        late=tuple(each for each in board.powers if game.phase and each in game.phase.late),
        vacant=_vacant(board, game),
        year_end=year_end(board, game.position) if game.position else None,
        state=state_of(board, game, reader) if reader else None,
        ending=game.ending,
    )


def _line(board: Map, game: Game) -> GameLine:
    forming = game.stage is Stage.FORMING
    return GameLine(
        name=game.name,
        variant=game.variant,
        phase=game.position.phase if game.position else None,
        deadline=game.phase.deadline if game.phase else None,
        zone=game.house_rules.zone,
        over=game.stage is Stage.ENDED,
        places=len(board.powers) - len(game.joined) if forming else 0,
        vacant=tuple(board.nations[power].name for power in _vacant(board, game)),
    )


def _vacant(board: Map, game: Game) -> tuple[Power, ...]:
    """Return the powers that somebody may take over."""
    return tuple(
        power
        for power in board.powers
        if power in game.seats and game.seats[power].state is not SeatState.PLAYED
    )
