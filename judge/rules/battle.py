"""The orders of one movement phase, matched with each other once.

Most orders are plainly possible: they name places exactly and ask for no convoy to be looked for,
so that they count under any rulebook that forgives slips. Those are told at first sight; whatever
else is written goes to `legality`, which looks closely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules import coasts
from judge.rules.convoys import linked, useful
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
from judge.rules.questions import (
    ConvoyedAttackFrom,
    SupportOfTheAbsent,
    WrittenRoute,
)
from judge.rules.reach import Post
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, province_of
from judge.rules.voyage import Voyage, voyage_of


class Battle:
    """Who attacks, supports and carries whom; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any; *target* where it moves, and
    *landing* the post there if it is plain; *aim* where it helps with a support that matched; *supporters* who so helps it,
    *supporting* all of those. *fleets* are those that carry
    an army, *voyages* the armies that go by sea, *failing* the fleets that left one to go by land.
    *attackers* are those who move to a province; *void* the orders without effect, and why.
    *by_fleet* says that convoyed attacks come from the last fleet (DATC 4.A.4).
    """

    def __init__(self, scene: Scene, given: Mapping[Power, Sequence[Order]]) -> None:
        self.scene = scene
        self.given = given
        self.by_fleet = scene.rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET
        if not self._take_in(given):
            self._take_in(sole_orders(scene, given))
        self._match()
        if self._leaving or self.fleets:
            self._board()

    def origin(self, unit: int) -> Province:
        """Return the province from where an attack of *unit* comes (DATC 4.A.4)."""
        if self.by_fleet and unit in self.voyages:
            return self.voyages[unit].last(self.scene)
        return self.scene.provinces[unit]

    def meet(self, unit: int, other: int) -> bool:
        """Tell whether each of the two attacks where the other comes from, by land or sea."""
        return (
            self.target[other] == self.origin(unit)
            and self.target[unit] == self.origin(other)
            and other not in self.void
        )

    def land(self, stranded: Mapping[int, Sequence[int]]) -> None:
        """Let armies go by land after all, for want of the fleets that stand beside each."""
        for army, fleets in stranded.items():
            del self.voyages[army]
            self.failing.update(fleets)

    def _take_in(self, given: Mapping[Power, Sequence[Order]]) -> bool:
        """Take the orders in; tell whether no unit has two of them."""
        count = len(self.scene.powers)
        self.orders: list[MovementOrder | None] = [None] * count
        self.target: list[Province | None] = [None] * count
        self.landing: list[Post | None] = [None] * count
        self.aim: list[Province | None] = [None] * count
        self.supporters: list[tuple[int, ...]] = [()] * count
        self.supporting: list[int] = []
        self.fleets: dict[int, list[int]] = {}
        self.voyages: dict[int, Voyage] = {}
        self.attackers: dict[Province, list[int]] = {}
        self.failing: set[int] = set()
        self.void: dict[int, Unmatched | Impossible] = {}
        self._helping: list[int] = []
        self._leaving: list[int] = []  # those whose way has to be found yet
        for power, several in given.items():
            if not self._take(power, several):
                return False
        return True

    def _take(self, power: Power, several: Sequence[Order]) -> bool:
        scene, orders, landing, attackers = self.scene, self.orders, self.landing, self.attackers
        standing, powers, posts = scene.standing, scene.powers, scene.posts
        for order in several:
            if isinstance(order, Move):
                unit = standing.get(order.unit.location, NOBODY)
                there = posts[unit].touches.get(order.target)
                if there and powers[unit] == power and not order.via_convoy:
                    if orders[unit]:
                        return False
                    orders[unit] = order
                    landing[unit] = there
                    end = self.target[unit] = there.province
                    if end in attackers:
                        attackers[end].append(unit)
                    else:
                        attackers[end] = [unit]
                    continue
                unit = self._start(unit, power, order)
            elif isinstance(order, (SupportMove, SupportHold, Hold, Convoy)):
                unit = standing.get(order.unit.location, NOBODY)
                if powers[unit] != power:
                    unit = self._possible(power, order)
                self._helping.append(unit)
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
            self._leaving.append(unit)
            return unit
        fault = obstacle(scene, power, order)
        if fault and not counts_as_move(scene, order, fault):
            return NOBODY
        unit = scene.at[order.unit.province]
        self.target[unit] = province_of(order.target)
        if fault:
            self.void[unit] = fault
        else:
            self._leaving.append(unit)
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

    def mismatch(self, order: SupportHold | SupportMove | Convoy) -> Unmatched | None:
        """Return what *order*, if it is possible at all, does not find to help with."""
        scene = self.scene
        if isinstance(order, Convoy):
            army = scene.at.get(order.army.province, NOBODY)
            matches = self.target[army] == province_of(order.target) and army not in self.void
            return None if matches else Unmatched.ARMY_NOT_CONVOYED
        other = scene.at.get(order.supported.province, NOBODY)
        if isinstance(order, SupportHold):
            if self.target[other]:
                return Unmatched.SUPPORTED_MOVES
            absent = not self.given.get(scene.powers[other])
            fails = scene.rulebook.support_of_the_absent is SupportOfTheAbsent.FAILS
            return Unmatched.POWER_ABSENT if absent and fails else None
        move = self.orders[other]
        if not isinstance(move, Move) or self.target[other] != province_of(order.target):
            return Unmatched.NO_SUCH_MOVE
        if move.target != order.target and self._coasts_differ(other, move, order):
            return Unmatched.COAST_MISMATCH
        return None

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.scene.position.units[supported]
        meant = coasts.supported_coast_meant(self.scene, fleet, order.target)
        return "/" in meant and coasts.landing(self.scene, fleet, move.target) != meant

    def _match(self) -> None:
        """Let supports and convoys find what they are to help with, if they plainly do."""
        scene, landing, target = self.scene, self.landing, self.target
        standing, posts = scene.standing, scene.posts
        absent = scene.rulebook.support_of_the_absent is SupportOfTheAbsent.SUCCEEDS
        for unit in self._helping:
            order = self.orders[unit]
            if isinstance(order, SupportMove):
                other = standing.get(order.supported.location, NOBODY)
                there = landing[other]
                if (
                    there
                    and there.location == order.target
                    and there.province in posts[unit].landings
                ):
                    self._support(unit, other, there.province)
                else:
                    self._support_closely(unit, order)
            elif isinstance(order, SupportHold):
                other = standing.get(order.supported.location, NOBODY)
                end = posts[other].province
                if absent and target[other] is None and end in posts[unit].landings:
                    self._support(unit, other, end)
                else:
                    self._support_closely(unit, order)
            elif isinstance(order, Convoy):
                self._carry(unit, order)

    def _support(self, unit: int, supported: int, end: Province) -> None:
        self.aim[unit] = end
        self.supporting.append(unit)
        self.supporters[supported] += (unit,)

    def _support_closely(self, unit: int, order: SupportHold | SupportMove) -> None:
        """Let a support find its match that is not plain."""
        scene = self.scene
        other = scene.at.get(order.supported.province, NOBODY)
        if other == NOBODY or self.mismatch(order):
            return
        end = self.target[other] or scene.provinces[other]
        crosses = end in scene.posts[unit].landings and scene.posts[other].shore
        plain = crosses and isinstance(order, SupportMove) and end == order.target
        if plain or not obstacle(scene, scene.powers[unit], order):
            self._support(unit, other, end)

    def _carry(self, fleet: int, order: Convoy) -> None:
        scene = self.scene
        if self.mismatch(order):
            return
        army = scene.at[order.army.province]
        if self._on_route(fleet, army, order.target) or not obstacle(
            scene, scene.powers[fleet], order
        ):
            self.fleets.setdefault(army, []).append(fleet)

    def _on_route(self, fleet: int, army: int, end: Province) -> bool:
        """Tell whether *fleet* is plainly on a route of *army* to *end*."""
        scene, reach = self.scene, self.scene.reach
        sea, start = scene.posts[fleet].sea, scene.posts[army]
        if not scene.standing or end == start.province:
            return False
        if sea & start.shore & reach.shore.get(end, 0):
            return True
        return bool(sea & useful(reach, start.province, end, scene.afloat))

    def helps(self, unit: int) -> bool:
        """Tell whether the support or convoy that *unit* was ordered to give found its match."""
        if self.aim[unit] is not None:
            return True
        return any(unit in fleets for fleets in self.fleets.values())

    def _board(self) -> None:
        """Let the armies that may go by sea find their way; they may have set out by land."""
        for army in self.fleets:
            end = self.target[army]
            if army not in self._leaving and end is not None:
                self.attackers[end].remove(army)
                if not self.attackers[end]:
                    del self.attackers[end]
                self._leaving.append(army)
        for mover in self._leaving:
            self._set_out(mover)

    def _set_out(self, mover: int) -> None:
        order, end = self.orders[mover], self.target[mover]
        assert isinstance(order, Move)
        assert end is not None
        occupant = self.scene.at.get(end, NOBODY)
        opposite = occupant != NOBODY and self.target[occupant] == self.scene.provinces[mover]
        fleets = self.fleets.get(mover, ())
        way = voyage_of(self.scene, mover, order, fleets, opposite=opposite)
        if isinstance(way, Unmatched):
            self.void[mover] = way
            return
        if way is not None:
            self.voyages[mover] = way
        self.attackers.setdefault(end, []).append(mover)
