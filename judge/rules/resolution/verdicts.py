"""Make the verdict on each order of a movement phase, with the strengths that decided it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TypeAlias, TypeVar

from judge.rules.convoys import is_convoy_path, sea_bits, shortest_route
from judge.rules.legality import find_fault
from judge.rules.outcomes import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
    Destroyed,
    Dislodged,
    Disrupted,
    FailCause,
    Fails,
    Fate,
    Futile,
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Impossible,
    Invalid,
    OwnUnit,
    ParadoxHold,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Verdict,
)
from judge.rules.resolution import paradoxes
from judge.rules.resolution.movement import MovementDecisions, Supports
from judge.rules.types import Convoy, Hold, Location, Province, SupportHold, SupportMove

Value = TypeVar("Value")


class CachedByProvince(dict[Province, Value]):
    """Values by province, each made on first use: at most one for each province of a board."""

    def __init__(self, make: Callable[[Province], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, province: Province) -> Value:
        return self.setdefault(province, self._make(province))


def cached_by_two(
    make: Callable[[Province, Province], Value],
) -> CachedByProvince[CachedByProvince[Value]]:
    """Return values by two provinces, each made on first use."""
    return CachedByProvince(lambda province: CachedByProvince(partial(make, province)))


# The verdicts that most orders have in common, made once for a province or two.
UNSUPPORTED = CachedByProvince(Strength)
SUPPORTED_BY = cached_by_two(lambda unit, supporter: Strength(unit, (supporter,)))
CUT_FROM = CachedByProvince(Cut)
SUCCESS_ALONE = CachedByProvince(lambda start: Succeeds(UNSUPPORTED[start]))
STOOD_OFF_ALONE = cached_by_two(
    lambda unit, rival: Fails(StoodOff(UNSUPPORTED[unit], (UNSUPPORTED[rival],)))
)
BLOCKED_BY_OWN_UNIT = cached_by_two(lambda unit, own: Fails(OwnUnit(UNSUPPORTED[unit], own)))
HELD_OFF_ALONE = cached_by_two(
    lambda unit, other: Fails(HeldOff(UNSUPPORTED[unit], UNSUPPORTED[other]))
)

BY_UNIT: Callable[[Strength], Province] = attrgetter("unit")
STANDS, GIVEN, AVAILABLE = Stands(), Given(), Available()
MATCHED_KINDS = SupportHold, SupportMove, Convoy

RetreatsByUnit: TypeAlias = Mapping[int, tuple[int, tuple[Location, ...]]]


class MovementVerdicts:
    """The verdicts of one movement phase, by unit; units are known by their index.

    *retreats* has the attacker of each dislodged unit, and the locations it can retreat to.
    """

    def __init__(self, decisions: MovementDecisions, retreats: RetreatsByUnit) -> None:
        self._decisions = decisions
        self._matched = decisions.matched
        self._context = decisions.context
        self._units = decisions.context.units
        self._orders = decisions.matched.orders
        self._retreats = retreats

    def of_orders(self) -> list[Verdict]:
        """Return by unit the verdict on the order that counts for it; on a hold if none does."""
        matched, units, orders = self._matched, self._units, self._orders
        supporters, convoy_routes = matched.supporters, matched.convoy_routes
        answers = self._decisions.answers
        verdicts: list[Verdict] = [STANDS] * len(answers)
        convoying: set[int] = set().union(*matched.fleets.values())
        for fleet in convoying:
            verdicts[fleet] = self._convoy(fleet)
        for unit in matched.holding:
            if type(orders[unit]) is not Hold and unit not in convoying:
                verdicts[unit] = self._unmatched(unit)
        for unit in matched.supporting:
            verdicts[unit] = GIVEN if answers[unit] else self._cut(unit)
        for unit in [
            *matched.sole_attackers.values(),
            *chain.from_iterable(matched.rival_attackers.values()),
        ]:
            if not answers[unit]:
                verdicts[unit] = self._failure(unit)
            elif supporters[unit] or unit in convoy_routes:
                verdicts[unit] = self._success(unit)
            else:
                verdicts[unit] = SUCCESS_ALONE[units[unit].province]
        return self._with_void_moves(verdicts) if matched.void_moves else verdicts

    def fate(self, unit: int) -> Fate:
        """Return the fate of the dislodged *unit*."""
        attacker, retreats = self._retreats[unit]
        strength = self._winning_strength(attacker, self._units[unit].province)
        by = self._units[attacker].province
        return Dislodged(by, strength, retreats) if retreats else Destroyed(by, strength)

    def _cut(self, supporter: int) -> Cut:
        units = self._units
        attackers: Sequence[int] = self._matched.attackers(units[supporter].province)
        if len(attackers) > 1:
            attackers = self._decisions.cutters(supporter)
        return CUT_FROM[min([units[each].province for each in attackers])]

    def _with_void_moves(self, verdicts: list[Verdict]) -> list[Verdict]:
        """Add to *verdicts* those on void moves, and on supports that need one."""
        for unit in self._matched.supporting:
            fault = self._unconvoyed_fault(unit)
            if fault:
                verdicts[unit] = Illegal(fault)
        for unit, why in self._matched.void_moves.items():
            verdicts[unit] = Fails(Futile(why)) if isinstance(why, Impossible) else Invalid(why)
        return verdicts

    def _unconvoyed_fault(self, unit: int) -> Impossible | None:
        """Return the fault of a support for an army that only its supporter could convoy."""
        context, order = self._context, self._orders[unit]
        if not isinstance(order, SupportMove):
            return None
        army = context.unit_at[order.supported.province]
        if army not in self._matched.void_moves:
            return None
        return find_fault(context, self._units[unit].power, order)

    def _unmatched(self, unit: int) -> Verdict:
        """Return the verdict on the support or convoy of *unit*, which matches no order."""
        context, order = self._context, self._orders[unit]
        assert isinstance(order, MATCHED_KINDS)
        fault = find_fault(context, self._units[unit].power, order)
        if fault:
            return Illegal(fault)
        why = self._matched.find_mismatch(order)
        assert why
        other = order.army if isinstance(order, Convoy) else order.supported
        return Invalid(why, self._orders[context.unit_at[other.province]])

    def _convoy(self, fleet: int) -> Verdict:
        decisions, failed_fleets = self._decisions, self._matched.failed_fleets
        if decisions.decide(fleet) and fleet not in failed_fleets:
            return AVAILABLE
        dislodger = decisions.dislodger(fleet)
        if dislodger is None:
            dislodger = failed_fleets.get(fleet)
        if dislodger is not None:
            return Disrupted(self._units[dislodger].province)
        return AVAILABLE if paradoxes.is_needless(self._matched, fleet) else Disrupted(None)

    def _success(self, unit: int) -> Verdict:
        attack = self._winning_strength(unit, self._destination(unit))
        return Succeeds(attack, self._route(unit) if unit in self._matched.convoy_routes else ())

    def _route(self, army: int) -> tuple[Province, ...]:
        route = self._matched.convoy_routes[army]
        if len(route.fleets) == 1:
            return self._provinces(route.fleets)
        fleets = filter(self._decisions.decide, route.fleets)
        return shortest_route(
            self._context.map_index,
            route.start,
            route.destination,
            sea_bits(self._context, fleets),
        )

    def _failure(self, unit: int) -> Fails:
        """Return why the move of *unit* fails.

        Most units move by land without support, and meet one other unit without support.
        """
        units, province = self._units, self._destination(unit)
        occupant = self._context.unit_at.get(province)
        rivals = self._matched.rival_attackers.get(province, ())
        supporters = self._matched.supporters
        possibly_convoyed = self._matched.possibly_convoyed
        if not (supporters[unit] or unit in possibly_convoyed or self._decisions.cycles):
            start = units[unit].province
            if occupant is None:
                if len(rivals) == 2:  # noqa: PLR2004 - the unit and one other
                    rival = rivals[0] if rivals[1] == unit else rivals[1]
                    if not (supporters[rival] or rival in possibly_convoyed):
                        return STOOD_OFF_ALONE[start][units[rival].province]
            elif self._stays_unsupported(occupant, start, alone=not rivals):
                if units[occupant].power != units[unit].power:
                    return HELD_OFF_ALONE[start][province]
                if occupant not in self._retreats:
                    return BLOCKED_BY_OWN_UNIT[start][province]
        return Fails(self._cause(unit, province, occupant))

    def _destination(self, unit: int) -> Province:
        node = self._matched.destinations[unit]
        assert node is not None
        return node.province

    def _stays_unsupported(self, occupant: int, start: Province, *, alone: bool) -> bool:
        """Return whether *occupant* clearly stays with a hold strength of 1.

        It holds without support, or it failed to move, not to the *start* of its attacker, who is
        *alone*.
        """
        node = self._matched.destinations[occupant]
        if node is None:
            return not self._matched.supporters[occupant]
        return alone and node.province != start and not self._decisions.answers[occupant]

    def _cause(self, unit: int, province: Province, occupant: int | None) -> FailCause:
        """Return what kept *unit* out of *province*, where *occupant* was."""
        decisions, matched = self._decisions, self._matched
        if not decisions.has_path(unit):
            return self._broken_convoy(unit)
        if decisions.cycles and decisions.fails_by_paradox(unit):
            return ParadoxHold(self._provinces(decisions.paradox_convoys(unit)))
        if occupant is None or not decisions.is_opposed(unit, occupant):
            attack = self._strength(unit)
        else:
            attack = self._strength(unit, decisions.supports_against(unit, occupant))
            blocked = self._blocked(unit, occupant, attack)
            if blocked:
                return blocked
        if matched.attacks_from_fleet:
            armies = map(self._strength, decisions.armies_from_attacked_fleet(unit))
            stronger = [each for each in armies if each.total >= attack.total]
            if stronger:
                return HeadOn(attack, stronger[0])
        return StoodOff(attack, self._preventing(unit, province, attack))

    def _blocked(self, unit: int, occupant: int, attack: Strength) -> FailCause | None:
        """Return what keeps *unit* out, if it is that *occupant* does not leave."""
        decisions, units = self._decisions, self._units
        province = units[occupant].province
        holds = self._matched.destinations[occupant] is None
        head_to_head = not holds and decisions.is_head_to_head(unit, occupant)
        if not holds and not head_to_head and occupant not in self._matched.void_moves:
            # The occupant tried to leave, so the bounce with others comes first.
            unopposed = self._strength(unit)
            rivals = self._preventing(unit, province, unopposed)
            if rivals:
                return StoodOff(unopposed, rivals)
        if units[occupant].power == units[unit].power:
            stays = occupant not in self._retreats
            return OwnUnit(attack, province) if stays else None
        if head_to_head:
            defense = self._strength(occupant, decisions.defend_strength(occupant))
        else:
            defense = self._strength(occupant, decisions.hold_strength(occupant) or ())
        if len(attack.supporters) > len(defense.supporters):
            return None
        return HeadOn(attack, defense) if head_to_head else HeldOff(attack, defense)

    def _broken_convoy(self, army: int) -> FailCause:
        decisions, context = self._decisions, self._context
        route = self._matched.convoy_routes[army]
        lost = [fleet for fleet in route.fleets if not decisions.decide(fleet)]
        if any(map(decisions.paradox_convoys, lost)):
            return ConvoyParadox(self._provinces(lost))
        left = sea_bits(context, filter(decisions.decide, self._matched.fleets[army]))
        other_route = is_convoy_path(context.map_index, route.start, route.destination, left)
        return ConvoyBroken(self._provinces(lost), other_route)

    def _provinces(self, units: Iterable[int]) -> tuple[Province, ...]:
        return tuple(sorted([self._units[unit].province for unit in units]))

    def _preventing(self, unit: int, province: Province, attack: Strength) -> tuple[Strength, ...]:
        """Return the prevent strengths that keep *unit* out: those not below its *attack*."""
        least, supporters = len(attack.supporters), self._matched.supporters
        prevent_strength = self._decisions.prevent_strength
        found: list[Strength] = []
        for rival in self._matched.attackers(province):
            if rival != unit and len(supporters[rival]) >= least:
                supports = prevent_strength(rival)
                if supports is not None:
                    strength = self._strength(rival, supports)
                    if len(strength.supporters) >= least:
                        found.append(strength)
        found.sort(key=BY_UNIT)
        return tuple(found)

    def _winning_strength(self, unit: int, province: Province) -> Strength:
        """Return the attack strength of *unit*, which succeeds, on *province*."""
        if province not in self._context.unit_at:
            return self._strength(unit)
        return self._strength(unit, self._decisions.attack_strength(unit))

    def _strength(self, unit: int, counted: Supports | None = None) -> Strength:
        """Return the strength of *unit* with the *counted* supports, by default all of them.

        Only supports that are given matter; given ones that are not *counted* are discounted.
        """
        supporters = self._matched.supporters[unit]
        start = self._units[unit].province
        if not supporters:
            return UNSUPPORTED[start]
        units, answers = self._units, self._decisions.answers
        given: tuple[Province, ...] = ()
        discounted: tuple[Province, ...] = ()
        for each in supporters:
            if answers[each]:
                if counted is None or each in counted:
                    given += (units[each].province,)
                else:
                    discounted += (units[each].province,)
        if discounted or len(given) > 1:
            return Strength(start, tuple(sorted(given)), tuple(sorted(discounted)))
        return SUPPORTED_BY[start][given[0]] if given else UNSUPPORTED[start]
