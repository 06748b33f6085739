"""What would come of orders, if they were all that is given: nothing is recorded."""

from __future__ import annotations

from dataclasses import replace

from judge.events.types import PhaseClosed
from judge.game.closing import Texts, close_phase
from judge.game.game import Game
from judge.game.state import _moved_on
from judge.rules.board import Map


def suppose(board: Map, game: Game, orders: Texts) -> tuple[PhaseClosed, Game]:
    """Judge *orders* in the open phase of *game*, whatever stands there; return the game after.

    No power is late in it, and nothing is promised.
    """
    assert game.phase is not None, "orders are for an open phase"
    assert game.position is not None
    nonces = dict.fromkeys(orders, "")
    phase = replace(game.phase, standing=orders, nonces=nonces, viewed=())
    supposed = replace(game, phase=phase)
    closed = close_phase(board, supposed, game.position, phase)
    closed = replace(closed, commitments={}, nmr=())
    return closed, _moved_on(supposed, closed)
