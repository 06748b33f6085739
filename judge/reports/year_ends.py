"""Ownership and counts, as they are printed after Fall and in a listing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.reports.standing import Count, YearEnd
from judge.rules.phase_sequence import open_homes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from judge.rules.board import Map
    from judge.rules.types import Position, Power, Province


def year_end(board: Map, position: Position, before: Position | None = None) -> YearEnd:
    """Count the centers and units of *position* by power; powers without either are left out.

    What changed hands is told if the position *before* is.
    """
    alive = [
        power for power in board.powers if position.centers_of(power) or position.units_of(power)
    ]
    return YearEnd(
        owned={power: position.centers_of(power) for power in alive},
        unowned=tuple(center for center in board.centers if center not in position.owners),
        counts=tuple(_count(board, position, power) for power in alive),
        won=_gained(board, before, position) if before else {},
        lost=_gained(board, position, before) if before else {},
    )


def _gained(board: Map, before: Position, after: Position) -> Mapping[Power, tuple[Province, ...]]:
    """Return the centers that powers have *after* and had not *before*."""
    gained = {
        power: tuple(
            center for center in after.centers_of(power) if before.owners.get(center) != power
        )
        for power in board.powers
    }
    return {power: centers for power, centers in gained.items() if centers}


def _count(board: Map, position: Position, power: Power) -> Count:
    return Count(
        power=power,
        centers=len(position.centers_of(power)),
        units=len(position.units_of(power)),
        due=position.due(power),
        open_homes=open_homes(board, position, power),
    )
