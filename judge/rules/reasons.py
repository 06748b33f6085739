"""Why each order came out as it did: the strengths that met, the rule, and what it hung on.

All of it follows from the outcomes of a phase alone, which the log keeps, so that it can be told
long after. A chain never comes back to where it has been: each outcome is in it once, as near to
its beginning as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.citations import (
    BELEAGUERED,
    CUT,
    NOT_CARRIED,
    OWN_ATTACK,
    OWN_UNIT,
    PARADOX,
    SELF_STANDOFF,
    STRONGER,
    Rule,
    rule_of,
)
from judge.rules.conflicts import Conflict, Conflicts, end_of, unit_of
from judge.rules.order import Convoy, Move, Order, SupportHold, SupportMove
from judge.rules.outcome import (
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
    Strength,
    Succeeds,
)
from judge.rules.result import Adjudication
from judge.rules.vocabulary import Province, province_of


@dataclass(frozen=True, slots=True)
class Reason:
    """Why *outcome* came of its order.

    *conflict* are the strengths that met, if strength decided. *because* are the reasons of the
    orders that it hung on, the nearest first; *paradox* is the one that its unit was in.
    """

    outcome: Outcome
    rule: Rule
    conflict: Conflict | None = None
    because: tuple[Reason, ...] = ()
    paradox: Paradox | None = None

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


def explain(adjudication: Adjudication, order: Order | Outcome) -> Reason:
    """Return why *order* came out as it did; of orders that are alike, the first, or the outcome.

    Raises `ValueError` if it was not given, nor supposed for a unit without an order.
    """
    outcomes = (*adjudication.outcomes, *adjudication.unordered)
    alike = [each for each in outcomes if order in (each, each.order)]
    if not alike:
        raise ValueError(f"not an order of this phase: {order}")
    return Reasons(outcomes, adjudication.paradoxes).of(alike[0])


class Reasons:
    """The reasons for all *outcomes* of one phase, those of units without an order included."""

    def __init__(self, outcomes: Sequence[Outcome], paradoxes: Sequence[Paradox] = ()) -> None:
        self._outcomes = outcomes
        self._paradoxes = paradoxes
        self._conflicts = Conflicts(outcomes)
        self.units = self._conflicts.units

    def of(self, outcome: Outcome) -> Reason:
        """Return why *outcome* came about."""
        return self._reason(outcome, {id(outcome)})

    def _reason(self, outcome: Outcome, told: set[int]) -> Reason:
        near = {id(each): each for each in self._hung_on(outcome) if id(each) not in told}
        told.update(near)
        conflict = self._conflicts.of(outcome)
        return Reason(
            outcome,
            self._rule(outcome, conflict),
            conflict,
            tuple(self._reason(each, told) for each in near.values()),
            self._paradox(unit_of(outcome)),
        )

    def _rule(self, outcome: Outcome, conflict: Conflict | None) -> Rule:
        match outcome.verdict:
            case Fails(StoodOff(rivals=rivals)) if self._any_own(rivals, outcome):
                return SELF_STANDOFF
            case Stands() if outcome.fate:
                return STRONGER
            case Stands() if conflict and conflict.overwhelming:
                return OWN_UNIT if self._any_own(conflict.attacks, outcome) else BELEAGUERED
            case Given():
                return next(self._sparing(outcome), STRONGER)
            case verdict:
                return rule_of(outcome.order, verdict)

    def _sparing(self, support: Outcome) -> Iterator[Rule]:
        """Yield for each attack on the unit of *support* the rule by which it did not cut it."""
        for attack in self._conflicts.rivals(support):
            if attack.power == support.power:
                yield OWN_ATTACK
            elif unit_of(attack) == _aim(support.order):
                yield CUT
            elif self._conflicts.of(attack) is None:
                yield NOT_CARRIED
            else:
                yield PARADOX

    def _any_own(self, strengths: Iterable[Strength], outcome: Outcome) -> bool:
        return any(self.units[each.unit].power == outcome.power for each in strengths)

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
                yield from (self.units[province] for province in _blockers(cause))
                yield from self._helpers(unit_of(outcome), end_of(outcome))
            case Cut(by):
                yield self.units[by]
            case Disrupted(by) if by:
                yield self.units[by]
            case Succeeds() | Stands() | Given() | Available() | Disrupted():
                yield from self._helpers(unit_of(outcome), end_of(outcome))
                yield from self._conflicts.rivals(outcome)
            case _:
                assert_never(outcome.verdict)

    def _preferred(self, outcome: Outcome, why: Impossible) -> Iterator[Outcome]:
        """Yield the orders that count, where *outcome* is one too many."""
        rivals = (each for each in self._outcomes if each.power == outcome.power)
        counting = [each for each in rivals if not isinstance(each.verdict, Illegal)]
        if why is Impossible.DUPLICATE:
            yield from (each for each in counting if unit_of(each) == unit_of(outcome))
        if why is Impossible.TOO_MANY:
            yield from counting

    def _relied_on(self, outcome: Outcome) -> Iterator[Outcome]:
        match outcome.order:
            case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
                yield self.units[other.province]
            case Move(target=target):
                yield from self._helpers(unit_of(outcome), province_of(target))
            case _:
                pass

    def _helpers(self, unit: Province, end: Province | None) -> Iterator[Outcome]:
        """Yield what was ordered to help *unit* to *end*, or to stay, whether it did or not."""
        for each in self._outcomes:
            match each.order:
                case SupportHold(supported=other) if end is None:
                    helps = other.province == unit
                case SupportMove(supported=other, target=to) | Convoy(army=other, target=to):
                    helps = other.province == unit and province_of(to) == end
                case _:
                    helps = False
            if helps:
                yield each


def _aim(order: Order) -> Province | None:
    """Return the province that *order* supports a move to; none if it supports none."""
    return province_of(order.target) if isinstance(order, SupportMove) else None


def _blockers(cause: FailCause) -> tuple[Province, ...]:
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
