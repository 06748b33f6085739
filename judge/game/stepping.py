"""What those in charge do to the course of a game: take it back, put its board right."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from judge.events.changes import GameRolledBack, PositionCorrected
from judge.game.admission import unopened
from judge.game.closing import open_phase
from judge.game.decision import Accepted, Refused, Why
from judge.game.game import Game, Stage
from judge.game.steps import CorrectPosition, RollBack, Step
from judge.game.verdicts import position_to_payload
from judge.rules.geography import Map


def decide(board: Map, game: Game, command: Step, now: datetime) -> Accepted | Refused:
    """Do what somebody in charge asks."""
    match command:
        case RollBack():
            return _roll_back(game, command, now)
        case CorrectPosition():
            return _correct(board, game, command)
        case _:
            assert_never(command)


def _roll_back(game: Game, command: RollBack, now: datetime) -> Accepted | Refused:
    """Open an earlier phase again, also of a game that is over; it has its whole time again."""
    if game.stage is Stage.FORMING:
        return Refused(Why.NOT_STARTED)
    to = command.to
    if not to.undone:
        return Refused(Why.NOTHING_CHANGED)
    opened = open_phase(game, to.position, to.number, now)
    rolled_back = GameRolledBack(
        phase=opened.phase,
        version=to.version,
        number=to.number,
        position=opened.position,
        undone=to.undone,
        standing=to.standing if command.restore else {},
        nonces=to.nonces if command.restore else {},
        opened=opened.opened,
        deadline=opened.deadline,
        grace_end=opened.grace_end,
        reason=command.reason,
        by=command.by,
    )
    return Accepted((rolled_back,))


def _correct(board: Map, game: Game, command: CorrectPosition) -> Accepted | Refused:
    if why := unopened(game):
        return Refused(why)
    assert game.position is not None
    position = command.position
    if position.phase != game.position.phase:
        return Refused(Why.OTHER_PHASE)
    known = {unit.power for unit in position.units} | set(position.owners.values())
    if not known <= set(board.powers):
        return Refused(Why.UNKNOWN_POWER)
    if position == game.position:
        return Refused(Why.NOTHING_CHANGED)
    corrected = PositionCorrected(
        phase=position.phase.code,
        position=position_to_payload(position),
        reason=command.reason,
        by=command.by,
    )
    return Accepted((corrected,))
