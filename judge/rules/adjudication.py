"""The public door: a position and all orders become verdicts and the position after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.adjustment_phase import adjudicate_adjustments
from judge.rules.geography import Map
from judge.rules.intake import take_in
from judge.rules.movement_phase import adjudicate_movement
from judge.rules.order import (
    Order,
)
from judge.rules.phase import MOVEMENT, RETREATS
from judge.rules.position import Position
from judge.rules.result import Adjudication
from judge.rules.retreat_phase import adjudicate_retreats
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power

RESOLVER_VERSION = "1"  # Goes up when any position would be adjudicated otherwise than before.


def adjudicate(
    board: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook = DATC,
) -> Adjudication:
    """Adjudicate *orders*, by power in the order written, in whatever phase *position* is.

    Any order is taken: what is impossible is `Illegal` in its outcome, and a unit without a
    possible order holds, or in a retreat phase disbands. In a retreat phase a move is a retreat.
    Raises `TypeError` for a text in place of the rulebook.
    """
    try:
        scene = Scene(board, position, rulebook)
        if position.phase.kind is MOVEMENT:
            return adjudicate_movement(scene, orders)
        if position.phase.kind is RETREATS:
            return adjudicate_retreats(scene, take_in(scene, orders))
        return adjudicate_adjustments(scene, take_in(scene, orders))
    except AttributeError:
        if isinstance(rulebook, str):
            raise TypeError(f"a text; named({rulebook!r}) is the rulebook") from None
        raise
