"""Find the rule that decided an outcome, and the attacks and supports without effect."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from judge.rules.explanation.citations import (
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
from judge.rules.explanation.conflicts import (
    Conflicts,
    attack_strength_of,
    destination_of,
    unit_of,
)
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Disrupted,
    FailCause,
    Fails,
    Given,
    HeadOn,
    HeldOff,
    Invalid,
    Outcome,
    OwnUnit,
    ParadoxHold,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Unmatched,
)
from judge.rules.rule_options import ConvoyedAttackFrom, WrittenRoute
from judge.rules.rulebook import Rulebook
from judge.rules.types import Convoy, Move, Order, Province, SupportMove, province_of

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
            case _:
                return None

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
            case ConvoyBroken(fleets) if not self._hangs(fleets, support):
                return Spared.NOT_CARRIED
            case _ if self._rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET:
                return Spared.LANDING
            case _:
                return Spared.CONVOYED

    def _hangs(self, fleets: Iterable[Province], support: Outcome) -> bool:
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
            self._hangs(cause.fleets, support)
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
