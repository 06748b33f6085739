"""Explain why each order and each automatic removal came out as it did.

Reasons follow from the outcomes of a phase alone, which the log keeps, so they can be found at any
later time. An outcome is at most once in a chain of reasons, as near to its beginning as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from judge.rules.adjustments import distances, removal_sequence
from judge.rules.board import Map
from judge.rules.citations import CONVOY, DUPLICATES, EXCESS, OVERLAND, RETREAT, Rule, Spared
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
from judge.rules.rule_applied import AppliedRules, Conflict, Conflicts, destination_of, unit_of
from judge.rules.rule_options import AutomaticRemoval, RemovalTies
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Position,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    Waive,
    province_of,
)


@dataclass(frozen=True, slots=True)
class Reason:
    """Why *outcome* came about.

    *conflict* has the strengths that met, if strength decided. *because* are the reasons of the
    orders that it depended on, the nearest first; *paradox* is the one that its unit was part of.
    *spared* are the attacks that did not cut this support. *void* are attacks on the same province
    that were as strong as this move, or this move itself, and had no effect because their units
    were dislodged from there. *own_victim* is the unit of its own power that this support cannot
    help to dislodge. *disbanded* is whether the dislodged unit left the board.
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
        """Return the rule by which this army went by land, if it could go by convoy."""
        return OVERLAND if self.outcome.by_land else None

    @property
    def oversea(self) -> Rule | None:
        """Return the rule by which this army went by convoy, XII.6 if it swapped places."""
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
        """Return the reasons of the supports for this order that did not count."""
        return tuple(
            each
            for each in self.because
            if isinstance(each.outcome.order, SupportHold | SupportMove)
            and each.outcome.order.supported.province == unit_of(self.outcome)
            and not isinstance(each.outcome.verdict, Given)
        )

    @property
    def preferred(self) -> tuple[Reason, ...]:
        """Return the reasons of the orders of the same power that count instead of this one."""
        own = self.outcome.power
        overruled = isinstance(self.outcome.verdict, Illegal)
        return tuple(each for each in self.because if overruled and each.outcome.power == own)


def explain(
    adjudication: Adjudication, order: Order | Outcome, rulebook: Rulebook = DATC
) -> Reason:
    """Return the reason of *order*, the first of several equal ones, or of its outcome.

    *rulebook* is the one by which it was adjudicated. Raises `ValueError` if it is neither an
    order of the phase nor one supposed for a unit without an order.
    """
    outcomes = (*adjudication.outcomes, *adjudication.unordered)
    alike = [each for each in outcomes if order in (each, each.order)]
    if not alike:
        raise ValueError(f"not an order of this phase: {order}")
    reasons = Reasons(outcomes, adjudication.paradoxes, adjudication.disbanded, rulebook)
    return reasons.of(alike[0])


class Reasons:
    """The reasons for all *outcomes* of one phase, those of units without an order included.

    *disbanded* are the units that left the board in a retreat phase; *rulebook* is that of the
    adjudication.
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

    def _reason(self, outcome: Outcome, seen: set[int]) -> Reason:
        near = {id(each): each for each in self._dependencies(outcome) if id(each) not in seen}
        seen.update(near)
        named = not isinstance(outcome.order, Build)
        gone = named and (outcome.power, unit_of(outcome)) in self._disbanded
        disbanded = gone and self.units[unit_of(outcome)] is outcome
        left = disbanded and isinstance(outcome.verdict, Succeeds)
        return Reason(
            outcome,
            RETREAT if left else self._grounds.rule(outcome),
            self._conflicts.of(outcome),
            tuple(self._reason(each, seen) for each in near.values()),
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

    def _dependencies(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the outcomes that *outcome* depended on, the nearest first."""
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
        """Yield the orders that count, if *outcome* is a duplicate or in excess."""
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
            case Hold() | Retreat() | Disband() | Build() | Waive():
                pass
            case _:
                assert_never(outcome.order)


def _convoy_route(outcome: Outcome) -> tuple[Province, ...]:
    return outcome.verdict.route if isinstance(outcome.verdict, Succeeds) else ()


def _blocking_provinces(cause: FailCause) -> tuple[Province, ...]:
    """Return the provinces of the units that *cause* names."""
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
    """Why a unit was removed before the next one."""

    FARTHEST = "farthest"
    FLEET = "fleet"  # equally far, and a fleet goes before an army
    ALPHABET = "alphabet"  # equally far, and of one kind


@dataclass(frozen=True, slots=True)
class Removal:
    """A *unit* that civil disorder removed, and *why* before *spared*, the next in sequence.

    *spared* is None if no unit was left. *distance* is counted by *rule*, None without a
    connection; *ties* is the alphabet used.
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
    """Return why each of *removed* left *position*, given the units that stay *after* it."""
    return tuple(
        _explain_removal(board, position, unit, after.units_of(unit.power), rulebook)
        for unit in removed
    )


def _explain_removal(
    board: Map, position: Position, unit: Unit, stayed: Iterable[Unit], rulebook: Rulebook
) -> Removal:
    rule, ties = rulebook.automatic_removal, rulebook.removal_ties
    far = distances(board, position, [unit, *stayed], rule)
    steps_to = {
        each: steps if steps < len(board.locations) else None for each, steps in far.items()
    }
    for spared in removal_sequence(board, position, stayed, rulebook):
        if far[unit] > far[spared]:
            why = RemovalPrecedence.FARTHEST
        elif unit.kind is not spared.kind:
            why = RemovalPrecedence.FLEET
        else:
            why = RemovalPrecedence.ALPHABET
        return Removal(unit, rule, ties, steps_to[unit], spared, steps_to[spared], why)
    return Removal(unit, rule, ties, steps_to[unit])
