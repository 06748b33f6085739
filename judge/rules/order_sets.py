"""Combine the order sets of each power, and choose the orders that count (DATC 4.D, 4.E.3-5).

In games by mail the house rules decide this; these are the rulebook's answers, for `adjudicate`
and for records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from judge.rules.legality import counts_as_move, find_fault, is_loosely_named
from judge.rules.outcomes import Impossible, ValidatedOrders
from judge.rules.phase_context import PhaseContext, target_location
from judge.rules.rule_options import (
    ImpliedOrders,
    ProxyOrders,
    RepeatedOrders,
    SetsInSequence,
    SetsWithoutSequence,
    StandingOrders,
)
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)

Orders: TypeAlias = tuple[Order, ...]
OrderBook: TypeAlias = Mapping[Power, Orders]


class EarlierSets(Enum):
    """The effect of an order set on earlier sets of its power."""

    UNSAID = "unsaid"
    STAND = "stand"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Orders that a power submitted together."""

    orders: Orders
    earlier: EarlierSets = EarlierSets.UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Permission of *owner* for *writer* to order the unit in *province*, as *granted*."""

    owner: Power
    writer: Power
    province: Province
    granted: ProxyOrders


def in_sequence(sets: Sequence[OrderSet], rule: SetsInSequence) -> Orders:
    """Return the orders in force after *sets*, the earliest first (DATC 4.D.1)."""
    so_far: Orders = ()
    for each in sets:
        kept = so_far if _keeps_earlier(each, rule) else ()
        so_far = (*_orders_for_other_units(each.orders, kept), *each.orders)
    return so_far


def without_sequence(context: PhaseContext, power: Power, sets: Sequence[Orders]) -> Orders:
    """Return the orders of *power* from *sets* of unknown sequence (DATC 4.D.2).

    Where merged sets contradict each other on a unit, no order for it counts.
    """
    if len(set(sets)) == 1:
        return sets[0]
    match context.rulebook.sets_without_sequence:
        case SetsWithoutSequence.MERGE:
            return _uncontradicted(sets)
        case SetsWithoutSequence.ALL_HOLD:
            holds = [
                _hold_order(context, unit.province) for unit in context.position.units_of(power)
            ]
            return tuple(hold for hold in holds if find_fault(context, power, hold) is None)
        case rule:
            assert_never(rule)


def with_proxies(book: OrderBook, proxies: Sequence[Proxy], rule: ProxyOrders) -> OrderBook:
    """Return *book* with proxy orders given to the owners of the units (DATC 4.E.5).

    An order of the owner takes precedence.
    """
    if rule is ProxyOrders.NOT_ALLOWED:
        return book
    given = dict(book)
    for proxy in proxies:
        own, written = given.get(proxy.owner, ()), given.get(proxy.writer, ())
        lent = [order for order in written if _ordered_province(order) == proxy.province]
        if proxy.granted is rule and lent and lent == _orders_for_other_units(own, lent):
            given[proxy.writer] = tuple(order for order in written if order not in lent)
            given[proxy.owner] = (*own, *lent)
    return given


def with_standing(context: PhaseContext, book: OrderBook, standing: OrderBook) -> OrderBook:
    """Return *book* with possible *standing* orders for units without one (DATC 4.E.4)."""
    if context.rulebook.standing_orders is StandingOrders.NOT_ALLOWED:
        return book
    return _add_possible(context, book, standing)


def with_implied(context: PhaseContext, book: OrderBook) -> OrderBook:
    """Return *book* with the orders that supports and convoys of a power imply (DATC 4.E.3).

    This is only for units without an order, and if all that name a unit agree.
    """
    if context.rulebook.implied_orders is ImpliedOrders.NOT_ALLOWED:
        return book
    implied = {
        power: _uncontradicted(_implied_orders(context, power, own)) for power, own in book.items()
    }
    return _add_possible(context, book, implied)


def _keeps_earlier(each: OrderSet, rule: SetsInSequence) -> bool:
    """Return whether earlier sets stay in force after *each*."""
    match rule:
        case SetsInSequence.LAST_UNLESS_KEPT:
            return each.earlier is EarlierSets.STAND
        case SetsInSequence.MERGE:
            return True
        case SetsInSequence.MERGE_UNLESS_REPLACED:
            return each.earlier is not EarlierSets.REPLACED
        case SetsInSequence.LAST:
            return False
        case _:
            assert_never(rule)


def _uncontradicted(sets: Sequence[Orders]) -> Orders:
    """Return the orders of *sets* except for units on which the sets contradict each other."""
    versions: dict[Province | None, set[Orders]] = {}
    for orders in sets:
        for place in {_ordered_province(order): None for order in orders}:
            version = tuple(order for order in orders if _ordered_province(order) == place)
            versions.setdefault(place, set()).add(version)
    agreed = [several.pop() for several in versions.values() if len(several) == 1]
    return tuple(order for version in agreed for order in version)


def _implied_orders(context: PhaseContext, power: Power, orders: Orders) -> list[Orders]:
    """Return the orders that possible ones of *orders* imply."""
    return [
        (order,)
        for given in orders
        if find_fault(context, power, given) is None
        for order in _orders_implied_by(context, given)
    ]


def _orders_implied_by(context: PhaseContext, order: Order) -> Iterator[Order]:
    match order:
        case SupportHold():
            yield _hold_order(context, order.supported.province)
        case SupportMove():
            yield _move_order(context, order.supported.province, order.target)
        case Convoy():
            yield _move_order(context, order.army.province, order.target)
        case Hold() | Move() | Retreat() | Disband() | Build() | Waive():
            pass
        case _:
            assert_never(order)


def _hold_order(context: PhaseContext, province: Province) -> Order:
    unit = context.unit_in(province)
    assert unit is not None
    return Hold(unit.named())


def _move_order(context: PhaseContext, province: Province, target: Location) -> Order:
    unit = context.unit_in(province)
    assert unit is not None
    return Move(unit.named(), target_location(context, unit, target))


def _add_possible(context: PhaseContext, book: OrderBook, more: OrderBook) -> OrderBook:
    """Return *book* with those of *more* that are possible and for units without an order."""
    added = {
        power: tuple(order for order in orders if find_fault(context, power, order) is None)
        for power, orders in more.items()
    }
    return {
        power: (
            *book.get(power, ()),
            *_orders_for_other_units(book.get(power, ()), added.get(power, ())),
        )
        for power in {**book, **more}
    }


def _orders_for_other_units(orders: Sequence[Order], others: Sequence[Order]) -> list[Order]:
    """Return those of *others* for units without one of *orders*."""
    addressed = {_ordered_province(order) for order in orders}
    return [order for order in others if _ordered_province(order) not in addressed]


def _ordered_province(order: Order) -> Province | None:
    return None if isinstance(order, Waive) else order.unit.province


DUPLICATE_FAULTS: Mapping[RepeatedOrders, Impossible] = {
    RepeatedOrders.FIRST: Impossible.DUPLICATE,
    RepeatedOrders.LAST: Impossible.DUPLICATE_LAST,
    RepeatedOrders.NONE: Impossible.DUPLICATE_NONE,
}


def validate_orders(
    context: PhaseContext, orders: Mapping[Power, Sequence[Order]]
) -> ValidatedOrders:
    """Find the fault of each of *orders*, and the one that counts in each province (DATC 4.D)."""
    given = [(power, order) for power, several in orders.items() for order in several]
    faults: dict[int, Impossible] = {}
    counting: dict[Province, int] = {}
    rivals: dict[Province, list[int]] = {}
    for index, (power, order) in enumerate(given):
        fault = find_fault(context, power, order)
        if fault is not None and not counts_as_move(context, order, fault):
            faults[index] = fault
        elif not isinstance(order, Waive):
            first = counting.setdefault(order.unit.province, index)
            if first != index:
                rivals.setdefault(order.unit.province, [first]).append(index)
    for province, several in rivals.items():
        overruled = _duplicate_faults(context, given, several)
        faults.update(overruled)
        del counting[province]
        counting.update((province, index) for index in several if index not in overruled)
    return ValidatedOrders(given, faults, counting)


def counting_orders(
    context: PhaseContext, orders: Mapping[Power, Sequence[Order]]
) -> Mapping[Power, Sequence[Order]]:
    """Return those of *orders* that count, at most one for each unit."""
    validated = validate_orders(context, orders)
    indices = iter(range(len(validated.given)))
    return {
        power: [order for order in several if next(indices) not in validated.faults]
        for power, several in orders.items()
    }


def _duplicate_faults(
    context: PhaseContext, given: Sequence[tuple[Power, Order]], several: Sequence[int]
) -> Mapping[int, Impossible]:
    """Return by index why orders of *several* for one province do not count."""
    proper = [i for i in several if not is_loosely_named(context, given[i][1])] or several
    orders = [given[index][1] for index in proper]
    if isinstance(orders[0], Build):
        rule = context.rulebook.builds_in_one_center
        why = DUPLICATE_FAULTS[rule]
    elif orders.count(orders[0]) == len(orders):
        rule, why = RepeatedOrders.FIRST, Impossible.DUPLICATE_SAME  # It is no second order.
    else:
        rule = context.rulebook.orders_for_one_unit
        why = DUPLICATE_FAULTS[rule]
    kept = _kept_index(proper, rule)
    faults = {index: Impossible.DUPLICATE_NAMED for index in several if index not in proper}
    return {**faults, **{index: why for index in proper if index != kept}}


def _kept_index(several: Sequence[int], rule: RepeatedOrders) -> int | None:
    match rule:
        case RepeatedOrders.FIRST:
            return several[0]
        case RepeatedOrders.LAST:
            return several[-1]
        case RepeatedOrders.NONE:
            return None
        case _:
            assert_never(rule)
