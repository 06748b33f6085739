"""Find faults of orders that do not depend on other orders, and list possible orders.

Orders that leave something out are completed (DATC 4.E.1).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import assert_never

from judge.rules import adjustments, retreats
from judge.rules.board import Map, Terrain
from judge.rules.convoys import fleets_on_routes, is_convoy_path, must_go_by_sea
from judge.rules.outcomes import Impossible
from judge.rules.phase_context import (
    PhaseContext,
    has_loose_name,
    has_superfluous_coast,
    landing_location,
    map_index_of,
    names_coast,
    naming_fault,
    supported_coast,
    target_location,
)
from judge.rules.phase_sequence import open_build_sites
from judge.rules.rule_options import (
    CountedOrders,
    StandingCoastWrong,
    SupportedCoast,
    WrittenRoute,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    MOVEMENT,
    RETREATS,
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    MovementOrder,
    Order,
    PhaseKind,
    Position,
    Power,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

# DATC 4.C: an order with one of these faults is not an order at all.
NO_ORDER_AT_ALL = frozenset(
    {
        Impossible.NO_SUCH_UNIT,
        Impossible.NOT_YOURS,
        Impossible.KIND_NEEDED,
        Impossible.KIND_WRONG,
        Impossible.POWER_WRONG,
    }
)


def impossibility(
    board: Map, position: Position, power: Power, order: Order, rulebook: Rulebook = DATC
) -> Impossible | None:
    """Return why *order* of *power* is impossible, whatever the other orders; None if it is not.

    What depends on other orders of the set, such as an excess build, is not checked here.
    """
    return find_fault(PhaseContext(board, position, rulebook), power, order)


def completed_order(
    board: Map, position: Position, order: Order, rulebook: Rulebook = DATC
) -> Order:
    """Return *order* with the kinds, powers and coasts that the rules read into it.

    An impossible order is completed as far as possible.
    """
    context = PhaseContext(board, position, rulebook)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _completed_movement_order(context, order)
        case PhaseKind.RETREATS:
            return retreats.completed(context, order)
        case PhaseKind.ADJUSTMENTS:
            return adjustments.completed(context, order)
        case kind:
            assert_never(kind)


def find_fault(context: PhaseContext, power: Power, order: Order) -> Impossible | None:
    """Do what `impossibility` does, in a *context* that serves for many orders."""
    kind = context.position.phase.kind
    if kind is MOVEMENT:
        return _movement_fault(context, power, order)
    if kind is RETREATS:
        return retreats.find_fault(context, power, order)
    return adjustments.find_fault(context, power, order)


def counts_as_move(context: PhaseContext, order: Order, fault: Impossible) -> bool:
    """Return whether *order* counts as a move despite its *fault* (DATC 4.E.1).

    Its unit cannot be supported to hold then.
    """
    movement = context.position.phase.kind is PhaseKind.MOVEMENT
    if not movement or not isinstance(order, Move) or fault in NO_ORDER_AT_ALL:
        return False
    match context.rulebook.counted_orders:
        case CountedOrders.POSSIBLE_NOW:
            return False
        case CountedOrders.POSSIBLE_SOMETIME:
            return _possible_from_another_coast(context, order)
        case CountedOrders.MAP_NAMES:
            return province_of(order.target) in context.board.places
        case CountedOrders.ANY_TEXT:
            return True
        case rule:
            assert_never(rule)


def is_loosely_named(context: PhaseContext, order: Order) -> bool:
    """Return whether the possible *order* yields to one that names its units properly (4.C)."""
    match order:
        case Build() | Waive():
            return False
        case Hold() | Move() | Retreat() | Disband():
            names = [order.unit]
        case SupportHold() | SupportMove():
            names = [order.unit, order.supported]
        case Convoy():
            names = [order.unit, order.army]
        case _:
            assert_never(order)
    named = [(_named_unit(context, name), name) for name in names]
    power = named[0][0].power
    return any(has_loose_name(context, power, unit, name) for unit, name in named)


def _named_unit(context: PhaseContext, name: UnitName) -> Unit:
    dislodged = retreats.dislodged_unit_in(context, name.province)
    unit = dislodged.unit if dislodged else context.unit_in(name.province)
    assert unit is not None
    return unit


def _movement_fault(context: PhaseContext, power: Power, order: Order) -> Impossible | None:
    match order:
        case Move() | SupportHold() | SupportMove() | Convoy() | Hold():
            unit = context.unit_in(order.unit.province)
        case Retreat() | Disband() | Build() | Waive():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return naming_fault(context, power, unit, order.unit) or _order_fault(context, unit, order)


def _order_fault(context: PhaseContext, unit: Unit, order: MovementOrder) -> Impossible | None:
    match order:
        case Move():
            return _move_fault(context, unit, order)
        case SupportHold() | SupportMove():
            return _support_fault(context, unit, order)
        case Convoy():
            return _convoy_fault(context, unit, order)
        case Hold():
            return None
        case _:
            assert_never(order)


def _move_fault(context: PhaseContext, unit: Unit, order: Move) -> Impossible | None:
    destination = province_of(order.target)
    if destination == unit.province:
        return Impossible.SAME_PROVINCE
    sea_only = destination not in context.reachable(unit) or (
        order.via_convoy and must_go_by_sea(context.rulebook)
    )
    if unit.kind is UnitKind.ARMY and sea_only:
        return _convoyed_move_fault(context, unit, order)
    found = landing_location(context, unit, order.target)
    if not isinstance(found, Impossible):
        return None
    return _fleet_move_fault(context, unit, order) if found is Impossible.UNREACHABLE else found


def _fleet_move_fault(context: PhaseContext, fleet: Unit, order: Move) -> Impossible:
    destination = province_of(order.target)
    if order.unit.location in context.board.locations:
        elsewhere = replace(fleet, location=order.unit.location)
        if destination in context.reachable(elsewhere):
            return Impossible.OTHER_COAST
    inland = _terrain(context, destination) is Terrain.INLAND
    return Impossible.NO_FLEET_INLAND if inland else Impossible.FLEET_UNREACHABLE


def _terrain(context: PhaseContext, province: Province) -> Terrain | None:
    place = context.board.places.get(province)
    return place.terrain if place else None


def _convoyed_move_fault(context: PhaseContext, army: Unit, order: Move) -> Impossible | None:
    start, destination, seas = army.province, province_of(order.target), _open_seas(context)
    if not is_convoy_path(context.map_index, start, destination, seas):
        if destination in context.reachable(army):
            return Impossible.NO_WAY_BY_SEA
        at_sea = _terrain(context, destination) is Terrain.SEA
        return Impossible.NO_ARMY_AT_SEA if at_sea else Impossible.UNREACHABLE
    if has_superfluous_coast(context, army, order.target):
        return Impossible.COAST_SUPERFLUOUS
    if context.rulebook.written_route is WrittenRoute.IGNORED:
        return None
    if order.route:
        is_chain = _is_chain(context, start, order.route, destination, seas)
        return None if is_chain else Impossible.ROUTE_IMPOSSIBLE
    required = context.rulebook.written_route is WrittenRoute.REQUIRED
    return Impossible.ROUTE_NEEDED if required else None


def _open_seas(context: PhaseContext) -> int:
    """Return the seas over which an army can be convoyed, now or at any time (DATC 4.E.1)."""
    if context.rulebook.counted_orders is CountedOrders.POSSIBLE_NOW:
        return context.seas_with_fleets
    return sum(context.map_index.bit_of_sea.values())


def _is_chain(
    context: PhaseContext,
    start: Province,
    route: tuple[Province, ...],
    destination: Province,
    seas: int,
) -> bool:
    """Return whether *route*, in the order written, is a chain of *seas* between two provinces."""
    map_index, sea, beyond = context.map_index, 0, context.map_index.coastal_seas[start]
    for province in route:
        sea = map_index.bit_of_sea.get(province, 0) & beyond & seas
        beyond = map_index.adjacent_seas.get(sea, 0)
    return bool(sea & map_index.landing_seas[destination])


def _possible_from_another_coast(context: PhaseContext, order: Move) -> bool:
    unit = context.unit_in(order.unit.province)
    assert unit is not None
    return any(
        not isinstance(
            landing_location(context, replace(unit, location=coast), order.target), Impossible
        )
        for coast in context.board.coasts_of(unit.province)
    )


def _support_fault(
    context: PhaseContext, unit: Unit, order: SupportHold | SupportMove
) -> Impossible | None:
    supported = context.unit_in(order.supported.province)
    if supported is None:
        return Impossible.NO_OTHER_UNIT
    if supported is unit:
        return Impossible.SELF_SUPPORT
    target = order.target if isinstance(order, SupportMove) else supported.location
    if province_of(target) not in context.reachable(unit):
        return Impossible.SUPPORTER_CANNOT_REACH
    if fault := naming_fault(context, unit.power, supported, order.supported):
        return fault
    if isinstance(order, SupportMove):
        return _supported_move_fault(context, unit, supported, target)
    return _held_coast_fault(context, supported, order.supported.location)


def _held_coast_fault(
    context: PhaseContext, supported: Unit, named: Location
) -> Impossible | None:
    """Return what is wrong with the coast *named* in a support to hold (DATC 4.B.5)."""
    if context.rulebook.standing_coast_wrong is not StandingCoastWrong.ILLEGAL_IN_SUPPORT:
        return None
    wrong = names_coast(context, supported, named) and named != supported.location
    return Impossible.STANDING_COAST_WRONG if wrong else None


def _supported_move_fault(
    context: PhaseContext, supporter: Unit, unit: Unit, target: Location
) -> Impossible | None:
    destination = province_of(target)
    options = context.reachable(unit).get(destination)
    if has_superfluous_coast(context, unit, target):
        return Impossible.COAST_SUPERFLUOUS
    if options is None:
        # DATC 6.D.31: the supporter cannot carry the army as well.
        others = _open_seas(context) & ~context.map_index.bit_of_sea.get(supporter.province, 0)
        army = unit.kind is UnitKind.ARMY and destination != unit.province
        by_sea = army and is_convoy_path(context.map_index, unit.province, destination, others)
        return None if by_sea else Impossible.SUPPORTED_CANNOT_REACH
    if unit.kind is UnitKind.ARMY or target in options:
        return None
    return _supported_coast_fault(context, supporter, unit, target, options)


def _supported_coast_fault(
    context: PhaseContext,
    supporter: Unit,
    unit: Unit,
    target: Location,
    options: tuple[Location, ...],
) -> Impossible | None:
    rule = context.rulebook.supported_coast
    if rule is SupportedCoast.IGNORED:
        return None
    if target in context.board.locations and target != province_of(target):
        return Impossible.COAST_UNREACHABLE
    own_or_single = supporter.power == unit.power or len(options) == 1
    if rule is SupportedCoast.REQUIRED_FAIL or (
        rule is SupportedCoast.OMIT_OWN_OR_SINGLE and not own_or_single
    ):
        return Impossible.COAST_NEEDED
    return None


def _convoy_fault(context: PhaseContext, unit: Unit, order: Convoy) -> Impossible | None:
    if unit.province not in context.map_index.bit_of_sea:
        return Impossible.NOT_AT_SEA
    army = context.unit_in(order.army.province)
    if army is None:
        return Impossible.NO_OTHER_UNIT
    if army.kind is UnitKind.FLEET:
        return Impossible.FLEET_CONVOYED
    return naming_fault(context, unit.power, army, order.army) or _convoyed_army_fault(
        context, unit, army, order.target
    )


def _convoyed_army_fault(
    context: PhaseContext, fleet: Unit, army: Unit, target: Location
) -> Impossible | None:
    destination = province_of(target)
    if army.province == destination:
        return Impossible.SAME_PROVINCE
    if has_superfluous_coast(context, army, target):
        return Impossible.COAST_SUPERFLUOUS
    routes = fleets_on_routes(context.map_index, army.province, destination, _open_seas(context))
    return None if routes & context.map_index.bit_of_sea[fleet.province] else Impossible.NO_ROUTE


def _completed_movement_order(context: PhaseContext, order: Order) -> Order:
    match order:
        case Hold():
            return replace(order, unit=_completed_name(context, order.unit))
        case Move():
            unit = context.unit_in(order.unit.province)
            target = target_location(context, unit, order.target) if unit else order.target
            return replace(order, unit=_completed_name(context, order.unit), target=target)
        case SupportHold():
            supported = _completed_name(context, order.supported, foreign=True)
            return replace(order, unit=_completed_name(context, order.unit), supported=supported)
        case SupportMove():
            unit = context.unit_in(order.supported.province)
            target = supported_coast(context, unit, order.target) if unit else order.target
            supported = _completed_name(context, order.supported, foreign=True)
            return replace(
                order,
                unit=_completed_name(context, order.unit),
                supported=supported,
                target=target,
            )
        case Convoy():
            army = _completed_name(context, order.army, foreign=True)
            target = province_of(order.target)
            return replace(
                order, unit=_completed_name(context, order.unit), army=army, target=target
            )
        case Retreat() | Disband() | Build() | Waive():
            return order
        case _:
            assert_never(order)


def _completed_name(context: PhaseContext, name: UnitName, *, foreign: bool = False) -> UnitName:
    unit = context.unit_in(name.province)
    if unit is None:
        return name
    return UnitName(unit.kind, unit.location, unit.power if foreign else name.power)


def correction_of(
    board: Map, position: Position, power: Power, order: Order, rulebook: Rulebook = DATC
) -> Order | None:
    """Return *order* of *power* as corrected by the rulebook; None if it is impossible or as is.

    Leaving out the kind, coast or power of a unit is not corrected; leaving out the coast it moves
    to or is built on lets the rulebook choose.
    """
    if impossibility(board, position, power, order, rulebook):
        return None
    meant = _as_brief_as_written(order, completed_order(board, position, order, rulebook))
    if isinstance(order, Move) and isinstance(meant, Retreat):
        order = Retreat(order.unit, order.target)
    return None if meant == order else meant


def _as_brief_as_written(order: Order, meant: Order) -> Order:
    """Return *meant* without what *order* leaves out."""
    match order, meant:
        case (
            Hold(unit) | Move(unit) | Retreat(unit) | Disband(unit),
            Hold() | Move() | Retreat() | Disband(),
        ):
            return replace(meant, unit=_as_brief_name(unit, meant.unit))
        case SupportHold(unit, other) | SupportMove(unit, other), SupportHold() | SupportMove():
            supported = _as_brief_name(other, meant.supported)
            return replace(meant, unit=_as_brief_name(unit, meant.unit), supported=supported)
        case Convoy(unit, army), Convoy():
            return replace(
                meant, unit=_as_brief_name(unit, meant.unit), army=_as_brief_name(army, meant.army)
            )
        case _:
            return meant


def _as_brief_name(written: UnitName, meant: UnitName) -> UnitName:
    return UnitName(
        meant.kind if written.kind else None,
        meant.location if "/" in written.location else meant.province,
        meant.power if written.power else None,
    )


def possible_orders(
    board: Map, position: Position, power: Power, rulebook: Rulebook
) -> Iterator[tuple[UnitName | None, tuple[Order, ...]]]:
    """Yield each unit of *power* that may be ordered, with its orders; None has the waived build.

    A unit that may be built is one of those.
    """
    for unit, orders in _candidate_orders(board, position, power):
        possible = tuple(
            each
            for each in orders
            if impossibility(board, position, power, each, rulebook) is None
        )
        if possible:
            yield unit, possible


def _candidate_orders(
    board: Map, position: Position, power: Power
) -> Iterator[tuple[UnitName | None, Iterable[Order]]]:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            for unit in position.units_of(power):
                yield unit.named(), _movements(board, position, unit)
        case PhaseKind.RETREATS:
            for each in position.dislodged_of(power):
                name = each.unit.named()
                retreats = (Retreat(name, target) for target in each.retreats)
                yield name, (*retreats, Disband(name))
        case PhaseKind.ADJUSTMENTS:
            yield from _adjustments(board, position, power)
        case kind:
            assert_never(kind)


def _adjustments(
    board: Map, position: Position, power: Power
) -> Iterator[tuple[UnitName | None, Iterable[Order]]]:
    due = position.due(power)
    if due < 0:
        for unit in position.units_of(power):
            yield unit.named(), (Disband(unit.named()),)
    elif due > 0:
        for home in open_build_sites(board, position, power):
            for kind, locations in (
                (UnitKind.ARMY, (home,)),
                (UnitKind.FLEET, board.coasts_of(home) or (home,)),
            ):
                for location in locations:
                    name = UnitName(kind, location)
                    yield name, (Build(name),)
        yield None, (Waive(),)


def _movements(board: Map, position: Position, unit: Unit) -> Iterator[Order]:
    """Yield what *unit* might do, most of which a rule may forbid."""
    name = unit.named()
    near = sorted(_neighbors(board, unit))
    shores = [code for code, place in board.places.items() if place.terrain is Terrain.COAST]
    others = [other for other in position.units if other.province != unit.province]
    yield Hold(name)
    yield from (Move(name, target) for target in near)
    if unit.kind is UnitKind.ARMY and unit.province in shores:
        yield from (Move(name, target, via_convoy=target in near) for target in shores)
    reached = {province_of(target) for target in near}
    for other in others:
        supported = other.named()
        if other.province in reached:
            yield SupportHold(name, supported)
        carried = other.kind is UnitKind.ARMY and other.province in shores
        own = {province_of(target) for target in _neighbors(board, other)}
        for target in sorted(reached):
            if target != other.province and (target in own or (carried and target in shores)):
                yield SupportMove(name, supported, target)
        if carried and unit.province in map_index_of(board).bit_of_sea:
            yield from (Convoy(name, supported, shore) for shore in shores)


def _neighbors(board: Map, unit: Unit) -> frozenset[Location]:
    borders = board.army if unit.kind is UnitKind.ARMY else board.fleet
    return borders.get(unit.location, frozenset())
