"""The verdict on each order of a movement phase, with the strengths that decided it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import attrgetter
from typing import TypeAlias, TypeVar

from judge.rules.convoys import is_convoy_path, sea_bits, shortest_route
from judge.rules.legality import find_fault
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
    Cut,
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
    destroyed,
    dislodged,
    failing,
    held_off,
    invalid,
    new_strength,
    standoff,
    succeeding,
)
from judge.rules.resolution.movement import MovementDecisions
from judge.rules.types import Convoy, Hold, Location, Power, Province, SupportHold, SupportMove

Value = TypeVar("Value")


class CachedByProvince(dict[Province, Value]):
    """Values by province, each made when first asked for: no more than a board has provinces."""

    def __init__(self, make: Callable[[Province], Value]) -> None:
        super().__init__()
        self._make = make

    def __missing__(self, province: Province) -> Value:
        return self.setdefault(province, self._make(province))


def cached_by_two(
    make: Callable[[Province, Province], Value],
) -> CachedByProvince[CachedByProvince[Value]]:
    """Return values by one province and another."""
    return CachedByProvince(lambda province: CachedByProvince(partial(make, province)))


UNAIDED = CachedByProvince(Strength)
"""The strength of a unit that nobody helps, by where it is."""

AIDED = cached_by_two(lambda unit, supporter: Strength(unit, (supporter,)))
"""The strength of a unit that one other helps, by where they are."""

CUT_FROM = CachedByProvince(Cut)
"""A support cut from a province."""

SUCCESS_ALONE = CachedByProvince(lambda start: Succeeds(UNAIDED[start]))
"""A unit got in by itself, by where it comes from."""

STOOD_OFF_ALONE = cached_by_two(
    lambda unit, rival: Fails(StoodOff(UNAIDED[unit], (UNAIDED[rival],)))
)
"""Two kept each other out of an empty province, by where they are, neither of them with help."""

BLOCKED_BY_OWN_UNIT = cached_by_two(lambda unit, own: Fails(OwnUnit(UNAIDED[unit], own)))
"""A unit did not get to where one of its own power stayed."""

HELD_OFF_ALONE = cached_by_two(lambda unit, other: Fails(HeldOff(UNAIDED[unit], UNAIDED[other])))
"""A unit did not get to where another stayed, neither of them with help."""


BY_UNIT: Callable[[Strength], Province] = attrgetter("unit")
STANDS, GIVEN, AVAILABLE = Stands(), Given(), Available()
HELPING = SupportHold, SupportMove, Convoy

RetreatsByUnit: TypeAlias = Mapping[int, tuple[int, tuple[Location, ...]]]


class MovementVerdicts:
    """The verdicts of one movement phase, by unit; units are known by their index.

    *retreats* has for each dislodged unit who drove it out and where it may go.
    """

    def __init__(self, movement: MovementDecisions, retreats: RetreatsByUnit) -> None:
        self._movement = movement
        self._battle = movement.battle
        self._scene = movement.scene
        self._units = movement.scene.units
        self._orders = movement.battle.orders
        self._retreats = retreats

    def of_orders(self) -> list[Verdict]:
        """Return by unit the verdict on the order that counts for it; on a hold if none does."""
        battle, units, orders = self._battle, self._units, self._orders
        supporters, voyages = battle.supporters, battle.voyages
        answers = self._movement.answers
        verdicts: list[Verdict] = [STANDS] * len(answers)
        carrying: set[int] = set().union(*battle.fleets.values())
        for fleet in carrying:
            verdicts[fleet] = self._convoy(fleet)
        for unit in battle.idle:
            if type(orders[unit]) is not Hold and unit not in carrying:
                verdicts[unit] = self._without_match(unit)
        for unit in battle.helping:
            verdicts[unit] = GIVEN if answers[unit] else self._cut(unit)
        for unit in [*battle.lone.values(), *chain.from_iterable(battle.rivals.values())]:
            if not answers[unit]:
                verdicts[unit] = self._failure(unit)
            elif supporters[unit] or unit in voyages:
                verdicts[unit] = self._success(unit)
            else:
                verdicts[unit] = SUCCESS_ALONE[units[unit].province]
        return self._with_void(verdicts) if battle.void else verdicts

    def _cut(self, supporter: int) -> Cut:
        units = self._units
        attackers: Sequence[int] = self._battle.attackers(units[supporter].province)
        if len(attackers) > 1:
            attackers = self._movement.cutters(supporter)
        return CUT_FROM[min([units[each].province for each in attackers])]

    def _with_void(self, verdicts: list[Verdict]) -> list[Verdict]:
        """Put into *verdicts* those on moves that can never be, and on supports that need one."""
        for unit in self._battle.helping:
            fault = self._uncarried(unit)
            if fault:
                verdicts[unit] = Illegal(fault)
        for unit, why in self._battle.void.items():
            verdicts[unit] = Fails(Futile(why)) if isinstance(why, Impossible) else Invalid(why)
        return verdicts

    def fate(self, unit: int) -> Fate:
        """Return what became of *unit*, which was driven out."""
        attacker, retreats = self._retreats[unit]
        start = self._units[unit].province
        by, strength = self._units[attacker].province, self._attack(attacker, start)
        return dislodged(by, strength, retreats) if retreats else destroyed(by, strength)

    def _without_match(self, unit: int) -> Verdict:
        """Return the verdict on the order of *unit*, which finds nothing to help with."""
        scene, order = self._scene, self._orders[unit]
        assert isinstance(order, HELPING)
        fault = find_fault(scene, self._units[unit].power, order)
        if fault:
            return Illegal(fault)
        why = self._battle.mismatch(order)
        assert why
        named = order.army if isinstance(order, Convoy) else order.supported
        return invalid(why, self._orders[scene.at[named.province]])

    def _convoy(self, fleet: int) -> Verdict:
        movement = self._movement
        if movement.available(fleet) and fleet not in self._battle.failing:
            return AVAILABLE
        dislodger = movement.dislodger(fleet)
        if dislodger is None:
            dislodger = self._battle.failing.get(fleet)
        if dislodger is not None:
            return Disrupted(self._units[dislodger].province)
        return AVAILABLE if movement.spared(fleet) else Disrupted(None)

    def _uncarried(self, unit: int) -> Impossible | None:
        """Return the fault of a support for an army that nobody but its supporter could carry."""
        scene, order = self._scene, self._orders[unit]
        if not isinstance(order, SupportMove):
            return None
        army = scene.at[order.supported.province]
        if army not in self._battle.void:
            return None
        return find_fault(scene, self._units[unit].power, order)

    def _success(self, unit: int) -> Verdict:
        attack = self._attack(unit, self._end(unit))
        return succeeding(attack, self._route(unit) if unit in self._battle.voyages else ())

    def _route(self, army: int) -> tuple[Province, ...]:
        voyage = self._battle.voyages[army]
        if len(voyage.fleets) == 1:
            return self._at(voyage.fleets)
        fleets = filter(self._movement.available, voyage.fleets)
        return shortest_route(
            self._scene.reach, voyage.start, voyage.end, sea_bits(self._scene, fleets)
        )

    def _failure(self, unit: int) -> Fails:
        """Return why *unit* does not get where it was ordered to go.

        Most go by land without help, and meet one other without help or who plainly stays.
        """
        units, end = self._units, self._end(unit)
        occupant, rivals = self._scene.at.get(end), self._battle.rivals.get(end, ())
        supporters, leaving = self._battle.supporters, self._battle.leaving
        if not (supporters[unit] or unit in leaving or self._movement.circles):
            start = units[unit].province
            if occupant is None:
                if len(rivals) == 2:  # noqa: PLR2004 - it and another
                    rival = rivals[0] if rivals[1] == unit else rivals[1]
                    if not (supporters[rival] or rival in leaving):
                        return STOOD_OFF_ALONE[start][units[rival].province]
            elif self._plainly_stays(occupant, start, alone=not rivals):
                if units[occupant].power != units[unit].power:
                    return HELD_OFF_ALONE[start][end]
                if occupant not in self._retreats:
                    return BLOCKED_BY_OWN_UNIT[start][end]
        return failing(self._cause(unit, end, occupant))

    def _end(self, mover: int) -> Province:
        goal = self._battle.goal[mover]
        assert goal is not None
        return goal.province

    def _plainly_stays(self, occupant: int, start: Province, *, alone: bool) -> bool:
        """Tell whether *occupant* plainly stays without help where one from *start* goes.

        It does if it was ordered to, or if it failed to go elsewhere than to *start* and that one
        is *alone* in attacking it.
        """
        goal = self._battle.goal[occupant]
        if goal is None:
            return not self._battle.supporters[occupant]
        return alone and goal.province != start and not self._movement.answers[occupant]

    def _cause(self, unit: int, end: Province, occupant: int | None) -> FailCause:
        """Return what kept *unit* from *end*, where *occupant* was."""
        movement, battle = self._movement, self._battle
        if unit in battle.voyages and not movement.arrives(unit):
            return self._broken_convoy(unit)
        if movement.circles and movement.held(unit):
            return ParadoxHold(self._at(movement.paradox(unit)))
        if occupant is None or not movement.stays(occupant, unit):
            attack = self._strength(unit)
        else:
            attack = self._strength(unit, self._units[occupant].power)
            blocked = self._blocked(unit, occupant, attack)
            if blocked:
                return blocked
        if battle.by_fleet:
            landing = [self._strength(army) for army in movement.landing_against(unit)]
            stronger = [each for each in landing if each.total >= attack.total]
            if stronger:
                return HeadOn(attack, stronger[0])
        return standoff(attack, self._rivals(unit, end, attack))

    def _blocked(self, unit: int, occupant: int, attack: Strength) -> FailCause | None:
        """Return what keeps *unit* out, if it is that *occupant* does not leave."""
        movement, units = self._movement, self._units
        stayed = self._battle.goal[occupant] is None
        head_on = not stayed and movement.head_on(unit, occupant)
        if not stayed and not head_on and occupant not in self._battle.void:
            # It tried to make way, so that others are to blame.
            free = self._strength(unit)
            rivals = self._rivals(unit, units[occupant].province, free)
            if rivals:
                return standoff(free, rivals)
        if units[occupant].power == units[unit].power:
            stays = occupant not in self._retreats
            return OwnUnit(attack, units[occupant].province) if stays else None
        defense = UNAIDED[units[occupant].province]
        if stayed or head_on:  # Nobody holds it who tried to go elsewhere.
            defense = self._strength(occupant)
        if len(attack.supporters) > len(defense.supporters):
            return None
        return HeadOn(attack, defense) if head_on else held_off(attack, defense)

    def _broken_convoy(self, army: int) -> FailCause:
        movement, scene, voyage = self._movement, self._scene, self._battle.voyages[army]
        lost = [fleet for fleet in voyage.fleets if not movement.available(fleet)]
        if any(map(movement.paradox, lost)):
            return ConvoyParadox(self._at(lost))
        left = sea_bits(scene, filter(movement.available, self._battle.fleets[army]))
        return ConvoyBroken(
            self._at(lost), is_convoy_path(scene.reach, voyage.start, voyage.end, left)
        )

    def _at(self, units: Iterable[int]) -> tuple[Province, ...]:
        return tuple(sorted([self._units[unit].province for unit in units]))

    def _rivals(self, unit: int, end: Province, attack: Strength) -> tuple[Strength, ...]:
        """Return those who kept *unit* from *end*, each at least as strong as its *attack*."""
        occupant, least = self._scene.at.get(end), len(attack.supporters)
        supporters, keeps_out = self._battle.supporters, self._movement.keeps_out
        rivals: list[Strength] = []
        for rival in self._battle.attackers(end):
            if rival != unit and len(supporters[rival]) >= least and keeps_out(rival, occupant):
                strength = self._strength(rival)
                if len(strength.supporters) >= least:
                    rivals.append(strength)
        rivals.sort(key=BY_UNIT)
        return tuple(rivals)

    def _attack(self, unit: int, end: Province) -> Strength:
        """Return the strength of *unit* against who is in *end*, if he does not leave."""
        occupant = self._scene.at.get(end)
        if occupant is None:
            return self._strength(unit)
        attack = self._strength(unit, self._units[occupant].power)
        if attack.discounted and not self._movement.stays(occupant, unit):
            return self._strength(unit)
        return attack

    def _strength(self, unit: int, victim: Power | None = None) -> Strength:
        """Return the strength of *unit* with the supports given to it.

        Those of the *victim* that it attacks do not count (rulebook IX.3).
        """
        units, supporters = self._units, self._battle.supporters[unit]
        start = units[unit].province
        if not supporters:
            return UNAIDED[start]
        answers = self._movement.answers
        helpers: tuple[Province, ...] = ()
        barred: tuple[Province, ...] = ()
        for each in supporters:
            if answers[each]:
                helper = units[each]
                if helper.power == victim:
                    barred += (helper.province,)
                else:
                    helpers += (helper.province,)
        if barred or len(helpers) > 1:
            return new_strength(start, tuple(sorted(helpers)), tuple(sorted(barred)))
        return AIDED[start][helpers[0]] if helpers else UNAIDED[start]
