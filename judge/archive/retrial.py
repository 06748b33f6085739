"""One recorded phase, adjudicated again, and what comes out otherwise than its record says."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from judge.archive.facts import Fact, facts_of
from judge.archive.record import RecordedPhase, WrittenOrder
from judge.archive.results import agrees
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.outcome import Adjudication, Outcome, Succeeds, result_words
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Disband,
    Move,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    Waive,
    province_of,
)

CARRIED_OUT = "carried out"  # what a record says of an order without a word

Judged: TypeAlias = tuple[WrittenOrder | None, Outcome]  # None: supposed for a silent unit


@dataclass(frozen=True, slots=True)
class Trial:
    """A phase that can be adjudicated again, and the position that its record has after it."""

    phase: RecordedPhase
    before: Position
    after: Position | None


@dataclass(frozen=True, slots=True)
class Discord:
    """What only the record says, and what only the law, of an order, or of what none explains."""

    order: Judged | None
    recorded: list[str] = field(default_factory=list)
    adjudicated: list[str] = field(default_factory=list)


def trial_of(phase: RecordedPhase, after: Position | None) -> Trial | None:
    """Return what can be tried of *phase*, with *after* as the next position; None if nothing."""
    before = phase.position
    if before is None or any(each.order is None for each in phase.orders):
        return None
    if phase.phase.kind is PhaseKind.ADJUSTMENTS and not before.owners:
        return None  # Nobody knows what was due.
    if after and not _follows(before, after):
        after = None
    return Trial(phase, before, after) if after or phase.results_told else None


def discords(board: Map, trial: Trial, law: Rulebook) -> tuple[Adjudication, Sequence[Discord]]:
    """Adjudicate *trial* under *law*; return that, and what comes out otherwise than recorded."""
    written: dict[Power, list[WrittenOrder]] = {}
    for each in trial.phase.orders:
        written.setdefault(each.power, []).append(each)
    orders = {power: _understood(several) for power, several in written.items()}
    judged = adjudicate(board, trial.before, orders, law)
    reached = _reached(board, trial, judged.after, law)
    if reached == trial.after and not trial.phase.results_told:
        return judged, ()
    given = [each for several in written.values() for each in several]
    silent = [(None, outcome) for outcome in judged.unordered]
    account = _Account([*zip(given, judged.outcomes, strict=True), *silent])
    account.hear_results(trial.phase.phase.kind)
    if trial.after:
        owners = bool(trial.before.owners and trial.after.owners)
        account.compare(trial.after, reached, owners=owners and reached.phase == trial.after.phase)
    return judged, account.found


def _reached(board: Map, trial: Trial, position: Position, law: Rulebook) -> Position:
    """Let the phases between *position* and the next recorded one pass without orders."""
    known = trial.after if trial.before.owners else None
    while known and position.phase < known.phase:
        position = adjudicate(board, position, {}, law).after
    return position


def _follows(before: Position, after: Position) -> bool:
    """Tell whether nobody can have ordered a movement between *before* and *after*.

    Without owners nobody knows what the winter between them brought either.
    """
    phase = before.phase.following()
    while phase < after.phase and phase.kind is not PhaseKind.MOVEMENT:
        phase = phase.following()
    same_year = before.phase.year == after.phase.year
    return phase == after.phase and bool(before.owners or same_year)


def _understood(written: Iterable[WrittenOrder]) -> list[Order]:
    return [each.order for each in written if each.order]


class _Account:
    """The orders of a phase, and what is *found* to be otherwise, order by order."""

    def __init__(self, judged: Sequence[Judged]) -> None:
        self._judged = judged
        self._found: dict[object, Discord] = {}

    @property
    def found(self) -> Sequence[Discord]:
        return tuple(self._found.values())

    def hear_results(self, kind: PhaseKind) -> None:
        """Compare what the record says of each order."""
        for order in self._judged:
            written, outcome = order
            told = written.results if written else None
            if told is not None and not agrees(told, outcome, kind):
                discord = self._discord(order)
                discord.recorded.extend(told or (CARRIED_OUT,))
                discord.adjudicated.extend(result_words(outcome))

    def compare(self, recorded: Position, reached: Position, *, owners: bool) -> None:
        """Compare the *recorded* position with the one *reached*, *owners* if they are known."""
        theirs = dict.fromkeys(facts_of(recorded, owners=owners))
        ours = dict.fromkeys(facts_of(reached, owners=owners))
        for fact in theirs:
            if fact not in ours:
                order = self._to_blame(fact)
                self._discord(order, fact.province).recorded.append(fact.text)
        for fact in ours:
            if fact not in theirs:
                order = self._ended_in(fact.province)
                self._discord(order, fact.province).adjudicated.append(fact.text)

    def _discord(self, order: Judged | None, province: Province = "") -> Discord:
        key = id(order[1]) if order else province
        return self._found.setdefault(key, Discord(order))

    def _to_blame(self, fact: Fact) -> Judged | None:
        """Return the order by which *fact* might have been, and is not."""
        for order in self._judged:
            if order[1].power == fact.power and _aim(order[1].order) == fact.province:
                return order
        return self._ended_in(fact.province)

    def _ended_in(self, province: Province) -> Judged | None:
        """Return the order whose unit is in *province* now, or else that whose unit was."""
        for end in (_end, _start):
            for order in self._judged:
                if end(order[1]) == province:
                    return order
        return None


def _start(outcome: Outcome) -> Province | None:
    return None if isinstance(outcome.order, Waive) else outcome.order.unit.province


def _end(outcome: Outcome) -> Province | None:
    carried_out = isinstance(outcome.verdict, Succeeds)
    return _aim(outcome.order) if carried_out else _start(outcome)


def _aim(order: Order) -> Province | None:
    """Return where the unit of *order* is to be: nowhere, if it leaves the board."""
    match order:
        case Move(target=target) | Retreat(target=target):
            return province_of(target)
        case Disband() | Waive():
            return None
        case _:
            return order.unit.province
