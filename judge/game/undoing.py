"""What was taken back: which part of a log still counts, and where a game can go from there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from judge.events.changes import GameRolledBack, GameRolledForward, PositionCorrected
from judge.events.store import Recorded
from judge.events.types import GameEnded, PhaseClosed, PhaseOpened
from judge.game.primitives import inner, text
from judge.game.verdicts import position_from_payload
from judge.rules.types import Position, Power

COURSE = (
    PhaseOpened,
    PhaseClosed,
    GameEnded,
    PositionCorrected,
    GameRolledBack,
    GameRolledForward,
)


@dataclass(frozen=True, slots=True)
class Earlier:
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
class Later:
    """The phase that was open, as phase *number*, before the event *version* took the game back.

    *standing* are the orders that stood in it, with the *nonces* they were promised with; *redone*
    are the phases that had been played up to it, as far as they were taken back.
    """

    version: int
    number: int
    position: Position
    standing: Mapping[Power, tuple[str, ...]]
    nonces: Mapping[Power, str]
    redone: tuple[str, ...]


def lasting(log: Iterable[Recorded]) -> tuple[Recorded, ...]:
    """Return *log* without the course of the game that was rolled back.

    What else was said in the meantime stays: who plays, what was written. It folds to positions
    as they were played in the end, but not to the same version.
    """
    whole = tuple(log)
    kept: list[Recorded] = []
    for each in whole:
        if isinstance(each.event, GameRolledBack):
            opened = each.event.version
            kept = [k for k in kept if k.version <= opened or not isinstance(k.event, COURSE)]
        elif isinstance(each.event, GameRolledForward):
            back = each.event.version
            since = [k for k in kept if k.version > back and not isinstance(k.event, COURSE)]
            kept = [*lasting(k for k in whole if k.version < back), *since]
        kept.append(each)
    return tuple(kept)


def played(log: Iterable[Recorded]) -> tuple[Earlier, ...]:
    """Return the phases that were played here and count, in order; the last may be open."""
    found: list[Earlier] = []
    closed: list[str] = []
    for each in lasting(log):
        match each.event:
            case (
                PhaseOpened(number=number, position=board)
                | GameRolledBack(number=number, position=board)
                | GameRolledForward(number=number, position=board)
            ):
                found = [earlier for earlier in found if earlier.number < number]
                found.append(Earlier(each.version, number, position_from_payload(board)))
            case PositionCorrected(position=board):
                found[-1] = replace(found[-1], position=position_from_payload(board))
            case PhaseClosed(phase=phase, orders=orders, commitments=promised):
                nonces = {power: text(inner(promised, power), "nonce") for power in orders}
                found[-1] = replace(found[-1], standing=orders, nonces=nonces)
                closed.append(phase)
            case _:
                pass
    return tuple(replace(each, undone=tuple(closed[i:])) for i, each in enumerate(found))
