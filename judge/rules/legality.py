"""Which orders could be carried out in a position, whatever the others do (DATC 4.E.1).

Kind and owner of a unit may be missing or wrong in an order (DATC 4.C.1, 4.C.2, 4.C.5, 4.C.6): a
province holds one unit only, so there is no doubt which is meant.
"""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from judge.rules import adjustments, retreats
from judge.rules.coasts import destination, landing, misnamed
from judge.rules.convoys import carries, useful
from judge.rules.geography import Map
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
from judge.rules.phase import PhaseKind
from judge.rules.position import Position
from judge.rules.questions import SupportedCoast
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.scene import Scene, scene_of
from judge.rules.vocabulary import Location, Power, Unit, UnitKind, province_of


def impossible(
    board: Map, position: Position, power: Power, order: Order, rulebook: Rulebook = DATC
) -> Impossible | None:
    """Return why *order*, alone of all, can never be carried out for *power*; None if it could.

    What depends on other orders of the set, such as a build too many, is not judged here.
    """
    return obstacle(scene_of(board, position, rulebook), power, order)


def understood(board: Map, position: Position, order: Order, rulebook: Rulebook = DATC) -> Order:
    """Return *order* as the rules read it: with kinds, owners and the only possible coasts.

    What is impossible is filled in as far as it can be.
    """
    scene = scene_of(board, position, rulebook)
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
    match scene.position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _movement_obstacle(scene, power, order)
        case PhaseKind.RETREATS:
            return retreats.obstacle(scene, power, order)
        case PhaseKind.ADJUSTMENTS:
            return adjustments.obstacle(scene, power, order)
        case kind:
            assert_never(kind)


def _movement_obstacle(scene: Scene, power: Power, order: Order) -> Impossible | None:
    match order:
        case Move() | SupportHold() | SupportMove() | Convoy() | Hold():
            unit = _commanded(scene, power, order.unit)
            return unit if isinstance(unit, Impossible) else _exceeds(scene, unit, order)
        case Retreat() | Disband() | Build() | Waive():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)


def _commanded(scene: Scene, power: Power, name: UnitName) -> Unit | Impossible:
    unit = scene.unit_in(name.province)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return Impossible.COAST_UNREACHABLE if misnamed(scene, unit, name.location) else unit


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
    if unit.kind is UnitKind.ARMY and (order.via_convoy or end not in scene.landings(unit)):
        by_sea = carries(scene.reach, unit.province, end, scene.afloat)
        return None if by_sea else Impossible.UNREACHABLE
    found = landing(scene, unit, order.target)
    if not isinstance(found, Impossible):
        return None
    if found is Impossible.UNREACHABLE and order.unit.location in scene.board.locations:
        elsewhere = replace(unit, location=order.unit.location)
        if end in scene.landings(elsewhere):
            return Impossible.OTHER_COAST
    return found


def _support_hold(scene: Scene, unit: Unit, order: SupportHold) -> Impossible | None:
    supported = scene.unit_in(order.supported.province)
    if supported is None:
        return Impossible.NO_SUCH_UNIT
    if supported is unit:
        return Impossible.SELF_SUPPORT
    if supported.province not in scene.landings(unit):
        return Impossible.SUPPORTER_CANNOT_REACH
    if misnamed(scene, supported, order.supported.location):
        return Impossible.COAST_UNREACHABLE
    return None


def _support_move(scene: Scene, unit: Unit, order: SupportMove) -> Impossible | None:
    supported = scene.unit_in(order.supported.province)
    if supported is None:
        return Impossible.NO_SUCH_UNIT
    if supported is unit:
        return Impossible.SELF_SUPPORT
    if province_of(order.target) not in scene.landings(unit):
        return Impossible.SUPPORTER_CANNOT_REACH
    if misnamed(scene, supported, order.supported.location):
        return Impossible.COAST_UNREACHABLE
    return _supported_move(scene, unit, supported, order.target)


def _supported_move(
    scene: Scene, supporter: Unit, unit: Unit, target: Location
) -> Impossible | None:
    end = province_of(target)
    options = scene.landings(unit).get(end)
    if options is None:
        # DATC 6.D.31: the supporter cannot carry the army as well.
        others = scene.afloat & ~scene.reach.sea.get(supporter.province, 0)
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
    sea = scene.reach.sea.get(unit.province)
    if sea is None:
        return Impossible.NOT_AT_SEA
    army, end = scene.unit_in(order.army.province), province_of(order.target)
    if army is None:
        return Impossible.NO_SUCH_UNIT
    if army.kind is UnitKind.FLEET:
        return Impossible.FLEET_CONVOYED
    if army.province == end:
        return Impossible.SAME_PROVINCE
    if not sea & useful(scene.reach, army.province, end, scene.afloat):
        return Impossible.NO_ROUTE
    return None


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
            supported = _name(scene, order.supported, foreign=True)
            return replace(order, unit=_name(scene, order.unit), supported=supported)
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
