"""What became of the orders of a movement phase, as values with their causes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from operator import attrgetter

from judge.rules.convoys import carries, shortest
from judge.rules.intake import take_in
from judge.rules.legality import obstacle
from judge.rules.movement import Movement
from judge.rules.order import (
    Convoy,
    Move,
    Order,
    SupportHold,
    SupportMove,
    Waive,
    new_hold,
    new_name,
)
from judge.rules.outcome import (
    Available,
    ConvoyBroken,
    ConvoyParadox,
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
    Outcome,
    OwnUnit,
    ParadoxHold,
    Stands,
    Strength,
    Succeeds,
    Verdict,
    cut,
    failing,
    held_off,
    invalid,
    new_outcome,
    new_strength,
    standoff,
)
from judge.rules.scene import NOBODY
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind
from judge.rules.voyage import bits

PROVINCES_KEPT = 1024  # More than any board has.
BORDERS_KEPT = 4096  # Likewise; of the standard board there are 433.

UNIT: Callable[[Strength], Province] = attrgetter("unit")
STANDS, GIVEN, AVAILABLE = Stands(), Given(), Available()


class Account:
    """The account of one movement phase.

    *retreats* has for each dislodged unit who drove it out and where it may go. The fate of a unit
    is told with the order that counts for it; if none does, with the first that its power gave.
    """

    def __init__(
        self, movement: Movement, retreats: Mapping[int, tuple[int, tuple[Location, ...]]]
    ) -> None:
        self._movement = movement
        self._battle = movement.battle
        self._scene = movement.scene
        self._orders = movement.battle.orders
        self._retreats = retreats

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        self._movement.conclude()
        retreats, plain, units = self._retreats, self._plain(), self._scene.units
        faults = self._battle.repeated and take_in(self._scene, self._battle.given).faults
        counting = dict(zip(map(id, self._orders), range(len(self._orders)), strict=True))
        told: set[int] = set()
        outcomes: list[Outcome] = []
        for power, several in self._battle.given.items():
            for order in several:
                unit = counting.get(id(order), NOBODY)
                overruled = faults and len(outcomes) in faults
                if unit == NOBODY or units[unit].power != power or overruled:
                    outcomes.append(self._ignored(len(outcomes), power, order, told))
                    continue
                fate = self._fate(unit) if unit in retreats else None
                verdict = plain[unit]
                if verdict is not None:
                    outcomes.append(new_outcome(power, order, verdict, fate))
                elif isinstance(order, Move):
                    by_land = self._by_land(unit, order)
                    outcomes.append(
                        new_outcome(power, order, self._move(unit), fate, by_land=by_land)
                    )
                else:
                    outcomes.append(new_outcome(power, order, self._stand(unit), fate))
        return tuple(outcomes)

    def _plain(self) -> Sequence[Verdict | None]:
        """Return by unit the verdicts that most have, and that depend on next to nothing."""
        battle, scene, answers = self._battle, self._scene, self._movement.answers
        units, supporters, leaving = scene.units, battle.supporters, battle.leaving
        verdicts: list[Verdict | None] = [None] * len(answers)
        if not battle.void:
            for unit in battle.supporting:
                verdicts[unit] = GIVEN if answers[unit] else None
        for end, group in battle.attackers.items():
            for unit in group:
                if supporters[unit] or unit in leaving:
                    continue
                if answers[unit]:
                    verdicts[unit] = _success_alone(units[unit].province)
                    continue
                defender = self._lone_defender(end)
                if defender and defender.power != units[unit].power:
                    verdicts[unit] = _held_off_alone(units[unit].province, end)
        return verdicts

    def _lone_defender(self, province: Province) -> Unit | None:
        """Return the unit that stays in *province* without support: it holds whoever is alone."""
        index = self._scene.at.get(province)
        if index is None or self._battle.goal[index] or self._battle.supporters[index]:
            return None
        return self._scene.units[index]

    def _by_land(self, unit: int, order: Move) -> bool:
        """Tell whether *unit* went by land though it was to be carried, or asked for it."""
        battle = self._battle
        if unit not in battle.fleets and not order.via_convoy:
            return False
        army = self._scene.units[unit].kind is UnitKind.ARMY
        return army and unit not in battle.voyages and unit not in battle.void

    def unordered(self) -> tuple[Outcome, ...]:
        """Return the holds supposed for units without any order, in the order of the position."""
        units, given = self._scene.units, self._battle.given
        silent = [unit for unit, order in enumerate(self._orders[:NOBODY]) if order is None]
        if silent and len(silent) + sum(map(len, given.values())) != len(units):
            addressed = {self._own(power, each) for power in given for each in given[power]}
            silent = [unit for unit in silent if unit not in addressed]
        self._movement.conclude()
        return tuple([self._silent(index, units[index]) for index in silent])

    def _silent(self, index: int, unit: Unit) -> Outcome:
        hold = new_hold(new_name(unit.kind, unit.location))
        return new_outcome(unit.power, hold, STANDS, self._fate(index), written=False)

    def _ignored(self, index: int, power: Power, order: Order, told: set[int]) -> Outcome:
        """Return what becomes of the *order* given at *index*, which does not count.

        If none counts for its unit, the fate of the unit is told with the first.
        """
        unit, fate = self._own(power, order), None
        if unit != NOBODY and unit not in told and not self._orders[unit]:
            told.add(unit)
            fate = self._fate(unit)
        fault = obstacle(self._scene, power, order)
        if fault is None:
            fault = take_in(self._scene, self._battle.given).faults[index]
        return new_outcome(power, order, Illegal(fault), fate)

    def _own(self, power: Power, order: Order) -> int:
        """Return the unit of *power* that *order* is for."""
        if isinstance(order, Waive):
            return NOBODY
        unit = self._scene.at.get(order.unit.province, NOBODY)
        return NOBODY if unit == NOBODY or self._scene.units[unit].power != power else unit

    def _fate(self, unit: int) -> Fate | None:
        if unit not in self._retreats:
            return None
        attacker, retreats = self._retreats[unit]
        by, strength = self._scene.units[attacker].province, self._attack(attacker)
        return Dislodged(by, strength, retreats) if retreats else Destroyed(by, strength)

    def _stand(self, unit: int) -> Verdict:
        """Return the verdict on the order of *unit*, which does not move."""
        order = self._orders[unit]
        match order:
            case SupportHold() | SupportMove() if self._battle.aim[unit] is not None:
                return self._support(unit, order)
            case Convoy() if self._battle.helps(unit):
                return self._convoy(unit)
            case SupportHold() | SupportMove() | Convoy():
                return self._idle(unit, order)
            case _:
                return STANDS

    def _support(self, unit: int, order: SupportHold | SupportMove) -> Verdict:
        void = self._battle.void
        fault = self._uncarried(unit, order) if void and isinstance(order, SupportMove) else None
        if fault:
            return Illegal(fault)
        if self._movement.answers[unit]:
            return GIVEN
        return cut(self._at(self._movement.cutters(unit))[0])

    def _idle(self, unit: int, order: SupportHold | SupportMove | Convoy) -> Verdict:
        scene = self._scene
        fault = obstacle(scene, scene.units[unit].power, order)
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
            return Disrupted(self._scene.units[dislodger].province)
        return AVAILABLE if movement.spared(fleet) else Disrupted(None)

    def _uncarried(self, unit: int, order: SupportMove) -> Impossible | None:
        """Return the fault of a support for an army that nobody but its supporter could carry."""
        scene = self._scene
        army = scene.at[order.supported.province]
        if army not in self._battle.void:
            return None
        return obstacle(scene, scene.units[unit].power, order)

    def _move(self, unit: int) -> Verdict:
        battle = self._battle
        if unit in battle.void:
            why = battle.void[unit]
            return Fails(Futile(why)) if isinstance(why, Impossible) else Invalid(why)
        if not self._movement.answers[unit]:
            return failing(self._failure(unit))
        if unit in battle.voyages:
            return Succeeds(self._attack(unit), self._route(unit))
        if battle.supporters[unit]:
            return Succeeds(self._attack(unit))
        return _success_alone(self._scene.units[unit].province)

    def _route(self, army: int) -> tuple[Province, ...]:
        voyage = self._battle.voyages[army]
        fleets = filter(self._movement.available, voyage.fleets)
        return shortest(self._scene.reach, voyage.start, voyage.end, bits(self._scene, fleets))

    def _failure(self, unit: int) -> FailCause:
        movement = self._movement
        if unit in self._battle.voyages and not movement.arrives(unit):
            return self._broken_convoy(unit)
        if movement.circles and movement.held(unit):
            return ParadoxHold(self._at(movement.paradox(unit)))
        occupant, attack = self._blocker(unit), self._attack(unit)
        blocked = None if occupant is None else self._blocked(unit, occupant, attack)
        if blocked:
            return blocked
        landing = [self._aided(army) for army in movement.landing_against(unit)]
        stronger = [each for each in landing if each.total >= attack.total]
        if stronger:
            return HeadOn(attack, stronger[0])
        return standoff(attack, self._rivals(unit, attack))

    def _blocked(self, unit: int, occupant: int, attack: Strength) -> FailCause | None:
        """Return what keeps *unit* out, if it is that *occupant* does not leave."""
        if self._came_back(occupant, unit):
            free = self._aided(unit)
            rivals = self._rivals(unit, free)
            if rivals:
                return standoff(free, rivals)
        if self._scene.units[occupant].power == self._scene.units[unit].power:
            stays = occupant not in self._retreats
            return OwnUnit(attack, self._scene.units[occupant].province) if stays else None
        supporters = self._movement.defenders(occupant, unit)
        defense = self._strength(occupant, supporters, supporters)
        if attack.total > defense.total:
            return None
        head_on = self._movement.head_on(unit, occupant)
        return HeadOn(attack, defense) if head_on else held_off(attack, defense)

    def _came_back(self, occupant: int, unit: int) -> bool:
        """Tell whether *occupant* tried to make way for *unit*, so that others are to blame."""
        left = self._battle.goal[occupant] is not None and occupant not in self._battle.void
        return left and not self._movement.head_on(unit, occupant)

    def _broken_convoy(self, army: int) -> FailCause:
        movement, scene, voyage = self._movement, self._scene, self._battle.voyages[army]
        lost = [fleet for fleet in voyage.fleets if not movement.available(fleet)]
        if any(map(movement.paradox, lost)):
            return ConvoyParadox(self._at(lost))
        left = bits(scene, filter(movement.available, self._battle.fleets[army]))
        return ConvoyBroken(self._at(lost), carries(scene.reach, voyage.start, voyage.end, left))

    def _at(self, units: Iterable[int]) -> tuple[Province, ...]:
        provinces = [self._scene.units[unit].province for unit in units]
        return tuple(sorted(provinces) if len(provinces) > 1 else provinces)

    def _rivals(self, unit: int, attack: Strength) -> tuple[Strength, ...]:
        end = self._battle.end(unit)
        assert end is not None
        occupant = self._scene.at.get(end)
        least = attack.total - 1
        rivals = [
            self._aided(rival)
            for rival in self._battle.attackers[end]
            if len(self._battle.supporters[rival]) >= least
            and rival != unit
            and self._movement.keeps_out(rival, occupant)
        ]
        return tuple(sorted([each for each in rivals if each.total > least], key=UNIT))

    def _blocker(self, unit: int) -> int | None:
        """Return who stands where *unit* goes and does not make way."""
        end = self._battle.end(unit)
        occupant = None if end is None else self._scene.at.get(end)
        stays = occupant is not None and self._movement.stays(occupant, unit)
        return occupant if stays else None

    def _attack(self, unit: int) -> Strength:
        supporters = self._battle.supporters[unit]
        if not supporters:
            return _unaided(self._scene.units[unit].province)
        return self._strength(unit, self._movement.helpers(unit, self._blocker(unit)), supporters)

    def _aided(self, unit: int) -> Strength:
        """Return the strength of *unit* with all supports given to it."""
        supporters = self._battle.supporters[unit]
        return self._strength(unit, supporters, supporters)

    def _strength(self, unit: int, helpers: Sequence[int], others: Sequence[int]) -> Strength:
        start = self._scene.units[unit].province
        if not others:
            return _unaided(start)
        answers = self._movement.answers
        given = [each for each in others if answers[each]]
        if helpers == others:
            return new_strength(start, self._at(given))
        return new_strength(
            start,
            self._at([each for each in given if each in helpers]),
            self._at([each for each in given if each not in helpers]),
        )


@lru_cache(maxsize=PROVINCES_KEPT)
def _unaided(province: Province) -> Strength:
    return Strength(province)


@lru_cache(maxsize=PROVINCES_KEPT)
def _success_alone(province: Province) -> Succeeds:
    return Succeeds(_unaided(province))


@lru_cache(maxsize=BORDERS_KEPT)
def _held_off_alone(attacker: Province, defender: Province) -> Fails:
    return Fails(HeldOff(_unaided(attacker), _unaided(defender)))
