"""A record as the past of a game that is to be in the log, and may be played on."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from judge.archive.addresses import without_addresses
from judge.archive.logged import event_of, record_of
from judge.archive.record import Ending, Record, RecordedPhase
from judge.game.events import evolve
from judge.game.game_state import GameBranched, GameImported
from judge.game.players.creation import PastGame
from judge.game.rollback import (
    GameRolledBack,
    GameRolledForward,
    PositionCorrected,
    without_rolled_back,
)
from judge.game.voting import GameEnded
from judge.rules.adjudication import adjudicate
from judge.rules.phase_sequence import winner
from judge.rules.types import Order, Power

if TYPE_CHECKING:
    from judge.events.store import Recorded
    from judge.game.game_state import Game, Origin
    from judge.rules.board import Map
    from judge.rules.rulebook import Rulebook
    from judge.rules.types import Phase, Position


class NoPastError(ValueError):
    """A record cannot be taken into the log, or not be played on where it was wanted."""


def imported(record: Record) -> GameImported:
    """Say where *record* comes from: no folder, and no address that a name may hold."""
    name, source = record.name, PurePath(record.source.name).name
    if name == record.source.name:  # as of a game that has none
        name = source
    return GameImported(
        record=without_addresses(name),
        source=without_addresses(source),
        format=record.source.format,
        sha256=record.source.sha256,
        takeover_until=None,
    )


def past_of(
    board: Map, record: Record, law: Rulebook, origin: Origin, at: Phase | None = None
) -> PastGame:
    """Return what was played in *record* before the phase *at*, from which play goes on.

    By default that is all of it: the game is over if the record says so, or if somebody has won,
    and goes on from its last position if not. Phases without a position are left out. Raises
    `NoPastError`.
    """
    phases = [each for each in record.played if each.position]
    if record.variant != board.name or not phases:
        raise NoPastError(f"{record.name!r} has no position of the {board.name} board")
    events = [event_of(each) for each in phases]
    after = _after(board, phases[-1], law)
    if after:
        phases.append(after)
        events.append(event_of(after, by_law=True))
    ending = _ending(board, record, phases[-1]) if at is None else None
    if ending:
        return PastGame(origin, tuple(events), ending)
    index = _index(record, phases, at or phases[-1].phase)
    return PastGame(origin, tuple(events[:index]), _playable(board, phases[index]))


def branch_of(board: Map, log: Sequence[Recorded], law: Rulebook, at: Phase) -> PastGame:
    """Return what was played in the game of *log* before the phase *at*; its orders stay secret.

    Raises `NoPastError`.
    """
    game: Game | None = None
    origin: GameBranched | None = None
    until, counting = 0, without_rolled_back(log)
    for count, each in enumerate(counting, 1):
        game = evolve(board, game, each.event)
        again = isinstance(each.event, GameRolledBack | GameRolledForward | PositionCorrected)
        if game.position and game.position.phase == at and (origin is None or again):
            origin = GameBranched(game.name, each.version, each.hash, takeover_until=None)
            until = count
    if origin:
        return past_of(board, record_of(board, counting[:until]), law, origin, at)
    raise NoPastError(f"the game has no position of {at}")


def _after(board: Map, last: RecordedPhase, law: Rulebook) -> RecordedPhase | None:
    """Return what the law makes of the *last* phase of a record, if anything was ordered in it."""
    assert last.position
    if not last.orders or not all(each.order for each in last.orders):
        return None
    orders: dict[Power, list[Order]] = {}
    for each in last.orders:
        orders.setdefault(each.power, []).extend([each.order] if each.order else [])
    position = adjudicate(board, last.position, orders, law).after
    return RecordedPhase(position.phase, position)


def _ending(board: Map, record: Record, last: RecordedPhase) -> GameEnded | None:
    match record.ending:
        case Ending(kind, powers, phase):
            return GameEnded((phase or last.phase).code, kind.value, powers)
        case None:
            assert last.position
            solo = winner(board, last.position)
            return GameEnded(last.phase.code, "solo", (solo,)) if solo else None


def _index(record: Record, phases: Sequence[RecordedPhase], at: Phase) -> int:
    for index, each in enumerate(phases):
        if each.phase == at:
            return index
    known = ", ".join(each.phase.code for each in phases)
    raise NoPastError(f"{record.name!r} has no position of {at}, but of {known}")


def _playable(board: Map, phase: RecordedPhase) -> Position:
    """Return the position of *phase*, from which play goes on."""
    assert phase.position
    if not phase.position.owners:
        raise NoPastError(f"nobody knows who owned what in {phase.phase}")
    solo = winner(board, phase.position)
    if solo:
        raise NoPastError(f"in {phase.phase} {solo} has won already")
    return phase.position
