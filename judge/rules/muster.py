"""The orders of a movement phase taken in: for each unit the one that counts.

Most moves are plainly possible: they name places exactly and ask for no convoy, so that they count
under any rulebook that forgives slips. They are told at first sight; whatever else is written goes
to `legality`, which looks closely. Whether a support or a convoy is possible need not be known
before it has found what it is to help with: until then, its unit does no more than hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import starmap

from judge.rules.coasts import destination
from judge.rules.convoys import linked
from judge.rules.intake import sole_orders
from judge.rules.legality import counts_as_move, obstacle
from judge.rules.order import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from judge.rules.outcome import Impossible, Unmatched
from judge.rules.questions import WrittenRoute
from judge.rules.reach import ARMY, Post
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, province_of

IGNORED = WrittenRoute.IGNORED  # Looking into an enum takes long.
STAYING = (SupportMove, SupportHold, Hold, Convoy)


class Muster:
    """The orders of a phase; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any, *goal* the post that it is to move to;
    both have one more at the end, for `NOBODY`. *attackers* are those who set out for a province
    by land, *leaving* those whose way has yet to be found, *helping* those with other orders,
    *void* the moves that can never be and count all the same (DATC 4.E.1). *odd* are the orders
    that are not plain, with who gave them; all are, if some unit was *repeated*ly given one.
    """

    def __init__(self, scene: Scene, given: Mapping[Power, Sequence[Order]]) -> None:
        self.scene = scene
        self.given = given
        self.repeated = not self._take_in(given)
        if self.repeated:
            self._take_in(sole_orders(scene, given))
            self.odd = [(power, order) for power, several in given.items() for order in several]

    def _take_in(self, given: Mapping[Power, Sequence[Order]]) -> bool:
        """Take the orders in; tell whether no unit has two of them."""
        count = len(self.scene.units) + 1
        self.orders: list[MovementOrder | None] = [None] * count
        self.goal: list[Post | None] = [None] * count
        self.attackers: dict[Province, tuple[int, ...]] = {}
        self.helping: list[int] = []
        self.leaving: list[int] = []
        self.void: dict[int, Unmatched | Impossible] = {}
        self.odd = self._take_plain(given)
        return all(starmap(self._take, self.odd))

    def _take_plain(self, given: Mapping[Power, Sequence[Order]]) -> list[tuple[Power, Order]]:
        """Take in moves by land and orders to stay that are plain; return the others."""
        units, named = self.scene.units, self.scene.named
        armies, fleets = self.scene.reach.armies, self.scene.reach.fleets
        orders, goal, attackers, helping = self.orders, self.goal, self.attackers, self.helping
        others: list[tuple[Power, Order]] = []
        for power, several in given.items():
            for order in several:
                try:
                    if type(order) is Move:  # which is quicker than `isinstance` where it is not
                        unit = named[order.unit.location]
                        mover = units[unit]
                        start = (armies if mover.kind is ARMY else fleets)[mover.location]
                        there = start.touches[order.target]
                        if mover.power == power and orders[unit] is None and not order.via_convoy:
                            orders[unit] = order
                            goal[unit] = there
                            end = there.province
                            if end in attackers:
                                attackers[end] += (unit,)
                            else:
                                attackers[end] = (unit,)
                            continue
                    elif (
                        type(order) is SupportMove
                        or type(order) is SupportHold
                        or type(order) is Convoy
                        or type(order) is Hold
                    ):
                        unit = named[order.unit.location]
                        if units[unit].power == power and orders[unit] is None:
                            orders[unit] = order
                            helping.append(unit)
                            continue
                except KeyError:
                    pass  # there is no such unit, or the way is not over a border
                others.append((power, order))
        return others

    def _take(self, power: Power, order: Order) -> bool:
        """Take in what is not plain; tell whether its unit has no other order."""
        if isinstance(order, Move):
            unit = self._start(power, order)
        elif isinstance(order, STAYING) and not obstacle(self.scene, power, order):
            unit = self.scene.at[order.unit.province]
            self.helping.append(unit)
        else:
            return True
        if unit == NOBODY:
            return True
        if self.orders[unit] is not None:
            return False
        self.orders[unit] = order
        return True

    def _start(self, power: Power, order: Move) -> int:
        """Take in a move that is not plainly one by land; return the unit that it is for."""
        scene = self.scene
        unit = scene.addressed(order.unit.location)
        if unit != NOBODY and scene.units[unit].power == power:
            there = self._plain_goal(unit, order)
            if there is not None:
                self.goal[unit] = there
                self.leaving.append(unit)
                return unit
        fault = obstacle(scene, power, order)
        if fault and not counts_as_move(scene, order, fault):
            return NOBODY
        unit = scene.at[order.unit.province]
        if fault:
            self.goal[unit] = Post(scene.units[unit].kind, "", province_of(order.target))
            self.void[unit] = fault
        else:
            self.goal[unit] = self._landing(unit, order)
            self.leaving.append(unit)
        return unit

    def _plain_goal(self, unit: int, order: Move) -> Post | None:
        """Return where *order* takes *unit*, if that is plain: over a border or by sea."""
        scene, reach, post = self.scene, self.scene.reach, self.scene.post(unit)
        if not order.via_convoy:
            there = post.touches.get(order.target)
            if there is not None:
                return there
        if order.target == post.province or scene.rulebook.written_route is not IGNORED:
            return None
        goal = reach.shore.get(order.target, 0)
        if not linked(reach, post.shore, goal, scene.afloat):
            return None
        return reach.armies[order.target]

    def _landing(self, mover: int, order: Move) -> Post:
        """Return the post that awaits *mover*, whose *order* is possible."""
        scene, unit = self.scene, self.scene.units[mover]
        return scene.reach.of(unit.kind)[destination(scene, unit, order.target)]
