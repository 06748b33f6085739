"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge.rules.adjustments import open_homes
from judge.rules.geography import Map
from judge.rules.phase import ADJUSTMENTS, FALL, WINTER, Phase
from judge.rules.position import DislodgedUnit, Position, new_position
from judge.rules.reach import reach_of
from judge.rules.vocabulary import Power, Province, Unit

NOWHERE: frozenset[Province] = frozenset()


def following(
    board: Map,
    played: Phase,
    units: Iterable[Unit],
    owners: Mapping[Province, Power],
    dislodged: Sequence[DislodgedUnit] = (),
    contested: frozenset[Province] = frozenset(),
) -> Position:
    """Return the position that *played* leaves, phases skipped in which there is nothing to order.

    Units are put in the order of powers and places. Centers change hands after Fall, its retreats
    included (rulebook XIII.1).
    """
    standing = in_order(board, units)
    before = Position(played, standing, owners)
    return left_by(board, before, standing, before.at, dislodged, contested)


def left_by(
    board: Map,
    before: Position,
    units: tuple[Unit, ...],
    at: Mapping[Province, int],
    dislodged: Sequence[DislodgedUnit],
    contested: frozenset[Province],
) -> Position:
    """Do what `following` does, for the phase of *before*, and *units* in order and numbered."""
    played, owners = before.phase, before.owners
    if dislodged:
        rank = reach_of(board).rank
        waiting = tuple(sorted(dislodged, key=lambda each: rank(each.unit)))
        return new_position(played.following(), units, owners, waiting, contested, {}, at)
    if played.season is FALL:
        owners = _taken(board, owners, units)
        winter = Phase(WINTER, played.year, ADJUSTMENTS)
        position = new_position(winter, units, owners, (), NOWHERE, {}, at)
        if _adjusts(board, position):
            return position
    return new_position(played.next_movement(), units, owners, (), NOWHERE, {}, at)


def _taken(
    board: Map, owners: Mapping[Province, Power], units: Iterable[Unit]
) -> Mapping[Province, Power]:
    """Return whose the centers are once *units* have taken those that they stand in."""
    centers = reach_of(board).centers
    taken = dict(owners)
    for unit in units:
        if unit.province in centers:
            taken[unit.province] = unit.power
    return taken


def _adjusts(board: Map, winter: Position) -> bool:
    """Tell whether any power has units to remove, or can build any."""
    owners, units = [*winter.owners.values()], [unit.power for unit in winter.units]
    for power in board.powers:
        due = owners.count(power) - units.count(power)
        if due < 0 or (due > 0 and open_homes(board, winter, power)):
            return True
    return False


def in_order(board: Map, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return *units* in the order of powers and places."""
    return tuple(sorted(units, key=reach_of(board).rank))
