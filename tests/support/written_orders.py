"""Orders in strict notation, as tests write them."""

from __future__ import annotations

import re

from judge.notation.strict_orders import read_strictly
from judge.rules.board import Map
from judge.rules.types import Order, PhaseKind


def orders_in(text: str, board: Map, kind: PhaseKind = PhaseKind.MOVEMENT) -> tuple[Order, ...]:
    """Read *text*, whose lines and parts between commas must each be one order."""
    return tuple(order_in(part, board, kind) for part in re.split(r"[,;\n]", text) if part.strip())


def order_in(text: str, board: Map, kind: PhaseKind = PhaseKind.MOVEMENT) -> Order:
    """Read *text*, which must be one order."""
    found = read_strictly(text, board, kind)
    assert len(found) == 1, (text, found)
    return found[0].order
