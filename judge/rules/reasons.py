"""Explain why each order and each automatic removal came out as it did.

Reasons follow from the outcomes of a phase alone, which the log keeps, so they can be found at any
later time. An outcome is at most once in a chain of reasons, as near to its beginning as possible.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import assert_never

from judge.rules import citations, outcomes, types
from judge.rules.adjustments import distances, place_rank, removal_sequence
from judge.rules.board import Map
from judge.rules.rule_applied import (
    AppliedRules,
    BarredSupports,
    Conflict,
    Conflicts,
    destination_of,
    unit_of,
)
from judge.rules.rule_options import AutomaticRemoval, RemovalTies
from judge.rules.rulebook import DATC, Rulebook


@dataclass(frozen=True, slots=True)
class Reason:
    """The reason for *outcome*.

    *conflict* has the strengths that met, if strength decided. *because* are the reasons of the
    orders that it depended on, the nearest first; *paradox* is the one that its unit was part of.
    *spared* are the attacks that did not cut this support. *void* are attacks on the same province
    that were as strong as this move, or this move itself, and had no effect because their units
    were dislodged from there. *barred* are the supports that do not count against a unit of their
    own power, if this is one or failed for that. *protections* say why a unit stayed though an
    attack was stronger. *head_on* is whether the move met one by land in the opposite direction,
    *unconvoyed* whether the support was for an army whose convoy failed.
    *disbanded* is whether the dislodged unit left the board.
    """

    outcome: outcomes.Outcome
    rule: citations.Rule
    conflict: Conflict | None = None
    because: tuple[Reason, ...] = ()
    paradox: outcomes.Paradox | None = None
    spared: tuple[tuple[outcomes.Outcome, citations.Spared], ...] = ()
    void: tuple[outcomes.Outcome, ...] = ()
    barred: BarredSupports | None = None
    protections: tuple[citations.Protection, ...] = ()
    head_on: bool = False
    unconvoyed: bool = False
    disbanded: bool = False

    @property
    def overland(self) -> citations.Rule | None:
        """Return the rule by which this army went by land, if it could go by convoy."""
        return citations.OVERLAND if self.outcome.by_land else None

    @property
    def oversea(self) -> citations.Rule | None:
        """Return the rule by which this army went by convoy, XII.6 if it swapped places."""
        if not _convoy_route(self.outcome):
            return None
        start, destination = unit_of(self.outcome), destination_of(self.outcome)
        opposite = (
            each.outcome
            for each in self.because
            if unit_of(each.outcome) == destination and destination_of(each.outcome) == start
        )
        return citations.CONVOY if all(map(_convoy_route, opposite)) else citations.OVERLAND

    @property
    def lost(self) -> tuple[Reason, ...]:
        """Return the reasons of the supports for this order that did not count."""
        return tuple(
            each
            for each in self.because
            if isinstance(each.outcome.order, types.SupportHold | types.SupportMove)
            and each.outcome.order.supported.province == unit_of(self.outcome)
            and not isinstance(each.outcome.verdict, outcomes.Given)
        )

    @property
    def preferred(self) -> tuple[Reason, ...]:
        """Return the reasons of the orders of the same power that count instead of this one."""
        own = self.outcome.power
        overruled = isinstance(self.outcome.verdict, outcomes.Illegal)
        return tuple(each for each in self.because if overruled and each.outcome.power == own)


def explain(
    adjudication: outcomes.Adjudication,
    order: types.Order | outcomes.Outcome,
    rulebook: Rulebook = DATC,
) -> Reason:
    """Return the reason of *order*, the first of several equal ones, or of its outcome.

    *rulebook* is the one by which it was adjudicated. Raises `ValueError` if it is neither an
    order of the phase nor one supposed for a unit without an order.
    """
    all_outcomes = (*adjudication.outcomes, *adjudication.unordered)
    alike = [each for each in all_outcomes if order in (each, each.order)]
    if not alike:
        raise ValueError(f"not an order of this phase: {order}")
    reasons = Reasons(all_outcomes, adjudication.paradoxes, adjudication.disbanded, rulebook)
    return reasons.of(alike[0])


class Reasons:
    """The reasons for *all_outcomes* of one phase, those of units without an order included.

    *disbanded* are the units that left the board in a retreat phase; *rulebook* is that of the
    adjudication.
    """

    def __init__(
        self,
        all_outcomes: Sequence[outcomes.Outcome],
        paradoxes: Sequence[outcomes.Paradox] = (),
        disbanded: Iterable[types.Unit] = (),
        rulebook: Rulebook = DATC,
    ) -> None:
        self._outcomes = all_outcomes
        self._paradoxes = paradoxes
        self._disbanded = {(unit.power, unit.province) for unit in disbanded}
        self._conflicts = Conflicts(all_outcomes)
        self._grounds = AppliedRules(self._conflicts, rulebook)
        self.units = self._conflicts.units

    def of(self, outcome: outcomes.Outcome) -> Reason:
        """Return why *outcome* came about."""
        return self._reason(outcome, {id(outcome)})

    def _reason(self, outcome: outcomes.Outcome, seen: set[int]) -> Reason:
        near = {id(each): each for each in self._dependencies(outcome) if id(each) not in seen}
        seen.update(near)
        named = not isinstance(outcome.order, types.Build)
        gone = named and (outcome.power, unit_of(outcome)) in self._disbanded
        disbanded = gone and self.units[unit_of(outcome)] is outcome
        left = disbanded and isinstance(outcome.verdict, outcomes.Succeeds)
        return Reason(
            outcome,
            citations.RETREAT if left else self._grounds.rule(outcome),
            self._conflicts.of(outcome),
            tuple(self._reason(each, seen) for each in near.values()),
            self._paradox(unit_of(outcome)),
            tuple(self._grounds.spared(outcome)),
            tuple(self._grounds.void(outcome)),
            self._grounds.barred(outcome),
            self._grounds.protections(outcome)
            if isinstance(outcome.verdict, outcomes.Stands)
            else (),
            self._grounds.is_head_on(outcome),
            self._grounds.is_unconvoyed(outcome),
            disbanded,
        )

    def _paradox(self, unit: types.Province) -> outcomes.Paradox | None:
        for paradox in self._paradoxes:
            if unit in paradox.convoys or unit in paradox.moves:
                return paradox
        return None

    def _dependencies(self, outcome: outcomes.Outcome) -> Iterator[outcomes.Outcome]:
        """Yield the outcomes that *outcome* depended on, the nearest first."""
        if outcome.fate:
            yield self.units[outcome.fate.by]
        match outcome.verdict:
            case outcomes.Illegal(why):
                yield from self._preferred(outcome, why)
            case outcomes.Invalid():
                yield from self._relied_on(outcome)
            case outcomes.Fails(cause):
                yield from (self.units[province] for province in _blocking_provinces(cause))
                yield from self._conflicts.helpers(outcome)
            case outcomes.Cut(by):
                yield self.units[by]
            case outcomes.Disrupted(by) if by:
                yield self.units[by]
            case (
                outcomes.Succeeds()
                | outcomes.Stands()
                | outcomes.Given()
                | outcomes.Available()
                | outcomes.Disrupted()
            ):
                yield from self._conflicts.helpers(outcome)
                yield from self._conflicts.rivals(outcome)
            case _:
                assert_never(outcome.verdict)

    def _preferred(
        self, outcome: outcomes.Outcome, why: outcomes.Impossible
    ) -> Iterator[outcomes.Outcome]:
        """Yield the orders that count, if *outcome* is a duplicate or in excess."""
        rivals = (each for each in self._outcomes if each.power == outcome.power)
        counting = [each for each in rivals if not isinstance(each.verdict, outcomes.Illegal)]
        if why in citations.DUPLICATES:
            yield from (each for each in counting if unit_of(each) == unit_of(outcome))
        if why in citations.EXCESS:
            yield from counting

    def _relied_on(self, outcome: outcomes.Outcome) -> Iterator[outcomes.Outcome]:
        match outcome.order:
            case (
                types.SupportHold(supported=other)
                | types.SupportMove(supported=other)
                | types.Convoy(army=other)
            ):
                yield self.units[other.province]
            case types.Move(target=target):
                yield from self._conflicts.helping(unit_of(outcome), types.province_of(target))
            case types.Hold() | types.Retreat() | types.Disband() | types.Build() | types.Waive():
                pass
            case _:
                assert_never(outcome.order)


def _convoy_route(outcome: outcomes.Outcome) -> tuple[types.Province, ...]:
    return outcome.verdict.route if isinstance(outcome.verdict, outcomes.Succeeds) else ()


def _blocking_provinces(cause: outcomes.FailCause) -> tuple[types.Province, ...]:
    """Return the provinces of the units that *cause* names."""
    match cause:
        case outcomes.StoodOff(rivals=rivals):
            return tuple(each.unit for each in rivals)
        case outcomes.HeldOff(defender=other) | outcomes.HeadOn(opponent=other):
            return (other.unit,)
        case outcomes.OwnUnit(defender=province):
            return (province,)
        case (
            outcomes.ConvoyBroken(provinces)
            | outcomes.ConvoyParadox(provinces)
            | outcomes.ParadoxHold(provinces)
        ):
            return provinces
        case outcomes.RetreatsClash(provinces):
            return provinces
        case outcomes.Futile():
            return ()
        case _:
            assert_never(cause)


class RemovalPrecedence(Enum):
    """A reason to remove one unit before the next."""

    FARTHEST = "farthest"
    LISTED = "listed"  # first in nJudge's list of units
    PLACE = "place"  # units in places such as its own go first
    FLEET = "fleet"  # equally far, and a fleet goes before an army
    ALPHABET = "alphabet"  # equally far, and of one kind


@dataclass(frozen=True, slots=True)
class Removal:
    """A *unit* that civil disorder removed, and *why* before *spared*, the next in sequence.

    *spared* is None if no unit was left. *distance* is counted by *rule*, None without a
    connection, and the `place_rank` where the rule goes by places; *ties* is the alphabet used.
    """

    unit: types.Unit
    rule: AutomaticRemoval
    ties: RemovalTies
    distance: int | None
    spared: types.Unit | None = None
    spared_distance: int | None = None
    why: RemovalPrecedence = RemovalPrecedence.FARTHEST


def explain_removals(
    board: Map,
    position: types.Position,
    removed: Iterable[types.Unit],
    after: types.Position,
    rulebook: Rulebook = DATC,
) -> tuple[Removal, ...]:
    """Return why each of *removed* left *position*, given the units that stay *after* it."""
    board = board.open_in(position.phase)
    return tuple(
        _explain_removal(board, position, unit, after.units_of(unit.power), rulebook)
        for unit in removed
    )


def _explain_removal(
    board: Map,
    position: types.Position,
    unit: types.Unit,
    stayed: Iterable[types.Unit],
    rulebook: Rulebook,
) -> Removal:
    rule, ties = rulebook.automatic_removal, rulebook.removal_ties
    if rule is AutomaticRemoval.OLDEST:
        return Removal(unit, rule, ties, None, why=RemovalPrecedence.LISTED)
    units = [unit, *stayed]
    by_place = rule is AutomaticRemoval.BY_PLACE
    far = (
        {each: place_rank(board, position, each) for each in units}
        if by_place
        else distances(board, position, units, rule)
    )
    steps_to = {
        each: steps if steps < len(board.locations) else None for each, steps in far.items()
    }
    for spared in removal_sequence(board, position, stayed, rulebook):
        if by_place and far[unit] != far[spared]:
            why = RemovalPrecedence.PLACE
        elif far[unit] > far[spared]:
            why = RemovalPrecedence.FARTHEST
        elif unit.kind is not spared.kind:
            why = RemovalPrecedence.FLEET
        else:
            why = RemovalPrecedence.ALPHABET
        return Removal(unit, rule, ties, steps_to[unit], spared, steps_to[spared], why)
    return Removal(unit, rule, ties, steps_to[unit])
