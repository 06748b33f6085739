"""Verify records: adjudicate each phase again and compare the outcome.

Each phase starts from its recorded position; the outcome is compared with the next recorded
position and the results of each order. Gaps and phases with unreadable orders are not compared.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import TypeAlias, assert_never

from judge.archive.json_adjudication import ReasonText, intended_order
from judge.archive.order_results import results_agree
from judge.archive.records import Doubt, Record, RecordedPhase, Source, WrittenOrder
from judge.notation.order_text import write_order
from judge.rules import types
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.calendar import Calendar
from judge.rules.outcomes import Adjudication, Outcome, Succeeds, result_words
from judge.rules.reasons import Reasons
from judge.rules.rulebook import RULEBOOKS, Rulebook, rulebook_named


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """A difference between record and adjudication about an order or a province.

    *order* is empty if no order accounts for it. *recorded* and *adjudicated* are what only one of
    them has, *reason* explains the adjudication, and *explained_by* lists presets that reproduce
    the whole phase as recorded.
    """

    phase: types.Phase
    line: int | None
    power: types.Power
    order: str
    recorded: tuple[str, ...]
    adjudicated: tuple[str, ...]
    reason: str
    explained_by: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifiedGame:
    """The result of verifying one game under *rulebook*."""

    game: str
    source: Source
    rulebook: str
    phases: Mapping[types.PhaseKind, int]
    orders: int
    compared: int
    differences: tuple[Difference, ...]
    doubts: tuple[Doubt, ...]

    @property
    def differing(self) -> int:
        """Return the number of phases with differences."""
        return len({each.phase for each in self.differences})


def verify(board: Map, record: Record, rulebook: str, reason_text: ReasonText) -> VerifiedGame:
    """Adjudicate *record* again under *rulebook*; *reason_text* puts reasons into words."""
    rules, differences = rulebook_named(rulebook), list[Difference]()
    phases = record.played
    trials = tuple(replayable_phases(board.calendar, phases))
    for trial in trials:
        differences += _differences(board, trial, rules, reason_text)
    return VerifiedGame(
        game=record.name,
        source=record.source,
        rulebook=rulebook,
        phases=Counter(each.phase.kind for each in phases),
        orders=sum(len(each.orders) for each in phases),
        compared=len(trials),
        differences=tuple(differences),
        doubts=record.doubts,
    )


def replayable_phases(
    calendar: Calendar, phases: Sequence[RecordedPhase]
) -> Iterator[ReplayablePhase]:
    """Yield those of the consecutive *phases* that can be adjudicated again."""
    for phase, following in zip_longest(phases, phases[1:]):
        trial = replayable_phase(calendar, phase, following.position if following else None)
        if trial:
            yield trial


def _differences(
    board: Map, trial: ReplayablePhase, rulebook: Rulebook, reason_text: ReasonText
) -> Iterator[Difference]:
    judged, found = replay_phase(board, trial, rulebook)
    if not found:
        return
    outcomes = (*judged.outcomes, *judged.unordered)
    reasons = Reasons(outcomes, judged.paradoxes, judged.disbanded, rulebook)
    explained_by = tuple(
        name
        for name, other in RULEBOOKS.items()
        if other != rulebook and not replay_phase(board, trial, other)[1]
    )

    def why(outcome: Outcome) -> str:
        meant = intended_order(board, trial.before, outcome, rulebook)
        return reason_text(reasons.of(outcome), reasons.units, meant)

    for each in found:
        written, outcome = each.order or (None, None)
        yield Difference(
            phase=trial.phase.phase,
            line=written.line if written else trial.phase.first_line,
            power=outcome.power if outcome else "",
            order=write_order(outcome.order) if outcome else "",
            recorded=tuple(each.recorded),
            adjudicated=tuple(each.adjudicated),
            reason=why(outcome) if outcome else "",
            explained_by=explained_by,
        )


CARRIED_OUT = "carried out"  # recorded without a result

# The first is None for a unit without an order.
AdjudicatedOrder: TypeAlias = tuple[WrittenOrder | None, Outcome]


@dataclass(frozen=True, slots=True)
class ReplayablePhase:
    """A phase that can be adjudicated again, and the next position in its record."""

    phase: RecordedPhase
    before: types.Position
    after: types.Position | None


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """The results that only the record or only the adjudication has for an order, if known."""

    order: AdjudicatedOrder | None
    recorded: list[str] = field(default_factory=list)
    adjudicated: list[str] = field(default_factory=list)


def replayable_phase(
    calendar: Calendar, phase: RecordedPhase, after: types.Position | None
) -> ReplayablePhase | None:
    """Return *phase* with the next position, None if nothing can be compared."""
    before = phase.position
    if before is None or not phase.is_understood:
        return None
    if phase.phase.kind is types.PhaseKind.ADJUSTMENTS and not before.owners:
        return None  # The numbers of builds and removals are unknown.
    if after and not _is_directly_before(calendar, before, after):
        after = None
    return ReplayablePhase(phase, before, after) if after or phase.results_told else None


def replay_phase(
    board: Map, trial: ReplayablePhase, rulebook: Rulebook
) -> tuple[Adjudication, Sequence[Discrepancy]]:
    """Adjudicate *trial* under *rulebook* and compare it with the record."""
    judged = adjudicate(board, trial.before, trial.phase.orders_by_power(), rulebook)
    reached, known = judged.after, trial.after if trial.before.owners else None
    while known and reached.phase < known.phase:  # Phases without orders are not recorded.
        reached = adjudicate(board, reached, {}, rulebook).after
    if reached == trial.after and not trial.phase.results_told:
        return judged, ()
    unordered = [(None, outcome) for outcome in judged.unordered]
    comparison = _Comparison(
        [*zip(trial.phase.understood, judged.outcomes, strict=True), *unordered]
    )
    comparison.compare_results(trial.phase.phase.kind)
    if trial.after:
        owners = bool(trial.before.owners and trial.after.owners)
        owners = owners and reached.phase == trial.after.phase
        comparison.compare_positions(trial.after, reached, owners=owners)
    return judged, comparison.found


def _is_directly_before(calendar: Calendar, before: types.Position, after: types.Position) -> bool:
    """Return whether there is no movement phase between the positions.

    Without owners, a winter in between would also be unknown.
    """
    phase = calendar.following(before.phase)
    while phase < after.phase and phase.kind is not types.PhaseKind.MOVEMENT:
        phase = calendar.following(phase)
    same_year = before.phase.year == after.phase.year
    return phase == after.phase and bool(before.owners or same_year)


class _Comparison:
    """Compares the orders of a phase with its record."""

    def __init__(self, judged: Sequence[AdjudicatedOrder]) -> None:
        self._judged = judged
        self._found: dict[object, Discrepancy] = {}

    @property
    def found(self) -> Sequence[Discrepancy]:
        return tuple(self._found.values())

    def compare_results(self, kind: types.PhaseKind) -> None:
        for order in self._judged:
            written, outcome = order
            results = written.results if written else None
            if results is not None and not results_agree(results, outcome, kind):
                discrepancy = self._discrepancy(order)
                discrepancy.recorded.extend(results or (CARRIED_OUT,))
                discrepancy.adjudicated.extend(result_words(outcome))

    def compare_positions(
        self, recorded: types.Position, reached: types.Position, *, owners: bool
    ) -> None:
        theirs = dict.fromkeys(position_facts(recorded, owners=owners))
        ours = dict.fromkeys(position_facts(reached, owners=owners))
        for fact in theirs:
            if fact not in ours:
                order = self._order_leading_to(fact)
                self._discrepancy(order, fact.province).recorded.append(fact.text)
        for fact in ours:
            if fact not in theirs:
                order = self._ended_in(fact.province)
                self._discrepancy(order, fact.province).adjudicated.append(fact.text)

    def _discrepancy(
        self, order: AdjudicatedOrder | None, province: types.Province = ""
    ) -> Discrepancy:
        key = id(order[1]) if order else province
        return self._found.setdefault(key, Discrepancy(order))

    def _order_leading_to(self, fact: PositionFact) -> AdjudicatedOrder | None:
        for order in self._judged:
            if order[1].power == fact.power and _destination(order[1].order) == fact.province:
                return order
        return self._ended_in(fact.province)

    def _ended_in(self, province: types.Province) -> AdjudicatedOrder | None:
        """Return the order of the unit that ended, or else started, in *province*."""
        for end in (_end, _start):
            for order in self._judged:
                if end(order[1]) == province:
                    return order
        return None


def _start(outcome: Outcome) -> types.Province | None:
    return None if isinstance(outcome.order, types.Waive) else outcome.order.unit.province


def _end(outcome: Outcome) -> types.Province | None:
    carried_out = isinstance(outcome.verdict, Succeeds)
    return _destination(outcome.order) if carried_out else _start(outcome)


def _destination(order: types.Order) -> types.Province | None:
    match order:
        case types.Move(target=target) | types.Retreat(target=target):
            return types.province_of(target)
        case types.Disband() | types.Waive():
            return None
        case (
            types.Hold()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Build()
        ):
            return order.unit.province
        case _:
            assert_never(order)


@dataclass(frozen=True, slots=True)
class PositionFact:
    """A fact about *province*, and the *power* with a unit there or owning it."""

    province: types.Province
    power: types.Power
    text: str


def position_facts(position: types.Position, *, owners: bool) -> Iterator[PositionFact]:
    """Yield the facts of *position*, with its owners if *owners*."""
    for unit in position.units:
        yield PositionFact(unit.province, unit.power, f"{unit.power} {unit}")
    for each in position.dislodged:
        if not each.retreats:
            continue  # Some sources keep destroyed units through the retreat phase.
        unit, places = each.unit, sorted({types.province_of(place) for place in each.retreats})
        yield PositionFact(unit.province, unit.power, f"{unit.power} *{unit}")
        yield PositionFact(unit.province, unit.power, f"{unit.power} *{unit} R {' '.join(places)}")
    if owners:
        for center, power in position.owners.items():
            yield PositionFact(center, power, f"{power} owns {center}")
