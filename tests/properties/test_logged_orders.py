"""Orders in the log are read back as written, and no other text is accepted."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from judge.game.future_orders import wishes_from_payloads, wishes_to_payloads
from judge.game.house_rules import ImpossibleOrders
from judge.game.payloads import orders_from_texts, write_orders
from judge.game.submission import OrderSetUpdate
from judge.notation.conditional_orders import ConditionalOrder, Owns
from judge.notation.order_text import UnreadableOrderError, write_order
from judge.notation.strict_orders import read_strictly
from judge.rules.rule_options import MisnamedUnit
from judge.rules.rulebook import DATC, QUESTIONS, Rulebook, answers_to, with_choices
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    PhaseKind,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)
from tests.properties.conflicts import BOARD
from tests.properties.test_notation_properties import (
    MOVEMENT_ORDERS,
    OTHER_ORDERS,
    OWNED_ORDERS,
    STRANGE_ORDERS,
)

LAST_ANSWERS = with_choices(DATC, {each: [*answers_to(each)][-1] for each in QUESTIONS})
TESTED_RULEBOOKS = st.fixed_dictionaries(
    {each: st.sampled_from([*answers_to(each)]) for each in QUESTIONS}
)
LOCATIONS = st.sampled_from(sorted(BOARD.locations))
SEAS = st.sampled_from(sorted({province_of(each) for each in BOARD.locations}))
UNITS = st.builds(
    UnitName,
    st.sampled_from([*UnitKind, None]),
    LOCATIONS,
    st.sampled_from([*BOARD.powers, None]),
)
ROUTES = st.lists(SEAS, max_size=3).map(tuple)


@st.composite
def moves(draw: st.DrawFn) -> Move:
    route = draw(ROUTES)
    via = bool(route) or draw(st.booleans())  # A route is one by sea.
    return Move(draw(UNITS), draw(LOCATIONS), via_convoy=via, route=route)


ORDERS: st.SearchStrategy[Order] = st.one_of(
    moves(),
    st.builds(Hold, UNITS),
    st.builds(SupportHold, UNITS, UNITS),
    st.builds(SupportMove, UNITS, UNITS, LOCATIONS),
    st.builds(Convoy, UNITS, UNITS, LOCATIONS),
    st.builds(Retreat, UNITS, LOCATIONS),
    st.builds(Disband, UNITS),
    st.builds(Build, UNITS.map(lambda unit: replace(unit, power=None))),
    st.just(Waive()),
)


def without_owners(order: Order) -> Order:
    match order:
        case Waive():
            return order
        case SupportHold() | SupportMove():
            supported = replace(order.supported, power=None)
            return replace(order, unit=replace(order.unit, power=None), supported=supported)
        case Convoy():
            army = replace(order.army, power=None)
            return replace(order, unit=replace(order.unit, power=None), army=army)
        case _:
            return replace(order, unit=replace(order.unit, power=None))


def asks_for_owners(rulebook: Rulebook) -> bool:
    return {rulebook.power_omitted, rulebook.power_wrong} != {MisnamedUnit.LEGAL}


@example([*MOVEMENT_ORDERS, *OTHER_ORDERS, *OWNED_ORDERS, *STRANGE_ORDERS], DATC)
@example([*OWNED_ORDERS, *STRANGE_ORDERS], LAST_ANSWERS)
@given(st.lists(ORDERS), TESTED_RULEBOOKS.map(lambda choices: with_choices(DATC, choices)))
def test_every_order_is_read_as_it_was_written_under_every_rulebook(
    orders: list[Order], rulebook: Rulebook
) -> None:
    kept = orders if asks_for_owners(rulebook) else [without_owners(order) for order in orders]

    written = write_orders(orders, rulebook)

    assert orders_from_texts(written) == tuple(kept)
    assert write_orders(orders_from_texts(written), rulebook) == written
    wishes = [ConditionalOrder(Owns("PAR", None), (order,)) for order in kept]
    assert wishes_from_payloads(wishes_to_payloads(wishes, rulebook)) == tuple(wishes)


@example([*MOVEMENT_ORDERS, *OWNED_ORDERS], PhaseKind.MOVEMENT, LAST_ANSWERS)
@example([*OTHER_ORDERS], PhaseKind.ADJUSTMENTS, DATC)
@given(
    st.lists(ORDERS, min_size=1),
    st.sampled_from(PhaseKind),
    TESTED_RULEBOOKS.map(lambda choices: with_choices(DATC, choices)),
)
def test_orders_of_emails_are_read_from_the_log_as_they_came(
    orders: list[Order], kind: PhaseKind, rulebook: Rulebook
) -> None:
    position = replace(BOARD.start, phase=replace(BOARD.start.phase, kind=kind))
    read = (read_strictly(write_order(order), BOARD, kind) for order in orders)
    came = [found[0].order for found in read if len(found) == 1]
    intake = OrderSetUpdate(BOARD, position, rulebook, ImpossibleOrders.ACCEPT, "FRANCE")

    for kept in (came, intake.take(came).orders):
        expected = kept if asks_for_owners(rulebook) else [without_owners(order) for order in kept]
        assert orders_from_texts(write_orders(kept, rulebook)) == tuple(expected)


@example("A LON - BEL VIA", " - ")
@example("F MAO S F POR - SPA/SC", " S ")
@example("A PAR R GAS", " R ")
@example("F STP/SC H", " H")
@given(ORDERS.map(write_order), st.sampled_from([" - ", " H", " R ", " S "]))
def test_text_that_nobody_wrote_here_is_not_read(written: str, part: str) -> None:
    torn = written.replace(part, " to ", 1)

    if torn != written:
        with pytest.raises(UnreadableOrderError):
            orders_from_texts([torn])
