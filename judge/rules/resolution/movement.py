"""Decide moves, supports and convoys by the strengths of DATC chapter 5."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from judge.rules.convoys import is_convoy_path, sea_bits
from judge.rules.resolution import paradoxes
from judge.rules.resolution.matched_orders import MatchedOrders
from judge.rules.resolution.resolver import Resolver
from judge.rules.rule_options import DislodgedBounce
from judge.rules.types import Province

Supports: TypeAlias = Sequence[int]
"""A strength as the supports that count if they are given: each adds 1 to the 1 of the unit.

So `()` is a strength of 1, and None is a strength of 0. A comparison decides no more supports than
it needs, because the others may be part of a paradox.
"""
UNSUPPORTED: Supports = ()


class MovementDecisions(Resolver):
    """The decisions of one movement phase, at most one for each unit.

    It is whether the move succeeds, the support is given or the convoying fleet stays undisrupted.
    """

    def __init__(self, matched: MatchedOrders) -> None:
        Resolver.__init__(self, len(matched.orders))  # faster than `super`
        self.matched = matched
        self.context = matched.context
        self._unit_at, self._units = matched.context.unit_at, matched.context.units
        self._destinations, self._supporters = matched.destinations, matched.supporters
        self._convoy_routes = matched.convoy_routes
        for unit in matched.void_moves:
            self.answers[unit] = False
        moving = (unit for unit, node in enumerate(matched.destinations) if node)
        for unit in (*matched.convoy_routes, *moving):  # convoys first: paradoxes list them so
            self.decide(unit)

    def decide_supports(self) -> None:
        """Decide also the supports that no move depends on."""
        answers = self.answers
        for supporter in self.matched.supporting:
            if answers[supporter] is None:
                self.decide(supporter)

    def evaluate(self, decision: int) -> bool:
        """Return whether a move succeeds, a support is given or a convoy is not disrupted."""
        if self._destinations[decision] is not None:
            return self.succeeds(decision)
        if self.matched.support_targets[decision] is not None:
            return not self.is_cut(decision)
        return self.dislodger(decision) is None

    def backup_rule(self, cycle: frozenset[int]) -> Mapping[int, bool]:
        """Return the answers that settle a *cycle*: a paradox, or units that move in a ring."""
        return paradoxes.backup_rule(self, self.matched, cycle)

    def succeeds(self, unit: int) -> bool:
        """Return whether the move of *unit* succeeds (rulebook VIII, IX; DATC 5.B).

        The attack must exceed the defend strength of the opponent in a head-to-head battle, or
        else the hold strength of the province, and the prevent strength of every other attack. A
        beleaguered garrison stays because the attacks prevent each other (IX.5, DATC 6.E.13).
        """
        attack = self.attack_strength(unit)
        if attack is None:
            return False
        matched = self.matched
        province = self._province_attacked_by(unit)
        occupant = self._unit_at.get(province)
        if occupant is not None and not self._exceeds(
            attack, self._opposing_strength(unit, occupant)
        ):
            return False
        if province in matched.sole_attackers and not matched.attacks_from_fleet:
            return True
        for rival in matched.attackers(province):
            # First its supports, the most it can prevent with: whether it prevents at all may be
            # part of a paradox.
            if rival == unit or self._exceeds(attack, self._supporters[rival]):
                continue
            if self.prevent_strength(rival) is not None:
                return False  # a bounce; with an occupant, a beleaguered garrison (IX.5)
        if not matched.attacks_from_fleet:
            return True
        armies = self.armies_from_attacked_fleet(unit)
        return all(self._exceeds(attack, self._supporters[army]) for army in armies)

    def attack_strength(self, unit: int) -> Supports | None:
        """Return the strength of the attack of *unit*, None for 0 (rulebook IX.2, IX.3; DATC 5.B).

        No power dislodges its own unit, nor helps another to do so. This counts against a unit
        that stays or that fails to leave.
        """
        if not self.has_path(unit):
            return None
        occupant = self._unit_at.get(self._province_attacked_by(unit))
        if occupant is None or not self.is_opposed(unit, occupant):
            return self._supporters[unit]
        if self._units[occupant].power == self._units[unit].power:
            return None  # IX.3, DATC 6.D.10, 6.D.11
        return self.supports_against(unit, occupant)  # IX.3, DATC 6.D.12, 6.D.13

    def hold_strength(self, occupant: int) -> Supports | None:
        """Return the strength with which *occupant* keeps its province (DATC 5.B).

        It is 0 if the unit leaves, and 1 if it was ordered to leave and fails: it cannot be
        supported then (rulebook IX.6, DATC 6.D.7).
        """
        if self._destinations[occupant] is None:
            return self._supporters[occupant]
        return None if self.decide(occupant) else UNSUPPORTED

    def defend_strength(self, unit: int) -> Supports:
        """Return the strength of *unit* in a head-to-head battle (rulebook VIII, DATC 5.B)."""
        return self._supporters[unit]

    def prevent_strength(self, unit: int) -> Supports | None:
        """Return the strength with which *unit* prevents others from moving to its destination.

        It is 0 without a path and for the loser of a head-to-head battle (rulebook IX.7, DATC 5.B,
        6.E.1); under DATC 4.A.7 `always_none` also for a unit dislodged from that province.
        """
        if not self.has_path(unit):
            return None
        if self.matched.attacks_from_fleet and any(
            map(self.decide, self.armies_from_attacked_fleet(unit))
        ):
            return None
        occupant = self._unit_at.get(self._province_attacked_by(unit))
        supports = self._supporters[unit]
        start = self._units[unit].province
        if occupant is None or self.matched.destination_of(occupant) != start:
            return supports
        if self.is_head_to_head(unit, occupant):
            return None if self.decide(occupant) else supports
        from_fleet = self.matched.attack_origin(occupant) != self._units[occupant].province
        if from_fleet or self.context.rulebook.dislodged_bounce is DislodgedBounce.ONLY_HEAD_ON:
            return supports
        return None if self.decide(occupant) and not self.decide(unit) else supports

    def has_path(self, unit: int) -> bool:
        """Return whether the attack of *unit* takes place: by land, or by a convoy that is left.

        See rulebook XII, DATC 5.B and for several routes 4.A.1.
        """
        return unit not in self._convoy_routes or self._has_convoy_path(unit)

    def is_cut(self, supporter: int) -> bool:
        """Return whether the support of *supporter* is cut (rulebook X; DATC 5.B)."""
        attackers = self.matched.attackers(self._units[supporter].province)
        return any(self._cuts(attacker, supporter) for attacker in attackers)

    def cutters(self, supporter: int) -> list[int]:
        """Return the units that cut the support of *supporter*."""
        attackers = self.matched.attackers(self._units[supporter].province)
        return [attacker for attacker in attackers if self._cuts(attacker, supporter)]

    def dislodger(self, fleet: int) -> int | None:
        """Return the unit that dislodges *fleet*, which was ordered to convoy."""
        attackers = self.matched.attackers(self._units[fleet].province)
        return next(filter(self.decide, attackers), None)

    def is_head_to_head(self, unit: int, other: int) -> bool:
        """Return whether the two units attack each other by land (rulebook VIII, DATC 6.E).

        Under DATC 4.A.4 `from_fleet` also a convoyed army and a unit that attacks its last fleet.
        """
        matched = self.matched
        if matched.attacks_from_fleet:
            return matched.attack_each_other(unit, other)
        return (
            matched.destination_of(other) == self._units[unit].province
            and matched.destination_of(unit) == self._units[other].province
            and not (unit in self._convoy_routes or other in self._convoy_routes)
            and other not in matched.void_moves
        )

    def is_opposed(self, unit: int, occupant: int) -> bool:
        """Return whether *occupant* of the destination of *unit* stays or comes head-to-head."""
        destination = self._destinations[occupant]
        if destination is None:
            return True
        start = self._units[unit].province
        may_meet = destination.province == start or self.matched.attacks_from_fleet
        if may_meet and self.is_head_to_head(unit, occupant):
            return True
        return not self.decide(occupant)

    def supports_against(self, unit: int, occupant: int) -> Supports:
        """Return the supports of *unit* that can help to dislodge *occupant* (rulebook IX.3)."""
        units, power = self._units, self._units[occupant].power
        return [each for each in self._supporters[unit] if units[each].power != power]

    def armies_from_attacked_fleet(self, unit: int) -> list[int]:
        """Return the armies that attack *unit* from the fleet that it attacks itself.

        This matters under DATC 4.A.4 `from_fleet`. An army counts if no other unit disrupts its
        convoy (6.F.30).
        """
        matched, sea = self.matched, self._province_attacked_by(unit)
        rivals = [rival for rival in matched.attackers(sea) if rival != unit]
        return [
            army
            for army in matched.attackers(self._units[unit].province)
            if army in self._convoy_routes
            and matched.attack_each_other(unit, army)
            and not any(map(self.decide, rivals))
            and self._has_convoy_path(army, undisrupted=sea)
        ]

    def fallen_back(self) -> Mapping[int, Mapping[int, int | None]]:
        """Return the armies that go by land because their convoy is disrupted (DATC 4.A.3).

        Each has its disrupted fleets with the unit that dislodges them, None in a paradox.
        """
        return {
            army: {
                fleet: None if self.paradox_convoys(fleet) else self.dislodger(fleet)
                for fleet in route.fleets
                if not self.decide(fleet)
            }
            for army, route in self._convoy_routes.items()
            if route.or_land and not self._has_convoy_path(army)
        }

    def paradox_convoys(self, unit: int) -> list[int]:
        """Return the convoys of the paradox that *unit* was part of, once all is decided."""
        return paradoxes.convoys_with(self.matched, self.cycles, unit)

    def fails_by_paradox(self, unit: int) -> bool:
        """Return whether the move of *unit* fails only because of a paradox it was part of."""
        return bool(self.paradox_convoys(unit)) and self.succeeds(unit)

    def _province_attacked_by(self, unit: int) -> Province:
        node = self._destinations[unit]
        assert node is not None
        return node.province

    def _opposing_strength(self, unit: int, occupant: int) -> Supports | None:
        if self._destinations[occupant] and self.is_head_to_head(unit, occupant):
            return self.defend_strength(occupant)
        return self.hold_strength(occupant)

    def _exceeds(self, strength: Supports, other: Supports | None) -> bool:
        """Return whether *strength* is greater than *other*, asking for no more than it needs."""
        if other is None:
            return True
        if not strength:
            return False
        lead = 0
        for support in strength:
            lead += self.decide(support)
        if lead > len(other):  # even if all supports of the other are given
            return True
        for support in other:
            lead -= self.decide(support)
        return lead > 0

    def _cuts(self, attacker: int, supporter: int) -> bool:
        """Return whether the attack cuts the support (rulebook X; DATC 6.D.15, 6.D.17, 6.D.20).

        An attack by the supporter's own power never does; one from the target of the support only
        if it dislodges the supporter.
        """
        if self._units[attacker].power == self._units[supporter].power:
            return False
        matched = self.matched
        convoyed = attacker in self._convoy_routes
        if convoyed and not paradoxes.may_cut(
            matched, attacker, supporter, lambda sea: self._has_convoy_path(attacker, without=sea)
        ):
            return False
        if matched.attack_origin(attacker) == matched.support_targets[supporter]:
            return self.decide(attacker)
        return not convoyed or self._has_convoy_path(attacker)

    def _has_convoy_path(
        self, army: int, *, without: Province | None = None, undisrupted: Province | None = None
    ) -> bool:
        """Return whether a route of *army* is left.

        The fleet in the sea *without* is left out, that in *undisrupted* taken as undisrupted.
        """
        route, map_index = self._convoy_routes[army], self.context.map_index
        fleets = [fleet for fleet in route.fleets if self._units[fleet].province != without]
        attacked = [
            fleet
            for fleet in fleets
            if (sea := self._units[fleet].province) != undisrupted and self.matched.attackers(sea)
        ]
        if not attacked and without is None:
            return True
        if route.whole:
            return without is None and all(map(self.decide, attacked))
        safe = sea_bits(self.context, [fleet for fleet in fleets if fleet not in attacked])
        if is_convoy_path(map_index, route.start, route.destination, safe):
            return True
        undislodged = sea_bits(self.context, filter(self.decide, attacked))
        return is_convoy_path(map_index, route.start, route.destination, safe | undislodged)
