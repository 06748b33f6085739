"""All commands to a game, and the function that decides them; its caller checks the sender."""

from __future__ import annotations

from datetime import datetime
from typing import TypeAlias, assert_never

from judge.game import (
    absences,
    clock,
    deadlines,
    future_orders,
    moderator_actions,
    press,
    rollback,
    submission,
    voting,
)
from judge.game.absences import ClearAbsence, SetAbsence
from judge.game.clock import ClockCommand
from judge.game.deadlines import AnswerExtension, AskExtension, Pause, ResumeGame, VotePause
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase, why_not_speak
from judge.game.future_orders import PlanCommand
from judge.game.game_state import Game
from judge.game.moderator_actions import ChangeRules, HandOver, Observe, Terminate
from judge.game.players import creation, diaries, joining, seats
from judge.game.players.creation import CreateGame
from judge.game.players.diaries import DiaryCommand
from judge.game.players.joining import EntryCommand
from judge.game.players.seats import Eject, MakeDummy
from judge.game.press import SendPress
from judge.game.rollback import CorrectPosition, RollBack, RollForward, Unstart
from judge.game.submission import SubmissionCommand
from judge.game.voting import GameEnded, VoteCommand
from judge.rules.board import Map

PhaseCommand: TypeAlias = (
    CorrectPosition | Pause | ResumeGame | Terminate | Eject | MakeDummy | AnswerExtension
)
ModeratorCommand: TypeAlias = (
    PhaseCommand | RollBack | RollForward | Unstart | ChangeRules | HandOver
)
PlayerRequest: TypeAlias = VotePause | AskExtension | SetAbsence | ClearAbsence
GameCommand: TypeAlias = (
    EntryCommand
    | SubmissionCommand
    | PlanCommand
    | VoteCommand
    | DiaryCommand
    | ClockCommand
    | SendPress
    | Observe
    | ModeratorCommand
    | PlayerRequest
)
Command: TypeAlias = CreateGame | GameCommand


def decide(board: Map, game: Game | None, command: Command, now: datetime) -> Accepted | Refused:
    """Return the events of *command* at *now* in *game* (None before it exists), or a refusal.

    A `Tick` that finds nothing due is accepted without events.
    """
    if isinstance(command, CreateGame):
        return Refused(Why.GAME_EXISTS) if game else creation.create_game(board, command, now)
    if game is None:
        return Refused(Why.NO_SUCH_GAME)
    if why := _why_not_possible(game, command):
        return Refused(why)
    return _decide_possible(board, game, command, now)


def _why_not_possible(game: Game, command: GameCommand) -> Why | None:
    """Return why *command* is refused, if it needs an open phase or a player."""
    if isinstance(command, PhaseCommand):
        return why_no_open_phase(game)
    if isinstance(command, PlayerRequest):
        return why_not_speak(game, command.power, command.person)
    return None


def _decide_possible(  # noqa: C901, PLR0911, PLR0912 - one flat match over all commands
    board: Map, game: Game, command: GameCommand, now: datetime
) -> Accepted | Refused:
    match command:
        case command if isinstance(command, EntryCommand):
            return joining.decide_entry(board, game, command, now)
        case command if isinstance(command, SubmissionCommand):
            return submission.decide_submission(board, game, command)
        case command if isinstance(command, PlanCommand):
            return future_orders.decide_plan(game, command)
        case command if isinstance(command, VoteCommand):
            return voting.decide_vote(game, command)
        case command if isinstance(command, DiaryCommand):
            return diaries.decide_diary(game, command)
        case command if isinstance(command, ClockCommand):
            return clock.decide_clock(board, game, command, now)
        case SendPress():
            return press.decide_press(board, game, command)
        case RollBack():
            return rollback.roll_back(board, game, command, now)
        case RollForward():
            return rollback.roll_forward(board, game, command, now)
        case Unstart():
            return rollback.unstart(game, command)
        case CorrectPosition():
            return rollback.correct_position(board, game, command)
        case ChangeRules():
            return moderator_actions.change_rules(game, command, now)
        case HandOver():
            return moderator_actions.hand_over(game, command)
        case Observe():
            return moderator_actions.observe(game, command)
        case Terminate():
            assert game.position is not None, "a phase is open"
            return Accepted((GameEnded(game.position.phase.code, "abandoned", ()),))
        case Pause() | ResumeGame():
            return deadlines.pause_or_resume(game, command, now)
        case VotePause():
            return deadlines.vote_pause(game, command, now)
        case AskExtension():
            return deadlines.ask_extension(game, command)
        case AnswerExtension():
            return deadlines.answer_extension(game, command)
        case SetAbsence():
            return absences.set_absence(game, command, now)
        case ClearAbsence():
            return absences.clear_absence(game, command)
        case Eject():
            return seats.eject(game, command, now)
        case MakeDummy():
            return seats.make_dummy(game, command, now)
        case _:
            assert_never(command)
