"""Why an order failed that is only marked as failed: as far as the other orders of it say so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import assert_never

from judge.archive.report import unit_of
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    Waive,
    province_of,
)


def by_province(orders: Iterable[Order | None]) -> Mapping[Province, Order]:
    """Return the *orders* that were understood by the province of their unit."""
    return {name.province: each for each in orders if each and (name := unit_of(each))}


def reason(board: Map, order: Order, others: Mapping[Province, Order]) -> str | None:
    """Return the word for why *order* failed, in a report of *others*; None if it cannot fail.

    A support or convoy of something that was not ordered is void; if it was ordered, the support
    was cut, the convoy disrupted. An army that cannot walk, and that no fleet was to carry, had no
    convoy.
    """
    match order:
        case Retreat():
            return "bounce"
        case Move():
            return "bounce" if _sets_out(board, order, others) else "no convoy"
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


def _sets_out(board: Map, order: Move, others: Mapping[Province, Order]) -> bool:
    origin, goal = order.unit.province, province_of(order.target)
    armies = map_index_of(board).armies
    if order.unit.kind is UnitKind.FLEET or origin not in armies:
        return True
    carried = any(
        isinstance(each, Convoy) and each.army.province == origin and _moves(order, each.target)
        for each in others.values()
    )
    return carried or goal in armies[origin].landings


def _moves(order: Order | None, target: Location) -> bool:
    return isinstance(order, Move) and province_of(order.target) == province_of(target)
