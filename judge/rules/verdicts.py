"""What became of the orders of a movement phase, as values with their causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import assert_never

from judge.rules.convoys import shortest
from judge.rules.intake import Intake
from judge.rules.movement import Movement
from judge.rules.order import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.outcome import (
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
    Given,
    HeadOn,
    HeldOff,
    Illegal,
    Invalid,
    Outcome,
    OwnUnit,
    Stands,
    StoodOff,
    Strength,
    Succeeds,
    Verdict,
)
from judge.rules.vocabulary import Location, Province


class Account:
    """The account of one movement phase.

    *retreats* has for each dislodged unit who drove it out and where it may go. The fate of a unit
    is told with the order that counts for it; if none does, with the first that its power gave.
    """

    def __init__(
        self,
        intake: Intake,
        movement: Movement,
        retreats: Mapping[int, tuple[int, tuple[Location, ...]]],
    ) -> None:
        self._intake = intake
        self._movement = movement
        self._battle = movement.battle
        self._retreats = retreats

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return an outcome for each order, in the order given."""
        told = {index: unit for unit, index in self._tellers().items()}
        return tuple(
            Outcome(
                power,
                order,
                Illegal(self._intake.faults[index])
                if index in self._intake.faults
                else self._verdict(told[index]),
                self._fate(told[index]) if index in told else None,
            )
            for index, (power, order) in enumerate(self._intake.given)
        )

    def unordered(self) -> tuple[Outcome, ...]:
        """Return the holds supposed for units without any order, in the order of the position."""
        tellers = self._tellers()
        return tuple(
            Outcome(
                unit.power,
                Hold(UnitName(unit.kind, unit.location)),
                Stands(),
                self._fate(index),
                written=False,
            )
            for index, unit in enumerate(self._battle.scene.position.units)
            if index not in tellers
        )

    def _tellers(self) -> dict[int, int]:
        at, powers = self._battle.scene.at, self._battle.powers
        tellers = {at[province]: index for province, index in self._intake.counting.items()}
        for index in sorted(self._intake.faults):
            power, order = self._intake.given[index]
            unit = None if isinstance(order, Waive) else at.get(order.unit.province)
            if unit is not None and powers[unit] == power:
                tellers.setdefault(unit, index)
        return tellers

    def _fate(self, unit: int) -> Fate | None:
        if unit not in self._retreats:
            return None
        attacker, retreats = self._retreats[unit]
        by, strength = self._battle.provinces[attacker], self._attack(attacker)
        return Dislodged(by, strength, retreats) if retreats else Destroyed(by, strength)

    def _verdict(self, unit: int) -> Verdict:
        order = self._battle.orders[unit]
        assert order is not None
        why = self._battle.void.get(unit)
        if why is not None:
            return Invalid(why, self._instead(order))
        match order:
            case Hold():
                return Stands()
            case Move():
                return self._move(unit)
            case SupportHold() | SupportMove():
                cutter = self._movement.cutter(unit)
                return Given() if cutter is None else Cut(self._battle.provinces[cutter])
            case Convoy():
                return self._convoy(unit)
            case _:
                assert_never(order)

    def _instead(self, order: MovementOrder) -> MovementOrder | None:
        match order:
            case SupportHold() | SupportMove():
                return self._battle.orders[self._battle.scene.at[order.supported.province]]
            case Convoy():
                return self._battle.orders[self._battle.scene.at[order.army.province]]
            case Hold() | Move():
                return None
            case _:
                assert_never(order)

    def _convoy(self, fleet: int) -> Verdict:
        if self._movement.available(fleet):
            return Available()
        dislodger = self._movement.dislodger(fleet)
        return Disrupted(None if dislodger is None else self._battle.provinces[dislodger])

    def _move(self, unit: int) -> Verdict:
        if self._movement.succeeds(unit):
            return Succeeds(self._attack(unit), self._route(unit))
        return Fails(self._failure(unit))

    def _route(self, army: int) -> tuple[Province, ...]:
        if army not in self._battle.by_sea:
            return ()
        fleets = filter(self._movement.available, self._battle.fleets[army])
        end = self._battle.target[army]
        assert end is not None
        afloat = sum(map(self._battle.bit, fleets))
        return shortest(self._battle.scene.reach, self._battle.provinces[army], end, afloat)

    def _failure(self, unit: int) -> FailCause:
        if not self._movement.arrives(unit):
            return self._broken_convoy(unit)
        occupant, attack = self._blocker(unit), self._attack(unit)
        if occupant is not None:
            battle = self._battle
            if battle.powers[occupant] == battle.powers[unit]:
                return OwnUnit(attack, battle.provinces[occupant])
            supporters = self._movement.defenders(occupant, unit)
            defense = self._strength(occupant, supporters, supporters)
            if attack.total <= defense.total:
                head_on = battle.head_on(unit, occupant)
                return HeadOn(attack, defense) if head_on else HeldOff(attack, defense)
        return StoodOff(attack, self._rivals(unit, attack))

    def _broken_convoy(self, army: int) -> FailCause:
        fleets = self._battle.fleets[army]
        lost = [fleet for fleet in fleets if not self._movement.available(fleet)]
        paradox = any(map(self._movement.in_paradox, lost))
        provinces = tuple(sorted(self._battle.provinces[fleet] for fleet in lost))
        return ConvoyParadox(provinces) if paradox else ConvoyBroken(provinces)

    def _rivals(self, unit: int, attack: Strength) -> tuple[Strength, ...]:
        end = self._battle.target[unit]
        assert end is not None
        occupant = self._battle.scene.at.get(end)
        strengths = [
            self._strength(rival, supporters, supporters)
            for rival in self._battle.attackers[end]
            if rival != unit and self._movement.keeps_out(rival, occupant)
            for supporters in [self._battle.supporters[rival]]
        ]
        return tuple(each for each in strengths if each.total >= attack.total)

    def _blocker(self, unit: int) -> int | None:
        """Return who stands where *unit* goes and does not make way."""
        end = self._battle.target[unit]
        occupant = None if end is None else self._battle.scene.at.get(end)
        stays = occupant is not None and self._movement.stays(occupant, unit)
        return occupant if stays else None

    def _attack(self, unit: int) -> Strength:
        helpers = self._movement.helpers(unit, self._blocker(unit))
        return self._strength(unit, helpers, self._battle.supporters[unit])

    def _strength(self, unit: int, helpers: Sequence[int], others: Sequence[int]) -> Strength:
        provinces, given = self._battle.provinces, self._movement.given
        return Strength(
            provinces[unit],
            tuple(sorted(provinces[each] for each in helpers if given(each))),
            tuple(sorted(provinces[o] for o in others if o not in helpers and given(o))),
        )
