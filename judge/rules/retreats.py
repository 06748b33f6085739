"""Retreats: where a dislodged unit may go, and which orders to it can be carried out (DATC 6.H).

A retreat may be written as a move: in this phase it can mean nothing else.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import assert_never

from judge.rules.coasts import destination, landing
from judge.rules.geography import Map
from judge.rules.naming import misnamed
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.outcome import Impossible
from judge.rules.position import DislodgedUnit
from judge.rules.questions import RetreatToConvoyedOrigin
from judge.rules.reach import reach_of
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Location, Power, Province, Unit, province_of

TO_ORIGIN = RetreatToConvoyedOrigin.ALLOWED  # Looking into an enum takes long.


def open_retreats(
    board: Map,
    unit: Unit,
    *,
    attacked_from: Province,
    attacker_convoyed: bool,
    closed: Collection[Province],
    rulebook: Rulebook = DATC,
) -> tuple[Location, ...]:
    """Return where *unit* may retreat, in alphabetical order.

    It goes where it could have moved without a convoy, but to no province that is *closed*, by a
    unit that stands there or a standoff that left it empty, and not to where its attacker came
    from, unless he came by sea (DATC 4.A.5).
    """
    origin = attacked_from
    if attacker_convoyed and rulebook.retreat_to_convoyed_origin is TO_ORIGIN:
        origin = ""
    return tuple(
        [
            location
            for province, locations in reach_of(board).post(unit).landings.items()
            if province not in closed and province != origin
            for location in locations
        ]
    )


def obstacle(scene: Scene, power: Power, order: Order) -> Impossible | None:
    """Return why *order* of *power* cannot be carried out in a retreat phase; None if it can."""
    match order:
        case Retreat() | Move() | Disband():
            dislodged = dislodged_in(scene, order.unit.province)
        case Hold() | SupportHold() | SupportMove() | Convoy() | Build() | Waive():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)
    if dislodged is None:
        standing = scene.unit_in(order.unit.province)
        return Impossible.NOT_DISLODGED if standing else Impossible.NO_SUCH_UNIT
    if dislodged.unit.power != power:
        return Impossible.NOT_YOURS
    fault = misnamed(scene, power, dislodged.unit, order.unit)
    match order:
        case Disband():
            return fault
        case Retreat() | Move():
            return fault or _closed(scene, dislodged, order.target)
        case _:
            assert_never(order)


def dislodged_in(scene: Scene, province: Province) -> DislodgedUnit | None:
    """Return the dislodged unit that waits in *province*."""
    for dislodged in scene.position.dislodged:
        if dislodged.unit.province == province:
            return dislodged
    return None


def understood(scene: Scene, order: Order) -> Order:
    """Return *order* as it is read in a retreat phase, a move as a retreat."""
    match order:
        case Retreat() | Move():
            dislodged = dislodged_in(scene, order.unit.province)
            if dislodged is None:
                return Retreat(order.unit, order.target)
            target = destination(scene, dislodged.unit, order.target)
            return Retreat(_name(dislodged.unit, order.unit), target)
        case Disband():
            dislodged = dislodged_in(scene, order.unit.province)
            return replace(order, unit=_name(dislodged.unit, order.unit)) if dislodged else order
        case Hold() | SupportHold() | SupportMove() | Convoy() | Build() | Waive():
            return order
        case _:
            assert_never(order)


def _name(unit: Unit, written: UnitName) -> UnitName:
    return UnitName(unit.kind, unit.location, written.power)


def _closed(scene: Scene, dislodged: DislodgedUnit, target: Location) -> Impossible | None:
    """Return why *target* is not open to the *dislodged* unit (rulebook XI, DATC 6.H)."""
    found = landing(scene, dislodged.unit, target)
    if isinstance(found, Impossible):
        return Impossible.RETREAT_UNREACHABLE if found is Impossible.UNREACHABLE else found
    if found in dislodged.retreats:
        return None
    province = province_of(found)
    if province in scene.at:
        return Impossible.RETREAT_OCCUPIED
    if province in scene.position.contested:
        return Impossible.RETREAT_CONTESTED
    if province != dislodged.attacked_from:
        return Impossible.NOT_A_RETREAT
    convoyed = dislodged.attacker_convoyed
    return Impossible.RETREAT_TO_CONVOYED if convoyed else Impossible.RETREAT_TO_ATTACKER
