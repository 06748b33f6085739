"""Why each order came out as it did: the strengths that met, the rule, and what it hung on.

All of it follows from the outcomes of a phase alone, which the log keeps, so that it can be told
long after. A chain never comes back to where it has been: each outcome is in it once, as near to
its beginning as can be.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.citations import BELEAGUERED, SELF_STANDOFF, STRONGER, Rule, rule_of
from judge.rules.order import (
    Convoy,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)
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
    Unmatched,
)
from judge.rules.result import Adjudication
from judge.rules.vocabulary import Province, province_of


@dataclass(frozen=True, slots=True)
class Reason:
    """Why *outcome* came of its order.

    *strength* is what its unit brought into the conflict, in attack if it moved and in defense if
    not, and *against* what it met there. *because* are the reasons of the orders that it hung on,
    *paradox* is the one that its unit was in.
    """

    outcome: Outcome
    rule: Rule
    strength: Strength | None = None
    against: tuple[Strength, ...] = ()
    because: tuple[Reason, ...] = ()
    paradox: Paradox | None = None


def explain(adjudication: Adjudication, order: Order | Outcome) -> Reason:
    """Return why *order* came out as it did; of orders that are alike, the first, or the outcome.

    Raises `ValueError` if it was not given, nor supposed for a unit without an order.
    """
    outcomes = (*adjudication.outcomes, *adjudication.unordered)
    for each in outcomes:
        if order in (each, each.order):
            return Reasons(outcomes, adjudication.paradoxes).of(each)
    raise ValueError(f"not an order of this phase: {order}")


class Reasons:
    """The reasons for all *outcomes* of one phase, those of units without an order included.

    *units* has for each province the outcome that counts for the unit that began the phase there.
    """

    def __init__(self, outcomes: Sequence[Outcome], paradoxes: Sequence[Paradox] = ()) -> None:
        self.units: Mapping[Province, Outcome] = _by_unit(outcomes)
        self._outcomes = outcomes
        self._paradoxes = paradoxes

    def of(self, outcome: Outcome) -> Reason:
        """Return why *outcome* came about."""
        return self._reason(outcome, {id(outcome)})

    def _reason(self, outcome: Outcome, told: set[int]) -> Reason:
        near = {id(each): each for each in self._hung_on(outcome) if id(each) not in told}
        told.update(near)
        strength, against = self._met(outcome)
        return Reason(
            outcome,
            self._rule(outcome),
            strength,
            against,
            tuple(self._reason(each, told) for each in near.values()),
            self._paradox(outcome),
        )

    def _rule(self, outcome: Outcome) -> Rule:
        match outcome.verdict:
            case Fails(StoodOff(_, rivals)) if any(
                self.units[each.unit].power == outcome.power for each in rivals
            ):
                return SELF_STANDOFF
            case Stands() if outcome.fate:
                return STRONGER
            case Stands() if len(list(self._rivals(outcome))) > 1:
                return BELEAGUERED
            case verdict:
                return rule_of(outcome.order, verdict)

    def _paradox(self, outcome: Outcome) -> Paradox | None:
        unit = _unit_of(outcome)
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
                yield from self._instead(outcome, why)
            case Invalid(why):
                yield from self._unmatched(outcome, why)
            case Fails(cause):
                yield from (self.units[province] for province in _blockers(cause))
                yield from self._helpers(outcome)
            case Cut(by):
                yield self.units[by]
            case Disrupted(by) if by:
                yield self.units[by]
            case Succeeds() | Stands() | Given() | Available() | Disrupted():
                yield from self._helpers(outcome)
                yield from self._rivals(outcome)
            case _:
                assert_never(outcome.verdict)

    def _instead(self, outcome: Outcome, why: Impossible) -> Iterator[Outcome]:
        """Yield the orders that count where *outcome* says that another one does."""
        rivals = (
            each
            for each in self._outcomes
            if each.power == outcome.power and not isinstance(each.verdict, Illegal)
        )
        match why:
            case Impossible.DUPLICATE:
                yield from (each for each in rivals if _unit_of(each) == _unit_of(outcome))
            case Impossible.TOO_MANY:
                yield from rivals
            case _:
                pass

    def _unmatched(self, outcome: Outcome, why: Unmatched) -> Iterator[Outcome]:
        match outcome.order:
            case SupportHold(supported=other) | SupportMove(supported=other) | Convoy(army=other):
                yield self.units[other.province]
            case Move(unit=unit) if why is Unmatched.NO_CONVOY:
                yield from (
                    each
                    for each in self._outcomes
                    if isinstance(each.order, Convoy) and each.order.army.province == unit.province
                )
            case _:
                pass

    def _helpers(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield what was ordered to help the unit of *outcome*, whether it did or not."""
        unit, end = _unit_of(outcome), _end_of(outcome)
        for each in self._outcomes:
            match each.order:
                case SupportHold(supported=other) if end is None:
                    helped = other.province == unit
                case (
                    SupportMove(supported=other, target=target) | Convoy(army=other, target=target)
                ):
                    helped = (other.province, province_of(target)) == (unit, end)
                case _:
                    helped = False
            if helped:
                yield each

    def _rivals(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the other moves to where *outcome* was decided, and who stood there."""
        unit, end = _unit_of(outcome), _end_of(outcome)
        for each in self._outcomes:
            if each is not outcome and _end_of(each) == (end or unit):
                yield each
        if end is not None and end in self.units:
            yield self.units[end]

    def _met(self, outcome: Outcome) -> tuple[Strength | None, tuple[Strength, ...]]:
        """Return the strength of the unit of *outcome*, and those that it met."""
        match outcome.verdict:
            case Fails(cause):
                return _attack(outcome), self._against(cause)
            case Succeeds(attack=None):
                return None, ()
            case Succeeds(attack=attack):
                return attack, self._overcome(outcome)
            case Illegal() | Invalid() if not outcome.fate:
                return None, ()
            case _:
                return self._defense(outcome), self._overcome(outcome)

    def _overcome(self, outcome: Outcome) -> tuple[Strength, ...]:
        """Return the strengths of the rivals of *outcome*, of those that went away none."""
        end = _end_of(outcome) or _unit_of(outcome)
        strengths = (
            _attack(each)
            if _end_of(each) == end or _came_head_on(each, outcome)
            else self._defense(each)
            for each in self._rivals(outcome)
        )
        return tuple(strength for strength in strengths if strength)

    def _against(self, cause: FailCause) -> tuple[Strength, ...]:
        match cause:
            case StoodOff(rivals=rivals):
                return rivals
            case HeldOff(defender=other) | HeadOn(opponent=other):
                return (other,)
            case OwnUnit(defender=province):
                return (Strength(province),)
            case ConvoyBroken() | ConvoyParadox() | ParadoxHold() | Futile() | RetreatsClash():
                return ()
            case _:
                assert_never(cause)

    def _defense(self, outcome: Outcome) -> Strength | None:
        """Return the strength with which the unit of *outcome* stayed, if it did."""
        if isinstance(outcome.order, Move) and isinstance(outcome.verdict, Succeeds):
            return None
        unit = _unit_of(outcome)
        assert unit is not None
        supporters = (
            each.order.unit.province
            for each in self._outcomes
            if isinstance(each.order, SupportHold)
            and isinstance(each.verdict, Given)
            and each.order.supported.province == unit
        )
        return Strength(unit, tuple(sorted(supporters)))


def _by_unit(outcomes: Iterable[Outcome]) -> Mapping[Province, Outcome]:
    """Return for each province the outcome that counts, or else one that its own power gave."""
    units: dict[Province, Outcome] = {}
    for each in sorted(outcomes, key=_weight):
        unit = _unit_of(each)
        if unit is not None:
            units.setdefault(unit, each)
    return units


def _weight(outcome: Outcome) -> int:
    match outcome.verdict:
        case Illegal(Impossible.NOT_YOURS | Impossible.NO_SUCH_UNIT):
            return 2
        case Illegal():
            return 1
        case _:
            return 0


def _unit_of(outcome: Outcome) -> Province | None:
    return None if isinstance(outcome.order, Waive) else outcome.order.unit.province


def _end_of(outcome: Outcome) -> Province | None:
    """Return where the unit of *outcome* went, or tried to; None if it had to stay."""
    match outcome.verdict, outcome.order:
        case Fails(Futile()), _:
            return None
        case Fails() | Succeeds(), Move(target=target) | Retreat(target=target):
            return province_of(target)
        case _:
            return None


def _came_head_on(outcome: Outcome, other: Outcome) -> bool:
    match outcome.verdict:
        case Fails(HeadOn(opponent=opponent)):
            return opponent.unit == _unit_of(other)
        case _:
            return False


def _attack(outcome: Outcome) -> Strength | None:
    """Return the strength with which the unit of *outcome* arrived, if it did."""
    match outcome.verdict:
        case Succeeds(attack):
            return attack
        case Fails(StoodOff(attack) | HeldOff(attack) | HeadOn(attack) | OwnUnit(attack)):
            return attack
        case _:
            return None


def _blockers(cause: FailCause) -> tuple[Province, ...]:
    """Return where those stood whom *cause* names."""
    match cause:
        case StoodOff(rivals=rivals):
            return tuple(each.unit for each in rivals)
        case HeldOff(defender=other) | HeadOn(opponent=other):
            return (other.unit,)
        case OwnUnit(defender=province):
            return (province,)
        case ConvoyBroken(fleets) | ConvoyParadox(fleets) | ParadoxHold(fleets):
            return fleets
        case RetreatsClash(rivals):
            return rivals
        case Futile():
            return ()
        case _:
            assert_never(cause)
