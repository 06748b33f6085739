"""Find the conflict and the rule that decided an outcome.

Attack and prevent strengths are those that the resolver recorded in the outcomes. A hold strength
is that of the supports that were given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules import citations, outcomes, types
from judge.rules.rule_options import ConvoyedAttackFrom, WrittenRoute
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class Conflict:
    """The strength of one unit, attacking or holding, and those it met in the same province.

    *attacks* are the strengths of other attacks on it, *defense* is that of a unit that stayed.
    The strength of a failed attack has every support that was given, also those that do not count
    (rulebook IX.3).
    """

    strength: outcomes.Strength
    attacks: tuple[outcomes.Strength, ...] = ()
    defense: outcomes.Strength | None = None


class Conflicts:
    """The conflicts of one phase.

    *units* has for each province the outcome that counts for the unit that began the phase there,
    or else that of another order of its power.
    """

    def __init__(self, all_outcomes: Sequence[outcomes.Outcome]) -> None:
        self.units: dict[types.Province, outcomes.Outcome] = {}
        for each in sorted(all_outcomes, key=_irrelevance):
            self.units.setdefault(unit_of(each), each)
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
                attacks = self.attacks(outcome)
                shown = (_visible_strength(each, attack) for each, attack in attacks)
                return Conflict(self.hold_strength(outcome), tuple(shown))

    def _failed(self, cause: outcomes.FailCause) -> Conflict | None:
        match cause:
            case outcomes.StoodOff(attack, rivals):
                return Conflict(attack.undiscounted, rivals)
            case outcomes.HeldOff(attack, defender):
                return Conflict(attack.undiscounted, defense=defender)
            case outcomes.HeadOn(attack, opponent):
                return Conflict(attack.undiscounted, (opponent,))
            case outcomes.OwnUnit(attack, province):
                defense = self.hold_strength(self.units[province])
                return Conflict(attack.undiscounted, defense=defense)
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
        rivals = (each.undiscounted for _, each in self.attacks(outcome))
        attacks = [each for each in rivals if each.total < attack.total]
        holder = self.units.get(_contested_province(outcome))
        if holder is None or isinstance(holder.verdict, outcomes.Succeeds):
            return Conflict(attack, tuple(attacks))
        match holder.verdict:
            case outcomes.Fails(outcomes.HeadOn(opposed, opponent)) if opponent == attack:
                return Conflict(attack, (*attacks, opposed))
            case _:
                return Conflict(attack, tuple(attacks), self.hold_strength(holder))

    def attacks(
        self, outcome: outcomes.Outcome
    ) -> Sequence[tuple[outcomes.Outcome, outcomes.Strength]]:
        """Return the other attacks on the province for which *outcome* was decided."""
        contested = _contested_province(outcome)
        return [
            (each, attack)
            for each in self._outcomes
            if each is not outcome
            and destination_of(each) == contested
            and (attack := attack_strength_of(each))
        ]

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


def _visible_strength(outcome: outcomes.Outcome, attack: outcomes.Strength) -> outcomes.Strength:
    return attack if isinstance(outcome.verdict, outcomes.Succeeds) else attack.undiscounted


def _irrelevance(outcome: outcomes.Outcome) -> int:
    match outcome.verdict:
        case outcomes.Illegal(outcomes.Impossible.NOT_YOURS | outcomes.Impossible.NO_SUCH_UNIT):
            return 2
        case outcomes.Illegal():
            return 1
        case _:
            return 0


PAIR_OF_UNITS = 2  # units that change places


@dataclass(frozen=True, slots=True)
class BarredSupports:
    """Units whose support of an attack does not count against the unit in *victim*.

    It is of their own power (rulebook IX.3).
    """

    supporters: tuple[types.Province, ...]
    victim: types.Province


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
                protected = citations.PROTECTED.get(self.protections(outcome))
                special = citations.STRONGER if outcome.fate else protected
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
                special = self._of_given(outcome)
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
                for each, rival in self._conflicts.attacks(outcome):
                    origin = each.fate.by if each.fate else None
                    if origin == destination_of(outcome) and rival.given >= attack.total:
                        yield each
            case outcomes.Fails(outcomes.StoodOff(attack, rivals)) if outcome.fate:
                equal = (each.unit for each in rivals if each.total == attack.total)
                if any(isinstance(self._units[unit].verdict, outcomes.Succeeds) for unit in equal):
                    yield outcome

    def barred(self, outcome: outcomes.Outcome) -> BarredSupports | None:
        """Return the supports that do not count, if *outcome* is about one or decided by them."""
        match outcome.verdict, outcome.order:
            case outcomes.Given(), types.SupportMove(supported=supported, target=target):
                attack = attack_strength_of(self._units[supported.province])
                if attack and unit_of(outcome) in attack.discounted:
                    return BarredSupports((unit_of(outcome),), types.province_of(target))
            case outcomes.Stands(), _ if citations.Protection.OWN_SUPPORT in self.protections(
                outcome
            ):
                attacks = (attack for _, attack in self._conflicts.attacks(outcome))
                strongest = max(attacks, key=lambda attack: attack.given)
                return BarredSupports(strongest.discounted, unit_of(outcome))
            case (
                (
                    outcomes.Succeeds()
                    | outcomes.Fails(outcomes.StoodOff() | outcomes.HeldOff() | outcomes.HeadOn())
                ),
                types.Move(target=target),
            ):
                attack, met = attack_strength_of(outcome), _met_by(outcome)
                if attack and attack.discounted and attack.given > met:
                    return BarredSupports(attack.discounted, types.province_of(target))
            case _:
                pass
        return None

    def protections(self, outcome: outcomes.Outcome) -> tuple[citations.Protection, ...]:
        """Return why the unit of *outcome*, a hold, stayed though an attack was stronger."""
        hold = self._conflicts.hold_strength(outcome).total
        attacks = self._conflicts.attacks(outcome)
        top = max((attack.given for _, attack in attacks), default=0)
        if outcome.fate or top <= hold:
            return ()
        foreign = [attack for each, attack in attacks if each.power != outcome.power]
        if all(attack.given < top for attack in foreign):
            first = citations.Protection.OWN_ATTACK
        elif sum(attack.given == top for _, attack in attacks) > 1:
            return (citations.Protection.BOUNCE,)
        else:
            first = citations.Protection.OWN_SUPPORT
        bounced = any(attack.total > hold for attack in foreign)
        return (first, citations.Protection.BOUNCE) if bounced else (first,)

    def is_head_on(self, outcome: outcomes.Outcome) -> bool:
        """Return whether *outcome* is a move against one by land in the opposite direction."""
        ahead = self._units.get(destination_of(outcome) or "")
        return (
            ahead is not None
            and destination_of(ahead) == unit_of(outcome)
            and not self._is_convoyed(outcome)
            and not self._is_convoyed(ahead)
        )

    def is_unconvoyed(self, support: outcomes.Outcome) -> bool:
        """Return whether *support* was not cut and its army failed for want of its convoy."""
        match support.verdict, support.order:
            case outcomes.Given(), types.SupportMove(supported=army):
                cause = _cause(self._units[army.province])
                return isinstance(cause, outcomes.ConvoyBroken | outcomes.ConvoyParadox)
            case _:
                return False

    def _is_convoyed(self, move: outcomes.Outcome) -> bool:
        convoys = (isinstance(each.order, types.Convoy) for each in self._conflicts.helpers(move))
        return any(convoys) and not move.by_land

    def _of_failure(
        self, outcome: outcomes.Outcome, cause: outcomes.FailCause
    ) -> citations.Rule | None:
        match cause:
            case outcomes.StoodOff() | outcomes.HeldOff() | outcomes.HeadOn() if self.barred(
                outcome
            ):
                return self._of_own_unit(outcome)
            case outcomes.StoodOff(_, rivals):
                own = all(self._units[each.unit].power == outcome.power for each in rivals)
                return citations.SELF_STANDOFF if own else None
            case outcomes.OwnUnit(attack, province):
                hold = self._conflicts.hold_strength(self._units[province])
                return self._of_own_unit(outcome) if attack.given > hold.total else None
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

    def _of_own_unit(self, move: outcomes.Outcome) -> citations.Rule:
        """Return the rule on a *move*, or supports of it, against a unit of their own power."""
        occupant = self._units.get(destination_of(move) or "")
        came_back = occupant is not None and destination_of(occupant) is not None
        head_on = self.is_head_on(move)
        match _cause(move):
            case None:
                return citations.OWN_HELP_UNNEEDED
            case outcomes.OwnUnit() if head_on:
                return citations.OWN_UNIT_HEAD_ON
            case outcomes.OwnUnit():
                return citations.OWN_UNIT_BACK if came_back else citations.OWN_UNIT
            case outcomes.StoodOff():
                return (
                    citations.OWN_HELP_BELEAGUERED_HEAD_ON
                    if head_on
                    else citations.OWN_HELP_BELEAGUERED
                )
            case _ if head_on:
                return citations.OWN_HELP_HEAD_ON
            case _:
                return citations.OWN_HELP_BACK if came_back else citations.OWN_HELP

    def _of_given(self, support: outcomes.Outcome) -> citations.Rule | None:
        """Return the rule by which *support* did not count, though it was not cut."""
        if not (self.barred(support) or self.is_unconvoyed(support)):
            return None
        assert isinstance(support.order, types.SupportMove)
        move = self._units[support.order.supported.province]
        return self._of_own_unit(move) if self.barred(support) else self.rule(move)

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
            case outcomes.Available(), types.Convoy(_, army) if self._units[army.province].by_land:
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


def _cause(outcome: outcomes.Outcome) -> outcomes.FailCause | None:
    return outcome.verdict.cause if isinstance(outcome.verdict, outcomes.Fails) else None


def _met_by(move: outcomes.Outcome) -> int:
    """Return the greatest strength against which *move* failed."""
    match _cause(move):
        case outcomes.StoodOff(_, rivals):
            return max(each.total for each in rivals)
        case outcomes.HeldOff(_, met) | outcomes.HeadOn(_, met):
            return met.total
        case _:
            return 0


def _supported_target(support: outcomes.Outcome) -> types.Province | None:
    """Return the province that *support* helps a move to; none if it helps none."""
    order = support.order
    return types.province_of(order.target) if isinstance(order, types.SupportMove) else None
