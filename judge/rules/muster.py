"""The orders of a movement phase taken in: for each unit the one that counts.

Most moves are plainly possible: they name places exactly and ask for no convoy, so that they count
under any rulebook that forgives slips. They are told at first sight; whatever else is written goes
to `legality`, which looks closely. Whether a support or a convoy is possible need not be known
before it has found what it is to help with: until then, its unit does no more than hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    Waive,
)
from judge.rules.outcome import Impossible, Unmatched
from judge.rules.questions import WrittenRoute
from judge.rules.reach import Post
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, province_of


class Muster:
    """The orders of a phase; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any; *target* is where it is ordered to
    move, and *landing* the post that awaits it there, if that is plain. *attackers* are those who
    set out for a province by land, *leaving* those whose way has yet to be found, *helping* those
    with other orders, *void* the moves that can never be and count all the same (DATC 4.E.1).
    """

    def __init__(self, scene: Scene, given: Mapping[Power, Sequence[Order]]) -> None:
        self.scene = scene
        if not self._take_in(given):
            self._take_in(sole_orders(scene, given))

    def _take_in(self, given: Mapping[Power, Sequence[Order]]) -> bool:
        """Take the orders in; tell whether no unit has two of them."""
        count = len(self.scene.powers)
        self.orders: list[MovementOrder | None] = [None] * count
        self.target: list[Province | None] = [None] * count
        self.landing: list[Post | None] = [None] * count
        self.attackers: dict[Province, list[int]] = {}
        self.leaving: list[int] = []
        self.helping: list[int] = []
        self.void: dict[int, Unmatched | Impossible] = {}
        return all(self._take(power, several) for power, several in given.items())

    def _take(self, power: Power, several: Sequence[Order]) -> bool:
        orders, standing, powers = self.orders, self.scene.standing, self.scene.powers
        landing, posts, attackers = self.landing, self.scene.posts, self.attackers
        target, helping = self.target, self.helping
        for order in several:
            if type(order) is Move:
                unit = standing.get(order.unit.location, NOBODY)
                there = posts[unit].touches.get(order.target)
                if there and powers[unit] == power and not order.via_convoy:
                    if orders[unit]:
                        return False
                    orders[unit], landing[unit] = order, there
                    target[unit] = end = there.province
                    attackers.setdefault(end, []).append(unit)
                    continue
                unit = self._start(unit, power, order)
            elif isinstance(order, (SupportMove, SupportHold, Hold, Convoy)):
                unit = standing.get(order.unit.location, NOBODY)
                if powers[unit] != power:
                    unit = self._possible(power, order)
                if type(order) is not Hold:
                    helping.append(unit)
            else:
                continue  # an order of another phase
            if unit != NOBODY:
                if orders[unit]:
                    return False
                orders[unit] = order
        return True

    def _start(self, unit: int, power: Power, order: Move) -> int:
        """Take in a move that is not plainly one by land; return the unit that it is for."""
        scene = self.scene
        if scene.powers[unit] == power and self._may_cross(scene.posts[unit], order):
            self.target[unit] = order.target
            self.leaving.append(unit)
            return unit
        fault = obstacle(scene, power, order)
        if fault and not counts_as_move(scene, order, fault):
            return NOBODY
        unit = scene.at[order.unit.province]
        self.target[unit] = province_of(order.target)
        if fault:
            self.void[unit] = fault
        else:
            self.leaving.append(unit)
        return unit

    def _may_cross(self, post: Post, order: Move) -> bool:
        """Tell whether *order* is plainly possible by sea."""
        scene = self.scene
        return (
            scene.rulebook.written_route is WrittenRoute.IGNORED
            and order.target != post.province
            and linked(
                scene.reach, post.shore, scene.reach.shore.get(order.target, 0), scene.afloat
            )
        )

    def _possible(self, power: Power, order: Order) -> int:
        """Return the unit that *order* is for, if it is possible."""
        if isinstance(order, Waive) or obstacle(self.scene, power, order):
            return NOBODY
        return self.scene.at[order.unit.province]
