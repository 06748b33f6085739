"""Misspelled orders are read as the orders that were meant, or not at all."""

from __future__ import annotations

from random import Random  # noqa: TID251 its seed is drawn by the test

from hypothesis import example, given
from hypothesis import strategies as st

from judge.game.house_rules import ImpossibleOrders
from judge.game.payloads import orders_from_texts, write_orders
from judge.game.submission import OrderSetUpdate
from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Illegal
from judge.rules.rulebook import DATC, QUESTIONS, Rulebook, answers_to, number_of, with_choices
from judge.rules.types import (
    Convoy,
    Hold,
    Location,
    Move,
    Order,
    Position,
    Power,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    province_of,
)
from tests.properties.conflicts import BOARD, seeds
from tests.properties.random_positions import crowd

UNITS = 12
SLIPS = 0.25  # of the names of units, how many have a slip in each part
QUESTIONS_OF_WORDING = [each for each in QUESTIONS if number_of(each)[:4] in {"4.B.", "4.C."}]
LAST_ANSWERS = with_choices(DATC, {each: [*answers_to(each)][-1] for each in QUESTIONS_OF_WORDING})
WORDINGS = st.fixed_dictionaries(
    {question: st.sampled_from([*answers_to(question)]) for question in QUESTIONS_OF_WORDING}
).map(lambda choices: with_choices(DATC, choices))


@example(Random(1), DATC)  # noqa: S311 no secret
@example(Random(2), LAST_ANSWERS)  # noqa: S311 no secret
@given(seeds, WORDINGS)
def test_accepted_orders_are_adjudicated_as_written(chance: Random, rulebook: Rulebook) -> None:
    position = crowd(BOARD, chance, UNITS)
    for unit in position.units:
        written = worded(chance, position, unit)
        intake = OrderSetUpdate(BOARD, position, rulebook, ImpossibleOrders.ACCEPT, unit.power)
        taken = intake.take([written])
        stands = orders_from_texts(write_orders(taken.orders, rulebook))
        at_close = adjudicate(BOARD, position, {unit.power: stands}, rulebook)
        as_written = adjudicate(BOARD, position, {unit.power: [written]}, rulebook)
        faults = [
            each.verdict.why for each in at_close.outcomes if isinstance(each.verdict, Illegal)
        ]

        assert [remark.impossible for remark in taken.remarks] == faults
        assert [each.verdict for each in at_close.outcomes] == [
            each.verdict for each in as_written.outcomes
        ]
        assert at_close.after == as_written.after


def worded(chance: Random, position: Position, unit: Unit) -> Order:
    """Return an order for *unit*, about the others of *position*, in words that may be wrong."""
    own = named(chance, unit, None)
    there = chance.choice(position.units)
    other = named(chance, there, there.power)
    target = placed(chance, chance.choice(position.units).location)
    orders: list[Order] = [
        Hold(own),
        Move(own, target, via_convoy=chance.random() < SLIPS),
        SupportHold(own, other),
        SupportMove(own, other, target),
        Convoy(own, other, target),
    ]
    return chance.choice(orders)


def named(chance: Random, unit: Unit, power: Power | None) -> UnitName:
    kind: UnitKind | None = unit.kind
    if chance.random() < SLIPS:
        kind = chance.choice([*UnitKind, None])
    if power and chance.random() < SLIPS:
        power = chance.choice([*BOARD.powers, None])
    return UnitName(kind, placed(chance, unit.location), power)


def placed(chance: Random, location: Location) -> Location:
    if chance.random() < SLIPS:
        return province_of(location) + chance.choice(["", "/NC", "/SC", "/WC"])
    return location
