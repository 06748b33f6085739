"""Orders as the log holds them: canonical text, as `judge.notation.writer` has it.

Whose a unit is stands in it only where the law of the game asks for it (DATC 4.C.5, 4.C.6).
"""

from __future__ import annotations

from collections.abc import Iterable

from judge.notation.names import codes_of
from judge.notation.parser import parse
from judge.notation.reading import Understood
from judge.notation.writer import write, write_owned
from judge.rules.geography import Map
from judge.rules.order import Order
from judge.rules.phase import PhaseKind
from judge.rules.questions import Slip
from judge.rules.rulebook import Rulebook


def write_orders(orders: Iterable[Order], law: Rulebook) -> tuple[str, ...]:
    """Write *orders* so that *law* judges of each text what it judges of the order."""
    forgiving = law.power_omitted is law.power_wrong is Slip.LEGAL
    return tuple(map(write if forgiving else write_owned, orders))


def read_orders(board: Map, kind: PhaseKind, texts: Iterable[str]) -> tuple[Order, ...]:
    """Read the canonical texts of orders for a phase of *kind*."""
    readings = parse("\n".join(texts), board, kind, codes_of(board))
    return tuple(reading.order for reading in readings if isinstance(reading, Understood))
