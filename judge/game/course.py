"""What is so after those in charge, or all players together, have changed how a game goes on."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias, assert_never

from judge.events.changes import GameRolledBack, PositionCorrected
from judge.game.game import Game, OpenPhase, Stage
from judge.game.instants import from_text
from judge.game.verdicts import position_from_payload

Change: TypeAlias = GameRolledBack | PositionCorrected


def changed(game: Game, event: Change) -> Game:
    """Return *game* as *event* leaves it."""
    match event:
        case GameRolledBack():
            return _rolled_back(game, event)
        case PositionCorrected(position=board):
            assert game.phase is not None, "the board of an open phase is put right"
            phase = replace(game.phase, standing={}, nonces={}, ready=frozenset())
            return replace(game, position=position_from_payload(board), phase=phase)
        case _:
            assert_never(event)


def _rolled_back(game: Game, event: GameRolledBack) -> Game:
    """Play on from the phase; who plays what stays as it is, and votes are forgotten."""
    return replace(
        game,
        stage=Stage.PLAYING,
        ending=None,
        position=position_from_payload(event.position),
        phase=OpenPhase(
            number=event.number,
            opened=from_text(event.opened),
            deadline=from_text(event.deadline),
            grace_end=from_text(event.grace_end),
            standing=dict(event.standing),
            nonces=dict(event.nonces),
        ),
        draw_votes=frozenset(),
        concessions={},
        replayed=frozenset((*game.replayed, *event.undone)),
    )
