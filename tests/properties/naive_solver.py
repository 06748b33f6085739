"""A second, deliberately naive solver of movement phases, to check the resolver.

It tries every assignment of success to the open decisions, and keeps the consistent ones. A single
consistent one is the result. If there are several, or none, the rulebook has to choose (DATC
4.A.2), which is noted. Decisions that do not depend on each other are tried separately.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.rules.board import Map
from judge.rules.rule_options import ConvoyParadoxes
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import Order, Position, Power, Province
from tests.properties.naive_decisions import Says, Supposing
from tests.properties.naive_orders import Field

Answers: TypeAlias = Mapping[Province, bool]


@dataclass(frozen=True, slots=True)
class Choice:
    """A paradox or circular movement: *count* consistent outcomes, or none.

    *convoys* and *moves* depend on each other. *rule* chose; it is None without a convoy: then the
    units move in a circle (rulebook VIII). If *stood_in*, the rulebook's own rule had no answer.
    """

    convoys: frozenset[Province]
    moves: frozenset[Province]
    count: int
    rule: ConvoyParadoxes | None
    stood_in: bool


@dataclass(frozen=True, slots=True)
class Solution:
    """The decision for each unit, and the choices made on the way."""

    field: Field
    answers: dict[Province, bool]
    choices: tuple[Choice, ...]


class UnknownError(LookupError):
    """A decision was needed that is still unknown; the argument is its unit."""


def solve(
    board: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook = DATC,
) -> Solution:
    """Decide everything; decide again by land for armies that may fall back to it (DATC 4.A.3)."""
    failed: dict[Province, bool] = {}  # the convoys of those that fell back
    choices: list[Choice] = []  # and those that failed them
    fallen_back: list[Province] = []
    while True:
        solution = _decide(Field(board, position, orders, rulebook, fallen_back))
        field, says = solution.field, solution.answers.__getitem__
        sailing = filter(field.may_fall_back, field.moves)
        more = [army for army in sailing if not Supposing(field, says).carried(army)]
        failed |= {f: False for f, a in field.convoys.items() if a in more and not says(f)}
        if not more:
            choices += solution.choices
            return Solution(field, solution.answers | failed, tuple(choices))
        choices += [each for each in solution.choices if each.convoys & failed.keys()]
        fallen_back += more


def _decide(field: Field) -> Solution:
    """Decide what follows from known decisions, then what is circular, until nothing is left."""
    answers: dict[Province, bool] = {}
    choices: list[Choice] = []
    while rest := [unit for unit in field.decisions if unit not in answers]:
        found = dict(_plain(field, answers, rest)) or _agreed(field, answers, rest)
        if not found:
            circle = _circle(field, answers, rest)
            found, choice = _choose(field, circle, list(_consistent(field, answers, circle)))
            choices.append(choice)
        answers |= found
    return Solution(field, answers, tuple(choices))


def _plain(
    field: Field, answers: Answers, rest: Iterable[Province]
) -> Iterator[tuple[Province, bool]]:
    """Yield the decisions that do not depend on the *rest*."""
    for unit in rest:
        possible = _possible(field, answers, unit)
        if len(possible) == 1:
            yield unit, possible.pop()


def _possible(field: Field, answers: Answers, unit: Province) -> set[bool]:
    try:
        return {Supposing(field, _says(answers)).comes_about(unit)}
    except UnknownError as unknown:
        (other,) = unknown.args
        tried = [_possible(field, {**answers, other: v}, unit) for v in (False, True)]
        return tried[0] | tried[1]


def _agreed(field: Field, answers: Answers, rest: Sequence[Province]) -> dict[Province, bool]:
    """Return the decisions shared by all consistent outcomes of a circle: no paradox."""
    circle = _circle(field, answers, rest)
    outcomes = list(_consistent(field, answers, circle))
    return {
        unit: outcomes[0][unit]
        for unit in circle
        if outcomes and len({outcome[unit] for outcome in outcomes}) == 1
    }


def _circle(field: Field, answers: Answers, rest: Sequence[Province]) -> list[Province]:
    """Return decisions that depend on each other and on no other open decision."""
    hangs = {
        unit: {other for other in rest if _matters(field, answers, unit, other)} for unit in rest
    }
    circles = []
    for unit in rest:
        circle = {unit}
        for _ in rest:
            circle |= {other for each in circle for other in hangs[each]}
        circles.append(sorted(circle))
    return min(circles, key=len)  # What hangs on anything else has that in its circle as well.


def _matters(field: Field, answers: Answers, unit: Province, other: Province) -> bool:
    """Return whether the decision for *unit* can depend on that for *other*."""
    try:
        without, given = (
            Supposing(field, _says({**answers, other: v})).comes_about(unit) for v in (False, True)
        )
    except UnknownError as unknown:
        (third,) = unknown.args
        return any(_matters(field, {**answers, third: v}, unit, other) for v in (False, True))
    return without != given


def _consistent(
    field: Field, answers: Answers, circle: Sequence[Province]
) -> Iterator[dict[Province, bool]]:
    """Yield all consistent ways to decide the *circle*."""
    for unit in circle:
        if unit in answers and _possible(field, answers, unit) == {not answers[unit]}:
            return
    rest = [unit for unit in circle if unit not in answers]
    if not rest:
        yield {unit: answers[unit] for unit in circle}
        return
    for value in (False, True):
        yield from _consistent(field, {**answers, rest[0]: value}, circle)


def _choose(
    field: Field, circle: Sequence[Province], outcomes: Sequence[Answers]
) -> tuple[dict[Province, bool], Choice]:
    """Apply the rule for a *circle* with several consistent outcomes, or none."""
    convoys = [unit for unit in circle if unit in field.convoys]
    moves = [unit for unit in circle if unit in field.moves]
    own_rule = field.rulebook.convoy_paradoxes if convoys else None
    rule, found = _way_out(own_rule, convoys, moves, outcomes)
    stood_in = rule is not own_rule
    return found, Choice(frozenset(convoys), frozenset(moves), len(outcomes), rule, stood_in)


def _way_out(
    rule: ConvoyParadoxes | None,
    convoys: Sequence[Province],
    moves: Sequence[Province],
    outcomes: Sequence[Answers],
) -> tuple[ConvoyParadoxes | None, dict[Province, bool]]:
    disrupted, hold = dict.fromkeys(convoys, False), dict.fromkeys([*convoys, *moves], False)
    match rule:
        case None:  # Rulebook VIII: they move round.
            (round_,) = [outcome for outcome in outcomes if all(map(outcome.get, moves))]
            return rule, dict(round_)
        case ConvoyParadoxes.SZYKMAN:
            return rule, disrupted
        case ConvoyParadoxes.RULE_1971 | ConvoyParadoxes.RULE_1982 | ConvoyParadoxes.RULE_2000:
            return ConvoyParadoxes.SZYKMAN, disrupted
        case ConvoyParadoxes.ALL_HOLD:
            return rule, hold
        case ConvoyParadoxes.DPTG:
            broken = [each for each in outcomes if not any(map(each.get, convoys))]
            return rule, dict(broken[0]) if len(broken) == 1 else hold
        case _:
            assert_never(rule)


def _says(answers: Answers) -> Says:
    def says(unit: Province) -> bool:
        if unit not in answers:
            raise UnknownError(unit)
        return answers[unit]

    return says
