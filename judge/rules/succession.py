"""From one phase to the next in which somebody must or may order something."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from judge.rules.duties import duties
from judge.rules.geography import Map
from judge.rules.phase import Phase, PhaseKind
from judge.rules.position import DislodgedUnit, Position
from judge.rules.vocabulary import Location, Power, Province, Unit


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
    rank = {power: index for index, power in enumerate(board.nations)}

    def place(unit: Unit) -> tuple[int, Location]:
        return rank[unit.power], unit.location

    phase, standing = played.following(), tuple(sorted(units, key=place))
    if phase.kind is PhaseKind.RETREATS:
        if dislodged:
            waiting = tuple(sorted(dislodged, key=lambda each: place(each.unit)))
            return Position(phase, standing, owners, waiting, contested)
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
