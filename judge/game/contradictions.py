"""Supports and convoys that contradict other orders of the same power."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import assert_never

from judge.game.intake import place_of
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)


def contradictions(orders: Iterable[Order]) -> Iterator[tuple[Order, Order]]:
    """Yield each of *orders*, those of one power, that contradicts another, and that other.

    A unit without an order contradicts nothing: its order may still come.
    """
    given = {place_of(order): order for order in orders}
    for order in given.values():
        match order:
            case SupportHold(supported=unit) | SupportMove(supported=unit) | Convoy(army=unit):
                other = given.get(unit.province)
                if other is not None and not _agree(order, other):
                    yield order, other
            case Hold() | Move() | Retreat() | Disband() | Build() | Waive():
                pass
            case _:
                assert_never(order)


def _agree(order: SupportHold | SupportMove | Convoy, other: Order) -> bool:
    """Return whether the unit that *order* is about is told to do what *order* helps it with."""
    if isinstance(order, SupportHold):
        return not isinstance(other, Move)
    if not isinstance(other, Move) or province_of(other.target) != province_of(order.target):
        return False
    over_other_seas = other.route and order.unit.province not in other.route
    return isinstance(order, SupportMove) or not over_other_seas
