"""Orders below the name of a phase that they cannot be for, but that the open one could be."""

from __future__ import annotations

from collections.abc import Sequence

from judge.game.orders.future_orders import is_order_of_phase
from judge.mail.body import Line
from judge.notation.conditional_orders import ReadConditionalOrder, read_plan
from judge.rules.board import Map
from judge.rules.types import Phase, Power


def misplaced(
    board: Map, now: Phase, later: Phase, lines: Sequence[Line], power: Power | None = None
) -> tuple[Line, ...]:
    """Return what *lines* order a unit of *power* that is for phases as *now*, never as *later*.

    Nobody but their writer knows whether the line above them was still meant for them.
    """
    readings = read_plan("\n".join(line.text for line in lines), board, later.kind)
    return tuple(
        Line(lines[each.line - 1].number, each.text)
        for each in readings
        if isinstance(each, ReadConditionalOrder)
        and each.power in (None, power)
        and all(is_order_of_phase(now.kind, order) for order in each.wish.orders)
        and not any(is_order_of_phase(later.kind, order) for order in each.wish.orders)
    )
