"""Adjudication ignores names, order sequence, impossible orders and implied orders."""

from __future__ import annotations

from dataclasses import replace
from random import Random  # noqa: TID251 hypothesis draws the seeds

from hypothesis import given

from judge.rules.adjudication import adjudicate
from judge.rules.outcomes import Illegal
from judge.rules.rule_options import ConvoyedAttackFrom
from judge.rules.rulebook import Rulebook
from judge.rules.types import Hold, Order, Power, Waive
from tests.properties.conflicts import (
    BOARD,
    NONSENSE,
    Fight,
    any_sets,
    fights,
    rulebooks,
    seeds,
    with_hard_cases,
)
from tests.properties.naive_results import board_of
from tests.properties.random_positions import name
from tests.properties.renaming import renamed, shuffled_places, shuffled_powers

SILENT = 0.3  # Of the units, how many get no order.


@with_hard_cases(chance=Random(1))  # noqa: S311 no secret
@given(fights, rulebooks, seeds)
def test_the_sequence_of_orders_and_of_units_does_not_matter(
    built: Fight, rulebook: Rulebook, chance: Random
) -> None:
    position, orders = built
    units = tuple(chance.sample(position.units, len(position.units)))
    shuffled = {
        power: chance.sample(orders[power], len(orders[power]))
        for power in chance.sample([*orders], len(orders))
    }

    one = adjudicate(BOARD, position, orders, rulebook)
    other = adjudicate(BOARD, replace(position, units=units), shuffled, rulebook)

    assert one.after == other.after
    assert {*one.outcomes} == {*other.outcomes}
    assert {*one.paradoxes} == {*other.paradoxes}


@with_hard_cases(chance=Random(1))  # noqa: S311 no secret
@given(fights, rulebooks, seeds)
def test_other_powers_fare_the_same(built: Fight, rulebook: Rulebook, chance: Random) -> None:
    names = shuffled_powers(BOARD, chance)

    one = board_of(adjudicate(BOARD, *built, rulebook))
    other = board_of(adjudicate(BOARD, *renamed(built, names), rulebook))

    assert other == renamed(one, names)


@with_hard_cases(chance=Random(1))  # noqa: S311 no secret
@given(fights, rulebooks, seeds)
def test_the_same_borders_under_other_names_give_the_same(
    built: Fight, rulebook: Rulebook, chance: Random
) -> None:
    # Among last fleets of DATC 4.A.4 the alphabet chooses.
    rulebook = replace(rulebook, convoyed_attack_from=ConvoyedAttackFrom.FROM_START)
    names = shuffled_places(BOARD, chance)

    one = board_of(adjudicate(BOARD, *built, rulebook))
    other = board_of(adjudicate(renamed(BOARD, names), *renamed(built, names), rulebook))

    assert other == renamed(one, names)


@with_hard_cases(nonsense=NONSENSE)
@given(fights, rulebooks, any_sets)
def test_an_illegal_order_might_as_well_not_be_given(
    built: Fight, rulebook: Rulebook, nonsense: dict[Power, list[Order]]
) -> None:
    position, orders = built
    everything = {
        power: [*orders.get(power, ()), *nonsense.get(power, ())] for power in BOARD.powers
    }

    one = adjudicate(BOARD, position, everything, rulebook)
    possible = [each for each in one.outcomes if not isinstance(each.verdict, Illegal)]
    left = {
        power: [each.order for each in possible if each.power == power] for power in BOARD.powers
    }
    other = adjudicate(BOARD, position, left, rulebook)

    assert other.after == one.after
    assert [(each.order, each.verdict) for each in other.outcomes] == [
        (each.order, each.verdict) for each in possible
    ]


@with_hard_cases(chance=Random(1))  # noqa: S311 no secret
@given(fights, rulebooks, seeds)
def test_a_unit_without_an_order_holds(built: Fight, rulebook: Rulebook, chance: Random) -> None:
    position, orders = built
    silent = {unit.province for unit in position.units if chance.random() < SILENT}
    spoken = {
        power: [o for o in several if not isinstance(o, Waive) and o.unit.province not in silent]
        for power, several in orders.items()
    }
    holds = {
        power: [Hold(name(unit)) for unit in position.units_of(power) if unit.province in silent]
        for power in orders
    }
    told = {power: [*spoken[power], *holds[power]] for power in orders}

    one = board_of(adjudicate(BOARD, position, spoken, rulebook))
    other = board_of(adjudicate(BOARD, position, told, rulebook))

    assert other == replace(one, words=one.words | dict.fromkeys(silent, "stands"))
