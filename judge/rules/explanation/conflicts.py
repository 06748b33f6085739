"""Read from the outcomes of a phase the strengths that met where an order was decided.

Attack and prevent strengths are those that the resolver recorded in the outcomes. A hold strength
is that of the supports that were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.outcome import (
    ConvoyBroken,
    ConvoyParadox,
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
    ParadoxHold,
    RetreatsClash,
    StoodOff,
    Strength,
    Succeeds,
)
from judge.rules.types import (
    Convoy,
    Move,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)


@dataclass(frozen=True, slots=True)
class Conflict:
    """The strength of one unit, attacking or holding, and those it met in the same province.

    *attacks* are the strengths of other attacks on it, *defense* is that of a unit that stayed.
    """

    strength: Strength
    attacks: tuple[Strength, ...] = ()
    defense: Strength | None = None


class Conflicts:
    """The conflicts of one phase.

    *units* has for each province the outcome that counts for the unit that began the phase there.
    """

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self.units = _by_unit(outcomes)
        self._outcomes = outcomes

    def rivals(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the other moves to where *outcome* was decided, and that of the unit there."""
        contested = _contested_province(outcome)
        for each in self._outcomes:
            if each is not outcome and destination_of(each) == contested:
                yield each
        if destination_of(outcome) is not None and contested in self.units:
            yield self.units[contested]

    def helpers(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the supports and convoys ordered for the unit of *outcome*."""
        return self.helping(unit_of(outcome), destination_of(outcome))

    def helping(self, unit: Province, destination: Province | None) -> Iterator[Outcome]:
        """Yield the supports and convoys ordered for *unit* to *destination*, None if to hold."""
        for each in self._outcomes:
            match each.order:
                case SupportHold(supported=other) if destination is None:
                    helps = other.province == unit
                case SupportMove(supported=other, target=to) | Convoy(army=other, target=to):
                    helps = other.province == unit and province_of(to) == destination
                case _:
                    helps = False
            if helps:
                yield each

    def of(self, outcome: Outcome) -> Conflict | None:
        """Return the strengths that decided *outcome*; None if it was not decided by strength."""
        match outcome.verdict:
            case Fails(cause):
                return self._failed(cause)
            case Succeeds(attack=attack):
                return self._overcame(outcome, attack) if attack else None
            case Illegal() | Invalid() if not outcome.fate:
                return None
            case _:
                return Conflict(self.hold_strength(outcome), self._attacks(outcome))

    def _failed(self, cause: FailCause) -> Conflict | None:
        match cause:
            case StoodOff(attack, rivals):
                return Conflict(attack, rivals)
            case HeldOff(attack, defender):
                return Conflict(attack, defense=defender)
            case HeadOn(attack, opponent):
                return Conflict(attack, (opponent,))
            case OwnUnit(attack, province):
                return Conflict(attack, defense=self.hold_strength(self.units[province]))
            case ConvoyBroken() | ConvoyParadox() | ParadoxHold() | Futile() | RetreatsClash():
                return None
            case _:
                assert_never(cause)

    def _overcame(self, outcome: Outcome, attack: Strength) -> Conflict:
        """Return what a successful move overcame, without attacks that had no effect (IX.7)."""
        attacks = [each for each in self._attacks(outcome) if each.total < attack.total]
        standing = self.units.get(_contested_province(outcome))
        if standing is None or isinstance(standing.verdict, Succeeds):
            return Conflict(attack, tuple(attacks))
        match standing.verdict:
            case Fails(HeadOn(opposed, opponent)) if opponent == attack:
                return Conflict(attack, (*attacks, opposed))
            case _:
                return Conflict(attack, tuple(attacks), self.hold_strength(standing))

    def _attacks(self, outcome: Outcome) -> tuple[Strength, ...]:
        contested = _contested_province(outcome)
        return tuple(
            attack
            for each in self._outcomes
            if each is not outcome
            and destination_of(each) == contested
            and (attack := attack_strength_of(each))
        )

    def hold_strength(self, outcome: Outcome) -> Strength:
        """Return the hold strength of the unit of *outcome*, which did not move."""
        unit = unit_of(outcome)
        supporters = (
            each.order.unit.province
            for each in self._outcomes
            if isinstance(each.order, SupportHold)
            and isinstance(each.verdict, Given)
            and each.order.supported.province == unit
        )
        return Strength(unit, tuple(sorted(supporters)))


def unit_of(outcome: Outcome) -> Province:
    """Return where the unit of *outcome* began the phase; empty for a waived build."""
    return "" if isinstance(outcome.order, Waive) else outcome.order.unit.province


def destination_of(outcome: Outcome) -> Province | None:
    """Return where the unit of *outcome* moved or tried to; None if it could not try."""
    match outcome.verdict, outcome.order:
        case Fails(Futile()), _:
            return None
        case Fails() | Succeeds(), Move(target=target) | Retreat(target=target):
            return province_of(target)
        case _:
            return None


def _contested_province(outcome: Outcome) -> Province:
    return destination_of(outcome) or unit_of(outcome)


def attack_strength_of(outcome: Outcome) -> Strength | None:
    """Return the attack strength of the unit of *outcome*, if its attack took place."""
    match outcome.verdict:
        case Succeeds(attack):
            return attack
        case Fails(StoodOff(attack) | HeldOff(attack) | HeadOn(attack) | OwnUnit(attack)):
            return attack
        case _:
            return None


def _by_unit(outcomes: Iterable[Outcome]) -> Mapping[Province, Outcome]:
    """Return by province the outcome that counts, or else that of another order of its power."""
    units: dict[Province, Outcome] = {}
    for each in sorted(outcomes, key=_irrelevance):
        units.setdefault(unit_of(each), each)
    return units


def _irrelevance(outcome: Outcome) -> int:
    match outcome.verdict:
        case Illegal(Impossible.NOT_YOURS | Impossible.NO_SUCH_UNIT):
            return 2
        case Illegal():
            return 1
        case _:
            return 0
