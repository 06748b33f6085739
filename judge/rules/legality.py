"""Which orders could be carried out in a position, whatever the others do (DATC 4.E.1)."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from judge.rules import adjustments, retreats
from judge.rules.coasts import destination, landing, superfluous, supported_coast_meant
from judge.rules.convoys import carries, useful
from judge.rules.geography import Map, Terrain
from judge.rules.naming import loose, misnamed
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    MovementOrder,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.outcome import Impossible
from judge.rules.phase import MOVEMENT, RETREATS, PhaseKind
from judge.rules.position import Position
from judge.rules.questions import CountedOrders, SupportedCoast, WrittenRoute
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind, province_of
from judge.rules.voyage import insists

# DATC 4.C: an order that names its unit so that it is not followed is none at all.
NOT_ADDRESSED = frozenset(
    {
        Impossible.NO_SUCH_UNIT,
        Impossible.NOT_YOURS,
        Impossible.KIND_NEEDED,
        Impossible.KIND_WRONG,
        Impossible.POWER_WRONG,
    }
)


def impossible(
    board: Map, position: Position, power: Power, order: Order, rulebook: Rulebook = DATC
) -> Impossible | None:
    """Return why *order*, alone of all, can never be carried out for *power*; None if it could.

    What depends on other orders of the set, such as a build too many, is not judged here.
    """
    return obstacle(Scene(board, position, rulebook), power, order)


def understood(board: Map, position: Position, order: Order, rulebook: Rulebook = DATC) -> Order:
    """Return *order* as the rules read it: with kinds, owners and the only possible coasts.

    What is impossible is filled in as far as it can be.
    """
    scene = Scene(board, position, rulebook)
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _filled(scene, order)
        case PhaseKind.RETREATS:
            return retreats.understood(scene, order)
        case PhaseKind.ADJUSTMENTS:
            return adjustments.understood(scene, order)
        case kind:
            assert_never(kind)


def obstacle(scene: Scene, power: Power, order: Order) -> Impossible | None:
    """Do what `impossible` does, in a *scene* that serves for many orders."""
    kind = scene.position.phase.kind
    if kind is MOVEMENT:
        return _movement_obstacle(scene, power, order)
    if kind is RETREATS:
        return retreats.obstacle(scene, power, order)
    return adjustments.obstacle(scene, power, order)


def counts_as_move(scene: Scene, order: Order, fault: Impossible) -> bool:
    """Tell whether *order*, impossible for its *fault*, is a move all the same (DATC 4.E.1).

    If so, its unit cannot be supported where it stands.
    """
    movement = scene.position.phase.kind is PhaseKind.MOVEMENT
    if not movement or not isinstance(order, Move) or fault in NOT_ADDRESSED:
        return False
    match scene.rulebook.counted_orders:
        case CountedOrders.POSSIBLE_NOW:
            return False
        case CountedOrders.POSSIBLE_SOMETIME:
            return _possible_from_another_coast(scene, order)
        case CountedOrders.MAP_NAMES:
            return province_of(order.target) in scene.board.places
        case CountedOrders.ANY_TEXT:
            return True
        case rule:
            assert_never(rule)


def loosely_named(scene: Scene, order: Order) -> bool:
    """Tell whether *order*, which is possible, gives way to one that names its units properly."""
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
    named = [(_meant(scene, name), name) for name in names]
    power = named[0][0].power
    return any(loose(scene, power, unit, name) for unit, name in named)


def _meant(scene: Scene, name: UnitName) -> Unit:
    dislodged = retreats.dislodged_in(scene, name.province)
    unit = dislodged.unit if dislodged else scene.unit_in(name.province)
    assert unit is not None
    return unit


def _movement_obstacle(scene: Scene, power: Power, order: Order) -> Impossible | None:
    match order:
        case Move() | SupportHold() | SupportMove() | Convoy() | Hold():
            unit = scene.unit_in(order.unit.province)
        case Retreat() | Disband() | Build() | Waive():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return misnamed(scene, power, unit, order.unit) or _exceeds(scene, unit, order)


def _exceeds(scene: Scene, unit: Unit, order: MovementOrder) -> Impossible | None:
    match order:
        case Move():
            return _move(scene, unit, order)
        case SupportHold():
            return _support_hold(scene, unit, order)
        case SupportMove():
            return _support_move(scene, unit, order)
        case Convoy():
            return _convoy(scene, unit, order)
        case Hold():
            return None
        case _:
            assert_never(order)


def _move(scene: Scene, unit: Unit, order: Move) -> Impossible | None:
    end = province_of(order.target)
    if end == unit.province:
        return Impossible.SAME_PROVINCE
    sea_only = end not in scene.landings(unit) or (order.via_convoy and insists(scene.rulebook))
    if unit.kind is UnitKind.ARMY and sea_only:
        return _by_sea(scene, unit, order)
    found = landing(scene, unit, order.target)
    if not isinstance(found, Impossible):
        return None
    return _too_far(scene, unit, order) if found is Impossible.UNREACHABLE else found


def _too_far(scene: Scene, fleet: Unit, order: Move) -> Impossible:
    end = province_of(order.target)
    if order.unit.location in scene.board.locations:
        elsewhere = replace(fleet, location=order.unit.location)
        if end in scene.landings(elsewhere):
            return Impossible.OTHER_COAST
    inland = _terrain(scene, end) is Terrain.INLAND
    return Impossible.NO_FLEET_INLAND if inland else Impossible.FLEET_UNREACHABLE


def _uncarried(scene: Scene, army: Unit, end: Province) -> Impossible:
    if end in scene.landings(army):
        return Impossible.NO_WAY_BY_SEA
    at_sea = _terrain(scene, end) is Terrain.SEA
    return Impossible.NO_ARMY_AT_SEA if at_sea else Impossible.UNREACHABLE


def _terrain(scene: Scene, province: Province) -> Terrain | None:
    place = scene.board.places.get(province)
    return place.terrain if place else None


def _by_sea(scene: Scene, army: Unit, order: Move) -> Impossible | None:
    start, end, seas = army.province, province_of(order.target), _open_seas(scene)
    if not carries(scene.reach, start, end, seas):
        return _uncarried(scene, army, end)
    if superfluous(scene, army, order.target):
        return Impossible.COAST_SUPERFLUOUS
    if scene.rulebook.written_route is WrittenRoute.IGNORED:
        return None
    if order.route:
        is_chain = _is_chain(scene, start, order.route, end, seas)
        return None if is_chain else Impossible.ROUTE_IMPOSSIBLE
    required = scene.rulebook.written_route is WrittenRoute.REQUIRED
    return Impossible.ROUTE_NEEDED if required else None


def _open_seas(scene: Scene) -> int:
    """Return the seas over which an army may be carried, now or sometime (DATC 4.E.1)."""
    if scene.rulebook.counted_orders is CountedOrders.POSSIBLE_NOW:
        return scene.afloat
    return sum(scene.reach.sea.values())


def _is_chain(
    scene: Scene, start: Province, route: tuple[Province, ...], end: Province, seas: int
) -> bool:
    """Tell whether *route* leads over *seas* from *start* to *end* in the order written."""
    reach, sea, beyond = scene.reach, 0, scene.reach.shore[start]
    for province in route:
        sea = reach.sea.get(province, 0) & beyond & seas
        beyond = reach.beside.get(sea, 0)
    return bool(sea & reach.shore[end])


def _possible_from_another_coast(scene: Scene, order: Move) -> bool:
    unit = scene.unit_in(order.unit.province)
    assert unit is not None
    return any(
        not isinstance(landing(scene, replace(unit, location=coast), order.target), Impossible)
        for coast in scene.board.coasts_of(unit.province)
    )


def _support_hold(scene: Scene, unit: Unit, order: SupportHold) -> Impossible | None:
    supported = scene.unit_in(order.supported.province)
    if supported is None:
        return Impossible.NO_OTHER_UNIT
    if supported is unit:
        return Impossible.SELF_SUPPORT
    if supported.province not in scene.landings(unit):
        return Impossible.SUPPORTER_CANNOT_REACH
    return misnamed(scene, unit.power, supported, order.supported)


def _support_move(scene: Scene, unit: Unit, order: SupportMove) -> Impossible | None:
    supported = scene.unit_in(order.supported.province)
    if supported is None:
        return Impossible.NO_OTHER_UNIT
    if supported is unit:
        return Impossible.SELF_SUPPORT
    if province_of(order.target) not in scene.landings(unit):
        return Impossible.SUPPORTER_CANNOT_REACH
    return misnamed(scene, unit.power, supported, order.supported) or _supported_move(
        scene, unit, supported, order.target
    )


def _supported_move(
    scene: Scene, supporter: Unit, unit: Unit, target: Location
) -> Impossible | None:
    end = province_of(target)
    options = scene.landings(unit).get(end)
    if superfluous(scene, unit, target):
        return Impossible.COAST_SUPERFLUOUS
    if options is None:
        # DATC 6.D.31: the supporter cannot carry the army as well.
        others = _open_seas(scene) & ~scene.reach.sea.get(supporter.province, 0)
        army = unit.kind is UnitKind.ARMY and end != unit.province
        by_sea = army and carries(scene.reach, unit.province, end, others)
        return None if by_sea else Impossible.SUPPORTED_CANNOT_REACH
    if unit.kind is UnitKind.ARMY or target in options:
        return None
    return _supported_coast(scene, supporter, unit, target, options)


def _supported_coast(
    scene: Scene, supporter: Unit, unit: Unit, target: Location, options: tuple[Location, ...]
) -> Impossible | None:
    rule = scene.rulebook.supported_coast
    if rule is SupportedCoast.IGNORED:
        return None
    if target in scene.board.locations and target != province_of(target):
        return Impossible.COAST_UNREACHABLE
    own_or_single = supporter.power == unit.power or len(options) == 1
    if rule is SupportedCoast.REQUIRED_FAIL or (
        rule is SupportedCoast.OMIT_OWN_OR_SINGLE and not own_or_single
    ):
        return Impossible.COAST_NEEDED
    return None


def _convoy(scene: Scene, unit: Unit, order: Convoy) -> Impossible | None:
    if unit.province not in scene.reach.sea:
        return Impossible.NOT_AT_SEA
    army = scene.unit_in(order.army.province)
    if army is None:
        return Impossible.NO_OTHER_UNIT
    if army.kind is UnitKind.FLEET:
        return Impossible.FLEET_CONVOYED
    return misnamed(scene, unit.power, army, order.army) or _convoyed(
        scene, unit, army, order.target
    )


def _convoyed(scene: Scene, fleet: Unit, army: Unit, target: Location) -> Impossible | None:
    end = province_of(target)
    if army.province == end:
        return Impossible.SAME_PROVINCE
    if superfluous(scene, army, target):
        return Impossible.COAST_SUPERFLUOUS
    routes = useful(scene.reach, army.province, end, _open_seas(scene))
    return None if routes & scene.reach.sea[fleet.province] else Impossible.NO_ROUTE


def _filled(scene: Scene, order: Order) -> Order:
    match order:
        case Hold():
            return replace(order, unit=_name(scene, order.unit))
        case Move():
            unit = scene.unit_in(order.unit.province)
            target = destination(scene, unit, order.target) if unit else order.target
            return replace(order, unit=_name(scene, order.unit), target=target)
        case SupportHold():
            supported = _name(scene, order.supported, foreign=True)
            return replace(order, unit=_name(scene, order.unit), supported=supported)
        case SupportMove():
            unit = scene.unit_in(order.supported.province)
            target = supported_coast_meant(scene, unit, order.target) if unit else order.target
            supported = _name(scene, order.supported, foreign=True)
            return replace(
                order, unit=_name(scene, order.unit), supported=supported, target=target
            )
        case Convoy():
            army = _name(scene, order.army, foreign=True)
            target = province_of(order.target)
            return replace(order, unit=_name(scene, order.unit), army=army, target=target)
        case Retreat() | Disband() | Build() | Waive():
            return order
        case _:
            assert_never(order)


def _name(scene: Scene, name: UnitName, *, foreign: bool = False) -> UnitName:
    unit = scene.unit_in(name.province)
    if unit is None:
        return name
    return UnitName(unit.kind, unit.location, unit.power if foreign else name.power)
