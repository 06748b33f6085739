"""The one question to a game: what follows from a command, or why nothing does."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from judge.game import clock, entry, memoirs, ordering, planning, press, stepping, voting, wishing
from judge.game.commands import (
    ClearOrders,
    ClearPlan,
    Coming,
    Command,
    CreateGame,
    Memorable,
    MoveDeadline,
    MoveGrace,
    PlanOrders,
    PlanWait,
    ProcessNow,
    Resume,
    SendPress,
    SetReady,
    SetWait,
    SubmitOrders,
    Tick,
    ViewOrders,
    Vote,
)
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game
from judge.game.steps import Step, Wish
from judge.rules.board import Map


def decide(board: Map, game: Game | None, command: Command, now: datetime) -> Accepted | Refused:
    """Return what happens to *game*, None if there is none yet, when *command* is put at *now*.

    A `Tick` that finds nothing due is accepted without events.
    """
    if isinstance(command, CreateGame):
        return Refused(Why.GAME_EXISTS) if game else entry.create(board, command, now)
    if game is None:
        return Refused(Why.NO_SUCH_GAME)
    match command:
        case command if isinstance(command, Coming):
            answer = entry.decide(board, game, command, now)
        case SubmitOrders() | ClearOrders() | SetWait() | SetReady():
            answer = ordering.decide(board, game, command)
        case PlanOrders() | ClearPlan() | PlanWait():
            answer = planning.decide(board, game, command)
        case vote if isinstance(vote, Vote):
            answer = voting.decide(board, game, vote)
        case written if isinstance(written, SendPress | Memorable):
            answer = _write(board, game, written)
        case Tick() | MoveDeadline() | MoveGrace() | ProcessNow() | Resume() | ViewOrders():
            answer = clock.decide(board, game, command, now)
        case step if isinstance(step, Step | Wish):
            answer = _step(board, game, step, now)
        case _:
            assert_never(command)
    return answer


def _write(board: Map, game: Game, written: SendPress | Memorable) -> Accepted | Refused:
    if isinstance(written, SendPress):
        return press.decide(board, game, written)
    return memoirs.decide(game, written)


def _step(board: Map, game: Game, step: Step | Wish, now: datetime) -> Accepted | Refused:
    if isinstance(step, Step):
        return stepping.decide(board, game, step, now)
    return wishing.decide(game, step, now)
