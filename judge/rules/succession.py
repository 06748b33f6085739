"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import attrgetter

from judge.rules.adjustments import open_homes
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
    if dislodged and phase.kind is PhaseKind.RETREATS:
        by_unit = {each.unit: each for each in dislodged}
        waiting = tuple([by_unit[unit] for unit in in_order(board, by_unit)])
        return Position(phase, standing, owners, waiting, contested)
    if phase.kind is PhaseKind.RETREATS:
        phase = phase.following()
    if phase.kind is PhaseKind.ADJUSTMENTS:
        owners = _taken(board, owners, standing)
        winter = Position(phase, standing, owners)
        if _adjusts(board, winter):
            return winter
        phase = phase.following()
    return Position(phase, standing, owners)


def _taken(
    board: Map, owners: Mapping[Province, Power], units: Iterable[Unit]
) -> Mapping[Province, Power]:
    """Return whose the centers are once *units* have taken those that they stand in."""
    province = reach_of(board).centers.get
    there = [(center, unit.power) for unit in units if (center := province(unit.location))]
    return {**owners, **dict(there)}


def _adjusts(board: Map, winter: Position) -> bool:
    """Tell whether any power has units to remove, or can build any."""
    centers, units = list(winter.owners.values()), [unit.power for unit in winter.units]
    for power in board.powers:
        balance = centers.count(power) - units.count(power)
        if balance < 0 or (balance and open_homes(board, winter, power)):
            return True
    return False


def in_order(board: Map, units: Iterable[Unit]) -> list[Unit]:
    """Return *units* in the order of powers and places."""
    if reach_of(board).alphabetical:
        return sorted(units, key=ALPHABET)
    rank = {power: index for index, power in enumerate(board.powers)}
    return sorted(units, key=lambda unit: (rank[unit.power], unit.location))
