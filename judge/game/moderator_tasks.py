"""Decisions that wait for the moderator: open requests, and a rollback to undo."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import TypeAlias, assert_never

from judge.event_log import Recorded
from judge.game.clock import ProcessNow
from judge.game.commands import Command
from judge.game.deadlines import AnswerExtension, ResumeGame
from judge.game.events import replay
from judge.game.game_state import Game, Stage
from judge.game.house_rules import Start
from judge.game.phases import missing_orders
from judge.game.players.joining import PLAYERS_MIN, AdmitPlayer, Begin
from judge.game.players.seats import Eject
from judge.game.rollback import COURSE_EVENTS, GameRolledBack, LaterPhase
from judge.rules.board import Map
from judge.rules.types import Phase, Power


@dataclass(frozen=True, slots=True)
class ExtensionWanted:
    """*power* asks for so much more time: yes gives it, no refuses."""

    power: Power
    length: timedelta


@dataclass(frozen=True, slots=True)
class LatePlayer:
    """*power* has sent no orders since the deadline: yes removes its player."""

    power: Power


@dataclass(frozen=True, slots=True)
class PhaseOverdue:
    """The deadline has passed, and phases close by hand: yes closes the phase."""

    phase: str


@dataclass(frozen=True, slots=True)
class PausedGame:
    """The game has been paused *since* then: yes resumes it."""

    since: datetime


@dataclass(frozen=True, slots=True)
class CanBegin:
    """So many have joined: yes begins the game with them."""

    joined: int


@dataclass(frozen=True, slots=True)
class AsksToJoin:
    """A *person* applies for a place, or for *power*: yes admits them, no denies them."""

    person: str
    power: Power | None


ModeratorTask: TypeAlias = (
    ExtensionWanted | LatePlayer | PhaseOverdue | PausedGame | CanBegin | AsksToJoin
)


def moderator_tasks(board: Map, game: Game) -> tuple[ModeratorTask, ...]:
    """Return the decisions that wait for the moderator of *game*, in a fixed order."""
    return tuple(_tasks(board, game))


def tasks_mark(decisions: tuple[ModeratorTask, ...]) -> str:
    """Return a mark of *decisions*, so that a number in an answer means the one that was read."""
    return f"docket {sha256(repr(decisions).encode()).hexdigest()[:16]}"


def command_for_answer(
    decision: ModeratorTask, by: str, seed: str, *, yes: bool
) -> Command | None:
    """Return the command for the answer to *decision*; None if there is nothing to do."""
    match decision:
        case ExtensionWanted(power):
            return AnswerExtension(power, yes, by)
        case LatePlayer(power):
            return Eject(power, by) if yes else None
        case PhaseOverdue(phase):
            return ProcessNow(by, phase) if yes else None
        case PausedGame():
            return ResumeGame(by) if yes else None
        case AsksToJoin(person):
            return AdmitPlayer(person, yes, by, seed)
        case CanBegin():
            return Begin(by, seed) if yes else None
        case _:
            assert_never(decision)


def _tasks(board: Map, game: Game) -> Iterator[ModeratorTask]:
    yield from _applications(game)
    if game.stage is Stage.FORMING:
        if game.house_rules.start is Start.BY_HAND and len(game.joined) >= PLAYERS_MIN:
            yield CanBegin(len(game.joined))
        return
    needs = missing_orders(board, game)
    if needs is None:
        return
    if game.paused:
        yield PausedGame(game.paused)
    for power in board.powers:
        if power in needs.phase.asked:
            yield ExtensionWanted(power, needs.phase.asked[power])
    if needs.phase.passed:
        if game.house_rules.manual_processing:
            yield PhaseOverdue(needs.position.phase.code)
        yield from map(LatePlayer, needs.late)


def _applications(game: Game) -> Iterator[AsksToJoin]:
    if game.stage is not Stage.ENDED:
        for person, asked in game.applicants.items():
            yield AsksToJoin(person, asked.power)


def roll_forward_target(board: Map, log: Iterable[Recorded]) -> LaterPhase | None:
    """Return where the game was before it was rolled back, once or several times in a row.

    None if anything was played since, or no phase was open then.
    """
    whole = tuple(log)
    back: dict[int, GameRolledBack] = {}
    for each in whole:
        if isinstance(each.event, GameRolledBack):
            back[each.version] = each.event
        elif isinstance(each.event, COURSE_EVENTS):
            back = {}
    first = next(iter(back), 0)
    game = replay(board, (each for each in whole if each.version < first))
    if game is None or game.phase is None or game.position is None:
        return None
    undone = {code for event in back.values() for code in event.undone}
    return LaterPhase(
        version=first,
        number=game.phase.number,
        position=game.position,
        standing=game.phase.standing,
        nonces=game.phase.nonces,
        redone=tuple(sorted(undone, key=Phase.parse)),
    )
