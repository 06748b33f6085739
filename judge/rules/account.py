"""What became of all orders of a movement phase, in the order given, and of units without one."""

from __future__ import annotations

from judge.overriding import override
from judge.rules.intake import take_in
from judge.rules.legality import obstacle
from judge.rules.movement import Movement
from judge.rules.order import Move, Order, Waive
from judge.rules.outcome import Fate, Illegal, Outcome, new_outcome
from judge.rules.reach import ARMY
from judge.rules.result import Telling
from judge.rules.scene import NOBODY, Scene
from judge.rules.verdicts import STANDS, Retreats, Verdicts
from judge.rules.vocabulary import Power

WRITTEN, SUPPOSED = True, False


class Account(Telling):
    """The account of one movement phase.

    *retreats* has for each dislodged unit who drove it out and where it may go. The fate of a unit
    is told with the order that counts for it; if none does, with the first that its power gave.
    """

    def __init__(self, movement: Movement, retreats: Retreats) -> None:
        self._movement = movement
        self._battle = movement.battle
        self._retreats = retreats

    @override
    def of_orders(self) -> tuple[Outcome, ...]:
        battle, scene, orders = self._battle, self._battle.scene, self._battle.orders
        named, units = scene.named, scene.units
        whole = battle.counting is battle.given
        faults = {} if whole else take_in(scene, battle.given).faults
        verdicts, fates, overland = self._verdicts().of_orders(), self._fates(), self._overland()
        told: set[int] = set()
        outcomes: list[Outcome] = []
        for power, several in battle.given.items():
            for order in several:
                try:
                    unit = named[order.unit.location]  # type: ignore[union-attr]  # it may be
                except (AttributeError, KeyError):  # for no unit, or for one not plainly named
                    unit = self._own(power, order)
                counts = orders[unit] is order and units[unit].power == power
                if counts and not (faults and len(outcomes) in faults):
                    verdict, by_land = verdicts[unit], overland[unit]
                    outcomes.append(
                        new_outcome(power, order, verdict, fates[unit], WRITTEN, by_land)
                    )
                    continue
                unit = self._own(power, order)
                fate = None
                if orders[unit] is None and unit not in told:
                    told.add(unit)
                    fate = fates[unit]
                outcomes.append(self._ignored(len(outcomes), power, order, fate))
        return tuple(outcomes)

    @override
    def of_silence(self) -> tuple[Outcome, ...]:
        orders, given = self._battle.orders[:NOBODY], self._battle.given
        if all(orders):
            return ()
        scene, fates = self._battle.scene, self._fates()
        silent = [unit for unit, order in enumerate(orders) if order is None]
        if len(silent) + sum(map(len, given.values())) != len(orders):
            addressed = {self._own(power, each) for power in given for each in given[power]}
            silent = [unit for unit in silent if unit not in addressed]
        return tuple([_silent(scene, unit, fates[unit]) for unit in silent])

    def _verdicts(self) -> Verdicts:
        self._movement.conclude()
        return Verdicts(self._movement, self._retreats)

    def _fates(self) -> list[Fate | None]:
        """Return by unit the fate of those that were driven out."""
        fates: list[Fate | None] = [None] * len(self._battle.orders)
        if self._retreats:
            verdicts = self._verdicts()
            for unit in self._retreats:
                fates[unit] = verdicts.fate(unit)
        return fates

    def _overland(self) -> list[bool]:
        """Return by unit whether it went by land though it was to be carried, or asked for it."""
        battle, units = self._battle, self._battle.scene.units
        overland = [False] * len(battle.orders)
        for unit in battle.leaving:
            order = battle.orders[unit]
            asked = isinstance(order, Move) and order.via_convoy
            overland[unit] = (
                units[unit].kind is ARMY
                and unit not in battle.voyages
                and unit not in battle.void
                and (asked or unit in battle.fleets)
            )
        return overland

    def _ignored(self, index: int, power: Power, order: Order, fate: Fate | None) -> Outcome:
        """Return what becomes of the *order* given at *index*, which does not count."""
        fault = obstacle(self._battle.scene, power, order)
        if fault is None:
            fault = take_in(self._battle.scene, self._battle.given).faults[index]
        return new_outcome(power, order, Illegal(fault), fate)

    def _own(self, power: Power, order: Order) -> int:
        """Return the unit of *power* that *order* is for."""
        if isinstance(order, Waive):
            return NOBODY
        scene = self._battle.scene
        unit = scene.at.get(order.unit.province, NOBODY)
        return NOBODY if unit == NOBODY or scene.units[unit].power != power else unit


def _silent(scene: Scene, index: int, fate: Fate | None) -> Outcome:
    """Return the hold supposed for a unit without an order."""
    unit = scene.units[index]
    return new_outcome(unit.power, scene.reach.post(unit).hold, STANDS, fate, SUPPOSED)
