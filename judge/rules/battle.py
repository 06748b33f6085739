"""The orders of one movement phase, matched with each other once.

Most orders are plainly possible: they name places exactly and ask for no convoy to be looked for,
so that they count under any rulebook that forgives slips. Those are told at first sight; whatever
else is written goes to `legality`, which looks closely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules import coasts
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
from judge.rules.questions import (
    ConvoyedAttackFrom,
    ConvoyParadoxes,
    SupportOfTheAbsent,
    WrittenRoute,
)
from judge.rules.reach import Post
from judge.rules.scene import NOBODY, Scene
from judge.rules.vocabulary import Power, Province, UnitKind, province_of
from judge.rules.voyage import Voyage, voyage_of

UNPRINTED = {ConvoyParadoxes.SZYKMAN, ConvoyParadoxes.ALL_HOLD, ConvoyParadoxes.DPTG}


class Battle:
    """Who attacks, supports and carries whom; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any; *target* where it moves, and
    *landing* the post there if it is plain; *aim* where it helps with a support that matched; *supporters* who so helps it. *fleets* are those that carry
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
        for unit, other, order in self._helping:
            if isinstance(order, SupportMove):
                self._support_move(unit, other, order)
            elif isinstance(order, SupportHold):
                self._support_hold(unit, other)
            else:
                self._carry(unit, other, order)
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

    def spares(self, army: int, supporter: int) -> bool:
        """Tell whether *army*, which comes by sea, cannot cut *supporter* (DATC 4.A.2).

        In the printed rulebooks it cannot cut the support of a fleet for an attack on its own
        convoy, and by that of 1982 for anything in a sea from where any army is convoyed.
        """
        rule = self.scene.rulebook.convoy_paradoxes
        if (
            rule in UNPRINTED
            or self.scene.position.units[supporter].kind is UnitKind.ARMY
            or (rule is not ConvoyParadoxes.RULE_1982 and self._supports_hold(supporter))
        ):
            return False
        voyages = self.voyages
        if rule is ConvoyParadoxes.RULE_1982:
            fleets = {fleet for voyage in voyages.values() for fleet in voyage.fleets}
        else:
            fleets = set(voyages[army].fleets)
        if rule is ConvoyParadoxes.RULE_2000:
            fleets = {fleet for fleet in fleets if voyages[army].needs(self.scene, fleet)}
        return self.aim[supporter] in {self.scene.provinces[fleet] for fleet in fleets}

    def land(self, stranded: Mapping[int, Sequence[int]]) -> None:
        """Let armies go by land after all, for want of the fleets that stand beside each."""
        for army, fleets in stranded.items():
            del self.voyages[army]
            self.failing.update(fleets)

    def _supports_hold(self, unit: int) -> bool:
        return isinstance(self.orders[unit], SupportHold)

    def _take_in(self, given: Mapping[Power, Sequence[Order]]) -> bool:
        """Take the possible orders in; tell whether no unit has two of them."""
        count = len(self.scene.position.units)
        self.orders: list[MovementOrder | None] = [None] * count
        self.target: list[Province | None] = [None] * count
        self.landing: list[Post | None] = [None] * count
        self.aim: list[Province | None] = [None] * count
        self.supporters: list[tuple[int, ...]] = [()] * count
        self.fleets: dict[int, list[int]] = {}
        self.voyages: dict[int, Voyage] = {}
        self.attackers: dict[Province, list[int]] = {}
        self.failing: set[int] = set()
        self.void: dict[int, Unmatched | Impossible] = {}
        self._helping: list[tuple[int, int, SupportHold | SupportMove | Convoy]] = []
        self._leaving: list[int] = []  # those whose way has to be found yet
        return all(self._take(power, several) for power, several in given.items())

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
                    group = attackers.get(end)
                    if group:
                        group.append(unit)
                    else:
                        attackers[end] = [unit]
                    continue
                plain = powers[unit] == power and self._may_cross(unit, order)
            elif isinstance(order, Waive):
                continue
            else:
                unit = standing.get(order.unit.location, NOBODY)
                plain = powers[unit] == power and self._helps(unit, order)
            if not plain:
                unit = self._look_closely(power, order)
                if unit == NOBODY:
                    continue
            if orders[unit]:
                return False
            assert isinstance(order, MovementOrder)
            orders[unit] = order
        return True

    def _may_cross(self, unit: int, order: Move) -> bool:
        """Tell whether *order* is plainly possible by sea, and note that its way is to be found."""
        scene = self.scene
        start, goal = scene.posts[unit].shore, scene.reach.shore.get(order.target, 0)
        if (
            scene.rulebook.written_route is not WrittenRoute.IGNORED
            or order.target == scene.posts[unit].province
            or not linked(scene.reach, start, goal, scene.afloat)
        ):
            return False
        self.target[unit] = order.target
        self._leaving.append(unit)
        return True

    def _helps(self, unit: int, order: Order) -> bool:
        """Tell whether *order* of *unit*, no move, is plainly possible, and note whom it helps."""
        scene = self.scene
        if isinstance(order, SupportMove):
            other = scene.standing.get(order.supported.location, NOBODY)
            there = scene.posts[other].touches.get(order.target)
            if not there or other == unit or there.province not in scene.posts[unit].landings:
                return False
        elif isinstance(order, SupportHold):
            other = scene.standing.get(order.supported.location, NOBODY)
            if scene.provinces[other] not in scene.posts[unit].landings:
                return False
        elif isinstance(order, Convoy):
            other = scene.standing.get(order.army.location, NOBODY)
            shores = scene.posts[other].shore & scene.reach.shore.get(order.target, 0)
            if not shores & scene.posts[unit].sea or order.target == scene.provinces[other]:
                return False
        else:
            return isinstance(order, Hold)
        self._helping.append((unit, other, order))
        return True

    def _look_closely(self, power: Power, order: Order) -> int:
        """Take in *order* if it is possible; return the unit that it is for."""
        fault = obstacle(self.scene, power, order)
        if fault and not counts_as_move(self.scene, order, fault):
            return NOBODY
        at = self.scene.at
        assert isinstance(order, MovementOrder)
        unit = at[order.unit.province]
        match order:
            case Move():
                self.target[unit] = province_of(order.target)
                if fault:
                    self.void[unit] = fault
                else:
                    self._leaving.append(unit)
            case SupportHold() | SupportMove():
                self._helping.append((unit, at[order.supported.province], order))
            case Convoy():
                self._helping.append((unit, at[order.army.province], order))
            case Hold():
                pass
        return unit

    def _support_hold(self, unit: int, supported: int) -> None:
        if self.target[supported]:
            self.void[unit] = Unmatched.SUPPORTED_MOVES
        elif self._absent(self.scene.powers[supported]):
            self.void[unit] = Unmatched.POWER_ABSENT
        else:
            self.aim[unit] = self.scene.provinces[supported]
            self.supporters[supported] += (unit,)

    def _absent(self, power: Power) -> bool:
        """Tell whether units of *power* are not to be supported, because it gave no order."""
        law = self.scene.rulebook.support_of_the_absent
        return law is SupportOfTheAbsent.FAILS and not self.given.get(power)

    def _support_move(self, unit: int, supported: int, order: SupportMove) -> None:
        move, end = self.orders[supported], self.target[supported]
        if not isinstance(move, Move):
            self.void[unit] = Unmatched.NO_SUCH_MOVE
        elif move.target != order.target and end != province_of(order.target):
            self.void[unit] = Unmatched.NO_SUCH_MOVE
        elif move.target != order.target and self._coasts_differ(supported, move, order):
            self.void[unit] = Unmatched.COAST_MISMATCH
        else:
            self.aim[unit] = end
            self.supporters[supported] += (unit,)

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.scene.position.units[supported]
        meant = coasts.supported_coast_meant(self.scene, fleet, order.target)
        return "/" in meant and coasts.landing(self.scene, fleet, move.target) != meant

    def _carry(self, fleet: int, army: int, order: Convoy) -> None:
        if self.target[army] == province_of(order.target):
            self.fleets.setdefault(army, []).append(fleet)
        else:
            self.void[fleet] = Unmatched.ARMY_NOT_CONVOYED

    def _board(self) -> None:
        """Let the armies that may go by sea find their way; they may have set out by land."""
        for army in self.fleets:
            end = self.target[army]
            if army not in self._leaving and end is not None:
                self.attackers[end].remove(army)
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
