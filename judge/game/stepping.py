"""What those in charge do to a game: take it back, pause it, change its rules, end it."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from functools import reduce
from typing import TypeAlias, assert_never

from judge.events.changes import (
    ExtensionRefused,
    GamePaused,
    GameResumed,
    GameRolledBack,
    GameRolledForward,
    GameUnstarted,
    HouseRulesChanged,
    ModeratorChanged,
    ObserverCame,
    PositionCorrected,
)
from judge.events.types import CivilDisorderDeclared, DeadlineMoved, GameEnded, PowerVacated
from judge.game import calendar, house_rules
from judge.game.admission import unopened
from judge.game.closing import open_phase
from judge.game.decision import Accepted, Refused, Why
from judge.game.endings import concluded
from judge.game.entry import vacate
from judge.game.game import Game, SeatState, Stage
from judge.game.instants import to_text
from judge.game.state import _seated
from judge.game.steps import (
    AnswerExtension,
    ChangeRules,
    CorrectPosition,
    Eject,
    GoOn,
    HandOver,
    MakeDummy,
    Pause,
    RollBack,
    RollForward,
    Step,
    Terminate,
    Unstart,
)
from judge.game.verdicts import position_to_payload
from judge.rules.board import Map

# What is done to an open phase.
Play: TypeAlias = CorrectPosition | Pause | GoOn | Terminate | Eject | MakeDummy | AnswerExtension
ASKED = "asked"  # The reason of a deadline moved because a player asked for it.
# What was promised at the start stays so.
SECRECY = ("anonymous", "reveal", "blind", "moderator_sees", "publish_press", "publish_diaries")


def decide(board: Map, game: Game, command: Step, now: datetime) -> Accepted | Refused:
    """Do what somebody in charge asks."""
    match command:
        case RollBack():
            return _roll_back(game, command, now)
        case RollForward():
            return _roll_forward(game, command, now)
        case Unstart():
            return _unstart(game, command)
        case ChangeRules():
            return _change_rules(game, command)
        case HandOver():
            return _hand_over(game, command)
        case (
            CorrectPosition()
            | Pause()
            | GoOn()
            | Terminate()
            | Eject()
            | MakeDummy()
            | AnswerExtension()
        ):
            why = unopened(game)
            return Refused(why) if why else _in_play(board, game, command, now)
        case _:
            assert_never(command)


def _in_play(
    board: Map,
    game: Game,
    command: Play,
    now: datetime,
) -> Accepted | Refused:
    assert game.position is not None
    phase = game.position.phase.code
    match command:
        case CorrectPosition():
            return _correct(board, game, command)
        case Pause() | GoOn():
            return _pause(game, phase, command, now)
        case Terminate():
            return Accepted((GameEnded(phase, "abandoned", ()),))
        case Eject():
            return _eject(board, game, command, now)
        case MakeDummy():
            return _make_dummy(board, game, command, now)
        case AnswerExtension():
            return _answer(game, command)
        case _:
            assert_never(command)


def _pause(game: Game, phase: str, command: Pause | GoOn, now: datetime) -> Accepted | Refused:
    match command:
        case Pause():
            if game.paused is not None:
                return Refused(Why.NOTHING_CHANGED)
            return Accepted((GamePaused(phase, to_text(now), command.reason, command.by),))
        case GoOn():
            if game.paused is None:
                return Refused(Why.NOT_PAUSED)
            return Accepted((go_on(game, command.by, now),))
        case _:
            assert_never(command)


def go_on(game: Game, by: str | None, now: datetime) -> GameResumed:
    """Let the paused *game* go on with the time that was left."""
    assert game.phase is not None
    assert game.position is not None
    assert game.paused is not None
    lost = now - game.paused
    return GameResumed(
        phase=game.position.phase.code,
        at=to_text(now),
        deadline=to_text(game.phase.deadline if game.phase.passed else game.phase.deadline + lost),
        grace_end=to_text(game.phase.grace_end + lost),
        by=by,
    )


def _roll_back(game: Game, command: RollBack, now: datetime) -> Accepted | Refused:
    """Open an earlier phase again, also of a game that is over; it has its whole time again."""
    if game.stage is Stage.FORMING:
        return Refused(Why.NOT_STARTED)
    to = command.to
    if not to.undone:
        return Refused(Why.NOTHING_PLAYED)
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


def _roll_forward(game: Game, command: RollForward, now: datetime) -> Accepted | Refused:
    """Open again the phase that was open when the game was taken back; it has its whole time."""
    if why := unopened(game):
        return Refused(why)
    to = command.to
    opened = open_phase(game, to.position, to.number, now)
    rolled_forward = GameRolledForward(
        phase=opened.phase,
        version=to.version,
        number=to.number,
        position=opened.position,
        redone=to.redone,
        standing=to.standing,
        nonces=to.nonces,
        opened=opened.opened,
        deadline=opened.deadline,
        grace_end=opened.grace_end,
        reason=command.reason,
        by=command.by,
    )
    return Accepted((rolled_forward,))


def _unstart(game: Game, command: Unstart) -> Accepted | Refused:
    """Let a game form again of which nothing was played, here or elsewhere."""
    if why := unopened(game):
        return Refused(why)
    assert game.phase is not None
    if game.phase.number > 1 or game.origin or game.replayed:
        return Refused(Why.PLAYED_ON)
    return Accepted((GameUnstarted(command.reason, command.by),))


def _correct(board: Map, game: Game, command: CorrectPosition) -> Accepted | Refused:
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


def _change_rules(game: Game, command: ChangeRules) -> Accepted | Refused:
    """Let other rules hold; who sees what is promised when the game starts."""
    if game.stage is Stage.ENDED:
        return Refused(Why.GAME_OVER)
    before, after = map(house_rules.to_payload, (game.house_rules, command.house_rules))
    if before == after:
        return Refused(Why.NOTHING_CHANGED)
    if not calendar.sound(command.house_rules):
        return Refused(Why.BAD_HOUSE_RULES)
    begun = game.stage is Stage.PLAYING or game.unstarted
    if begun and any(before[key] != after[key] for key in SECRECY):
        return Refused(Why.ALREADY_STARTED)
    return Accepted((HouseRulesChanged(after, command.by),))


def _hand_over(game: Game, command: HandOver) -> Accepted | Refused:
    """Give the game another moderator: not one who may not learn who plays what, and where.

    Who moderated it looks on from then, if anybody may.
    """
    if command.person == game.moderator:
        return Refused(Why.NOTHING_CHANGED)
    plays = any(seat.person == command.person for seat in game.seats.values())
    if (game.house_rules.anonymous or game.house_rules.blind) and (
        plays or command.person in game.joined
    ):
        return Refused(Why.NOT_ALLOWED)
    changed, last = ModeratorChanged(command.person, command.by), game.moderator
    if last is None or not game.house_rules.observers or replace(game, moderator=None).knows(last):
        return Accepted((changed,))
    return Accepted((changed, ObserverCame(last)))


def _eject(board: Map, game: Game, command: Eject, now: datetime) -> Accepted | Refused:  # noqa: ARG001 - as every decider has it
    seat = game.seats.get(command.power)
    if seat is None:
        return Refused(Why.UNKNOWN_POWER)
    if seat.state is not SeatState.PLAYED:
        return Refused(Why.NOTHING_CHANGED)
    left = vacate(game, command.power, "ejected", now)
    ended = concluded(_seated(game, left))
    return Accepted((left, ended) if ended else (left,))


def _make_dummy(board: Map, game: Game, command: MakeDummy, now: datetime) -> Accepted | Refused:  # noqa: ARG001 - as every decider has it
    seat = game.seats.get(command.power)
    if seat is None:
        return Refused(Why.UNKNOWN_POWER)
    assert game.position is not None
    declared = CivilDisorderDeclared(command.power, game.position.phase.code)
    events: tuple[PowerVacated | CivilDisorderDeclared, ...] = (declared,)
    match seat.state:
        case SeatState.PLAYED:
            events = (vacate(game, command.power, "ejected", now), declared)
        case SeatState.VACANT:
            pass
        case SeatState.CIVIL_DISORDER:
            return Refused(Why.NOTHING_CHANGED)
        case _:
            assert_never(seat.state)
    ended = concluded(reduce(_seated, events, game))
    return Accepted((*events, ended) if ended else events)


def _answer(game: Game, command: AnswerExtension) -> Accepted | Refused:
    assert game.position is not None
    assert game.phase is not None
    hours = game.phase.asked.get(command.power)
    phase = game.position.phase.code
    if hours is None:
        return Refused(Why.NO_REQUEST)
    if not command.granted:
        return Accepted((ExtensionRefused(command.power, phase, command.by),))
    deadline = calendar.deadline(game.phase.deadline, hours, game.house_rules)
    grace_end = calendar.grace_end(deadline, game.house_rules)
    moved = DeadlineMoved(phase, to_text(deadline), to_text(grace_end), ASKED, command.by)
    return Accepted((moved,))
