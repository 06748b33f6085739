"""Find the conflict and the rule that decided an outcome.

Attack and prevent strengths are those that the resolver recorded in the outcomes. A hold strength
is that of the supports that were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules import citations, outcomes, types
from judge.rules.rule_options import ConvoyedAttackFrom, WrittenRoute
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Conflict:
    """The strength of one unit, attacking or holding, and those it met in the same province.

    *attacks* are the strengths of other attacks on it, *defense* is that of a unit that stayed.
    """

    strength: outcomes.Strength
    attacks: tuple[outcomes.Strength, ...] = ()
    defense: outcomes.Strength | None = None


class Conflicts:
    """The conflicts of one phase.

    *units* has for each province the outcome that counts for the unit that began the phase there.
    """

    def __init__(self, all_outcomes: Sequence[outcomes.Outcome]) -> None:
        self.units = _by_unit(all_outcomes)
        self._outcomes = all_outcomes

    def rivals(self, outcome: outcomes.Outcome) -> Iterator[outcomes.Outcome]:
        """Yield the other moves to where *outcome* was decided, and that of the unit there."""
        contested = _contested_province(outcome)
        for each in self._outcomes:
            if each is not outcome and destination_of(each) == contested:
                yield each
        if destination_of(outcome) is not None and contested in self.units:
            yield self.units[contested]

    def helpers(self, outcome: outcomes.Outcome) -> Iterator[outcomes.Outcome]:
        """Yield the supports and convoys ordered for the unit of *outcome*."""
        return self.helping(unit_of(outcome), destination_of(outcome))

    def helping(
        self, unit: types.Province, destination: types.Province | None
    ) -> Iterator[outcomes.Outcome]:
        """Yield the supports and convoys ordered for *unit* to *destination*, None if to hold."""
        for each in self._outcomes:
            match each.order:
                case types.SupportHold(supported=other) if destination is None:
                    helps = other.province == unit
                case (
                    types.SupportMove(supported=other, target=to)
                    | types.Convoy(army=other, target=to)
                ):
                    helps = other.province == unit and types.province_of(to) == destination
                case (
                    types.SupportHold()
                    | types.Hold()
                    | types.Move()
                    | types.Retreat()
                    | types.Disband()
                    | types.Build()
                    | types.Waive()
                ):
                    helps = False
                case _:
                    assert_never(each.order)
            if helps:
                yield each

    def of(self, outcome: outcomes.Outcome) -> Conflict | None:
        """Return the strengths that decided *outcome*; None if it was not decided by strength."""
        match outcome.verdict:
            case outcomes.Fails(cause):
                return self._failed(cause)
            case outcomes.Succeeds(attack=attack):
                return self._overcame(outcome, attack) if attack else None
            case outcomes.Illegal() | outcomes.Invalid() if not outcome.fate:
                return None
            case _:
                return Conflict(self.hold_strength(outcome), self._attacks(outcome))

    def _failed(self, cause: outcomes.FailCause) -> Conflict | None:
        match cause:
            case outcomes.StoodOff(attack, rivals):
                return Conflict(attack, rivals)
            case outcomes.HeldOff(attack, defender):
                return Conflict(attack, defense=defender)
            case outcomes.HeadOn(attack, opponent):
                return Conflict(attack, (opponent,))
            case outcomes.OwnUnit(attack, province):
                return Conflict(attack, defense=self.hold_strength(self.units[province]))
            case (
                outcomes.ConvoyBroken()
                | outcomes.ConvoyParadox()
                | outcomes.ParadoxHold()
                | outcomes.Futile()
                | outcomes.RetreatsClash()
            ):
                return None
            case _:
                assert_never(cause)

    def _overcame(self, outcome: outcomes.Outcome, attack: outcomes.Strength) -> Conflict:
        """Return what a successful move overcame, without attacks that had no effect (IX.7)."""
        attacks = [each for each in self._attacks(outcome) if each.total < attack.total]
        holder = self.units.get(_contested_province(outcome))
        if holder is None or isinstance(holder.verdict, outcomes.Succeeds):
            return Conflict(attack, tuple(attacks))
        match holder.verdict:
            case outcomes.Fails(outcomes.HeadOn(opposed, opponent)) if opponent == attack:
                return Conflict(attack, (*attacks, opposed))
            case _:
                return Conflict(attack, tuple(attacks), self.hold_strength(holder))

    def _attacks(self, outcome: outcomes.Outcome) -> tuple[outcomes.Strength, ...]:
        contested = _contested_province(outcome)
        return tuple(
            attack
            for each in self._outcomes
            if each is not outcome
            and destination_of(each) == contested
            and (attack := attack_strength_of(each))
        )

    def hold_strength(self, outcome: outcomes.Outcome) -> outcomes.Strength:
        """Return the hold strength of the unit of *outcome*, which did not move."""
        unit = unit_of(outcome)
        supporters = (
            each.order.unit.province
            for each in self._outcomes
            if isinstance(each.order, types.SupportHold)
            and isinstance(each.verdict, outcomes.Given)
            and each.order.supported.province == unit
        )
        return outcomes.Strength(unit, tuple(sorted(supporters)))


def unit_of(outcome: outcomes.Outcome) -> types.Province:
    """Return where the unit of *outcome* began the phase; empty for a waived build."""
    return "" if isinstance(outcome.order, types.Waive) else outcome.order.unit.province


def destination_of(outcome: outcomes.Outcome) -> types.Province | None:
    """Return where the unit of *outcome* moved or tried to; None if it could not try."""
    match outcome.verdict, outcome.order:
        case outcomes.Fails(outcomes.Futile()), _:
            return None
        case outcomes.Fails() | outcomes.Succeeds(), types.Move(target=to) | types.Retreat(
            target=to
        ):
            return types.province_of(to)
        case _:
            return None


def _contested_province(outcome: outcomes.Outcome) -> types.Province:
    return destination_of(outcome) or unit_of(outcome)


def attack_strength_of(outcome: outcomes.Outcome) -> outcomes.Strength | None:
    """Return the attack strength of the unit of *outcome*, if its attack took place."""
    match outcome.verdict:
        case outcomes.Succeeds(attack):
            return attack
        case outcomes.Fails(
            outcomes.StoodOff(attack)
            | outcomes.HeldOff(attack)
            | outcomes.HeadOn(attack)
            | outcomes.OwnUnit(attack)
        ):
            return attack
        case _:
            return None


def _by_unit(
    all_outcomes: Iterable[outcomes.Outcome],
) -> Mapping[types.Province, outcomes.Outcome]:
    """Return by province the outcome that counts, or else that of another order of its power."""
    units: dict[types.Province, outcomes.Outcome] = {}
    for each in sorted(all_outcomes, key=_irrelevance):
        units.setdefault(unit_of(each), each)
    return units


def _irrelevance(outcome: outcomes.Outcome) -> int:
    match outcome.verdict:
        case outcomes.Illegal(outcomes.Impossible.NOT_YOURS | outcomes.Impossible.NO_SUCH_UNIT):
            return 2
        case outcomes.Illegal():
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

    def rule(self, outcome: outcomes.Outcome) -> citations.Rule:
        """Return the rule that decided *outcome*."""
        for each in self.void(outcome):
            return (
                citations.NO_EFFECT
                if isinstance(_cause(each), outcomes.HeadOn)
                else citations.NO_EFFECT_BY_SEA
            )
        for _, why in self.spared(outcome):
            return citations.SPARED[why]
        match outcome.verdict:
            case outcomes.Fails(cause):
                special = self._of_failure(outcome, cause)
            case outcomes.Stands():
                special = citations.STRONGER if outcome.fate else self._of_defense(outcome)
            case outcomes.Succeeds(attack) if attack and self._in_ring(outcome):
                special = citations.CONFLICT
            case outcomes.Cut(by) if by == _supported_target(outcome):
                dislodged = outcome.fate and outcome.fate.by == by
                special = citations.CUT_FROM_AIM if dislodged else citations.CUT_FROM_SEA
            case outcomes.Invalid(outcomes.Unmatched.NO_CONVOY) if self._must_follow(
                outcome.order
            ):
                special = citations.ROUTE_NAMED
            case outcomes.Given():
                special = self._of_barred_support(outcome)
            case outcomes.Available() | outcomes.Disrupted():
                special = self._of_convoy(outcome)
            case _:
                special = None
        return special or citations.rule_of(outcome.order, outcome.verdict)

    def spared(
        self, support: outcomes.Outcome
    ) -> Iterator[tuple[outcomes.Outcome, citations.Spared]]:
        """Yield each attack that did not cut *support*, if that was given, with the reason."""
        if not isinstance(support.verdict, outcomes.Given):
            return
        for attack in self._conflicts.rivals(support):
            if attack.power == support.power:
                yield attack, citations.Spared.OWN_ATTACK
            elif unit_of(attack) == _supported_target(support):
                yield attack, citations.Spared.AIMED_AT
            else:
                yield attack, self._spared_at_sea(attack, support)

    def void(self, outcome: outcomes.Outcome) -> Iterator[outcomes.Outcome]:
        """Yield the attacks without effect where *outcome* went, possibly itself (IX.7)."""
        match outcome.verdict:
            case outcomes.Succeeds(attack) if attack:
                for each in self._conflicts.rivals(outcome):
                    strength = attack_strength_of(each)
                    if each.fate and strength and strength.total >= attack.total:
                        yield each
            case outcomes.Fails(outcomes.StoodOff(attack, rivals)) if outcome.fate:
                equal = (each.unit for each in rivals if each.total == attack.total)
                if any(isinstance(self._units[unit].verdict, outcomes.Succeeds) for unit in equal):
                    yield outcome

    def own_victim(self, support: outcomes.Outcome) -> outcomes.Outcome | None:
        """Return the unit of its own power that *support* cannot help to dislodge."""
        match support.verdict, support.order:
            case outcomes.Given(), types.SupportMove(supported=supported, target=target):
                attack = attack_strength_of(self._units[supported.province])
                barred = attack is not None and unit_of(support) in attack.discounted
                return self._units[types.province_of(target)] if barred else None
            case _:
                return None

    def _of_failure(
        self, outcome: outcomes.Outcome, cause: outcomes.FailCause
    ) -> citations.Rule | None:
        match cause:
            case outcomes.StoodOff(attack, rivals):
                return self._of_standoff(outcome, attack, rivals)
            case outcomes.HeldOff(attack, met) | outcomes.HeadOn(attack, met) if (
                attack.given > met.total
            ):
                return citations.OWN_HELP_BACK if self._came_back(met.unit) else citations.OWN_HELP
            case outcomes.OwnUnit(attack, province):
                if attack.given <= self._conflicts.hold_strength(self._units[province]).total:
                    return citations.CONFLICT
                return citations.OWN_UNIT_BACK if self._came_back(province) else citations.OWN_UNIT
            case outcomes.ConvoyBroken(other_route=True):
                return (
                    citations.ROUTE_NAMED if self._must_follow(outcome.order) else citations.ROUTES
                )
            case (
                outcomes.HeldOff()
                | outcomes.HeadOn()
                | outcomes.ConvoyBroken()
                | outcomes.ConvoyParadox()
                | outcomes.ParadoxHold()
                | outcomes.Futile()
                | outcomes.RetreatsClash()
            ):
                return None
            case _:
                assert_never(cause)

    def _of_standoff(
        self,
        outcome: outcomes.Outcome,
        attack: outcomes.Strength,
        rivals: Sequence[outcomes.Strength],
    ) -> citations.Rule | None:
        if attack.given > max(each.total for each in rivals):
            return citations.OWN_HELP
        own = all(self._units[each.unit].power == outcome.power for each in rivals)
        return citations.SELF_STANDOFF if own else None

    def _of_defense(self, outcome: outcomes.Outcome) -> citations.Rule | None:
        """Return the rule by which a unit withstood stronger attacks."""
        conflict = self._conflicts.of(outcome)
        assert conflict  # a unit that holds always has one
        stronger = [each for each in conflict.attacks if each.given > conflict.strength.total]
        foreign = [each for each in stronger if self._units[each.unit].power != outcome.power]
        best = max([each.total for each in foreign], default=0)
        equals = [each for each in foreign if each.total == best]
        if best > conflict.strength.total and (len(equals) > 1 or foreign == stronger):
            return citations.BELEAGUERED
        if foreign == stronger:
            return citations.OWN_HELP if foreign else None
        return citations.OWN_UNIT

    def _of_barred_support(self, support: outcomes.Outcome) -> citations.Rule | None:
        if not self.own_victim(support):
            return None
        assert isinstance(support.order, types.SupportMove)
        own = self._units[support.order.supported.province].power == support.power
        return citations.OWN_UNIT if own else citations.OWN_HELP

    def _in_ring(self, outcome: outcomes.Outcome) -> bool:
        """Return whether three or more units moved in a ring (rulebook VIII)."""
        ring = [outcome]
        while (ahead := self._units.get(destination_of(ring[-1]) or "")) and ahead not in ring:
            ring.append(ahead)
        succeed = all(isinstance(each.verdict, outcomes.Succeeds) for each in ring)
        return succeed and ahead is outcome and len(ring) > PAIR_OF_UNITS

    def _must_follow(self, order: types.Order) -> bool:
        """Return whether the army must take the route that *order* names (DATC 4.A.6)."""
        heeded = self._rulebook.written_route is not WrittenRoute.IGNORED
        return heeded and isinstance(order, types.Move) and bool(order.route)

    def _of_convoy(self, outcome: outcomes.Outcome) -> citations.Rule | None:
        """Return the rule by which the army did not need the fleet of *outcome*."""
        match outcome.verdict, outcome.order:
            case outcomes.Disrupted(by), _ if by and not outcome.fate:
                return citations.OVERLAND
            case outcomes.Available(), types.Convoy(army) if self._units[army.province].by_land:
                return citations.OVERLAND
            case _:
                return None

    def _spared_at_sea(
        self, attack: outcomes.Outcome, support: outcomes.Outcome
    ) -> citations.Spared:
        """Return why the convoyed *attack* did not cut the *support*."""
        match _cause(attack):
            case outcomes.ConvoyParadox() | outcomes.ParadoxHold():
                return citations.Spared.SELF_DECIDED
            case outcomes.ConvoyBroken(fleets) if not self._depends_on(fleets, support):
                return citations.Spared.NOT_CARRIED
            case _ if self._rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET:
                return citations.Spared.LANDING
            case _:
                return citations.Spared.CONVOYED

    def _depends_on(self, fleets: Iterable[types.Province], support: outcomes.Outcome) -> bool:
        """Return whether each of *fleets* would stay undislodged without *support*."""
        return all(self._breaks(support, self._units[fleet]) for fleet in fleets)

    def _breaks(self, support: outcomes.Outcome, fleet: outcomes.Outcome) -> bool:
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
            if isinstance(cause := _cause(attack), outcomes.ConvoyBroken)
        )

    def _decisive(self, fleet: outcomes.Outcome) -> frozenset[types.Province]:
        """Return the supporters that are each necessary to dislodge *fleet*."""
        fate = fleet.fate
        if not fate or fate.strength.total > self._conflicts.hold_strength(fleet).total + 1:
            return frozenset()
        return frozenset(fate.strength.supporters)

    def _came_back(self, province: types.Province) -> bool:
        """Return whether the unit that stayed in *province* had tried to leave."""
        return destination_of(self._units[province]) is not None


def _cause(outcome: outcomes.Outcome) -> outcomes.FailCause | None:
    return outcome.verdict.cause if isinstance(outcome.verdict, outcomes.Fails) else None


def _supported_target(support: outcomes.Outcome) -> types.Province | None:
    """Return the province that *support* helps a move to; none if it helps none."""
    order = support.order
    return types.province_of(order.target) if isinstance(order, types.SupportMove) else None
