"""Why an order failed that is only marked as failed: as far as the other orders of it say so."""

from __future__ import annotations

from collections.abc import Mapping
from typing import assert_never

from judge.archive.report import unit_of
from judge.rules.order import (
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
)
from judge.rules.vocabulary import Province, province_of


def by_province(orders: list[Order | None]) -> Mapping[Province, Order]:
    """Return the *orders* that were understood by the province of their unit."""
    return {name.province: each for each in orders if each and (name := unit_of(each))}


def reason(order: Order, others: Mapping[Province, Order]) -> str | None:
    """Return the word for why *order* failed, in a report of *others*; None if it cannot fail.

    A support or convoy of something that was not ordered is void; if it was ordered, the support
    was cut, the convoy disrupted.
    """
    match order:
        case Move() | Retreat():
            return "bounce"
        case SupportHold(supported=supported):
            return "void" if isinstance(others.get(supported.province), Move) else "cut"
        case SupportMove(supported=unit, target=target):
            return "cut" if _moves(others.get(unit.province), target) else "void"
        case Convoy(army=army, target=target):
            return "disrupted" if _moves(others.get(army.province), target) else "void"
        case Hold() | Build() | Disband() | Waive():
            return None
        case _:
            assert_never(order)


def _moves(order: Order | None, target: str) -> bool:
    return isinstance(order, Move) and province_of(order.target) == province_of(target)
