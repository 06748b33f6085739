"""Whether moves succeed, supports are given and convoys hold, judged on as little as will do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from judge.rules.battle import Battle
from judge.rules.convoys import carries, useful
from judge.rules.questions import ConvoyRoutes, DislodgedBounce
from judge.rules.resolver import Resolver
from judge.rules.vocabulary import Province


class Movement:
    """The answers for one battle. A unit has one decision at most: its move, support or convoy."""

    def __init__(self, battle: Battle) -> None:
        self.battle = battle
        self._resolver = Resolver(len(battle.orders), self._judge, self._settle)
        self._decide = self._resolver.decide

    def succeeds(self, unit: int) -> bool:
        """Tell whether *unit* is ordered to move and does."""
        return self.battle.target[unit] is not None and self._decide(unit)

    def given(self, supporter: int) -> bool:
        """Tell whether the support of *supporter*, which matched an order, is not cut."""
        return self._decide(supporter)

    def available(self, fleet: int) -> bool:
        """Tell whether *fleet*, ordered to carry an army that goes, is not disrupted."""
        return self._decide(fleet)

    def in_paradox(self, fleet: int) -> bool:
        """Tell whether the convoy of *fleet* was disrupted because it hung on itself."""
        return fleet in self._resolver.settled

    def dislodger(self, unit: int) -> int | None:
        """Return who drove *unit* out of its province."""
        for attacker in self.battle.attackers.get(self.battle.provinces[unit], ()):
            if self._decide(attacker):
                return None if self.succeeds(unit) else attacker
        return None

    def arrives(self, attacker: int) -> bool:
        """Tell whether the attack takes place: by land always, by sea if a route is left."""
        return attacker not in self.battle.by_sea or self._carried(attacker)

    def stays(self, occupant: int, attacker: int) -> bool:
        """Tell whether *attacker* must overcome *occupant*, who stays or comes head-on."""
        if self.battle.target[occupant] is None or self.battle.head_on(attacker, occupant):
            return True
        return not self._decide(occupant)

    def keeps_out(self, attacker: int, occupant: int | None) -> bool:
        """Tell whether *attacker* has an effect on where it goes, and where *occupant* was.

        It has none if the occupant beats it head-on, nor, under DATC 4.A.7 `always_none`, if the
        occupant leaves by convoy and dislodges it.
        """
        if not self.arrives(attacker):
            return False
        battle = self.battle
        if occupant is None or battle.target[occupant] != battle.provinces[attacker]:
            return True
        if battle.head_on(attacker, occupant):
            return not self._decide(occupant)
        if battle.scene.rulebook.dislodged_bounce is DislodgedBounce.ONLY_HEAD_ON:
            return True
        return not self._decide(occupant) or self._decide(attacker)

    def helpers(self, attacker: int, occupant: int | None) -> Sequence[int]:
        """Return who helps *attacker* against an *occupant* that stays: not its own power."""
        supporters = self.battle.supporters[attacker]
        if occupant is None or not supporters:
            return supporters
        victim = self.battle.powers[occupant]
        return [each for each in supporters if self.battle.powers[each] != victim]

    def defenders(self, occupant: int, attacker: int) -> Sequence[int]:
        """Return who helps *occupant* against *attacker*: nobody if it tried to go elsewhere."""
        if self.battle.target[occupant] is None or self.battle.head_on(attacker, occupant):
            return self.battle.supporters[occupant]
        return ()

    def cutter(self, supporter: int) -> int | None:
        """Return who cuts the support of *supporter*.

        An attack cuts, but not one of its own power (DATC 6.D.20), nor one from where the support
        is aimed (6.D.15), unless that one dislodges it (6.D.17).
        """
        battle = self.battle
        power, aim = battle.powers[supporter], battle.aim[supporter]
        for attacker in battle.attackers.get(battle.provinces[supporter], ()):
            if battle.powers[attacker] != power:
                from_aim = battle.provinces[attacker] == aim
                if self._decide(attacker) if from_aim else self.arrives(attacker):
                    return attacker
        return None

    def _judge(self, unit: int) -> bool:
        end = self.battle.target[unit]
        if end is not None:
            return unit not in self.battle.void and self._moves(unit, end)
        if self.battle.aim[unit] is not None:
            return self.cutter(unit) is None
        attackers = self.battle.attackers.get(self.battle.provinces[unit], ())
        return not any(self._decide(attacker) for attacker in attackers)

    def _moves(self, unit: int, end: Province) -> bool:
        battle = self.battle
        if not self.arrives(unit):
            return False
        occupant = battle.scene.at.get(end)
        blocked = occupant is not None and self.stays(occupant, unit)
        helpers = self.helpers(unit, occupant if blocked else None)
        if occupant is not None and blocked:
            if battle.powers[occupant] == battle.powers[unit]:
                return False  # DATC 6.D.10: nobody dislodges his own.
            if not self._stronger(helpers, self.defenders(occupant, unit)):
                return False
        return all(
            self._stronger(helpers, battle.supporters[rival])
            for rival in battle.attackers[end]
            if rival != unit and self.keeps_out(rival, occupant)
        )

    def _stronger(self, helpers: Sequence[int], others: Sequence[int]) -> bool:
        """Tell whether more supports are given by *helpers* than by *others*."""
        if not helpers:
            return False
        count = sum(map(self._decide, helpers))
        return count > len(others) or count > sum(map(self._decide, others))

    def _carried(self, army: int) -> bool:
        battle, reach = self.battle, self.battle.scene.reach
        start, end = battle.provinces[army], battle.target[army]
        assert end is not None
        fleets = battle.fleets[army]
        attacked = [fleet for fleet in fleets if battle.provinces[fleet] in battle.attackers]
        if not attacked:
            return True
        if battle.scene.rulebook.convoy_routes is ConvoyRoutes.ONE_ROUTE:
            needed = useful(reach, start, end, sum(map(battle.bit, fleets)))
            return all(self._decide(each) for each in attacked if battle.bit(each) & needed)
        safe = sum(battle.bit(fleet) for fleet in fleets if fleet not in attacked)
        if carries(reach, start, end, safe):
            return True
        held = sum(battle.bit(fleet) for fleet in attacked if self._decide(fleet))
        return carries(reach, start, end, safe | held)

    def _settle(self, circle: Iterable[int]) -> Mapping[int, bool]:
        """Break a *circle* of decisions that agree with themselves both ways, or neither way.

        If convoys are in it, it is a paradox, and they are disrupted (DATC 4.A.2, Szykman's rule).
        Otherwise units move round in a ring, and all succeed (rulebook VIII).
        """
        convoys = [unit for unit in circle if unit in self.battle.carrying]
        if convoys:
            return dict.fromkeys(convoys, False)
        return dict.fromkeys((u for u in circle if self.battle.target[u] is not None), True)
