"""How far units are from where they belong, as civil disorder counts it (DATC 4.D.8)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import TypeAlias, assert_never

from judge.rules.convoys import carries
from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.questions import AutomaticRemoval
from judge.rules.reach import reach_of
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind, province_of

WAYS_KEPT = 64  # Each serves all units of a power, or of all powers, in one phase.

Borders: TypeAlias = Mapping[Location, Collection[Location]]


def distances(
    board: Map, position: Position, units: Iterable[Unit], rule: AutomaticRemoval
) -> Mapping[Unit, int]:
    """Return for each of *units* the steps to the nearest place where its power belongs.

    Where there is no way, or no such place, all are equally far: more than any way has.
    """
    far = len(board.locations)
    return {
        unit: _steps(
            unit,
            _goals(board, position, unit.power, rule),
            _ways(board, position, unit, rule),
            far,
        )
        for unit in units
    }


def _goals(
    board: Map, position: Position, power: Power, rule: AutomaticRemoval
) -> Collection[Province]:
    match rule:
        case AutomaticRemoval.OWNED_ANY:
            return position.centers_of(power)
        case AutomaticRemoval.COUNTRY_2000:
            return board.country_of(power)
        case (
            AutomaticRemoval.HOME_ANY
            | AutomaticRemoval.HOME_DPTG
            | AutomaticRemoval.CONVOY_ONE_ANY
            | AutomaticRemoval.CONVOY_ONE_FLEETS
            | AutomaticRemoval.CONVOY_ONE_OWN
        ):
            return board.homes_of(power)
        case _:
            assert_never(rule)


def _ways(board: Map, position: Position, unit: Unit, rule: AutomaticRemoval) -> Borders:
    """Return what each place is one step from, for *unit*."""
    everywhere = reach_of(board).neighbors
    if rule in {AutomaticRemoval.OWNED_ANY, AutomaticRemoval.HOME_ANY}:
        return everywhere
    if unit.kind is UnitKind.FLEET:
        return board.fleet
    match rule:
        case AutomaticRemoval.CONVOY_ONE_ANY:
            return _with_convoys(board, sum(reach_of(board).sea.values()))
        case AutomaticRemoval.CONVOY_ONE_FLEETS:
            return _with_convoys(board, _afloat(board, position.units))
        case AutomaticRemoval.CONVOY_ONE_OWN:
            return _with_convoys(board, _afloat(board, position.units_of(unit.power)))
        case _:
            return everywhere


def _afloat(board: Map, units: Iterable[Unit]) -> int:
    sea = reach_of(board).sea
    return sum(sea.get(unit.province, 0) for unit in units)


@lru_cache(WAYS_KEPT)
def _with_convoys(board: Map, seas: int) -> Borders:
    """Return where armies get in one step by land, or by a convoy over *seas*."""
    reach = reach_of(board)
    return {
        start: {*touched, *(end for end in reach.shore if carries(reach, start, end, seas))}
        for start, touched in board.army.items()
    }


def _steps(unit: Unit, goals: Collection[Province], ways: Borders, far: int) -> int:
    """Count the steps of *unit* to the nearest of *goals*; *far* if it gets to none."""
    start = unit.location if unit.location in ways else unit.province
    seen, front = {start}, {start}
    steps = 0
    while front:
        if any(province_of(location) in goals for location in front):
            return steps
        front = {other for location in front for other in ways[location]} - seen
        seen |= front
        steps += 1
    return far
