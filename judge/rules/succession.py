"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from operator import attrgetter

from judge.rules.adjustments import open_homes
from judge.rules.geography import Map
from judge.rules.phase import ADJUSTMENTS, RETREATS, Phase
from judge.rules.position import DislodgedUnit, Position
from judge.rules.reach import reach_of
from judge.rules.vocabulary import Location, Power, Province, Unit

ALPHABET: Callable[[Unit], str] = attrgetter("key")


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
    if phase.kind is RETREATS:
        if dislodged:
            rank = _rank(board)
            waiting = tuple(sorted(dislodged, key=lambda each: rank(each.unit)))
            return Position(phase, standing, owners, waiting, contested)
        phase = phase.following()
    if phase.kind is ADJUSTMENTS:
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
    centers = reach_of(board).centers
    return {**owners, **{unit.province: unit.power for unit in units if unit.province in centers}}


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
    return sorted(units, key=_rank(board))


def _rank(board: Map) -> Callable[[Unit], tuple[int, Location] | str]:
    """Return what tells of a unit where it comes."""
    if reach_of(board).alphabetical:
        return ALPHABET
    rank = {power: index for index, power in enumerate(board.powers)}
    return lambda unit: (rank[unit.power], unit.location)
