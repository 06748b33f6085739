"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.rules.duties import duties
from judge.rules.geography import Map
from judge.rules.phase import Phase, PhaseKind
from judge.rules.position import DislodgedUnit, Position
from judge.rules.vocabulary import Power, Province, Unit


def following(
    board: Map,
    played: Phase,
    units: Iterable[Unit],
    owners: Mapping[Province, Power],
    dislodged: tuple[DislodgedUnit, ...] = (),
    contested: frozenset[Province] = frozenset(),
) -> Position:
    """Return the position that *played* leaves, phases skipped in which there is nothing to order.

    Centers change hands after Fall, its retreats included (rulebook XIII.1).
    """
    phase, standing = played.following(), in_order(board, units)
    if phase.kind is PhaseKind.RETREATS:
        if dislodged:
            return Position(phase, standing, owners, dislodged, contested)
        phase = phase.following()
    if phase.kind is PhaseKind.ADJUSTMENTS:
        held = {
            unit.province: unit.power for unit in standing if board.places[unit.province].center
        }
        owners = {**owners, **held}
        winter = Position(phase, standing, owners)
        if duties(board, winter):
            return winter
        phase = phase.following()
    return Position(phase, standing, owners)


def in_order(board: Map, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return *units* in the order of their powers, and of place."""
    rank = {power: index for index, power in enumerate(board.nations)}
    return tuple(sorted(units, key=lambda unit: (rank[unit.power], unit.location)))
