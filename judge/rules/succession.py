"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from judge.rules.duties import owed
from judge.rules.geography import Map
from judge.rules.phase import Phase, PhaseKind
from judge.rules.position import DislodgedUnit, Position
from judge.rules.reach import reach_of
from judge.rules.vocabulary import Power, Province, Unit

ALPHABET = attrgetter("key")


def following(
    board: Map,
    played: Phase,
    units: Iterable[Unit],
    owners: Mapping[Province, Power],
    dislodged: tuple[DislodgedUnit, ...] = (),
    contested: frozenset[Province] = frozenset(),
) -> Position:
    """Return the position that *played* leaves, phases skipped in which there is nothing to order.

    Units are put in the order of powers and places. Centers change hands after Fall, its retreats
    included (rulebook XIII.1).
    """
    phase, standing = played.following(), tuple(in_order(board, units))
    if phase.kind is PhaseKind.RETREATS:
        if dislodged:
            by_unit = {each.unit: each for each in dislodged}
            waiting = tuple([by_unit[unit] for unit in in_order(board, by_unit)])
            return Position(phase, standing, owners, waiting, contested)
        phase = phase.following()
    if phase.kind is PhaseKind.ADJUSTMENTS:
        owners, centers = dict(owners), reach_of(board).centers
        for unit in standing:
            center = centers.get(unit.location)
            if center:
                owners[center] = unit.power
        winter = Position(phase, standing, owners)
        if any(owed(board, winter, power) for power in board.powers):
            return winter
        phase = phase.following()
    return Position(phase, standing, owners)


def in_order(board: Map, units: Iterable[Unit]) -> list[Unit]:
    """Return *units* in the order of powers and places."""
    if reach_of(board).alphabetical:
        return sorted(units, key=ALPHABET)
    rank = {power: index for index, power in enumerate(board.powers)}
    return sorted(units, key=lambda unit: (rank[unit.power], unit.location))
