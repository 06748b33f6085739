"""Roll a game back or forward, return it to its start, or correct its position."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TypeAlias, assert_never

from judge.event_log import Event, Recorded, Value
from judge.game import payloads
from judge.game.decision import Accepted, Refused, Why, why_no_open_phase
from judge.game.game_state import Game, OpenPhase, SeatState, Stage
from judge.game.phases import PhaseClosed, PhaseOpened, open_phase
from judge.game.voting import GameEnded
from judge.rules.board import Map
from judge.rules.types import Position, Power


@dataclass(frozen=True, slots=True)
class EarlierPhase:
    """A phase that was played, as phase *number*: opened by the event *version* of the log.

    *standing* are the orders by which it was closed, with the *nonces* they were promised with;
    *undone* are this phase and all that were played after it.
    """

    version: int
    number: int
    position: Position
    standing: Mapping[Power, tuple[str, ...]] = field(default_factory=dict)
    nonces: Mapping[Power, str] = field(default_factory=dict)
    undone: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LaterPhase:
    """The phase that was open, as phase *number*, before the event *version* rolled the game back.

    *standing* are the orders that stood in it, with the *nonces* they were promised with; *redone*
    are the phases that had been played up to it, as far as they were taken back.
    """

    version: int
    number: int
    position: Position
    standing: Mapping[Power, tuple[str, ...]]
    nonces: Mapping[Power, str]
    redone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RollBack:
    """Roll back to an earlier phase; *restore* its orders, or ask for new ones."""

    to: EarlierPhase
    reason: str
    by: str
    restore: bool = False


@dataclass(frozen=True, slots=True)
class RollForward:
    """Roll forward to where the game was before it was rolled back."""

    to: LaterPhase
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Unstart:
    """Return a game whose first phase is open to its start: all powers are unassigned again."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class CorrectPosition:
    """Correct the position of the open phase and drop the orders given for it."""

    position: Position
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class GameRolledBack(Event):
    """Play goes on from *phase*, which is open again; later phases no longer count.

    The event *version* of this log had opened it as phase *number*, on *position*. *undone* are
    the phases, in order, whose results had been sent. *standing* are the orders of that time that
    count again, by power, and *nonces* those of their commitments. *by* is a person, or
    `operator`.
    """

    phase: str
    version: int
    number: int
    position: Mapping[str, Value]
    undone: tuple[str, ...]
    standing: Mapping[str, tuple[str, ...]]
    nonces: Mapping[str, str]
    opened: str
    deadline: str
    grace_end: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class GameRolledForward(Event):
    """Game resumed from *phase* as if it had not been rolled back by the event *version*.

    It is open again as phase *number*, on *position*, with the orders that stood in it. *redone*
    are the phases, in order, that count again.
    """

    phase: str
    version: int
    number: int
    position: Mapping[str, Value]
    redone: tuple[str, ...]
    standing: Mapping[str, tuple[str, ...]]
    nonces: Mapping[str, str]
    opened: str
    deadline: str
    grace_end: str
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class GameRestored(Event):
    """The judge was restored from a backup of the instant *saved*, which began an *epoch*.

    All that was recorded and sent after *saved* is lost and no longer counts; *phase* was open.
    """

    epoch: str
    saved: str
    phase: str | None


@dataclass(frozen=True, slots=True)
class GameUnstarted(Event):
    """The game forms again: all powers are unassigned, and the first phase is gone."""

    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class PositionCorrected(Event):
    """The moderator corrected the board of the open *phase* to *position*.

    The orders given for the phase are gone.
    """

    phase: str
    position: Mapping[str, Value]
    reason: str
    by: str


RollbackEvent: TypeAlias = (
    GameRolledBack | GameRolledForward | GameRestored | GameUnstarted | PositionCorrected
)


def roll_back(board: Map, game: Game, command: RollBack, now: datetime) -> Accepted | Refused:
    """Reopen an earlier phase, also of a game that is over, with its full time."""
    if game.stage is Stage.FORMING:
        return Refused(Why.NOT_STARTED)
    to = command.to
    if not to.undone:
        return Refused(Why.NOTHING_PLAYED)
    opened = open_phase(board, game, to.position, to.number, now)
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


def roll_forward(
    board: Map, game: Game, command: RollForward, now: datetime
) -> Accepted | Refused:
    """Reopen the phase that was open before the rollback, with its full time."""
    if why := why_no_open_phase(game):
        return Refused(why)
    to = command.to
    opened = open_phase(board, game, to.position, to.number, now)
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


def unstart(game: Game, command: Unstart) -> Accepted | Refused:
    """Return a game of which nothing was played, here or elsewhere, to its start."""
    if why := why_no_open_phase(game):
        return Refused(why)
    assert game.phase is not None
    if game.phase.number > 1 or game.origin or game.replayed:
        return Refused(Why.PLAYED_ON)
    return Accepted((GameUnstarted(command.reason, command.by),))


def correct_position(board: Map, game: Game, command: CorrectPosition) -> Accepted | Refused:
    """Decide on the moderator's correction of the board."""
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
        position=payloads.position_to_payload(position),
        reason=command.reason,
        by=command.by,
    )
    return Accepted((corrected,))


def apply_rollback(game: Game, event: RollbackEvent) -> Game:
    """Return *game* at an earlier or a later phase, before its start, or on a corrected board."""
    match event:
        case GameRolledBack(undone=undone):
            return _reopen_phase(game, event, game.replayed | {*undone})
        case GameRolledForward(redone=redone):
            return _reopen_phase(game, event, game.replayed - {*redone})
        case GameRestored():
            return game  # its log is that of the backup already
        case GameUnstarted():
            return _return_to_start(game)
        case PositionCorrected(position=board):
            assert game.phase is not None, "the position of an open phase is corrected"
            phase = replace(game.phase, standing={}, nonces={}, ready=frozenset())
            return replace(game, position=payloads.position_from_payload(board), phase=phase)
        case _:
            assert_never(event)


def _return_to_start(game: Game) -> Game:
    """Return *game* forming again: its players have joined, with their preferences."""
    here = [seat.person for seat in game.seats.values() if seat.state is SeatState.PLAYED]
    return replace(
        _forget_votes_and_plans(game),
        stage=Stage.FORMING,
        started=None,
        unstarted=True,
        joined={person: game.joined.get(person, ()) for person in here if person},
        seats={},
        position=None,
        phase=None,
        paused=None,
        pause_votes=frozenset(),
        offers={},
    )


def _forget_votes_and_plans(game: Game) -> Game:
    """Drop votes and stored orders."""
    nothing = replace(game, draw_votes=frozenset(), draw_lists={}, concessions={}, proposals={})
    return replace(nothing, plans={}, waits={})


def _reopen_phase(
    game: Game, event: GameRolledBack | GameRolledForward, replayed: frozenset[str]
) -> Game:
    """Return *game* with the phase open again; seats stay, votes are dropped."""
    return replace(
        _forget_votes_and_plans(game),
        stage=Stage.PLAYING,
        ending=None,
        position=payloads.position_from_payload(event.position),
        phase=OpenPhase(
            number=event.number,
            opened=payloads.parse_instant(event.opened),
            deadline=payloads.parse_instant(event.deadline),
            grace_end=payloads.parse_instant(event.grace_end),
            standing=dict(event.standing),
            nonces=dict(event.nonces),
        ),
        replayed=replayed,
    )


COURSE_EVENTS = (
    PhaseOpened,
    PhaseClosed,
    GameEnded,
    PositionCorrected,
    GameRolledBack,
    GameRolledForward,
)


def without_rolled_back(log: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Return *log* without the phases that were rolled back.

    All else of that time stays: who plays, and press. It folds to the positions as they were
    played in the end, but not to the same version.
    """
    whole = tuple(log)
    kept: list[Recorded] = []
    for each in whole:
        if isinstance(each.event, GameRolledBack):
            opened = each.event.version
            kept = [
                k for k in kept if k.version <= opened or not isinstance(k.event, COURSE_EVENTS)
            ]
        elif isinstance(each.event, GameRolledForward):
            back = each.event.version
            since = [
                k for k in kept if k.version > back and not isinstance(k.event, COURSE_EVENTS)
            ]
            kept = [*without_rolled_back(k for k in whole if k.version < back), *since]
        kept.append(each)
    return tuple(kept)


def played_phases(log: Iterable[Recorded]) -> tuple[EarlierPhase, ...]:
    """Return the phases that were played here and count, in order; the last may be open."""
    found: list[EarlierPhase] = []
    closed: list[str] = []
    for each in without_rolled_back(log):
        match each.event:
            case (
                PhaseOpened(number=number, position=board)
                | GameRolledBack(number=number, position=board)
                | GameRolledForward(number=number, position=board)
            ):
                found = [earlier for earlier in found if earlier.number < number]
                found.append(
                    EarlierPhase(each.version, number, payloads.position_from_payload(board))
                )
            case PositionCorrected(position=board):
                found[-1] = replace(found[-1], position=payloads.position_from_payload(board))
            case PhaseClosed(phase=phase, orders=orders, commitments=promised):
                nonces = {
                    power: payloads.get_text(payloads.get_payload(promised, power), "nonce")
                    for power in orders
                }
                found[-1] = replace(found[-1], standing=orders, nonces=nonces)
                closed.append(phase)
            case _:
                pass
    return tuple(replace(each, undone=tuple(closed[i:])) for i, each in enumerate(found))
