"""Circular decisions always come to an end."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import pytest

from judge.rules.resolution import resolver as module
from judge.rules.resolution.resolver import Resolver

pytestmark = pytest.mark.skipif(
    not module.__file__.endswith(".py"),
    reason="only compiled classes can extend a compiled class",
)

Rule = Callable[[Callable[[int], bool]], bool]


class Circles(Resolver):
    """Decides by rules, one for each decision; breaks a circle by one answer for all in it.

    *broken* are the circles, those included that hung on a guess.
    """

    def __init__(self, rules: Sequence[Rule], *, way_out: bool) -> None:
        super().__init__(len(rules))
        self.rules, self.way_out = rules, way_out
        self.broken: list[frozenset[int]] = []

    def evaluate(self, decision: int) -> bool:
        return self.rules[decision](self.decide)

    def backup_rule(self, cycle: frozenset[int]) -> Mapping[int, bool]:
        self.broken.append(cycle)
        return dict.fromkeys(cycle, self.way_out)


class Doubters(Circles):
    """Checks first whether the chosen answer is consistent."""

    def backup_rule(self, cycle: frozenset[int]) -> Mapping[int, bool]:
        self.is_consistent(super().backup_rule(cycle))
        return super().backup_rule(cycle)


def resolved(rules: Sequence[Rule], way_out: bool = False) -> tuple[list[bool | None], set[int]]:  # noqa: FBT001, FBT002 it is the answer
    resolver = Circles(rules, way_out=way_out)
    for decision in range(len(rules)):
        resolver.decide(decision)
    return resolver.answers, {each for circle in resolver.cycles for each in circle}


def test_a_decision_asks_for_those_it_needs() -> None:
    assert resolved([lambda ask: not ask(1), lambda ask: ask(2), lambda _: True]) == (
        [False, True, True],
        set(),
    )


def test_a_circle_with_one_answer_has_that() -> None:
    true_either_way: Rule = lambda ask: ask(1) or not ask(1)  # noqa: E731 beside the others

    assert resolved([true_either_way, lambda ask: ask(0)]) == ([True, True], set())


def test_a_circle_with_two_answers_is_broken() -> None:
    rules: list[Rule] = [lambda ask: ask(1), lambda ask: ask(0)]

    assert resolved(rules, way_out=True) == ([True, True], {0, 1})
    assert resolved(rules, way_out=False) == ([False, False], {0, 1})


def test_a_circle_without_an_answer_is_broken() -> None:
    assert resolved([lambda ask: not ask(1), lambda ask: ask(0)]) == ([False, False], {0, 1})


def test_a_decision_that_only_depends_on_a_circle_is_no_part_of_it() -> None:
    rules: list[Rule] = [lambda ask: not ask(1), lambda ask: ask(2), lambda ask: ask(1)]

    assert resolved(rules, way_out=True) == ([False, True, True], {1, 2})


def test_a_circle_within_a_circle_is_broken_for_each_guess() -> None:
    rules: list[Rule] = [
        lambda ask: ask(1) and ask(0) is ask(2),
        lambda ask: ask(2) or not ask(0),
        lambda ask: ask(1) and ask(2) is ask(0),
    ]

    answers, _ = resolved(rules)
    assert None not in answers


def test_a_conclusion_from_a_guess_is_forgotten_with_it() -> None:
    rules: list[Rule] = [
        lambda ask: ask(1) is ask(2) and not ask(1),
        lambda ask: ask(0),
        lambda ask: ask(0) and ask(1),
    ]

    answers, settled = resolved(rules)
    assert answers == [False, False, False]
    assert settled


def test_what_is_tried_to_break_a_circle_leaves_the_guesses_around_it() -> None:
    # Under the guess that 0 is false, 1 and 2 are a circle; else 1 is false, and 0 has no answer.
    rules: list[Rule] = [lambda ask: ask(1), lambda ask: not ask(0) and ask(2), lambda ask: ask(1)]
    resolver = Doubters(rules, way_out=True)

    resolver.decide(0)

    assert [0 in circle for circle in resolver.cycles] == [True]


def test_a_circle_within_a_guess_has_only_those_that_ask_each_other() -> None:
    # 1 and 2 ask each other; 3, whom 1 asks as well, hangs on the guess for 0 alone.
    rules: list[Rule] = [
        lambda ask: ask(1),
        lambda ask: ask(2) or (ask(3) and not ask(3)),
        lambda ask: ask(1),
        lambda ask: ask(0),
    ]
    resolver = Circles(rules, way_out=False)

    resolver.decide(0)

    assert resolver.broken[0] == {1, 2}


def test_a_circle_that_was_left_behind_takes_nothing_from_the_one_around_it() -> None:
    rules: list[Rule] = [
        lambda ask: ask(0) or ask(1) or ask(2),
        lambda ask: ask(0),
        lambda ask: ask(3),
        lambda ask: ask(2),
    ]
    resolver = Circles(rules, way_out=False)

    resolver.decide(0)

    assert resolver.cycles == [{2, 3}, {0, 1}]


@pytest.mark.parametrize(
    "inner",
    [
        pytest.param(
            [lambda ask: ask(2), lambda ask: ask(0) or ask(1)],
            id="of two guesses",
        ),
        pytest.param(
            [lambda ask: (ask(3), ask(2))[1], lambda ask: ask(0) or ask(3), lambda ask: ask(1)],
            id="of a guess and of what rests on another",
        ),
    ],
)
def test_a_conclusion_is_not_final_while_any_guess_that_it_asked_for_is_open(
    inner: list[Rule],
) -> None:
    rules: list[Rule] = [lambda ask: not ask(1), *inner]

    answers, settled = resolved(rules)

    assert answers == [False] * len(rules)
    assert settled == {*range(len(rules))}
