"""The orders of an input: those written for each unit, or all that was handed in for the phase."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from judge.archive.positions import by_power, read_orders
from judge.archive.values import MalformedError, a_text, an_object, some_texts
from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.order_sets import (
    EarlierSets,
    OrderBook,
    Orders,
    OrderSet,
    Proxy,
    in_sequence,
    with_implied,
    with_proxies,
    with_standing,
    without_sequence,
)
from judge.rules.phase_context import PhaseContext
from judge.rules.rule_options import ImpliedOrders, ProxyOrders
from judge.rules.rulebook import Rulebook
from judge.rules.types import Position, Power

ORDERS, SETS, UNSEQUENCED = "orders", "sets", "unsequenced"  # of which a power has one
STANDING, PROXIES = "standing", "proxies"
HANDED_IN = (ORDERS, SETS, UNSEQUENCED, STANDING, PROXIES)  # the keys that are read here
EARLIER = {each.value: each for each in EarlierSets}
GRANTED = {each.value: each for each in (ProxyOrders.ANNOUNCED, ProxyOrders.IN_ORDERS)}


def read_written(
    board: Map, source: Mapping[str, object], position: Position, rulebook: Rulebook
) -> Mapping[Power, Sequence[str]]:
    """Read the orders of each power, as they are written.

    If they first have to be made out of sets, standing orders or proxies, or imply others, they
    are those that come of it. Raises `MalformedError`.
    """
    orders = {
        power: some_texts(several, f"orders of {power}")
        for power, several in by_power(board, source, ORDERS)
    }
    handed_in = source.keys() & {SETS, UNSEQUENCED, STANDING, PROXIES}
    if not handed_in and rulebook.implied_orders is ImpliedOrders.NOT_ALLOWED:
        return orders
    book = _book(board, source, position, rulebook, orders)
    return {power: [write_order(order) for order in several] for power, several in book.items()}


def read_dropped(
    board: Map, source: Mapping[str, object], standing: Mapping[Power, Sequence[str]]
) -> Mapping[Power, Sequence[str]]:
    """Return the orders in the sets of each power that are not among those *standing* in the end.

    Later ones replaced them, or nobody knows which of several counts.
    """
    kept = {text for texts in standing.values() for text in texts}
    dropped: dict[Power, Sequence[str]] = {}
    for key, orders_of in ((SETS, _set), (UNSEQUENCED, _loose)):
        for power, several in by_power(board, source, key):
            sets = (orders_of(board, each, power) for each in _some(several, key))
            texts = dict.fromkeys(write_order(order) for each in sets for order in each.orders)
            dropped[power] = [text for text in texts if text not in kept]
    return {power: texts for power, texts in dropped.items() if texts}


def _book(
    board: Map,
    source: Mapping[str, object],
    position: Position,
    rulebook: Rulebook,
    orders: Mapping[Power, Sequence[str]],
) -> OrderBook:
    scene = PhaseContext(board, position, rulebook)
    book = {power: read_orders(board, texts) for power, texts in orders.items()}
    for power, made in _out_of_sets(scene, source):
        if power in book:
            raise MalformedError(power, f"is in more than one of {ORDERS}, {SETS}, {UNSEQUENCED}")
        book[power] = made
    standing = {
        power: _orders(board, several, f"{STANDING} of {power}")
        for power, several in by_power(board, source, STANDING)
    }
    given = with_proxies(book, list(_proxies(board, source)), rulebook.proxy_orders)
    return with_implied(scene, with_standing(scene, given, standing))


def _out_of_sets(
    scene: PhaseContext, source: Mapping[str, object]
) -> Iterator[tuple[Power, Orders]]:
    board = scene.board
    for power, several in by_power(board, source, SETS):
        sets = [_set(board, each, power) for each in _some(several, f"{SETS} of {power}")]
        yield power, in_sequence(sets, scene.rulebook.sets_in_sequence)
    for power, several in by_power(board, source, UNSEQUENCED):
        texts = _some(several, f"{UNSEQUENCED} of {power}")
        loose = [_loose(board, each, power).orders for each in texts]
        yield power, without_sequence(scene, power, loose)


def _set(board: Map, told: object, power: Power) -> OrderSet:
    source = an_object(told, f"a set of {power}")
    earlier = a_text(source.get("earlier", EarlierSets.UNSAID.value), "earlier")
    if earlier not in EARLIER:
        raise MalformedError(earlier, f"must be one of {', '.join(EARLIER)}")
    return OrderSet(_orders(board, source.get(ORDERS), f"a set of {power}"), EARLIER[earlier])


def _loose(board: Map, told: object, power: Power) -> OrderSet:
    return OrderSet(_orders(board, told, f"{UNSEQUENCED} of {power}"))


def _proxies(board: Map, source: Mapping[str, object]) -> Iterator[Proxy]:
    for owner, several in by_power(board, source, PROXIES):
        for province, told in an_object(several, f"{PROXIES} of {owner}").items():
            proxy = an_object(told, f"proxy for {province}")
            writer, granted = (
                a_text(proxy.get("by"), "by"),
                a_text(proxy.get("granted"), "granted"),
            )
            if province not in board.places:
                raise MalformedError(province, f"no province of the {board.name} map")
            if writer not in board.nations:
                raise MalformedError(writer, f"no power of the {board.name} map")
            if granted not in GRANTED:
                raise MalformedError(granted, f"must be one of {', '.join(GRANTED)}")
            yield Proxy(owner=owner, writer=writer, province=province, granted=GRANTED[granted])


def _orders(board: Map, texts: object, name: str) -> Orders:
    return read_orders(board, some_texts(texts, name))


def _some(value: object, name: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise MalformedError(name, "must be a list")
    return value
