"""Results of recorded orders, from the source or from adjudication.

Sources are less precise than outcomes, and differ in detail: one reports a disrupted convoy where
another reports an army without one. Results agree with every outcome that they can describe.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from judge.archive.records import RecordedPhase, WrittenOrder, ordered_unit
from judge.rules import outcomes
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Convoy, PhaseKind, Power, Province, Unit

ResultWords: TypeAlias = tuple[str, ...]  # of `judge.archive.records.RESULTS`

# The words of sources for each verdict; nJudge and our records use the first.
VERDICT_WORDS: Mapping[type[outcomes.Verdict], ResultWords] = {
    outcomes.Stands: (),
    outcomes.Succeeds: (),
    outcomes.Given: (),
    outcomes.Available: (),
    outcomes.Cut: ("cut",),
    outcomes.Disrupted: ("disrupted", "void", "no convoy"),
    outcomes.Fails: ("bounce", "no convoy", "disrupted", "void"),
    outcomes.Illegal: ("void", "no convoy", "bounce"),
    outcomes.Invalid: ("void", "no convoy", "bounce"),
}
FATES = frozenset({"dislodged", "destroyed"})


def recorded_results(outcome: outcomes.Outcome, kind: PhaseKind) -> ResultWords:
    """Return the result words for *outcome*: its verdict, then the unit's fate."""
    words = VERDICT_WORDS[type(outcome.verdict)][:1]
    match outcome.fate:
        case None if kind is PhaseKind.RETREATS and isinstance(outcome.verdict, outcomes.Fails):
            return (*words, "destroyed")
        case None:
            return words
        case outcomes.Dislodged():
            return (*words, "dislodged")
        case outcomes.Destroyed():
            return (*words, "destroyed")
        case _:
            assert_never(outcome.fate)


def results_agree(words: Collection[str], outcome: outcomes.Outcome, kind: PhaseKind) -> bool:
    """Return whether *words* can describe *outcome*."""
    verdict_words = frozenset(words) - FATES
    if kind is PhaseKind.MOVEMENT and bool(FATES.intersection(words)) != bool(outcome.fate):
        return False
    possible = VERDICT_WORDS[type(outcome.verdict)]
    if verdict_words or not possible:
        return verdict_words.issubset(possible)
    if outcome.fate is None:
        return False
    # Many sources do not mark a void convoy, and some name only the fate of a unit that has one.
    return isinstance(outcome.verdict, outcomes.Cut | outcomes.Disrupted) or isinstance(
        outcome.order, Convoy
    )


@dataclass(frozen=True, slots=True)
class PhaseResults:
    """The results of a phase by order, None if unknown.

    *unordered* are the results of units without an order, *removed* the units that left the board
    without one.
    """

    of_orders: Sequence[tuple[WrittenOrder, ResultWords | None]]
    unordered: Sequence[tuple[Power, Province, ResultWords]] = ()
    removed: Sequence[tuple[Power, Unit]] = ()


def phase_results(board: Map, phase: RecordedPhase, rulebook: Rulebook) -> PhaseResults:
    """Return the results of *phase*, adjudicated under *rulebook* where the source has none."""
    recorded = PhaseResults([(each, each.results) for each in phase.orders], removed=phase.removed)
    kind, position = phase.phase.kind, phase.position
    owners_missing = kind is PhaseKind.ADJUSTMENTS and position and not position.owners
    if (
        position is None
        or owners_missing
        or not phase.is_understood
        or all(words is not None for _, words in recorded.of_orders)
    ):
        return recorded
    judged = adjudicate(board, position, phase.orders_by_power(), rulebook)
    return PhaseResults(
        [
            (each, _precise_results(outcome, kind) if each.results is None else each.results)
            for each, outcome in zip(phase.understood, judged.outcomes, strict=True)
        ],
        [
            (each.power, unit.province, _precise_results(each, kind))
            for each in judged.unordered
            if (unit := ordered_unit(each.order))
        ],
        [(unit.power, unit) for unit in judged.removed],
    )


def _precise_results(outcome: outcomes.Outcome, kind: PhaseKind) -> ResultWords:
    """Return the results of *outcome*, without calling broken convoys or futile moves bounces."""
    words = recorded_results(outcome, kind)
    match outcome.verdict:
        case outcomes.Invalid(outcomes.Unmatched.NO_CONVOY):
            return ("no convoy", *words[1:])
        case outcomes.Fails(
            outcomes.ConvoyBroken() | outcomes.ConvoyParadox() | outcomes.ParadoxHold()
        ):
            return ("no convoy", *words[1:])
        case outcomes.Fails(outcomes.Futile()):
            return ("void", *words[1:])
        case _:
            return words
