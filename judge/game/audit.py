"""Adjudicating again what the log says was adjudicated, to see whether it comes out the same."""

from __future__ import annotations

from dataclasses import dataclass, fields

from judge.events.types import PhaseClosed
from judge.game.closing import close_phase
from judge.game.game import Game
from judge.rules.board import Map

UNCHECKED = frozenset(
    {
        "resolver",  # a later one must come to the same
        "rulebook",  # its name only, which may be another now; the choices are in `game_created`
    }
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of a recorded closing that comes out otherwise now."""

    field: str
    recorded: object
    computed: object


def verify_phase(board: Map, before: Game, closed: PhaseClosed) -> tuple[Difference, ...]:
    """Close the open phase of *before* once more, and return what differs from *closed*."""
    if before.phase is None or before.position is None:
        return (Difference("phase", closed.phase, None),)
    again = close_phase(board, before, before.position, before.phase)
    compared = (each.name for each in fields(PhaseClosed) if each.name not in UNCHECKED)
    found = (Difference(name, getattr(closed, name), getattr(again, name)) for name in compared)
    told = (each for each in found if each.recorded is not None)  # an older log tells less
    return tuple(each for each in told if each.recorded != each.computed)
