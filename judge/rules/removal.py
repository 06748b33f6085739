"""Why civil disorder took this unit and not another (DATC 4.D.8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from judge.rules.adjustments import removals
from judge.rules.distance import distances
from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.questions import AutomaticRemoval, RemovalTies
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.vocabulary import Unit


class Precedence(Enum):
    """What put a unit before the next."""

    FARTHEST = "farthest"
    FLEET = "fleet"  # equally far, and a fleet goes before an army
    ALPHABET = "alphabet"  # equally far, and of one kind


@dataclass(frozen=True, slots=True)
class Removal:
    """A *unit* that was taken off for want of an order, and *why* before *spared*.

    That is who would have been next; if none is left, there is no choice to explain. *distance* is
    counted by *rule*, None where no way leads; *ties* is the alphabet.
    """

    unit: Unit
    rule: AutomaticRemoval
    ties: RemovalTies
    distance: int | None
    spared: Unit | None = None
    spared_distance: int | None = None
    why: Precedence = Precedence.FARTHEST


def explained_removals(
    board: Map,
    position: Position,
    removed: Iterable[Unit],
    after: Position,
    rulebook: Rulebook = DATC,
) -> tuple[Removal, ...]:
    """Say why each of *removed* went from *position*, in view of those who stay *after* it."""
    return tuple(
        _explained(board, position, unit, after.units_of(unit.power), rulebook) for unit in removed
    )


def _explained(
    board: Map, position: Position, unit: Unit, stayed: Iterable[Unit], rulebook: Rulebook
) -> Removal:
    rule, ties = rulebook.automatic_removal, rulebook.removal_ties
    far = distances(board, position, [unit, *stayed], rule)
    told = {each: steps if steps < len(board.locations) else None for each, steps in far.items()}
    for spared in removals(board, position, stayed, rulebook):
        if far[unit] > far[spared]:
            why = Precedence.FARTHEST
        elif unit.kind is not spared.kind:
            why = Precedence.FLEET
        else:
            why = Precedence.ALPHABET
        return Removal(unit, rule, ties, told[unit], spared, told[spared], why)
    return Removal(unit, rule, ties, told[unit])
