"""Orders as the log holds them: canonical text, as `judge.notation.order_text` has it.

Whose a unit is stands in it only where the law of the game asks for it (DATC 4.C.5, 4.C.6).
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.notation.names import codes_of
from judge.notation.order_text import write_order, write_owned_order
from judge.notation.parser import parse
from judge.notation.readings import Understood
from judge.rules.board import Map
from judge.rules.rule_options import MisnamedUnit
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, PhaseKind


def write_orders(orders: Iterable[Order], law: Rulebook) -> tuple[str, ...]:
    """Write *orders* so that *law* judges of each text what it judges of the order."""
    forgiving = law.power_omitted is law.power_wrong is MisnamedUnit.LEGAL
    return tuple(map(write_order if forgiving else write_owned_order, orders))


def read_orders(board: Map, kind: PhaseKind, texts: Iterable[str]) -> tuple[Order, ...]:
    """Read the canonical texts of orders for a phase of *kind*."""
    readings = parse("\n".join(texts), board, kind, codes_of(board))
    return tuple(reading.order for reading in readings if isinstance(reading, Understood))
