"""What the orders of each power are, before they are judged (DATC 4.D.1, 4.D.2, 4.E.3 to 4.E.5).

For games by mail the house rules say this; here are the rulebook's answers, for `adjudicate` and
for records.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias, assert_never

from judge.rules.coasts import destination
from judge.rules.legality import obstacle
from judge.rules.order import Convoy, Hold, Move, Order, SupportHold, SupportMove, UnitName, Waive
from judge.rules.questions import (
    ImpliedOrders,
    ProxyOrders,
    SetsInSequence,
    SetsWithoutSequence,
    StandingOrders,
)
from judge.rules.scene import Scene
from judge.rules.vocabulary import Location, Power, Province

Orders: TypeAlias = tuple[Order, ...]
Book: TypeAlias = Mapping[Power, Orders]


class Earlier(Enum):
    """What a set of orders says of those that its writer handed in before."""

    UNSAID = "unsaid"
    STAND = "stand"
    REPLACED = "replaced"


@dataclass(frozen=True, slots=True)
class OrderSet:
    """Orders that a power handed in together."""

    orders: Orders
    earlier: Earlier = Earlier.UNSAID


@dataclass(frozen=True, slots=True, kw_only=True)
class Proxy:
    """Leave that *owner* gave *writer* to order the unit in *province*, in the way *granted*."""

    owner: Power
    writer: Power
    province: Province
    granted: ProxyOrders


def in_sequence(sets: Sequence[OrderSet], rule: SetsInSequence) -> Orders:
    """Return the orders that stand after *sets*, the first of which came first (DATC 4.D.1)."""
    standing: Orders = ()
    for each in sets:
        kept = standing if _keeps(each, rule) else ()
        standing = (*_besides(each.orders, kept), *each.orders)
    return standing


def without_sequence(scene: Scene, power: Power, sets: Sequence[Orders]) -> Orders:
    """Return the orders of *power*, who handed in *sets* nobody knows when (DATC 4.D.2).

    Where they are merged and contradict each other on a unit, no order for it counts: none of
    them is the first or the last.
    """
    if len(set(sets)) == 1:
        return sets[0]
    match scene.rulebook.sets_without_sequence:
        case SetsWithoutSequence.MERGE:
            return _undisputed(sets)
        case SetsWithoutSequence.ALL_HOLD:
            holds = [_hold(scene, unit.province) for unit in scene.position.units_of(power)]
            return tuple(hold for hold in holds if obstacle(scene, power, hold) is None)
        case rule:
            assert_never(rule)


def with_proxies(book: Book, proxies: Sequence[Proxy], rule: ProxyOrders) -> Book:
    """Give each order that was written with leave to the owner of the unit (DATC 4.E.5).

    An order of the owner himself goes first.
    """
    if rule is ProxyOrders.NOT_ALLOWED:
        return book
    given = dict(book)
    for proxy in proxies:
        own, written = given.get(proxy.owner, ()), given.get(proxy.writer, ())
        lent = [order for order in written if _place(order) == proxy.province]
        if proxy.granted is rule and lent and lent == _besides(own, lent):
            given[proxy.writer] = tuple(order for order in written if order not in lent)
            given[proxy.owner] = (*own, *lent)
    return given


def with_standing(scene: Scene, book: Book, standing: Book) -> Book:
    """Repeat *standing* orders for units without another, where they are possible (4.E.4)."""
    if scene.rulebook.standing_orders is StandingOrders.NOT_ALLOWED:
        return book
    return _with_more(scene, book, standing)


def with_implied(scene: Scene, book: Book) -> Book:
    """Suppose the orders that supports and convoys of the same power imply (DATC 4.E.3).

    Only for units without an order, and if all that speak of a unit agree.
    """
    if scene.rulebook.implied_orders is ImpliedOrders.NOT_ALLOWED:
        return book
    implied = {power: _undisputed(_implied(scene, power, own)) for power, own in book.items()}
    return _with_more(scene, book, implied)


def _keeps(each: OrderSet, rule: SetsInSequence) -> bool:
    """Tell whether *each* leaves in force what stood before."""
    match rule:
        case SetsInSequence.LAST_UNLESS_KEPT:
            return each.earlier is Earlier.STAND
        case SetsInSequence.MERGE:
            return True
        case SetsInSequence.MERGE_UNLESS_REPLACED:
            return each.earlier is not Earlier.REPLACED
        case SetsInSequence.LAST:
            return False
        case _:
            assert_never(rule)


def _undisputed(sets: Sequence[Orders]) -> Orders:
    """Return all orders of *sets* but those for a unit on which they contradict each other."""
    versions: dict[Province | None, set[Orders]] = {}
    for orders in sets:
        for place in {_place(order): None for order in orders}:
            version = tuple(order for order in orders if _place(order) == place)
            versions.setdefault(place, set()).add(version)
    agreed = [several.pop() for several in versions.values() if len(several) == 1]
    return tuple(order for version in agreed for order in version)


def _implied(scene: Scene, power: Power, orders: Orders) -> list[Orders]:
    """Return what each of *orders* that is possible implies, if it implies anything."""
    return [
        (order,)
        for given in orders
        if obstacle(scene, power, given) is None
        for order in _implied_by(scene, given)
    ]


def _implied_by(scene: Scene, order: Order) -> Iterator[Order]:
    match order:
        case SupportHold():
            yield _hold(scene, order.supported.province)
        case SupportMove():
            yield _move(scene, order.supported.province, order.target)
        case Convoy():
            yield _move(scene, order.army.province, order.target)
        case _:
            return


def _hold(scene: Scene, province: Province) -> Order:
    unit = scene.unit_in(province)
    assert unit is not None
    return Hold(UnitName(unit.kind, unit.location))


def _move(scene: Scene, province: Province, target: Location) -> Order:
    unit = scene.unit_in(province)
    assert unit is not None
    return Move(UnitName(unit.kind, unit.location), destination(scene, unit, target))


def _with_more(scene: Scene, book: Book, more: Book) -> Book:
    """Add to *book* those of *more* that are possible and for units without an order."""
    added = {
        power: tuple(order for order in orders if obstacle(scene, power, order) is None)
        for power, orders in more.items()
    }
    return {
        power: (*book.get(power, ()), *_besides(book.get(power, ()), added.get(power, ())))
        for power in {**book, **more}
    }


def _besides(orders: Sequence[Order], others: Sequence[Order]) -> list[Order]:
    """Return those of *others* that are for units of which *orders* say nothing."""
    addressed = {_place(order) for order in orders}
    return [order for order in others if _place(order) not in addressed]


def _place(order: Order) -> Province | None:
    return None if isinstance(order, Waive) else order.unit.province
