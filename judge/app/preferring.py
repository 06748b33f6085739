"""Where a unit is to retreat to, in order of preference, when the phase of it is open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.notation.plans import Planned, Wished, read_plan
from judge.notation.reading import Reading, Understood
from judge.rules.geography import Map
from judge.rules.order import Order, Retreat
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.vocabulary import province_of


def first_possible(
    board: Map, position: Position, text: str, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Read each line of *text* that lists retreats of a unit as the first that can be.

    Of other lines it yields the *readings*. A list with a condition is none here.
    """
    planned = read_plan(text, board, PhaseKind.RETREATS)
    lists = {each.line for each in planned if _is_list(each)}
    yield from (each for each in readings if each.line not in lists)
    for each in planned:
        if each.line in lists:
            yield _chosen(position, each) if isinstance(each, Wished) else each


def _is_list(planned: Planned) -> bool:
    return (
        isinstance(planned, Wished)
        and planned.wish.condition is None
        and len(planned.wish.orders) > 1
    )


def _chosen(position: Position, wished: Wished) -> Understood:
    orders = wished.wish.orders
    order = next((each for each in orders if _can_be(position, each)), orders[0])
    return Understood(wished.line, 1, wished.text, order, wished.power)


def _can_be(position: Position, order: Order) -> bool:
    if not isinstance(order, Retreat):
        return True
    return any(
        province_of(order.target) in map(province_of, each.retreats)
        for each in position.dislodged
        if each.unit.province == province_of(order.unit.location)
    )
