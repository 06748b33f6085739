"""The orders of a movement phase, with each support and convoy matched to the order it names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.rules import phase_context
from judge.rules.convoys import ConvoyRoute, are_seas_linked, convoy_route_of, fleets_on_routes
from judge.rules.legality import counts_as_move, find_fault
from judge.rules.order_sets import counting_orders
from judge.rules.outcomes import Impossible, Unmatched
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

# A module constant is faster than an enum lookup.
FROM_FLEET, ABSENT_SUCCEEDS = ConvoyedAttackFrom.FROM_FLEET, SupportOfTheAbsent.SUCCEEDS
OMIT_ANY, ROUTE_IGNORED = SupportedCoast.OMIT_ANY, WrittenRoute.IGNORED
MOVES_AND_OTHER_PHASES = (Move, Retreat, Disband, Build, Waive)


def match_orders(context: PhaseContext, given: Mapping[Power, Sequence[Order]]) -> MatchedOrders:
    """Match the orders *given*, of which at most one counts for each unit."""
    matched = MatchedOrders(context, given, given)
    if not matched.has_repeated_orders:
        return matched
    return MatchedOrders(context, given, counting_orders(context, given))


class MatchedOrders:
    """The moves, supports and convoys of one phase; units are known by their index.

    By unit, with one more entry at the end for `NO_UNIT`:

    - *orders*: the order that counts, *destinations*: the node it moves to;
    - *support_targets*: the province that a matched support is for, *supporters*: the units whose
      matched support is for this unit.

    By province, *sole_attackers* has the only unit that moves there, *rival_attackers* all of them
    where there are several. *supporting* are the units with a matched support, *holding* those
    without a move or a matched support. *fleets* are those with a matched convoy, by army;
    *convoy_routes* are of the armies that go by convoy. *void_moves* have no effect, with the
    reason. *given* are all orders, *counting* those that were matched.

    An army that *may_fall_back* goes by land if its convoy is disrupted (DATC 4.A.3);
    *failed_fleets* are those of such convoys, with the unit that dislodged them.
    *attacks_from_fleet* is the answer to DATC 4.A.4.
    """

    def __init__(
        self,
        context: PhaseContext,
        given: Mapping[Power, Sequence[Order]],
        counting: Mapping[Power, Sequence[Order]],
    ) -> None:
        count = len(context.units) + 1
        self.context = context
        self.given = given
        self.counting = counting
        self.attacks_from_fleet = context.rulebook.convoyed_attack_from is FROM_FLEET
        self.has_repeated_orders = False
        self.orders: list[MovementOrder | None] = [None] * count
        self.destinations: list[MapNode | None] = [None] * count
        self.sole_attackers: dict[Province, int] = {}
        self.rival_attackers: dict[Province, tuple[int, ...]] = {}
        self.possibly_convoyed: list[int] = []
        self.void_moves: dict[int, Unmatched | Impossible] = {}
        self.support_targets: list[Province | None] = [None] * count
        self.supporting: list[int] = []
        self.supporters: list[tuple[int, ...]] = [()] * count
        self.holding: list[int] = []
        self.fleets: dict[int, list[int]] = {}
        self.convoy_routes: dict[int, ConvoyRoute] = {}
        self.may_fall_back = False
        self.failed_fleets: dict[int, int | None] = {}
        unclear, others = self._add_land_moves(counting)
        for power, order in unclear:
            self._add_unclear_move(power, order)
        self._match_supports(others)
        if (self.fleets or self.possibly_convoyed) and not self.has_repeated_orders:
            self._choose_routes()

    def attackers(self, province: Province) -> tuple[int, ...]:
        """Return the units that move to *province*."""
        if province in self.sole_attackers:
            return (self.sole_attackers[province],)
        return self.rival_attackers.get(province, ())

    def destination_of(self, unit: int) -> Province | None:
        """Return the province that *unit* is ordered to move to."""
        destination = self.destinations[unit]
        return None if destination is None else destination.province

    def attack_origin(self, unit: int) -> Province:
        """Return the province that the attack of *unit* comes from (DATC 4.A.4)."""
        if self.attacks_from_fleet and unit in self.convoy_routes:
            return self.convoy_routes[unit].last(self.context)
        return self.context.units[unit].province

    def attack_each_other(self, unit: int, other: int) -> bool:
        """Return whether each of the two attacks where the other comes from, by land or sea."""
        return (
            self.destination_of(other) == self.attack_origin(unit)
            and self.destination_of(unit) == self.attack_origin(other)
            and other not in self.void_moves
        )

    def find_mismatch(self, order: SupportHold | SupportMove | Convoy) -> Unmatched | None:
        """Return why *order*, if it is legal at all, matches no order of the unit it names."""
        context = self.context
        if isinstance(order, Convoy):
            army = context.unit_at.get(order.army.province, NO_UNIT)
            goes_there = self.destination_of(army) == province_of(order.target)
            matches = goes_there and army not in self.void_moves
            return None if matches else Unmatched.ARMY_NOT_CONVOYED
        supported = context.unit_at.get(order.supported.province, NO_UNIT)
        if isinstance(order, SupportHold):
            if self.destinations[supported]:
                return Unmatched.SUPPORTED_MOVES
            absent = not self.given.get(context.units[supported].power)
            fails = context.rulebook.support_of_the_absent is SupportOfTheAbsent.FAILS
            return Unmatched.POWER_ABSENT if absent and fails else None
        move = self.orders[supported]
        if not isinstance(move, Move) or self.destination_of(supported) != province_of(
            order.target
        ):
            return Unmatched.NO_SUCH_MOVE
        if move.target != order.target and self._coasts_differ(supported, move, order):
            return Unmatched.COAST_MISMATCH
        return None

    def send_overland(self, armies: Mapping[int, Mapping[int, int | None]]) -> None:
        """Move *armies* by land, each with its failed fleets and what dislodged them."""
        for army, fleets in armies.items():
            del self.convoy_routes[army]
            self.failed_fleets.update(fleets)

    def _coasts_differ(self, supported: int, move: Move, order: SupportMove) -> bool:
        fleet = self.context.units[supported]
        meant = phase_context.supported_coast(self.context, fleet, order.target)
        return (
            "/" in meant
            and phase_context.landing_location(self.context, fleet, move.target) != meant
        )

    def _add_land_moves(
        self, given: Mapping[Power, Sequence[Order]]
    ) -> tuple[list[tuple[Power, Move]], list[tuple[Power, Order]]]:
        """Add the moves that are clearly by land; return the other moves, and all other orders."""
        context, orders, destinations = self.context, self.orders, self.destinations
        units, unit_by_location = context.units, context.unit_by_location
        nodes, sole_attackers = context.map_index.nodes, self.sole_attackers
        unclear: list[tuple[Power, Move]] = []
        others: list[tuple[Power, Order]] = []
        for power, several in given.items():
            for order in several:
                if type(order) is not Move:  # faster than `isinstance` where it is not one
                    others.append((power, order))
                    continue
                try:
                    unit = unit_by_location[order.unit.location]
                    mover = units[unit]
                    node = nodes[mover.name].adjacent[order.target]
                except KeyError:  # no such unit, or the target is not adjacent
                    unclear.append((power, order))
                    continue
                if mover.power != power or order.via_convoy or orders[unit] is not None:
                    unclear.append((power, order))
                    continue
                orders[unit] = order
                destinations[unit] = node
                province = node.province
                if province in sole_attackers:
                    earlier = self.rival_attackers.get(province, (sole_attackers[province],))
                    self.rival_attackers[province] = (*earlier, unit)
                else:
                    sole_attackers[province] = unit
        for province in self.rival_attackers:
            del sole_attackers[province]
        return unclear, others

    def _add_unclear_move(self, power: Power, order: Move) -> None:
        """Add a move by convoy, or one that needs the full check for legality."""
        context = self.context
        unit = context.find_unit(order.unit.location)
        if unit != NO_UNIT and context.units[unit].power == power:
            node = self._clear_destination(unit, order)
            if node is not None:
                self._add_possibly_convoyed(unit, order, node)
                return
        fault = find_fault(context, power, order)
        if fault and not counts_as_move(context, order, fault):
            return
        unit = context.unit_at[order.unit.province]
        kind = context.units[unit].kind
        if fault:
            self._set_order(unit, order)
            self.destinations[unit] = MapNode(kind, "", province_of(order.target))
            self.void_moves[unit] = fault
            return
        location = phase_context.target_location(context, context.units[unit], order.target)
        self._add_possibly_convoyed(unit, order, context.map_index.nodes_of(kind)[location])

    def _set_order(self, unit: int, order: MovementOrder) -> None:
        """Make *order* the one that counts for *unit*, which should have no other."""
        if self.orders[unit] is not None:
            self.has_repeated_orders = True
        self.orders[unit] = order

    def _add_possibly_convoyed(self, unit: int, order: Move, node: MapNode) -> None:
        self._set_order(unit, order)
        self.destinations[unit] = node
        self.possibly_convoyed.append(unit)

    def _clear_destination(self, unit: int, order: Move) -> MapNode | None:
        """Return where *order* takes *unit*, if that clearly is adjacent or across open seas."""
        context, map_index = self.context, self.context.map_index
        origin = map_index.node_of(context.units[unit])
        if not order.via_convoy:
            node = origin.adjacent.get(order.target)
            if node is not None:
                return node
        if order.target == origin.province or context.rulebook.written_route is not ROUTE_IGNORED:
            return None
        start, target = origin.coastal_seas, map_index.landing_seas.get(order.target, 0)
        if context.has_fleet_in(start & target) or are_seas_linked(
            map_index, start, target, context.seas_with_fleets
        ):
            return map_index.armies[order.target]
        return None

    def _match_supports(self, others: Sequence[tuple[Power, Order]]) -> None:
        """Match the supports that need no closer check; add all *others* with one."""
        orders, destinations, supporters = self.orders, self.destinations, self.supporters
        units, unit_by_location = self.context.units, self.context.unit_by_location
        nodes, rulebook = self.context.map_index.nodes, self.context.rulebook
        coast_optional = rulebook.supported_coast is OMIT_ANY
        holds_count = rulebook.support_of_the_absent is ABSENT_SUCCEEDS
        for power, order in others:
            try:
                if type(order) is SupportMove:
                    unit = unit_by_location[order.unit.location]
                    supported = unit_by_location[order.supported.location]
                    node, target = destinations[supported], order.target
                    clear = node is not None and (
                        node.location == target or (coast_optional and node.province == target)
                    )
                    province = node.province if node else ""
                elif type(order) is SupportHold:
                    unit = unit_by_location[order.unit.location]
                    supported = unit_by_location[order.supported.location]
                    clear = holds_count and destinations[supported] is None
                    province = units[supported].province
                else:
                    self._add_unclear_order(power, order)
                    continue
                supporter = units[unit]
                if (
                    clear
                    and supporter.power == power
                    and province in nodes[supporter.name].reachable
                    and orders[unit] is None
                ):
                    orders[unit] = order
                    self.support_targets[unit] = province
                    self.supporting.append(unit)
                    supporters[supported] += (unit,)
                    continue
            except KeyError:
                pass  # no such unit
            self._add_unclear_order(power, order)

    def _add_unclear_order(self, power: Power, order: Order) -> None:
        """Add a convoy, or another order that needs a closer check."""
        if isinstance(order, MOVES_AND_OTHER_PHASES):
            return
        context = self.context
        unit = context.unit_by_location.get(order.unit.location, NO_UNIT)
        clear = unit != NO_UNIT and context.units[unit].power == power and not self.orders[unit]
        if not clear:
            if find_fault(context, power, order):
                return
            unit = context.unit_at[order.unit.province]
        self._set_order(unit, order)
        if isinstance(order, Convoy):
            self._match_convoy(unit, order)
            self.holding.append(unit)
        elif isinstance(order, Hold) or not self._matches_support(unit, order):
            self.holding.append(unit)

    def _matches_support(self, unit: int, order: SupportHold | SupportMove) -> bool:
        """Match a support after the full check; return whether it matches."""
        context = self.context
        supported = context.unit_at.get(order.supported.province, NO_UNIT)
        if supported == NO_UNIT or self.find_mismatch(order):
            return False
        target = self.destination_of(supported) or context.units[supported].province
        units, map_index = context.units, context.map_index
        in_reach = target in map_index.node_of(units[unit]).reachable
        to_coast = in_reach and map_index.node_of(units[supported]).coastal_seas
        clear = to_coast and isinstance(order, SupportMove) and target == order.target
        if not clear and find_fault(context, units[unit].power, order):
            return False
        self.support_targets[unit] = target
        self.supporting.append(unit)
        self.supporters[supported] += (unit,)
        return True

    def _match_convoy(self, fleet: int, order: Convoy) -> None:
        context = self.context
        army = context.unit_by_location.get(order.army.location, NO_UNIT)
        node = self.destinations[army]
        if node is None or node.location != order.target or self.void_moves:
            if self.find_mismatch(order):
                return
            army = context.unit_at[order.army.province]
        if self._is_on_route(fleet, army, order.target) or not find_fault(
            context, context.units[fleet].power, order
        ):
            self.fleets.setdefault(army, []).append(fleet)

    def _is_on_route(self, fleet: int, army: int, target: Province) -> bool:
        """Return whether *fleet* clearly is one, on a route to *target* for *army*."""
        context, map_index = self.context, self.context.map_index
        convoying, convoyed = context.units[fleet], context.units[army]
        if convoyed.kind is not ARMY or convoying.kind is ARMY:
            return False
        sea = map_index.bit_of_sea.get(convoying.province, 0)
        start = map_index.coastal_seas.get(convoyed.province, 0)
        if sea & start & map_index.landing_seas.get(target, 0):
            return True
        return bool(
            sea
            and start
            and sea
            & fleets_on_routes(map_index, convoyed.province, target, context.seas_with_fleets)
        )

    def _choose_routes(self) -> None:
        """Decide for each army that may be convoyed whether it goes by land or by sea."""
        for army in self.fleets:
            node = self.destinations[army]
            if army not in self.possibly_convoyed and node is not None:
                others = [each for each in self.attackers(node.province) if each != army]
                self._set_attackers(node.province, tuple(others))
                self.possibly_convoyed.append(army)
        for mover in self.possibly_convoyed:
            self._choose_route(mover)

    def _choose_route(self, mover: int) -> None:
        context, order, node = self.context, self.orders[mover], self.destinations[mover]
        assert isinstance(order, Move)
        assert node is not None
        target = node.province
        opposing = self.destinations[context.unit_at.get(target, NO_UNIT)]
        opposite = opposing is not None and opposing.province == context.units[mover].province
        fleets = self.fleets.get(mover, ())
        route = convoy_route_of(context, mover, order, fleets, opposite=opposite)
        if isinstance(route, Unmatched):
            self.void_moves[mover] = route
            return
        if route is not None:
            self.convoy_routes[mover] = route
            self.may_fall_back = self.may_fall_back or route.or_land
        if target in self.sole_attackers or target in self.rival_attackers:
            self._set_attackers(target, (*self.attackers(target), mover))
        else:
            self.sole_attackers[target] = mover

    def _set_attackers(self, province: Province, attackers: tuple[int, ...]) -> None:
        self.sole_attackers.pop(province, None)
        self.rival_attackers.pop(province, None)
        if len(attackers) == 1:
            self.sole_attackers[province] = attackers[0]
        elif attackers:
            self.rival_attackers[province] = attackers
