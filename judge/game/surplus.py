"""Which adjustments are more than are due, and so do not count (DATC 4.D.4, 4.D.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.adjustments import excess_adjustment_faults
from judge.rules.board import Map
from judge.rules.outcome import Impossible
from judge.rules.phase_context import PhaseContext
from judge.rules.phase_sequence import orders_due
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, PhaseKind, Position, Power, Waive


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
    faults = dict(excess_adjustment_faults(PhaseContext(board, position, law), power, possible))
    counted = [(number, order) for number, order in possible if number not in faults]
    waived = [number for number, order in counted if isinstance(order, Waive)]
    spare = waived[orders_due(board, position, power) - (len(counted) - len(waived)) :]
    return faults | dict.fromkeys(spare, Impossible.TOO_MANY)
