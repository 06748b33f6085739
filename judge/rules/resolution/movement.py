"""Decide moves, supports and convoys by the strengths of DATC chapter 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.overriding import override
from judge.rules.convoys import ConvoyRoute, is_convoy_path, sea_bits
from judge.rules.outcome import Paradox
from judge.rules.resolution.fast_path import decide_undisturbed
from judge.rules.resolution.matched_orders import MatchedOrders
from judge.rules.resolution.resolver import Resolver
from judge.rules.rule_options import ConvoyParadoxes, DislodgedBounce
from judge.rules.types import Province, SupportMove, UnitKind


class MovementDecisions(Resolver):
    """The answers for one battle. A unit has one decision at most: its move, support or convoy."""

    def __init__(self, battle: MatchedOrders) -> None:
        scene = battle.scene
        Resolver.__init__(self, len(battle.orders))  # `super` takes long
        self.battle = battle
        self.scene = scene
        self._at, self._units = scene.at, scene.units
        self._goal, self._supporters = battle.goal, battle.supporters
        self._voyages = battle.voyages
        for unit in decide_undisturbed(battle, self.answers):
            self.decide(unit)

    def conclude(self) -> None:
        """Answer also whether those supports are given that nobody had to ask about."""
        answers = self.answers
        for supporter in self.battle.helping:
            if answers[supporter] is None:
                self.decide(supporter)

    def available(self, fleet: int) -> bool:
        """Tell whether *fleet*, ordered to carry an army that goes, is not disrupted."""
        return self.decide(fleet)

    def paradox(self, unit: int) -> list[int]:
        """Return the convoys of the paradox that *unit* was in, once all is decided."""
        for circle in self.circles:
            if unit in circle:
                return self._convoys(circle)
        return []

    def held(self, unit: int) -> bool:
        """Tell whether the move of *unit* fails for no other reason than a paradox it was in."""
        end = self.battle.end(unit)
        return end is not None and bool(self.paradox(unit)) and self._moves(unit, end)

    def spared(self, fleet: int) -> bool:
        """Tell whether *fleet* is in a paradox in which all hold, and its army can do without."""
        if self.scene.rulebook.convoy_paradoxes is not ConvoyParadoxes.ALL_HOLD:
            return False
        army, fleets = next(each for each in self.battle.fleets.items() if fleet in each[1])
        others = sea_bits(self.scene, (each for each in fleets if each != fleet))
        start, end = self._units[army].province, self.battle.end(army)
        return end is not None and is_convoy_path(self.scene.reach, start, end, others)

    def paradoxes(self) -> tuple[Paradox, ...]:
        """Return the convoys that hung on themselves, once all is decided."""
        if not self.circles:
            return ()
        units = self._units
        rule = self.scene.rulebook.convoy_paradoxes
        return tuple(
            Paradox(
                tuple(sorted(units[fleet].province for fleet in convoys)),
                tuple(sorted(units[unit].province for unit in circle if self._goal[unit])),
                ConvoyParadoxes.SZYKMAN if rule in PRINTED_PARADOX_RULES else rule,
                stood_in=rule in PRINTED_PARADOX_RULES,
            )
            for circle in self.circles
            if (convoys := self._convoys(circle))
        )

    def dislodger(self, fleet: int) -> int | None:
        """Return who drove out *fleet*, which stayed to convoy."""
        attackers = self.battle.attackers(self._units[fleet].province)
        return next(filter(self.decide, attackers), None)

    def arrives(self, attacker: int) -> bool:
        """Tell whether the attack takes place: by land always, by sea if a route is left."""
        return attacker not in self._voyages or self._carried(attacker)

    def stranded(self) -> Mapping[int, Mapping[int, int | None]]:
        """Return the armies that have to go by land, each with the fleets that failed it.

        Beside each fleet is who drove it out, or nobody if it was in a paradox.
        """
        return {
            army: {
                fleet: None if self.paradox(fleet) else self.dislodger(fleet)
                for fleet in voyage.fleets
                if not self.decide(fleet)
            }
            for army, voyage in self._voyages.items()
            if voyage.or_land and not self._carried(army)
        }

    def head_on(self, unit: int, other: int) -> bool:
        """Tell whether the two attack each other (rulebook VIII): by land, but for DATC 4.A.4."""
        if self.battle.by_fleet:
            return self.battle.meet(unit, other)
        return (
            self.battle.end(other) == self._units[unit].province
            and self.battle.end(unit) == self._units[other].province
            and not (unit in self._voyages or other in self._voyages)
            and other not in self.battle.void
        )

    def stays(self, occupant: int, attacker: int) -> bool:
        """Tell whether *attacker* must overcome *occupant*, who stays or comes head-on."""
        goes_to = self._goal[occupant]
        if goes_to is None:
            return True
        may_meet = goes_to.province == self._units[attacker].province or self.battle.by_fleet
        if may_meet and self.head_on(attacker, occupant):
            return True
        return not self.decide(occupant)

    def keeps_out(self, attacker: int, occupant: int | None) -> bool:
        """Tell whether *attacker* has an effect on where it goes, and where *occupant* was.

        It has none if the occupant beats it head-on, nor, under DATC 4.A.7 `always_none`, if the
        occupant comes from there by convoy and dislodges it.
        """
        if attacker in self._voyages and not self._carried(attacker):
            return False
        if self.battle.by_fleet and any(map(self.decide, self.landing_against(attacker))):
            return False
        if occupant is None or self.battle.end(occupant) != self._units[attacker].province:
            return True
        if self.head_on(attacker, occupant):
            return not self.decide(occupant)
        affected = self.battle.origin(occupant) != self._units[occupant].province
        if affected or self.scene.rulebook.dislodged_bounce is DislodgedBounce.ONLY_HEAD_ON:
            return True
        return not self.decide(occupant) or self.decide(attacker)

    def helpers(self, attacker: int, occupant: int) -> Sequence[int]:
        """Return who helps *attacker* against an *occupant* that stays: not its own power."""
        units, victim = self._units, self._units[occupant].power
        return [each for each in self._supporters[attacker] if units[each].power != victim]

    def defenders(self, occupant: int, attacker: int) -> tuple[int, ...]:
        """Return who helps *occupant* against *attacker*: nobody if it tried to go elsewhere."""
        if self._goal[occupant] is None or self.head_on(attacker, occupant):
            return self._supporters[occupant]
        return ()

    def cutters(self, supporter: int) -> list[int]:
        """Return who cuts the support of *supporter*.

        An attack cuts, but not one of its own power (DATC 6.D.20), nor one from where the support
        is aimed (6.D.15), unless that one dislodges it (6.D.17).
        """
        attackers = self.battle.attackers(self._units[supporter].province)
        return [attacker for attacker in attackers if self._cuts(attacker, supporter)]

    def landing_against(self, unit: int) -> list[int]:
        """Return the armies that land where *unit* is, from the sea that it goes to (4.A.4).

        An army counts if nobody but *unit* breaks its convoy.
        """
        battle, sea = self.battle, self.battle.end(unit)
        if not battle.by_fleet or sea is None:
            return []
        rivals = [rival for rival in battle.attackers(sea) if rival != unit]
        return [
            army
            for army in battle.attackers(self._units[unit].province)
            if army in self._voyages
            and battle.meet(unit, army)
            and not any(map(self.decide, rivals))
            and self._carried(army, regardless_of=sea)
        ]

    def _cuts(self, attacker: int, supporter: int) -> bool:
        if self._units[attacker].power == self._units[supporter].power:
            return False
        by_sea = attacker in self._voyages
        if by_sea and not self._may_cut(attacker, supporter):
            return False
        if self.battle.origin(attacker) == self.battle.aim[supporter]:
            return self.decide(attacker)
        return not by_sea or self._carried(attacker)

    def _may_cut(self, army: int, supporter: int) -> bool:
        """Tell whether the rulebook lets *army*, convoyed, cut *supporter* (DATC 4.A.2).

        By the printed ones it does not cut the support of a fleet for an attack on its own convoy,
        in that of 2000 only if it needs the fleet attacked; in that of 1982 it cuts no support of
        a fleet for anything in a sea from where any army is convoyed.
        """
        rule, aim = self.scene.rulebook.convoy_paradoxes, self.battle.aim[supporter]
        if rule not in PRINTED_PARADOX_RULES or self.scene.units[supporter].kind is UnitKind.ARMY:
            return True
        if rule is ConvoyParadoxes.RULE_1982:
            return all(aim not in self._seas(voyage) for voyage in self._voyages.values())
        attack = isinstance(self.battle.orders[supporter], SupportMove)
        if not attack or aim not in self._seas(self._voyages[army]):
            return True
        return rule is ConvoyParadoxes.RULE_2000 and self._carried(army, without=aim)

    def _seas(self, voyage: ConvoyRoute) -> set[Province]:
        return {self._units[fleet].province for fleet in voyage.fleets}

    @override
    def judge(self, decision: int) -> bool:
        """Judge the order of a unit: whether it moves, is not cut, or can carry."""
        goal = self._goal[decision]
        if goal is not None:
            return self._moves(decision, goal.province)
        attackers = self.battle.attackers(self._units[decision].province)
        if self.battle.aim[decision] is not None:
            return not any(self._cuts(attacker, decision) for attacker in attackers)
        return not any(map(self.decide, attackers))

    def _moves(self, unit: int, end: Province) -> bool:
        if unit in self._voyages and not self._carried(unit):
            return False
        helpers: Sequence[int] = self._supporters[unit]
        occupant = self._at.get(end)
        if occupant is not None and self.stays(occupant, unit):
            if not helpers or self._units[occupant].power == self._units[unit].power:
                return False  # DATC 6.D.10: nobody dislodges his own.
            helpers = self.helpers(unit, occupant)
            if not self._stronger(helpers, self.defenders(occupant, unit)):
                return False
        if end in self.battle.lone and not self.battle.by_fleet:
            return True
        rivals = self.battle.attackers(end)
        for rival in rivals:
            ahead = rival == unit or self._stronger(helpers, self._supporters[rival])
            if not ahead and self.keeps_out(rival, occupant):
                return False
        return self._beats_landing(unit, helpers)

    def _beats_landing(self, unit: int, helpers: Sequence[int]) -> bool:
        armies = self.landing_against(unit)
        return all(self._stronger(helpers, self._supporters[army]) for army in armies)

    def _stronger(self, helpers: Sequence[int], others: Sequence[int]) -> bool:
        """Tell whether more supports are given by *helpers* than by *others*."""
        if not helpers:
            return False
        lead = 0
        for helper in helpers:
            lead += self.decide(helper)
        if lead > len(others):
            return True
        for other in others:
            lead -= self.decide(other)
        return lead > 0

    def _carried(
        self, army: int, *, without: Province | None = None, regardless_of: Province | None = None
    ) -> bool:
        """Tell whether a route is left to *army*.

        The sea *without* is supposed to be closed, that *regardless_of* to be open.
        """
        voyage, scene = self._voyages[army], self.scene
        fleets = [fleet for fleet in voyage.fleets if self._units[fleet].province != without]
        attacked = [
            fleet
            for fleet in fleets
            if (sea := self._units[fleet].province) != regardless_of and self.battle.attackers(sea)
        ]
        if not attacked and without is None:
            return True
        if voyage.whole:
            return without is None and all(map(self.decide, attacked))
        safe = sea_bits(scene, [fleet for fleet in fleets if fleet not in attacked])
        if is_convoy_path(scene.reach, voyage.start, voyage.end, safe):
            return True
        held = sea_bits(scene, [fleet for fleet in attacked if self.decide(fleet)])
        return is_convoy_path(scene.reach, voyage.start, voyage.end, safe | held)

    def _convoys(self, circle: frozenset[int]) -> list[int]:
        battle = self.battle
        return [unit for unit in circle if self._goal[unit] is None and battle.aim[unit] is None]

    @override
    def settle(self, circle: frozenset[int]) -> Mapping[int, bool]:
        """Break a *circle* of decisions that agree with themselves both ways, or neither way.

        If convoys are in it, it is a paradox (DATC 4.A.2). The rules of the printed rulebooks have
        had their say in `cutters`, so Szykman's stands in for them: the convoys are disrupted.
        Otherwise units move round in a ring, and all succeed (rulebook VIII).
        """
        moves = [unit for unit in circle if self._goal[unit] is not None]
        disrupted = dict.fromkeys(self._convoys(circle), False)
        if not disrupted:
            return dict.fromkeys(moves, True)
        rule = self.scene.rulebook.convoy_paradoxes
        if rule is ConvoyParadoxes.ALL_HOLD or (
            rule is ConvoyParadoxes.DPTG and not self.agrees(disrupted)
        ):
            return disrupted | dict.fromkeys(moves, False)
        return disrupted


PRINTED_PARADOX_RULES = {
    ConvoyParadoxes.RULE_1971,
    ConvoyParadoxes.RULE_1982,
    ConvoyParadoxes.RULE_2000,
}
