"""Which adjustments are more than are due, and so do not count (DATC 4.D.4, 4.D.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.adjustment_phase import surplus
from judge.rules.duties import owed
from judge.rules.geography import Map
from judge.rules.order import Order, Waive
from judge.rules.outcome import Impossible
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.rulebook import Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power


def beyond(
    board: Map,
    position: Position,
    law: Rulebook,
    power: Power,
    possible: Sequence[tuple[int, Order]],
) -> Mapping[int, Impossible]:
    """Return which of *possible* orders of *power*, known by their numbers, are too many, and why.

    Nor can more be waived than there are centers open to build in.
    """
    if position.phase.kind is not PhaseKind.ADJUSTMENTS:
        return {}
    faults = dict(surplus(Scene(board, position, law), power, possible))
    counted = [(number, order) for number, order in possible if number not in faults]
    waived = [number for number, order in counted if isinstance(order, Waive)]
    spare = waived[owed(board, position, power) - (len(counted) - len(waived)) :]
    return faults | dict.fromkeys(spare, Impossible.TOO_MANY)
