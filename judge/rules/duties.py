"""Who has to order, and how much, in the phase of a position."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from judge.rules.adjustments import open_homes
from judge.rules.geography import Map
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.vocabulary import Power, Unit


def duties(board: Map, position: Position) -> Mapping[Power, int]:
    """Return how many orders each power must give, those left out that have nothing to order.

    In movement that is one for each unit, in retreats one for each dislodged unit that can go
    anywhere, in adjustments the removals due, or the builds for which an own home center is open.
    """
    return {p: count for p in board.powers if (count := owed(board, position, p))}


def has_choice(board: Map, position: Position) -> bool:
    """Tell whether any power has something to decide; to remove all its units is no decision."""
    wanted = duties(board, position)
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return bool(wanted)
    return any(
        position.due(power) > 0 or count < len(position.units_of(power))
        for power, count in wanted.items()
    )


def owed(board: Map, position: Position, power: Power) -> int:
    """Return how many orders *power* must give."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT | PhaseKind.RETREATS:
            return len(asked(position, power))
        case PhaseKind.ADJUSTMENTS:
            builds = position.due(power)
            if builds > 0:
                return min(builds, len(open_homes(board, position, power)))
            return min(-builds, len(position.units_of(power)))
        case kind:
            assert_never(kind)


def asked(position: Position, power: Power) -> tuple[Unit, ...]:
    """Return the units of *power* each of which wants an order: in adjustments none does."""
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return position.units_of(power)
        case PhaseKind.RETREATS:
            return tuple(each.unit for each in position.dislodged_of(power) if each.retreats)
        case PhaseKind.ADJUSTMENTS:
            return ()
        case kind:
            assert_never(kind)
