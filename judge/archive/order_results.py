"""Results of recorded orders: as the source gives them, or as adjudication does.

Sources say less than an outcome does, and differ in detail: one reports a disrupted convoy where
another reports an army without one. A result agrees with every outcome it can describe.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.archive.record import RecordedPhase, WrittenOrder, ordered_unit
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    Fails,
    Futile,
    Given,
    Illegal,
    Invalid,
    Outcome,
    ParadoxHold,
    Stands,
    Succeeds,
    Unmatched,
    Verdict,
)
from judge.rules.rulebook import Rulebook
from judge.rules.types import Order, PhaseKind, Position, Power, Province, Unit, Waive

ResultWords: TypeAlias = tuple[str, ...]  # of `judge.archive.record.RESULTS`


@dataclass(frozen=True, slots=True)
class PhaseResults:
    """What came of each order, None if nobody knows; and of units that had none.

    *silent* are the words on units without an order, by power and place; *removed* are units that
    left the board without one.
    """

    of_orders: Sequence[tuple[WrittenOrder, ResultWords | None]]
    silent: Sequence[tuple[Power, Province, ResultWords]] = ()
    removed: Sequence[tuple[Power, Unit]] = ()


def phase_results(board: Map, phase: RecordedPhase, law: Rulebook) -> PhaseResults:
    """Return what came of the orders of *phase*: *law* is asked only for what is not told."""
    told = PhaseResults([(each, each.results) for each in phase.orders], removed=phase.removed)
    position, orders = phase.position, complete_orders(phase)
    owners_missing = phase.phase.kind is PhaseKind.ADJUSTMENTS and position and not position.owners
    if (
        position is None
        or owners_missing
        or not orders
        or all(words is not None for _, words in told.of_orders)
    ):
        return told
    judged = adjudicate(board, position, orders, law)
    given = [each for power in orders for each in phase.orders if each.power == power]
    return PhaseResults(
        [
            (each, _result_words(outcome) if each.results is None else each.results)
            for each, outcome in zip(given, judged.outcomes, strict=True)
        ],
        [
            (each.power, unit.province, _result_words(each))
            for each in judged.unordered
            if (unit := ordered_unit(each.order))
        ],
        [(unit.power, unit) for unit in judged.removed],
    )


def complete_orders(phase: RecordedPhase) -> Mapping[Power, Sequence[Order]]:
    """Return the orders of *phase* by power; none at all if any was not understood."""
    orders: dict[Power, list[Order]] = {}
    for each in phase.orders:
        if each.order is None:
            return {}
        orders.setdefault(each.power, []).append(each.order)
    return orders


def _result_words(outcome: Outcome) -> ResultWords:
    match outcome.fate:
        case None:
            return _verdict_words(outcome.verdict)
        case Dislodged():
            return (*_verdict_words(outcome.verdict), "dislodged")
        case Destroyed():
            return (*_verdict_words(outcome.verdict), "destroyed")
        case _:
            assert_never(outcome.fate)


def _verdict_words(verdict: Verdict) -> ResultWords:
    match verdict:
        case Stands() | Succeeds() | Given() | Available():
            return ()
        case Cut():
            return ("cut",)
        case Disrupted():
            return ("disrupted",)
        case Fails(ConvoyBroken() | ConvoyParadox() | ParadoxHold()) | Invalid(
            Unmatched.NO_CONVOY
        ):
            return ("no convoy",)
        case Illegal() | Invalid() | Fails(Futile()):
            return ("void",)
        case Fails():
            return ("bounce",)
        case _:
            assert_never(verdict)


FATES = frozenset({"dislodged", "destroyed"})
NOTHING = frozenset[str]()
WORDS_ALLOWED: Mapping[
    type[Verdict], Collection[str]
] = {  # what may be said of it; empty if nothing is
    Stands: (),
    Succeeds: (),
    Given: (),
    Available: (),
    Cut: ("cut",),
    Disrupted: ("disrupted", "void", "no convoy"),
    Fails: ("bounce", "no convoy", "disrupted", "void"),
    Illegal: ("void", "no convoy", "bounce"),
    Invalid: ("void", "no convoy", "bounce"),
}


def results_agree(words: Collection[str], outcome: Outcome, kind: PhaseKind) -> bool:
    """Tell whether *words*, of `judge.archive.record.RESULTS`, say *outcome* of a *kind* phase."""
    said = frozenset(words) - FATES
    if kind is PhaseKind.MOVEMENT and bool(FATES.intersection(words)) != bool(outcome.fate):
        return False
    possible = WORDS_ALLOWED[type(outcome.verdict)]
    if said or not possible:
        return said <= frozenset(possible)
    return isinstance(outcome.verdict, Cut | Disrupted) and outcome.fate is not None


WordsByUnit = dict[
    tuple[Power, Province], tuple[str, ...]
]  # of the order that a power gave to a unit


def njudge_results(
    board: Map, recorded: RecordedPhase, position: Position, law: Rulebook
) -> WordsByUnit:
    """Return the results of the orders of *recorded*: as told, or else as *law* has them."""
    told: WordsByUnit = {}
    orders: dict[Power, list[Order]] = {}
    for written in recorded.orders:
        if written.order is None or isinstance(written.order, Waive):
            continue
        orders.setdefault(written.power, []).append(written.order)
        if written.results is not None:
            told[written.power, written.order.unit.province] = written.results
    if len(told) == sum(map(len, orders.values())):
        return told
    outcomes = adjudicate(board, position, orders, law)
    return {
        (each.power, each.order.unit.province): njudge_words(each, position.phase.kind)
        for each in (*outcomes.outcomes, *outcomes.unordered)
        if not isinstance(each.order, Waive)
    } | told


def njudge_marks(outcome: Outcome, kind: PhaseKind) -> tuple[str, ...]:
    """Return what is said of *outcome*, and of a unit that had nowhere to go that it is lost."""
    words = njudge_words(outcome, kind)
    if isinstance(outcome.fate, Destroyed):
        return tuple("destroyed" if word == "dislodged" else word for word in words)
    return words


def njudge_words(outcome: Outcome, kind: PhaseKind) -> tuple[str, ...]:
    """Return what is said of *outcome*: the word for its verdict, and the unit's fate."""
    failed = isinstance(outcome.verdict, Fails)
    if kind is PhaseKind.RETREATS:
        return ("bounce", "destroyed") if failed else ()
    return (*_njudge_verdict(outcome.verdict), *(("dislodged",) if outcome.fate else ()))


def _njudge_verdict(verdict: Verdict) -> tuple[str, ...]:
    match verdict:
        case Fails():
            return ("bounce",)
        case Cut():
            return ("cut",)
        case Disrupted():
            return ("disrupted",)
        case Illegal() | Invalid():
            return ("void",)
        case Stands() | Succeeds() | Given() | Available():
            return ()
        case _:
            assert_never(verdict)
