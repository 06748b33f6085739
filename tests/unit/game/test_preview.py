"""Previews: the adjudication of supposed orders."""

from __future__ import annotations

from judge.game.phases import suppose_orders
from tests.unit.game.table import BOARD, given, started, submit


def test_a_preview_ignores_submitted_orders_commitments_and_lateness() -> None:
    game = given(started(), submit("ITALY", "A Ven-Tri"))

    closed, after = suppose_orders(BOARD, game, {"FRANCE": ("A PAR - BUR",)})

    assert closed.orders == {"FRANCE": ("A PAR - BUR",)}
    assert closed.commitments == {}
    assert closed.nmr == ()
    assert after.position
    places = {str(unit) for unit in after.position.units}
    assert {"A BUR", "A VEN"} <= places
    assert game.phase
    assert game.phase.standing == {"ITALY": ("A VEN - TRI",)}
