"""Strategies for positions with conflicting orders: random ones and built paradoxes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from copy import deepcopy
from random import Random  # noqa: TID251 its seed is drawn by the tests
from typing import TypeAlias, TypeVar

from hypothesis import example
from hypothesis import strategies as st

from judge.adapters.variant_files import load_map
from judge.rules.rulebook import DATC, QUESTIONS, RULEBOOKS, answers_to, number_of, with_choices
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Position,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
)
from tests.datc.cases_file import cases_of_the_edition, orders_of, position_of
from tests.properties.paradoxes import plot
from tests.properties.random_positions import Orders, crowd, tangle

Fight: TypeAlias = tuple[Position, Orders]

BOARD = load_map()
UNITS_MAX = 34

QUESTIONS_OF_MOVEMENT = [each for each in QUESTIONS if number_of(each).startswith("4.A.")]
OTHER_ANSWERS = [
    f"datc,{question}={answer.value}"
    for question in QUESTIONS_OF_MOVEMENT
    for answer in answers_to(question)
    if answer is not getattr(DATC, question)
]
# The naive solver knows no orders that only count as moves, and no coasts that must be written.
KNOWN_TO_NAIVE = "counted_orders=possible_now,supported_coast=omit_any"
TESTED_RULEBOOKS = [
    *sorted(RULEBOOKS.keys() - {"dptg", "njudge", "backstabbr"}),
    *(f"{name},{KNOWN_TO_NAIVE}" for name in ("dptg", "njudge", "backstabbr")),
    *OTHER_ANSWERS,
]


def fight(seed: int) -> Fight:
    """Return a random position or a built paradox, always the same for one *seed*."""
    chance = Random(seed)  # noqa: S311 it need not be safe
    if chance.random() < 0.6:
        return plot(BOARD, chance)
    position = crowd(BOARD, chance, chance.randint(2, UNITS_MAX))
    return position, tangle(BOARD, chance, position)


seeds = st.integers(min_value=0, max_value=2**32).map(Random)
fights = st.integers(min_value=0, max_value=2**32).map(fight)
rulebooks = st.fixed_dictionaries(
    {question: st.sampled_from([*answers_to(question)]) for question in QUESTIONS_OF_MOVEMENT}
).map(lambda choices: with_choices(DATC, choices))

locations = st.sampled_from([*sorted(BOARD.locations), "XXX", "BRE/NC", ""])
names = st.builds(UnitName, st.sampled_from([*UnitKind, None]), locations)
any_orders = st.one_of(
    st.builds(Hold, names),
    st.builds(Move, names, locations, st.booleans()),
    st.builds(SupportHold, names, names),
    st.builds(SupportMove, names, names, locations),
    st.builds(Convoy, names, names, locations),
    st.builds(Retreat, names, locations),
    st.builds(Disband, names),
    st.builds(Build, names),
    st.just(Waive()),
)
# What Hypothesis draws from a seed differs in its next release; these are always tried.
HARD_CASES = (
    *("6.C.3", "6.C.6", "6.C.8"),  # rotations
    *("6.D.13", "6.D.17", "6.D.19", "6.D.33"),  # supports that do not count, or are cut
    *("6.E.4", "6.E.8", "6.E.10", "6.E.15"),  # head-to-head battles and beleaguered garrisons
    *("6.F.9", "6.F.14", "6.F.17", "6.F.18", "6.F.22", "6.F.24", "6.F.28", "6.F.30"),  # convoys
    *("6.G.9", "6.G.11", "6.G.15", "6.G.18"),  # swaps
)
FIRST_EDITION = with_choices(
    DATC, {each: getattr(RULEBOOKS["1971"], each) for each in QUESTIONS_OF_MOVEMENT}
)
Tested = TypeVar("Tested", bound=Callable[..., None])


def with_hard_cases(**others: object) -> Callable[[Tested], Tested]:
    """Try a test of fights and rulebooks, and of *others*, also in the hardest of the DATC."""

    def tried(test: Tested) -> Tested:
        cases = cases_of_the_edition()
        for case in (cases[each] for each in HARD_CASES):
            for rulebook in (DATC, FIRST_EDITION):
                built = position_of(case), orders_of(case)
                test = example(built=built, rulebook=rulebook, **deepcopy(others))(test)
        return test

    return tried


any_sets = st.dictionaries(st.sampled_from(BOARD.powers), st.lists(any_orders, max_size=12))
NONSENSE: Mapping[Power, list[Order]] = {
    "FRANCE": [
        Move(UnitName(UnitKind.FLEET, "BRE"), "XXX"),
        Move(UnitName(UnitKind.ARMY, "PAR"), "PAR", via_convoy=True),
        Retreat(UnitName(UnitKind.ARMY, "MAR"), ""),
        Build(UnitName(None, "BRE/NC")),
        Waive(),
    ],
    "ITALY": [Convoy(UnitName(None, ""), UnitName(UnitKind.FLEET, "ION"), "NAP")] * 2,
}
