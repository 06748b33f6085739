"""The resolver agrees with the naive solver on every DATC case and on random positions.

What they have to agree on is the verdict of every order, the board, where the dislodged may go,
and which convoys were a paradox by which rule.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import TypeAlias

import pytest
from hypothesis import Phase, given, settings

from judge.notation.order_text import write_order
from judge.rules.adjudication import adjudicate
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.rulebook import Rulebook, rulebook_name, rulebook_named
from judge.rules.types import PhaseKind, Province, Waive
from tests.datc.cases_file import (
    cases_of_other_editions,
    cases_of_the_edition,
    orders_of,
    position_of,
)
from tests.properties.conflicts import BOARD, TESTED_RULEBOOKS, Fight, fight, fights, rulebooks
from tests.properties.naive_results import Board, board_after, board_of
from tests.properties.naive_solver import solve

AT_EVERY_CHANGE = 200
AT_LENGTH = 5_000  # under each rulebook
SZYKMAN = ConvoyParadoxes.SZYKMAN

Paradoxes: TypeAlias = set[tuple[tuple[Province, ...], ConvoyParadoxes | None, bool]]

CASES: dict[str, Fight] = {
    number: (position, orders_of(case))
    for number, case in {**cases_of_the_edition(), **cases_of_other_editions()}.items()
    if (position := position_of(case)).phase.kind is PhaseKind.MOVEMENT
}


@pytest.mark.parametrize("rulebook", TESTED_RULEBOOKS)
def test_both_agree_on_the_datc(rulebook: str) -> None:
    for case in CASES.values():
        both_agree(case, rulebook_named(rulebook))


# A seed does not shrink; the position that it makes does, in `reduced`.
@settings(
    max_examples=max(settings().max_examples, AT_EVERY_CHANGE),
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
)
@given(fights, rulebooks)
def test_both_agree_on_what_is_built_under_any_mixture_of_rulebooks(
    built: Fight, rulebook: Rulebook
) -> None:
    both_agree(built, rulebook)


@pytest.mark.slow
@pytest.mark.parametrize("name", TESTED_RULEBOOKS)
def test_both_agree_on_thousands_of_positions_under_each_rulebook(name: str) -> None:
    rulebook = rulebook_named(name)
    for seed in range(AT_LENGTH):
        both_agree(fight(seed), rulebook)


@pytest.mark.parametrize(
    ("number", "counts"),
    [
        pytest.param("6.C.1", {(2, None): 1}, id="a ring"),
        pytest.param("6.F.14", {(2, SZYKMAN): 1}, id="simple"),
        pytest.param("6.F.16", {(0, SZYKMAN): 1}, id="Pandin's"),
        pytest.param("6.F.18", {(0, SZYKMAN): 1}, id="betrayal"),
        pytest.param("6.F.22", {(2, SZYKMAN): 1}, id="second order with two outcomes"),
        pytest.param("6.F.24", {(0, SZYKMAN): 1}, id="second order with none"),
        pytest.param("6.F.25", {}, id="judged last, but no paradox"),
        pytest.param("6.F.27", {(0, SZYKMAN): 1, (2, SZYKMAN): 1}, id="two apart"),
        pytest.param("6.F.28", {(2, SZYKMAN): 1}, id="six convoys"),
        pytest.param("6.F.29", {}, id="six convoys, dissolved"),
    ],
)
def test_consistent_outcomes_are_counted(
    number: str, counts: dict[tuple[int, ConvoyParadoxes | None], int]
) -> None:
    choices = solve(BOARD, *CASES[number]).choices

    assert Counter((each.count, each.rule) for each in choices) == counts


def test_built_positions_have_paradoxes_of_every_sort() -> None:
    """Nothing would be shown by thousands of positions without one."""
    found = {
        (len(choice.convoys), choice.count)
        for seed in range(AT_EVERY_CHANGE)
        for choice in solve(BOARD, *fight(seed)).choices
    }

    assert found >= {(0, 2), (1, 0), (1, 2), (2, 0), (2, 2)}


def both_agree(built: Fight, rulebook: Rulebook) -> None:
    """Assert that resolver and naive solver agree; print the smallest position if they do not."""
    if resolved(built, rulebook) != solved(built, rulebook):
        least = reduced(built, rulebook)
        orders = [f"{power} {write_order(o)}" for power, each in least[1].items() for o in each]
        assert resolved(least, rulebook) == solved(least, rulebook), (
            rulebook_name(rulebook),
            orders,
        )


def resolved(built: Fight, rulebook: Rulebook) -> tuple[Board, Paradoxes]:
    result = adjudicate(BOARD, *built, rulebook)
    paradoxes = {(each.convoys, each.rule, each.stood_in) for each in result.paradoxes}
    return board_of(result), {*paradoxes}


def solved(built: Fight, rulebook: Rulebook) -> tuple[Board, Paradoxes]:
    solution = solve(BOARD, *built, rulebook)
    paradoxes = {
        (tuple(sorted(each.convoys)), each.rule, each.stood_in)
        for each in solution.choices
        if each.convoys
    }
    return board_after(solution), paradoxes


def reduced(built: Fight, rulebook: Rulebook) -> Fight:
    """Remove units as long as the two still differ."""
    for unit in built[0].units:
        less = without(built, unit.province)
        if resolved(less, rulebook) != solved(less, rulebook):
            return reduced(less, rulebook)
    return built


def without(built: Fight, province: Province) -> Fight:
    position, orders = built
    units = tuple(unit for unit in position.units if unit.province != province)
    left = {
        power: [o for o in several if isinstance(o, Waive) or o.unit.province != province]
        for power, several in orders.items()
    }
    return replace(position, units=units), left
