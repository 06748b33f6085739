"""What came of the orders of a phase: as its record tells, or else as the law has it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.archive.record import RecordedPhase, WrittenOrder
from judge.archive.report import unit_of
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
from judge.rules.types import Order, PhaseKind, Power, Province, Unit

Words: TypeAlias = tuple[str, ...]  # of `judge.archive.record.RESULTS`


@dataclass(frozen=True, slots=True)
class Results:
    """What came of each order, None if nobody knows; and of units that had none.

    *silent* are the words on units without an order, by power and place; *removed* are units that
    left the board without one.
    """

    of_orders: Sequence[tuple[WrittenOrder, Words | None]]
    silent: Sequence[tuple[Power, Province, Words]] = ()
    removed: Sequence[tuple[Power, Unit]] = ()


def results_of(board: Map, phase: RecordedPhase, law: Rulebook) -> Results:
    """Return what came of the orders of *phase*: *law* is asked only for what is not told."""
    told = Results([(each, each.results) for each in phase.orders], removed=phase.removed)
    position, orders = phase.position, orders_of(phase)
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
    return Results(
        [
            (each, _words(outcome) if each.results is None else each.results)
            for each, outcome in zip(given, judged.outcomes, strict=True)
        ],
        [
            (each.power, unit.province, _words(each))
            for each in judged.unordered
            if (unit := unit_of(each.order))
        ],
        [(unit.power, unit) for unit in judged.removed],
    )


def orders_of(phase: RecordedPhase) -> Mapping[Power, Sequence[Order]]:
    """Return the orders of *phase* by power; none at all if any was not understood."""
    orders: dict[Power, list[Order]] = {}
    for each in phase.orders:
        if each.order is None:
            return {}
        orders.setdefault(each.power, []).append(each.order)
    return orders


def _words(outcome: Outcome) -> Words:
    match outcome.fate:
        case None:
            return _of_verdict(outcome.verdict)
        case Dislodged():
            return (*_of_verdict(outcome.verdict), "dislodged")
        case Destroyed():
            return (*_of_verdict(outcome.verdict), "destroyed")
        case _:
            assert_never(outcome.fate)


def _of_verdict(verdict: Verdict) -> Words:
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
