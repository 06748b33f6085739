"""The summary of a game in lists, so no list has to load the games in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from datetime import datetime

from judge.game.game_state import Game, Stage
from judge.game.players.standbys import standbys_wanted, vacancies
from judge.rules.board import Map
from judge.rules.types import Power


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary:
    """A game as lists show it; *ended* is when it ended.

    Before the start *joined* counts the players, and *places* those still to come. *players* also
    counts seats whose player has left. *standbys_wanted* counts the general standbys to ask.
    *origin* describes where a game began that was not created here.
    """

    name: str
    stage: Stage
    listed: bool
    variant: str
    board_digest: str
    zone: str
    comment: str
    phase: str | None
    deadline: datetime | None
    players: int
    joined: int
    places: int
    vacant: tuple[Power, ...]
    standbys_wanted: int
    moderator: str | None
    result: str | None
    winners: tuple[Power, ...]
    origin: Mapping[str, str | int | None] | None
    ended: datetime | None = None


def summarize(board: Map, game: Game, ended: datetime | None = None) -> GameSummary:
    """Return what lists say of *game*, which *ended* then."""
    seated = [seat.person for seat in game.seats.values() if seat.person]
    forming = game.stage is Stage.FORMING
    return GameSummary(
        name=game.name,
        stage=game.stage,
        listed=game.house_rules.listed,
        variant=game.variant,
        board_digest=game.board_digest,
        zone=game.house_rules.zone,
        comment=game.house_rules.comment,
        phase=game.position.phase.code if game.position else None,
        deadline=game.phase.deadline if game.phase else None,
        players=len(seated) or len(game.joined),
        joined=len(game.joined),
        places=len(board.players) - len(game.joined) if forming else 0,
        vacant=vacant_powers(board, game),
        standbys_wanted=standbys_wanted(game),
        moderator=game.moderator,
        result=game.ending.result if game.ending else None,
        winners=game.ending.winners if game.ending else (),
        origin=asdict(game.origin) if game.origin else None,
        ended=ended,
    )


def vacant_powers(board: Map, game: Game) -> tuple[Power, ...]:
    """Return the vacant powers that are not eliminated, in the order of *board*."""
    if game.stage is not Stage.PLAYING:
        return ()
    vacant = vacancies(game)
    return tuple(power for power in board.powers if power in vacant)
