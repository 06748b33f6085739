"""Find the conflict and the rule that decided an outcome.

Attack and prevent strengths are those that the resolver recorded in the outcomes. A hold strength
is that of the supports that were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.citations import (
    BELEAGUERED,
    CONFLICT,
    CUT_FROM_AIM,
    CUT_FROM_SEA,
    NO_EFFECT,
    NO_EFFECT_BY_SEA,
    OVERLAND,
    OWN_HELP,
    OWN_HELP_BACK,
    OWN_UNIT,
    OWN_UNIT_BACK,
    ROUTE_NAMED,
    ROUTES,
    SELF_STANDOFF,
    SPARED,
    STRONGER,
    Rule,
    Spared,
    rule_of,
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
    ParadoxHold,
    RetreatsClash,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
)
from judge.rules.rule_options import ConvoyedAttackFrom, WrittenRoute
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
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
                case SupportHold() | Hold() | Move() | Retreat() | Disband() | Build() | Waive():
                    helps = False
                case _:
                    assert_never(each.order)
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
        holder = self.units.get(_contested_province(outcome))
        if holder is None or isinstance(holder.verdict, Succeeds):
            return Conflict(attack, tuple(attacks))
        match holder.verdict:
            case Fails(HeadOn(opposed, opponent)) if opponent == attack:
                return Conflict(attack, (*attacks, opposed))
            case _:
                return Conflict(attack, tuple(attacks), self.hold_strength(holder))

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


PAIR_OF_UNITS = 2  # units that change places


class AppliedRules:
    """The rules applied in one phase, where the verdict alone does not show them."""

    def __init__(self, conflicts: Conflicts, rulebook: Rulebook) -> None:
        self._conflicts = conflicts
        self._rulebook = rulebook
        self._units = conflicts.units

    def rule(self, outcome: Outcome) -> Rule:
        """Return the rule that decided *outcome*."""
        for each in self.void(outcome):
            return NO_EFFECT if isinstance(_cause(each), HeadOn) else NO_EFFECT_BY_SEA
        for _, why in self.spared(outcome):
            return SPARED[why]
        match outcome.verdict:
            case Fails(cause):
                special = self._of_failure(outcome, cause)
            case Stands():
                special = STRONGER if outcome.fate else self._of_defense(outcome)
            case Succeeds(attack) if attack and self._in_ring(outcome):
                special = CONFLICT
            case Cut(by) if by == _supported_target(outcome):
                dislodged = outcome.fate and outcome.fate.by == by
                special = CUT_FROM_AIM if dislodged else CUT_FROM_SEA
            case Invalid(Unmatched.NO_CONVOY) if self._must_follow(outcome.order):
                special = ROUTE_NAMED
            case Given():
                special = self._of_barred_support(outcome)
            case Available() | Disrupted():
                special = self._of_convoy(outcome)
            case _:
                special = None
        return special or rule_of(outcome.order, outcome.verdict)

    def spared(self, support: Outcome) -> Iterator[tuple[Outcome, Spared]]:
        """Yield each attack that did not cut *support*, if that was given, with the reason."""
        if not isinstance(support.verdict, Given):
            return
        for attack in self._conflicts.rivals(support):
            if attack.power == support.power:
                yield attack, Spared.OWN_ATTACK
            elif unit_of(attack) == _supported_target(support):
                yield attack, Spared.AIMED_AT
            else:
                yield attack, self._spared_at_sea(attack, support)

    def void(self, outcome: Outcome) -> Iterator[Outcome]:
        """Yield the attacks without effect where *outcome* went, possibly itself (IX.7)."""
        match outcome.verdict:
            case Succeeds(attack) if attack:
                for each in self._conflicts.rivals(outcome):
                    strength = attack_strength_of(each)
                    if each.fate and strength and strength.total >= attack.total:
                        yield each
            case Fails(StoodOff(attack, rivals)) if outcome.fate:
                equal = (each.unit for each in rivals if each.total == attack.total)
                if any(isinstance(self._units[unit].verdict, Succeeds) for unit in equal):
                    yield outcome

    def own_victim(self, support: Outcome) -> Outcome | None:
        """Return the unit of its own power that *support* cannot help to dislodge."""
        match support.verdict, support.order:
            case Given(), SupportMove(supported=supported, target=target):
                attack = attack_strength_of(self._units[supported.province])
                barred = attack is not None and unit_of(support) in attack.discounted
                return self._units[province_of(target)] if barred else None
            case _:
                return None

    def _of_failure(self, outcome: Outcome, cause: FailCause) -> Rule | None:
        match cause:
            case StoodOff(attack, rivals):
                return self._of_standoff(outcome, attack, rivals)
            case HeldOff(attack, met) | HeadOn(attack, met) if attack.given > met.total:
                return OWN_HELP_BACK if self._came_back(met.unit) else OWN_HELP
            case OwnUnit(attack, province):
                if attack.given <= self._conflicts.hold_strength(self._units[province]).total:
                    return CONFLICT
                return OWN_UNIT_BACK if self._came_back(province) else OWN_UNIT
            case ConvoyBroken(other_route=True):
                return ROUTE_NAMED if self._must_follow(outcome.order) else ROUTES
            case (
                HeldOff()
                | HeadOn()
                | ConvoyBroken()
                | ConvoyParadox()
                | ParadoxHold()
                | Futile()
                | RetreatsClash()
            ):
                return None
            case _:
                assert_never(cause)

    def _of_standoff(
        self, outcome: Outcome, attack: Strength, rivals: Sequence[Strength]
    ) -> Rule | None:
        if attack.given > max(each.total for each in rivals):
            return OWN_HELP
        own = all(self._units[each.unit].power == outcome.power for each in rivals)
        return SELF_STANDOFF if own else None

    def _of_defense(self, outcome: Outcome) -> Rule | None:
        """Return the rule by which a unit withstood stronger attacks."""
        conflict = self._conflicts.of(outcome)
        assert conflict  # a unit that holds always has one
        stronger = [each for each in conflict.attacks if each.given > conflict.strength.total]
        foreign = [each for each in stronger if self._units[each.unit].power != outcome.power]
        best = max([each.total for each in foreign], default=0)
        equals = [each for each in foreign if each.total == best]
        if best > conflict.strength.total and (len(equals) > 1 or foreign == stronger):
            return BELEAGUERED
        if foreign == stronger:
            return OWN_HELP if foreign else None
        return OWN_UNIT

    def _of_barred_support(self, support: Outcome) -> Rule | None:
        if not self.own_victim(support):
            return None
        assert isinstance(support.order, SupportMove)
        own = self._units[support.order.supported.province].power == support.power
        return OWN_UNIT if own else OWN_HELP

    def _in_ring(self, outcome: Outcome) -> bool:
        """Return whether three or more units moved in a ring (rulebook VIII)."""
        ring = [outcome]
        while (ahead := self._units.get(destination_of(ring[-1]) or "")) and ahead not in ring:
            ring.append(ahead)
        succeed = all(isinstance(each.verdict, Succeeds) for each in ring)
        return succeed and ahead is outcome and len(ring) > PAIR_OF_UNITS

    def _must_follow(self, order: Order) -> bool:
        """Return whether the army must take the route that *order* names (DATC 4.A.6)."""
        heeded = self._rulebook.written_route is not WrittenRoute.IGNORED
        return heeded and isinstance(order, Move) and bool(order.route)

    def _of_convoy(self, outcome: Outcome) -> Rule | None:
        """Return the rule by which the army did not need the fleet of *outcome*."""
        match outcome.verdict, outcome.order:
            case Disrupted(by), _ if by and not outcome.fate:
                return OVERLAND
            case Available(), Convoy(army=army) if self._units[army.province].by_land:
                return OVERLAND
            case _:
                return None

    def _spared_at_sea(self, attack: Outcome, support: Outcome) -> Spared:
        """Return why the convoyed *attack* did not cut the *support*."""
        match _cause(attack):
            case ConvoyParadox() | ParadoxHold():
                return Spared.SELF_DECIDED
            case ConvoyBroken(fleets) if not self._depends_on(fleets, support):
                return Spared.NOT_CARRIED
            case _ if self._rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET:
                return Spared.LANDING
            case _:
                return Spared.CONVOYED

    def _depends_on(self, fleets: Iterable[Province], support: Outcome) -> bool:
        """Return whether each of *fleets* would stay undislodged without *support*."""
        return all(self._breaks(support, self._units[fleet]) for fleet in fleets)

    def _breaks(self, support: Outcome, fleet: Outcome) -> bool:
        """Return whether *fleet* is dislodged only with *support*, or with one that depends on it.

        A support depends on *support* if it is given only because *support* helps to disrupt the
        convoy of an army that attacks it. As a fleet convoys one army, which attacks one support,
        the recursion ends.
        """
        decisive = self._decisive(fleet)
        if unit_of(support) in decisive:
            return True
        return any(
            self._depends_on(cause.fleets, support)
            for each in decisive
            for attack in self._conflicts.rivals(self._units[each])
            if isinstance(cause := _cause(attack), ConvoyBroken)
        )

    def _decisive(self, fleet: Outcome) -> frozenset[Province]:
        """Return the supporters that are each necessary to dislodge *fleet*."""
        fate = fleet.fate
        if not fate or fate.strength.total > self._conflicts.hold_strength(fleet).total + 1:
            return frozenset()
        return frozenset(fate.strength.supporters)

    def _came_back(self, province: Province) -> bool:
        """Return whether the unit that stayed in *province* had tried to leave."""
        return destination_of(self._units[province]) is not None


def _cause(outcome: Outcome) -> FailCause | None:
    return outcome.verdict.cause if isinstance(outcome.verdict, Fails) else None


def _supported_target(support: Outcome) -> Province | None:
    """Return the province that *support* helps a move to; none if it helps none."""
    order = support.order
    return province_of(order.target) if isinstance(order, SupportMove) else None
