"""The orders of a movement phase, each matched with the moves that it helps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules import unit_resolution
from judge.rules.convoys import ConvoyRoute, are_seas_linked, convoy_route_of, fleets_on_routes
from judge.rules.legality import counts_as_move, find_fault
from judge.rules.order_sets import counting_orders
from judge.rules.outcome import Impossible, Unmatched
from judge.rules.phase_context import ARMY, NO_UNIT, MapNode, PhaseContext
from judge.rules.rule_options import (
    ConvoyedAttackFrom,
    SupportedCoast,
    SupportOfTheAbsent,
    WrittenRoute,
)
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)
from judge.rules.unit_resolution import destination

# Looking into an enum takes long.
FROM_FLEET, UNHEEDED = ConvoyedAttackFrom.FROM_FLEET, SupportOfTheAbsent.SUCCEEDS
OMIT_ANY = SupportedCoast.OMIT_ANY
NOT_STAYING = (Move, Retreat, Disband, Build, Waive)  # which is taken in, or for other phases


def match_orders(scene: PhaseContext, given: Mapping[Power, Sequence[Order]]) -> MatchedOrders:
    """Match the orders *given*, of which one at most counts for a unit."""
    battle = MatchedOrders(scene, given, given)
    return (
        MatchedOrders(scene, given, counting_orders(scene, given)) if battle.repeated else battle
    )


class IndexedMoves:
    """The moves of a phase; units are known by their index in the position.

    *orders* has for each unit the one that counts, if any, *goal* the post that it is to move to;
    both have one more at the end, for `NOBODY`. *lone* is who sets out for a province by land if
    nobody else does, *rivals* are all who do if there are several, *leaving* those whose way has
    yet to be found, *void* the moves that can never be and count all the same (DATC 4.E.1).
    *others* are the orders that are no moves, with who gave them; *repeated* says that some unit
    was given several.
    """

    def __init__(self, scene: PhaseContext, given: Mapping[Power, Sequence[Order]]) -> None:
        count = len(scene.units) + 1
        self.scene = scene
        self.orders: list[MovementOrder | None] = [None] * count
        self.goal: list[MapNode | None] = [None] * count
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
        if unit != NO_UNIT and scene.units[unit].power == power:
            there = self._plain_goal(unit, order)
            if there is not None:
                self._leave(unit, order, there)
                return
        fault = find_fault(scene, power, order)
        if fault and not counts_as_move(scene, order, fault):
            return
        unit = scene.at[order.unit.province]
        if fault:
            self._note(unit, order)
            self.goal[unit] = MapNode(scene.units[unit].kind, "", province_of(order.target))
            self.void[unit] = fault
        else:
            self._leave(unit, order, self._landing(unit, order))

    def _note(self, unit: int, order: MovementOrder) -> None:
        """Let *order* count for *unit*, which should have no other."""
        if self.orders[unit] is not None:
            self.repeated = True
        self.orders[unit] = order

    def _leave(self, unit: int, order: Move, there: MapNode) -> None:
        self._note(unit, order)
        self.goal[unit] = there
        self.leaving.append(unit)

    def _plain_goal(self, unit: int, order: Move) -> MapNode | None:
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
        if scene.sailed(start & goal) or are_seas_linked(reach, start, goal, scene.afloat):
            return reach.armies[order.target]
        return None

    def _landing(self, mover: int, order: Move) -> MapNode:
        """Return the post that awaits *mover*, whose *order* is possible."""
        scene, unit = self.scene, self.scene.units[mover]
        return scene.reach.of(unit.kind)[destination(scene, unit, order.target)]


class MatchedOrders(IndexedMoves):
    """Who attacks, supports and carries whom; units are known by their index in the position.

    Beside what `Muster` has: *helping* are the units whose support found its match, *aim* is where
    each of them helps, *supporters* who so helps a unit, *idle* those that neither do this nor
    move. *fleets* are those that carry an army, *voyages* the armies that go by sea; some of these
    may be *falling* back to land, and then *failing* are the fleets that left one, and who broke
    that convoy. *lone* and *rivals* are now all whose move counts, those by sea among them, and
    *void* all moves without effect. *by_fleet* says that convoyed attacks come from the last fleet
    (DATC 4.A.4). *given* are all orders, of which only those *counting* were taken in.
    """

    def __init__(
        self,
        scene: PhaseContext,
        given: Mapping[Power, Sequence[Order]],
        counting: Mapping[Power, Sequence[Order]],
    ) -> None:
        IndexedMoves.__init__(self, scene, counting)  # `super` takes long
        self.given = given
        self.counting = counting
        self.by_fleet = scene.rulebook.convoyed_attack_from is FROM_FLEET
        self.aim: list[Province | None] = [None] * len(self.orders)
        self.helping: list[int] = []
        self.supporters: list[tuple[int, ...]] = [()] * len(self.orders)
        self.idle: list[int] = []
        self.fleets: dict[int, list[int]] = {}
        self.voyages: dict[int, ConvoyRoute] = {}
        self.falling = False
        self.failing: dict[int, int | None] = {}
        self._match()
        if (self.fleets or self.leaving) and not self.repeated:
            self._board()

    def attackers(self, province: Province) -> tuple[int, ...]:
        """Return who attacks *province*."""
        if province in self.lone:
            return (self.lone[province],)
        return self.rivals.get(province, ())

    def end(self, unit: int) -> Province | None:
        """Return where *unit* is ordered to move."""
        goal = self.goal[unit]
        return None if goal is None else goal.province

    def origin(self, unit: int) -> Province:
        """Return the province from where an attack of *unit* comes (DATC 4.A.4)."""
        if self.by_fleet and unit in self.voyages:
            return self.voyages[unit].last(self.scene)
        return self.scene.units[unit].province

    def meet(self, unit: int, other: int) -> bool:
        """Tell whether each of the two attacks where the other comes from, by land or sea."""
        return (
            self.end(other) == self.origin(unit)
            and self.end(unit) == self.origin(other)
            and other not in self.void
        )

    def mismatch(self, order: SupportHold | SupportMove | Convoy) -> Unmatched | None:
        """Return what *order*, if it is possible at all, does not find to help with."""
        scene = self.scene
        if isinstance(order, Convoy):
            army = scene.at.get(order.army.province, NO_UNIT)
            matches = self.end(army) == province_of(order.target) and army not in self.void
            return None if matches else Unmatched.ARMY_NOT_CONVOYED
        other = scene.at.get(order.supported.province, NO_UNIT)
        if isinstance(order, SupportHold):
            if self.goal[other]:
                return Unmatched.SUPPORTED_MOVES
            absent = not self.given.get(scene.units[other].power)
            fails = scene.rulebook.support_of_the_absent is SupportOfTheAbsent.FAILS
            return Unmatched.POWER_ABSENT if absent and fails else None
        move = self.orders[other]
        if not isinstance(move, Move) or self.end(other) != province_of(order.target):
            return Unmatched.NO_SUCH_MOVE
        if move.target != order.target and self._coasts_differ(other, move, order):
            return Unmatched.COAST_MISMATCH
        return None

    def land(self, stranded: Mapping[int, Mapping[int, int | None]]) -> None:
        """Let armies go by land after all, for want of the fleets that stand beside each."""
        for army, fleets in stranded.items():
            del self.voyages[army]
            self.failing.update(fleets)

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.scene.units[supported]
        meant = unit_resolution.supported_coast(self.scene, fleet, order.target)
        return (
            "/" in meant
            and unit_resolution.landing_location(self.scene, fleet, move.target) != meant
        )

    def _match(self) -> None:
        """Let supports find what they are to help with, if they plainly do."""
        orders, goal, aim, supporters = self.orders, self.goal, self.aim, self.supporters
        helping = self.helping
        units, named, posts = self.scene.units, self.scene.named, self.scene.reach.posts
        coast_left_open = self.scene.rulebook.supported_coast is OMIT_ANY
        absent_heeded = self.scene.rulebook.support_of_the_absent is not UNHEEDED
        for power, order in self.others:
            try:
                if type(order) is SupportMove:
                    unit, other = named[order.unit.location], named[order.supported.location]
                    there = goal[other]
                    end = None
                    if there is not None and (
                        there.location == order.target
                        or (coast_left_open and there.province == order.target)
                    ):
                        end = there.province
                elif type(order) is SupportHold:
                    unit, other = named[order.unit.location], named[order.supported.location]
                    stays = goal[other] is None and not absent_heeded
                    end = units[other].province if stays else None
                elif type(order) is Hold:
                    unit = other = named[order.unit.location]
                    end = None
                    if units[unit].power == power and orders[unit] is None:
                        orders[unit] = order
                        self.idle.append(unit)
                        continue
                else:
                    self._help(power, order)
                    continue
                helper = units[unit]
                if (
                    end is not None
                    and helper.power == power
                    and end in posts[helper.name].landings
                    and orders[unit] is None
                ):
                    orders[unit] = order
                    aim[unit] = end
                    helping.append(unit)
                    supporters[other] += (unit,)
                    continue
            except KeyError:
                pass  # there is no such unit
            self._help(power, order)

    def _help(self, power: Power, order: Order) -> None:
        """Take in an order that is no move, and not plainly a support of what is ordered."""
        if isinstance(order, NOT_STAYING):
            return
        scene = self.scene
        unit = scene.named.get(order.unit.location, NO_UNIT)
        plain = unit != NO_UNIT and scene.units[unit].power == power and not self.orders[unit]
        if not plain:
            if find_fault(scene, power, order):
                return
            unit = scene.at[order.unit.province]
        self._note(unit, order)
        if isinstance(order, Convoy):
            self._carry(unit, order)
            self.idle.append(unit)
        elif isinstance(order, Hold) or not self._support_closely(unit, order):
            self.idle.append(unit)

    def _support_closely(self, unit: int, order: SupportHold | SupportMove) -> bool:
        """Let a support find its match that is not plain; tell whether it does."""
        scene = self.scene
        other = scene.at.get(order.supported.province, NO_UNIT)
        if other == NO_UNIT or self.mismatch(order):
            return False
        end = self.end(other) or scene.units[other].province
        units, reach = scene.units, scene.reach
        crosses = end in reach.post(units[unit]).landings and reach.post(units[other]).shore
        plain = crosses and isinstance(order, SupportMove) and end == order.target
        if not plain and find_fault(scene, scene.units[unit].power, order):
            return False
        self.aim[unit] = end
        self.helping.append(unit)
        self.supporters[other] += (unit,)
        return True

    def _carry(self, fleet: int, order: Convoy) -> None:
        scene = self.scene
        army = scene.named.get(order.army.location, NO_UNIT)
        there = self.goal[army]
        if there is None or there.location != order.target or self.void:
            if self.mismatch(order):
                return
            army = scene.at[order.army.province]
        if self._on_route(fleet, army, order.target) or not find_fault(
            scene, scene.units[fleet].power, order
        ):
            self.fleets.setdefault(army, []).append(fleet)

    def _on_route(self, fleet: int, army: int, end: Province) -> bool:
        """Tell whether *fleet* is plainly on a route of *army*, if it is one, to *end*."""
        reach, sailor, soldier = self.scene.reach, self.scene.units[fleet], self.scene.units[army]
        if soldier.kind is not ARMY or sailor.kind is ARMY:
            return False
        sea, shore = reach.sea.get(sailor.province, 0), reach.shore.get(soldier.province, 0)
        if sea & shore & reach.shore.get(end, 0):
            return True
        return bool(
            sea
            and shore
            and sea & fleets_on_routes(reach, soldier.province, end, self.scene.afloat)
        )

    def _board(self) -> None:
        """Let the armies that may go by sea find their way; they may have set out by land."""
        for army in self.fleets:
            there = self.goal[army]
            if army not in self.leaving and there is not None:
                end = there.province
                self._attack(end, tuple([each for each in self.attackers(end) if each != army]))
                self.leaving.append(army)
        for mover in self.leaving:
            self._set_out(mover)

    def _set_out(self, mover: int) -> None:
        scene, order, there = self.scene, self.orders[mover], self.goal[mover]
        assert isinstance(order, Move)
        assert there is not None
        end = there.province
        coming = self.goal[scene.at.get(end, NO_UNIT)]
        opposite = coming is not None and coming.province == scene.units[mover].province
        fleets = self.fleets.get(mover, ())
        way = convoy_route_of(scene, mover, order, fleets, opposite=opposite)
        if isinstance(way, Unmatched):
            self.void[mover] = way
            return
        if way is not None:
            self.voyages[mover] = way
            self.falling = self.falling or way.or_land
        if end in self.lone or end in self.rivals:
            self._attack(end, (*self.attackers(end), mover))
        else:
            self.lone[end] = mover

    def _attack(self, end: Province, attackers: tuple[int, ...]) -> None:
        """Let *attackers* be all who attack *end*."""
        self.lone.pop(end, None)
        self.rivals.pop(end, None)
        if len(attackers) == 1:
            self.lone[end] = attackers[0]
        elif attackers:
            self.rivals[end] = attackers


IGNORED = WrittenRoute.IGNORED  # Looking into an enum takes long.
