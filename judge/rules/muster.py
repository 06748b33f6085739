"""The moves of a phase taken in: who sets out for where, by land or perhaps by sea."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules.coasts import destination
from judge.rules.convoys import linked
from judge.rules.legality import counts_as_move, obstacle
from judge.rules.order import Move, MovementOrder, Order
from judge.rules.outcome import Impossible, Unmatched
from judge.rules.questions import WrittenRoute
from judge.rules.reach import Post
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, province_of

IGNORED = WrittenRoute.IGNORED  # Looking into an enum takes long.


class Muster:
    """The moves of a phase; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any, *goal* the post that it is to move to;
    both have one more at the end, for `NOBODY`. *lone* is who sets out for a province by land if
    nobody else does, *rivals* are all who do if there are several, *leaving* those whose way has
    yet to be found, *void* the moves that can never be and count all the same (DATC 4.E.1).
    *others* are the orders that are no moves, with who gave them; *repeated* says that some unit
    was given several.
    """

    def __init__(self, scene: Scene, given: Mapping[Power, Sequence[Order]]) -> None:
        count = len(scene.units) + 1
        self.scene = scene
        self.orders: list[MovementOrder | None] = [None] * count
        self.goal: list[Post | None] = [None] * count
        self.lone: dict[Province, int] = {}
        self.rivals: dict[Province, tuple[int, ...]] = {}
        self.leaving: list[int] = []
        self.void: dict[int, Unmatched | Impossible] = {}
        self.others: list[tuple[Power, Order]] = []
        self.repeated = False
        for power, order in self._take_plain(given):
            self._take_closely(power, order)

    def _take_plain(self, given: Mapping[Power, Sequence[Order]]) -> list[tuple[Power, Move]]:
        """Take in the moves that are plainly by land; return those that are not."""
        units, named, posts = self.scene.units, self.scene.named, self.scene.reach.posts
        orders, goal, lone, others = self.orders, self.goal, self.lone, self.others
        odd: list[tuple[Power, Move]] = []
        for power, several in given.items():
            for order in several:
                if type(order) is not Move:  # which is quicker than `isinstance` where it is not
                    others.append((power, order))
                    continue
                try:
                    unit = named[order.unit.location]
                    mover = units[unit]
                    there = posts[mover.name].touches[order.target]
                except KeyError:  # there is no such unit, or the way is not over a border
                    odd.append((power, order))
                    continue
                if mover.power != power or order.via_convoy or orders[unit] is not None:
                    odd.append((power, order))
                    continue
                orders[unit] = order
                goal[unit] = there
                end = there.province
                if end in lone:
                    self.rivals[end] = (*self.rivals.get(end, (lone[end],)), unit)
                else:
                    lone[end] = unit
        for end in self.rivals:
            del lone[end]
        return odd

    def _take_closely(self, power: Power, order: Move) -> None:
        """Take in a move that is not plainly one by land."""
        scene = self.scene
        unit = scene.addressed(order.unit.location)
        if unit != NOBODY and scene.units[unit].power == power:
            there = self._plain_goal(unit, order)
            if there is not None:
                self._leave(unit, order, there)
                return
        fault = obstacle(scene, power, order)
        if fault and not counts_as_move(scene, order, fault):
            return
        unit = scene.at[order.unit.province]
        if fault:
            self._note(unit, order)
            self.goal[unit] = Post(scene.units[unit].kind, "", province_of(order.target))
            self.void[unit] = fault
        else:
            self._leave(unit, order, self._landing(unit, order))

    def _note(self, unit: int, order: MovementOrder) -> None:
        """Let *order* count for *unit*, which should have no other."""
        if self.orders[unit] is not None:
            self.repeated = True
        self.orders[unit] = order

    def _leave(self, unit: int, order: Move, there: Post) -> None:
        self._note(unit, order)
        self.goal[unit] = there
        self.leaving.append(unit)

    def _plain_goal(self, unit: int, order: Move) -> Post | None:
        """Return where *order* takes *unit*, if that is plain: over a border or by sea."""
        scene, reach = self.scene, self.scene.reach
        post = reach.post(scene.units[unit])
        if not order.via_convoy:
            there = post.touches.get(order.target)
            if there is not None:
                return there
        if order.target == post.province or scene.rulebook.written_route is not IGNORED:
            return None
        start, goal = post.shore, reach.shore.get(order.target, 0)
        if scene.sailed(start & goal) or linked(reach, start, goal, scene.afloat):
            return reach.armies[order.target]
        return None

    def _landing(self, mover: int, order: Move) -> Post:
        """Return the post that awaits *mover*, whose *order* is possible."""
        scene, unit = self.scene, self.scene.units[mover]
        return scene.reach.of(unit.kind)[destination(scene, unit, order.target)]
