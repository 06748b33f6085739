"""All commands to a game, and the one function that decides them.

Who asks has been established before.
"""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias, assert_never

from judge.game import clock, diaries, press, voting
from judge.game.absences import AbsenceCleared, ClearAbsence, SetAbsence, set_absence
from judge.game.clock import ProcessNow, Resume, Tick
from judge.game.deadlines import (
    AnswerExtension,
    AskExtension,
    GoOn,
    MoveDeadline,
    MoveGrace,
    Pause,
    VotePause,
    answer_extension,
    ask_extension,
    pause_or_resume,
    vote_pause,
)
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase, why_not_speak
from judge.game.diaries import DiaryCommand
from judge.game.game_state import Game
from judge.game.moderator_actions import (
    ChangeRules,
    HandOver,
    Observe,
    Terminate,
    ViewOrders,
    change_rules,
    hand_over,
    observe,
)
from judge.game.orders import future_orders, submission
from judge.game.orders.future_orders import ClearPlan, PlanOrders, PlanWait
from judge.game.orders.submission import ClearOrders, SetReady, SetWait, SubmitOrders
from judge.game.players import creation, joining
from judge.game.players.creation import CreateGame
from judge.game.players.joining import EntryCommand
from judge.game.players.seats import Eject, MakeDummy, eject, make_dummy
from judge.game.press import SendPress
from judge.game.rollback import (
    CorrectPosition,
    RollBack,
    RollForward,
    Unstart,
    correct_position,
    roll_back,
    roll_forward,
    unstart,
)
from judge.game.voting import GameEnded, VoteCommand
from judge.rules.board import Map

ModeratorCommand: TypeAlias = (
    RollBack
    | RollForward
    | Unstart
    | CorrectPosition
    | ChangeRules
    | Pause
    | GoOn
    | Terminate
    | Eject
    | MakeDummy
    | HandOver
    | AnswerExtension
)
TableRequest: TypeAlias = VotePause | AskExtension | SetAbsence | ClearAbsence | Observe


Command: TypeAlias = (
    CreateGame
    | EntryCommand
    | SubmitOrders
    | ClearOrders
    | PlanOrders
    | ClearPlan
    | PlanWait
    | SetWait
    | SetReady
    | VoteCommand
    | SendPress
    | DiaryCommand
    | MoveDeadline
    | MoveGrace
    | ViewOrders
    | ProcessNow
    | Resume
    | Tick
    | ModeratorCommand
    | TableRequest
)


def decide(board: Map, game: Game | None, command: Command, now: datetime) -> Accepted | Refused:
    """Return what happens to *game*, None if there is none yet, when *command* is put at *now*.

    A `Tick` that finds nothing due is accepted without events.
    """
    if isinstance(command, CreateGame):
        return Refused(Why.GAME_EXISTS) if game else creation.create_game(board, command, now)
    if game is None:
        return Refused(Why.NO_SUCH_GAME)
    match command:
        case command if isinstance(command, EntryCommand):
            answer = joining.decide_entry(board, game, command, now)
        case SubmitOrders() | ClearOrders() | SetWait() | SetReady():
            answer = submission.decide_submission(board, game, command)
        case PlanOrders() | ClearPlan() | PlanWait():
            answer = future_orders.decide_plan(game, command)
        case vote if isinstance(vote, VoteCommand):
            answer = voting.decide_vote(board, game, vote)
        case written if isinstance(written, SendPress | DiaryCommand):
            answer = _decide_writing(board, game, written)
        case Tick() | MoveDeadline() | MoveGrace() | ProcessNow() | Resume() | ViewOrders():
            answer = clock.decide_clock(board, game, command, now)
        case step if isinstance(step, ModeratorCommand | TableRequest):
            answer = _decide_request(board, game, step, now)
        case _:
            assert_never(command)
    return answer


def _decide_writing(
    board: Map, game: Game, written: SendPress | DiaryCommand
) -> Accepted | Refused:
    if isinstance(written, SendPress):
        return press.decide_press(board, game, written)
    return diaries.decide_diary(game, written)


def _decide_request(
    board: Map, game: Game, step: ModeratorCommand | TableRequest, now: datetime
) -> Accepted | Refused:
    if isinstance(step, ModeratorCommand):
        return _decide_moderator_action(board, game, step, now)
    return _decide_table_request(game, step, now)


# What is done to an open phase.
InPlayCommand: TypeAlias = (
    CorrectPosition | Pause | GoOn | Terminate | Eject | MakeDummy | AnswerExtension
)


def _decide_moderator_action(
    board: Map, game: Game, command: ModeratorCommand, now: datetime
) -> Accepted | Refused:
    """Do what somebody in charge asks."""
    match command:
        case RollBack():
            return roll_back(game, command, now)
        case RollForward():
            return roll_forward(game, command, now)
        case Unstart():
            return unstart(game, command)
        case ChangeRules():
            return change_rules(game, command)
        case HandOver():
            return hand_over(game, command)
        case (
            CorrectPosition()
            | Pause()
            | GoOn()
            | Terminate()
            | Eject()
            | MakeDummy()
            | AnswerExtension()
        ):
            why = why_no_open_phase(game)
            return Refused(why) if why else _decide_in_play(board, game, command, now)
        case _:
            assert_never(command)


def _decide_in_play(
    board: Map,
    game: Game,
    command: InPlayCommand,
    now: datetime,
) -> Accepted | Refused:
    assert game.position is not None
    phase = game.position.phase.code
    match command:
        case CorrectPosition():
            return correct_position(board, game, command)
        case Pause() | GoOn():
            return pause_or_resume(game, phase, command, now)
        case Terminate():
            return Accepted((GameEnded(phase, "abandoned", ()),))
        case Eject():
            return eject(board, game, command, now)
        case MakeDummy():
            return make_dummy(board, game, command, now)
        case AnswerExtension():
            return answer_extension(game, command)
        case _:
            assert_never(command)


def _decide_table_request(game: Game, command: TableRequest, now: datetime) -> Accepted | Refused:
    """Do what somebody at the table asks."""
    match command:
        case Observe():
            return observe(game, command)
        case VotePause() | AskExtension() | SetAbsence() | ClearAbsence():
            if why := why_not_speak(game, command.power, command.person):
                return Refused(why)
            return _decide_player_request(game, command, now)
        case _:
            assert_never(command)


def _decide_player_request(
    game: Game, command: VotePause | AskExtension | SetAbsence | ClearAbsence, now: datetime
) -> Accepted | Refused:
    match command:
        case VotePause():
            return vote_pause(game, command, now)
        case AskExtension():
            return ask_extension(game, command)
        case SetAbsence():
            return set_absence(game, command, now)
        case ClearAbsence():
            if command.person not in game.absences:
                return Refused(Why.NOTHING_CHANGED)
            return Accepted((AbsenceCleared(command.power, command.person),))
        case _:
            assert_never(command)
