"""What a reader has to order in the open phase."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from judge.rules.board import Map, Terrain
from judge.rules.phase_sequence import open_homes
from judge.rules.types import Phase, PhaseKind, Power, Province, Unit, UnitKind

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.rules.types import DislodgedUnit, Position


@dataclass(frozen=True, slots=True)
class ToMove:
    """Each of *units* wants an order."""

    phase: Phase
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class ToRetreat:
    """Each of *units* has to retreat or disband."""

    phase: Phase
    units: tuple[DislodgedUnit, ...]


@dataclass(frozen=True, slots=True)
class ToBuild:
    """Up to *number* of *choices* may be built, one in a center."""

    phase: Phase
    number: int
    choices: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class ToRemove:
    """*number* of *units* have to leave the board."""

    phase: Phase
    number: int
    units: tuple[Unit, ...]


@dataclass(frozen=True, slots=True)
class Nothing:
    """The power has no orders to give in this phase."""

    phase: Phase


Duty: TypeAlias = ToMove | ToRetreat | ToBuild | ToRemove | Nothing


def duty_of(board: Map, position: Position, power: Power) -> Duty:
    """Say what *power* has to order."""
    phase = position.phase
    match phase.kind:
        case PhaseKind.MOVEMENT:
            units = position.units_of(power)
            return ToMove(phase, units) if units else Nothing(phase)
        case PhaseKind.RETREATS:
            dislodged = position.dislodged_of(power)
            return ToRetreat(phase, dislodged) if dislodged else Nothing(phase)
        case PhaseKind.ADJUSTMENTS:
            return _adjustments(board, position, power)


def _adjustments(board: Map, position: Position, power: Power) -> Duty:
    owed = position.due(power)
    homes = open_homes(board, position, power)
    if owed > 0 and homes:
        choices = tuple(unit for home in homes for unit in _possible(board, power, home))
        return ToBuild(position.phase, min(owed, len(homes)), choices)
    if owed < 0:
        return ToRemove(position.phase, -owed, position.units_of(power))
    return Nothing(position.phase)


def _possible(board: Map, power: Power, home: Province) -> Iterator[Unit]:
    """Give the units that can be built in *home*: an army, and a fleet on each of its coasts."""
    yield Unit(power, UnitKind.ARMY, home)
    if board.places[home].terrain is Terrain.COAST:
        for coast in board.coasts_of(home) or (home,):
            yield Unit(power, UnitKind.FLEET, coast)
