"""Orders as the log holds them: canonical text, as `judge.notation.writer.write` has it."""

from __future__ import annotations

from collections.abc import Iterable

from judge.notation.names import codes_of
from judge.notation.parser import parse
from judge.notation.reading import Understood
from judge.rules.geography import Map
from judge.rules.order import Order
from judge.rules.phase import PhaseKind


def read_orders(board: Map, kind: PhaseKind, texts: Iterable[str]) -> tuple[Order, ...]:
    """Read the canonical texts of orders for a phase of *kind*."""
    readings = parse("\n".join(texts), board, kind, codes_of(board))
    return tuple(reading.order for reading in readings if isinstance(reading, Understood))
