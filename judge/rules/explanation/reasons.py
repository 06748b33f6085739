"""Explain why each order and each automatic removal came out as it did.

All of it follows from the outcomes of a phase alone, which the log keeps, so that it can be told
long after. A chain never comes back to where it has been: each outcome is in it once, as near to
its beginning as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from judge.rules.adjustments import distances, removal_sequence
from judge.rules.board import Map
from judge.rules.explanation.citations import (
    CONVOY,
    DUPLICATES,
    EXCESS,
    OVERLAND,
    RETREAT,
    Rule,
    Spared,
)
from judge.rules.explanation.conflicts import Conflict, Conflicts, destination_of, unit_of
from judge.rules.explanation.rule_applied import AppliedRules
from judge.rules.outcome import (
    Adjudication,
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    FailCause,
    Fails,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    Outcome,
    OwnUnit,
    Paradox,
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Succeeds,
)
from judge.rules.rule_options import AutomaticRemoval, RemovalTies
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Move,
    Order,
    Position,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    province_of,
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why *outcome* came of its order.

    *conflict* are the strengths that met, if strength decided. *because* are the reasons of the
    orders that it hung on, the nearest first; *paradox* is the one that its unit was in. *spared*
    are the attacks that did not cut this support; *void* those on the same province that were as
    strong as this move, and had no effect, or this one itself: their units were dislodged by one
    from there. *own_victim* is whom this support may not help to dislodge. *disbanded* tells that
    the unit had been dislodged, and left the board.
    """

    outcome: Outcome
    rule: Rule
    conflict: Conflict | None = None
    because: tuple[Reason, ...] = ()
    paradox: Paradox | None = None
    spared: tuple[tuple[Outcome, Spared], ...] = ()
    void: tuple[Outcome, ...] = ()
    own_victim: Outcome | None = None
    disbanded: bool = False

    @property
    def overland(self) -> Rule | None:
        """Return the rule by which this army went by land, if it was to go or could go by sea."""
        return OVERLAND if self.outcome.by_land else None

    @property
    def oversea(self) -> Rule | None:
        """Return the rule by which this army went by sea, if it did: past another by XII.6."""
        if not _convoy_route(self.outcome):
            return None
        start, destination = unit_of(self.outcome), destination_of(self.outcome)
        opposite = (
            each.outcome
            for each in self.because
            if unit_of(each.outcome) == destination and destination_of(each.outcome) == start
        )
        return CONVOY if all(map(_convoy_route, opposite)) else OVERLAND

    @property
    def lost(self) -> tuple[Reason, ...]:
        """Return the reasons of the supports that were meant for this order and did not count."""
        return tuple(
            each
            for each in self.because
            if isinstance(each.outcome.order, SupportHold | SupportMove)
            and each.outcome.order.supported.province == unit_of(self.outcome)
            and not isinstance(each.outcome.verdict, Given)
        )

    @property
    def preferred(self) -> tuple[Reason, ...]:
        """Return the reasons of the orders of the same power that count in place of this one."""
        own = self.outcome.power
        overruled = isinstance(self.outcome.verdict, Illegal)
        return tuple(each for each in self.because if overruled and each.outcome.power == own)


def explain(
    adjudication: Adjudication, order: Order | Outcome, rulebook: Rulebook = DATC
) -> Reason:
    """Return why *order* came out as it did; of orders that are alike, the first, or the outcome.

    *rulebook* is the one by which it was adjudicated. Raises `ValueError` if it was not given, nor
    supposed for a unit without an order.
    """
    outcomes = (*adjudication.outcomes, *adjudication.unordered)
    alike = [each for each in outcomes if order in (each, each.order)]
    if not alike:
        raise ValueError(f"not an order of this phase: {order}")
    reasons = Reasons(outcomes, adjudication.paradoxes, adjudication.disbanded, rulebook)
    return reasons.of(alike[0])


class Reasons:
    """The reasons for all *outcomes* of one phase, those of units without an order included.

    *disbanded* are the units that left the board in a retreat phase; *rulebook* is the one that
    they were adjudicated by.
    """

    def __init__(
        self,
        outcomes: Sequence[Outcome],
        paradoxes: Sequence[Paradox] = (),
        disbanded: Iterable[Unit] = (),
        rulebook: Rulebook = DATC,
    ) -> None:
        self._outcomes = outcomes
        self._paradoxes = paradoxes
        self._disbanded = {(unit.power, unit.province) for unit in disbanded}
        self._conflicts = Conflicts(outcomes)
        self._grounds = AppliedRules(self._conflicts, rulebook)
        self.units = self._conflicts.units

    def of(self, outcome: Outcome) -> Reason:
        """Return why *outcome* came about."""
        return self._reason(outcome, {id(outcome)})

    def _reason(self, outcome: Outcome, told: set[int]) -> Reason:
        near = {id(each): each for each in self._hung_on(outcome) if id(each) not in told}
        told.update(near)
        named = not isinstance(outcome.order, Build)
        gone = named and (outcome.power, unit_of(outcome)) in self._disbanded
        disbanded = gone and self.units[unit_of(outcome)] is outcome
        left = disbanded and isinstance(outcome.verdict, Succeeds)
        return Reason(
            outcome,
            RETREAT if left else self._grounds.rule(outcome),
            self._conflicts.of(outcome),
            tuple(self._reason(each, told) for each in near.values()),
            self._paradox(unit_of(outcome)),
            tuple(self._grounds.spared(outcome)),
            tuple(self._grounds.void(outcome)),
            self._grounds.own_victim(outcome),
            disbanded,
        )

    def _paradox(self, unit: Province) -> Paradox | None:
        for paradox in self._paradoxes:
            if unit in paradox.convoys or unit in paradox.moves:
                return paradox
        return None

    def _hung_on(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield what *outcome* followed from, the nearest first."""
        if outcome.fate:
            yield self.units[outcome.fate.by]
        match outcome.verdict:
            case Illegal(why):
                yield from self._preferred(outcome, why)
            case Invalid():
                yield from self._relied_on(outcome)
            case Fails(cause):
                yield from (self.units[province] for province in _blocking_provinces(cause))
                yield from self._conflicts.helpers(outcome)
            case Cut(by):
                yield self.units[by]
            case Disrupted(by) if by:
                yield self.units[by]
            case Succeeds() | Stands() | Given() | Available() | Disrupted():
                yield from self._conflicts.helpers(outcome)
                yield from self._conflicts.rivals(outcome)
            case _:
                assert_never(outcome.verdict)

    def _preferred(self, outcome: Outcome, why: Impossible) -> Iterator[Outcome]:
        """Yield the orders that count, where *outcome* is one too many."""
        rivals = (each for each in self._outcomes if each.power == outcome.power)
        counting = [each for each in rivals if not isinstance(each.verdict, Illegal)]
        if why in DUPLICATES:
            yield from (each for each in counting if unit_of(each) == unit_of(outcome))
        if why in EXCESS:
            yield from counting

    def _relied_on(self, outcome: Outcome) -> Iterator[Outcome]:
        match outcome.order:
            case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
                yield self.units[other.province]
            case Move(target=target):
                yield from self._conflicts.helping(unit_of(outcome), province_of(target))
            case _:
                pass


def _convoy_route(outcome: Outcome) -> tuple[Province, ...]:
    return outcome.verdict.route if isinstance(outcome.verdict, Succeeds) else ()


def _blocking_provinces(cause: FailCause) -> tuple[Province, ...]:
    """Return where those stood whom *cause* names."""
    match cause:
        case StoodOff(rivals=rivals):
            return tuple(each.unit for each in rivals)
        case HeldOff(defender=other) | HeadOn(opponent=other):
            return (other.unit,)
        case OwnUnit(defender=province):
            return (province,)
        case ConvoyBroken(provinces) | ConvoyParadox(provinces) | ParadoxHold(provinces):
            return provinces
        case RetreatsClash(provinces):
            return provinces
        case Futile():
            return ()
        case _:
            assert_never(cause)


class RemovalPrecedence(Enum):
    """What put a unit before the next."""

    FARTHEST = "farthest"
    FLEET = "fleet"  # equally far, and a fleet goes before an army
    ALPHABET = "alphabet"  # equally far, and of one kind


@dataclass(frozen=True, slots=True)
class Removal:
    """A *unit* that was taken off for want of an order, and *why* before *spared*.

    That is who would have been next; if none is left, there is no choice to explain. *distance* is
    counted by *rule*, None where no way leads; *ties* is the alphabet.
    """

    unit: Unit
    rule: AutomaticRemoval
    ties: RemovalTies
    distance: int | None
    spared: Unit | None = None
    spared_distance: int | None = None
    why: RemovalPrecedence = RemovalPrecedence.FARTHEST


def explain_removals(
    board: Map,
    position: Position,
    removed: Iterable[Unit],
    after: Position,
    rulebook: Rulebook = DATC,
) -> tuple[Removal, ...]:
    """Say why each of *removed* went from *position*, in view of those who stay *after* it."""
    return tuple(
        _explain_removal(board, position, unit, after.units_of(unit.power), rulebook)
        for unit in removed
    )


def _explain_removal(
    board: Map, position: Position, unit: Unit, stayed: Iterable[Unit], rulebook: Rulebook
) -> Removal:
    rule, ties = rulebook.automatic_removal, rulebook.removal_ties
    far = distances(board, position, [unit, *stayed], rule)
    told = {each: steps if steps < len(board.locations) else None for each, steps in far.items()}
    for spared in removal_sequence(board, position, stayed, rulebook):
        if far[unit] > far[spared]:
            why = RemovalPrecedence.FARTHEST
        elif unit.kind is not spared.kind:
            why = RemovalPrecedence.FLEET
        else:
            why = RemovalPrecedence.ALPHABET
        return Removal(unit, rule, ties, told[unit], spared, told[spared], why)
    return Removal(unit, rule, ties, told[unit])
