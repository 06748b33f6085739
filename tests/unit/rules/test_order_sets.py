"""Order sets, standing orders, proxies and implied orders become the adjudicated orders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from judge.notation.order_text import write_order
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
from judge.rules.rule_options import (
    ImpliedOrders,
    ProxyOrders,
    SetsInSequence,
    SetsWithoutSequence,
    StandingOrders,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import Order, Position
from tests.datc.case_notation import read_order
from tests.unit.rules.play_phase import BOARD, Written, standing

FRANCE = standing({"FRANCE": ["F BRE", "A MAR", "A PAR"], "GERMANY": ["A MUN", "A RUH"]})


def scene(rulebook: Rulebook, position: Position = FRANCE) -> PhaseContext:
    return PhaseContext(BOARD, position, rulebook)


def read(texts: Sequence[str]) -> Orders:
    return tuple(read_order(text) for text in texts)


def book(orders: Written) -> OrderBook:
    return {power: read(texts) for power, texts in orders.items()}


def texts(orders: Sequence[Order]) -> list[str]:
    return [write_order(order) for order in orders]


def by_power(orders: OrderBook) -> Written:
    return {power: texts(several) for power, several in orders.items()}


@pytest.mark.parametrize(
    ("rule", "earlier", "stands"),
    [
        (SetsInSequence.LAST, EarlierSets.STAND, ["A PAR - PIC"]),
        (SetsInSequence.LAST_UNLESS_KEPT, EarlierSets.UNSAID, ["A PAR - PIC"]),
        (SetsInSequence.LAST_UNLESS_KEPT, EarlierSets.STAND, ["A MAR H", "A PAR - PIC"]),
        (SetsInSequence.MERGE_UNLESS_REPLACED, EarlierSets.UNSAID, ["A MAR H", "A PAR - PIC"]),
        (SetsInSequence.MERGE_UNLESS_REPLACED, EarlierSets.REPLACED, ["A PAR - PIC"]),
        (SetsInSequence.MERGE, EarlierSets.REPLACED, ["A MAR H", "A PAR - PIC"]),
    ],
)
def test_a_later_set_replaces_or_completes_the_earlier(
    rule: SetsInSequence, earlier: EarlierSets, stands: list[str]
) -> None:
    sets = [
        OrderSet(read(["A PAR - BUR", "A MAR H"])),
        OrderSet(read(["A PAR - PIC"]), earlier),
    ]

    assert texts(in_sequence(sets, rule)) == stands


def test_a_replaced_order_does_not_come_back() -> None:
    sets = [
        OrderSet(read(["F BRE H"])),
        OrderSet(read(["A MAR H"])),
        OrderSet(read(["A PAR H"]), EarlierSets.STAND),
    ]

    assert texts(in_sequence(sets, SetsInSequence.LAST_UNLESS_KEPT)) == ["A MAR H", "A PAR H"]


def test_of_sets_without_sequence_all_counts_that_is_not_contradicted() -> None:
    sets = [
        read(["A PAR - BUR", "A MAR H"]),
        read(["A PAR - PIC", "F BRE H"]),
        read(["F BRE H"]),
    ]

    assert texts(without_sequence(scene(DATC), "FRANCE", sets)) == ["A MAR H", "F BRE H"]


def test_all_units_may_hold_where_the_sequence_is_unknown() -> None:
    all_hold = Rulebook(sets_without_sequence=SetsWithoutSequence.ALL_HOLD)
    winter = replace(FRANCE, phase=standing({}, "W1901A").phase)
    sets = [read(["A PAR - BUR"]), read(["A MAR H"])]

    held = without_sequence(scene(all_hold), "FRANCE", sets)

    assert texts(held) == ["F BRE H", "A MAR H", "A PAR H"]
    assert without_sequence(scene(all_hold, winter), "FRANCE", sets) == ()
    assert without_sequence(scene(all_hold), "FRANCE", sets[:1]) == sets[0]
    assert without_sequence(scene(all_hold), "FRANCE", [sets[0], sets[0]]) == sets[0]


@pytest.mark.parametrize(
    ("rule", "germany"),
    [
        (ProxyOrders.NOT_ALLOWED, []),
        (ProxyOrders.ANNOUNCED, []),
        (ProxyOrders.IN_ORDERS, ["A MUN - BUR"]),
    ],
)
def test_a_proxy_counts_if_it_was_granted_as_the_rulebook_wants_it(
    rule: ProxyOrders, germany: list[str]
) -> None:
    orders = book({"FRANCE": ["A PAR H", "A MUN - BUR", "A RUH - BEL"], "GERMANY": []})

    given = with_proxies(orders, [proxy("MUN")], rule)

    assert texts(given["GERMANY"]) == germany
    assert [text for text in texts(given["FRANCE"]) if text in germany] == []
    assert len(given["FRANCE"]) + len(germany) == 3


def test_an_order_of_the_owner_goes_before_one_by_proxy() -> None:
    orders = book({"FRANCE": ["A MUN - BUR"], "GERMANY": ["A MUN H"]})

    assert with_proxies(orders, [proxy("MUN"), proxy("RUH")], ProxyOrders.IN_ORDERS) == orders


def test_a_proxy_orders_for_a_power_that_is_silent() -> None:
    given = with_proxies(book({"FRANCE": ["A RUH - BEL"]}), [proxy("RUH")], ProxyOrders.IN_ORDERS)

    assert by_power(given) == {"FRANCE": [], "GERMANY": ["A RUH - BEL"]}


def test_standing_orders_are_for_units_that_have_no_other() -> None:
    allowed = Rulebook(standing_orders=StandingOrders.ALLOWED)
    orders = book({"FRANCE": ["A PAR - BUR"]})
    always = book(
        {"FRANCE": ["A PAR H", "A MAR S A PAR - BUR", "A SPA H"], "GERMANY": ["A MUN H"]}
    )

    given = with_standing(scene(allowed), orders, always)

    assert by_power(given) == {
        "FRANCE": ["A PAR - BUR", "A MAR S A PAR - BUR"],
        "GERMANY": ["A MUN H"],
    }
    assert with_standing(scene(DATC), orders, always) == orders


@pytest.mark.parametrize(
    ("given", "implied"),
    [
        pytest.param(["A MAR S A PAR - BUR"], ["A PAR - BUR"], id="a support"),
        pytest.param(["A MAR S A PAR - BUR", "A PAR H"], [], id="of a unit with an order"),
        pytest.param(["A MAR S A PAR - BUR", "A PAR - MOS"], [], id="though an impossible one"),
        pytest.param(["A MAR S A MUN - BUR"], [], id="of a foreign unit"),
        pytest.param(["A MAR S A PAR - PIC"], [], id="an impossible support"),
        pytest.param(["F BRE S A PAR - PIC", "A MAR S A PAR - GAS"], [], id="two that differ"),
        pytest.param(["F BRE S A PAR - GAS", "A MAR S A PAR - GAS"], ["A PAR - GAS"], id="two"),
        pytest.param(["F BRE S A PAR"], [], id="out of reach"),
        pytest.param(["A PAR S F BRE"], ["F BRE H"], id="a support to hold"),
        pytest.param(["A PAR - BUR", "A MAR H"], [], id="moves imply nothing"),
    ],
)
def test_a_support_implies_what_its_own_power_forgot(given: list[str], implied: list[str]) -> None:
    allowed = Rulebook(implied_orders=ImpliedOrders.ALLOWED)
    orders = book({"FRANCE": given})

    assert by_power(with_implied(scene(allowed), orders)) == {"FRANCE": given + implied}
    assert with_implied(scene(DATC), orders) == orders


def test_a_convoy_implies_the_move_of_the_army() -> None:
    allowed = Rulebook(implied_orders=ImpliedOrders.ALLOWED)
    channel = standing({"ENGLAND": ["F ENG", "A LON"]})

    given = with_implied(scene(allowed, channel), book({"ENGLAND": ["F ENG C A LON - BEL"]}))

    assert by_power(given) == {"ENGLAND": ["F ENG C A LON - BEL", "A LON - BEL"]}


def proxy(province: str) -> Proxy:
    return Proxy(
        owner="GERMANY", writer="FRANCE", province=province, granted=ProxyOrders.IN_ORDERS
    )
