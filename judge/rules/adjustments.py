"""Adjustments: what is due, which orders can be carried out, who goes unasked (DATC 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import assert_never

from judge.rules.distance import distances
from judge.rules.geography import Map, Terrain
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
from judge.rules.position import Position
from judge.rules.questions import (
    BuildCoastOmitted,
    BuildKindOmitted,
    CoastSuperfluous,
    FleetInland,
    RemovalTies,
    WaivedBuilds,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.scene import Scene
from judge.rules.vocabulary import Location, Power, Province, Unit, UnitKind, province_of


def open_homes(board: Map, position: Position, power: Power) -> tuple[Province, ...]:
    """Return where *power* can build: home centers that are its own and empty (rulebook XIII)."""
    own = [home for home in board.homes_of(power) if position.owners.get(home) == power]
    taken = {unit.province for unit in position.units} if own else ()
    return tuple([home for home in own if home not in taken])


def removals(
    board: Map, position: Position, units: Iterable[Unit], rulebook: Rulebook = DATC
) -> list[Unit]:
    """Return *units* of a power in the order in which civil disorder takes them (DATC 4.D.8).

    The farthest from the centers goes first, fleets before armies, then by the alphabet.
    """
    far = distances(board, position, units, rulebook.automatic_removal)
    return sorted(
        far,
        key=lambda unit: (
            -far[unit],
            unit.kind is UnitKind.ARMY,
            _sorted_as(board, unit.province, rulebook.removal_ties),
        ),
    )


def obstacle(scene: Scene, power: Power, order: Order) -> Impossible | None:
    """Return why *order* of *power* is impossible in an adjustment phase; None if it is not."""
    owed = scene.dues[power]
    match order:
        case Build():
            return _build(scene, power, order) or (None if owed > 0 else Impossible.NOTHING_DUE)
        case Disband():
            return _removal(scene, power, order) or (None if owed < 0 else Impossible.NOTHING_DUE)
        case Waive() if scene.rulebook.waived_builds is WaivedBuilds.NOT_ALLOWED:
            return Impossible.WAIVE_NOT_ALLOWED
        case Waive():
            return None if owed > 0 else Impossible.NOTHING_DUE
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Retreat():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)


def understood(scene: Scene, order: Order) -> Order:
    """Return *order* with the kind and the coast that its unit has or will have."""
    match order:
        case Build():
            unit = built(scene, "", order.unit)
            if isinstance(unit, Impossible):
                return order
            return Build(UnitName(unit.kind, unit.location, order.unit.power))
        case Disband():
            standing = scene.unit_in(order.unit.province)
            if standing is None:
                return order
            return Disband(UnitName(standing.kind, standing.location, order.unit.power))
        case Waive() | Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Retreat():
            return order
        case _:
            assert_never(order)


def built(scene: Scene, power: Power, name: UnitName) -> Unit | Impossible:
    """Return the unit that *power* gets when it builds *name*, or why it gets none."""
    place = scene.board.places.get(name.province)
    if place is None:
        return Impossible.NOT_A_HOME_CENTER
    inland = place.terrain is Terrain.INLAND
    kind = name.kind or _supposed_kind(scene.rulebook, inland=inland, coast="/" in name.location)
    if kind is None:
        return Impossible.KIND_NEEDED
    if kind is UnitKind.FLEET and inland:
        if scene.rulebook.fleet_inland is FleetInland.FAILS:
            return Impossible.NO_FLEET_INLAND
        kind = UnitKind.ARMY
    if kind is UnitKind.ARMY and place.terrain is Terrain.SEA:
        return Impossible.NO_ARMY_AT_SEA
    location = _built_on(scene, kind, name.location)
    return location if isinstance(location, Impossible) else Unit(power, kind, location)


def _sorted_as(board: Map, province: Province, ties: RemovalTies) -> str:
    match ties:
        case RemovalTies.FULL_NAMES:
            return board.places[province].name
        case RemovalTies.RECORD_CODES:
            return board.record_codes.get(province, province.lower())
        case _:
            assert_never(ties)


def _build(scene: Scene, power: Power, order: Build) -> Impossible | None:
    province = order.unit.province
    if province not in scene.board.homes_of(power):
        return Impossible.NOT_A_HOME_CENTER
    if scene.position.owners.get(province) != power:
        return Impossible.CENTER_NOT_OWNED
    if province in scene.at:
        return Impossible.OCCUPIED
    unit = built(scene, power, order.unit)
    return unit if isinstance(unit, Impossible) else None


def _removal(scene: Scene, power: Power, order: Disband) -> Impossible | None:
    unit = scene.unit_in(order.unit.province)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return misnamed(scene, power, unit, order.unit)


def _supposed_kind(rulebook: Rulebook, *, inland: bool, coast: bool) -> UnitKind | None:
    match rulebook.build_kind_omitted:
        case BuildKindOmitted.FAILS:
            return None
        case BuildKindOmitted.ARMY_INLAND:
            return UnitKind.ARMY if inland else None
        case BuildKindOmitted.ARMY_INLAND_FLEET_WITH_COAST:
            if inland:
                return UnitKind.ARMY
            return UnitKind.FLEET if coast else None
        case rule:
            assert_never(rule)


def _built_on(scene: Scene, kind: UnitKind, written: Location) -> Location | Impossible:
    province = province_of(written)
    coasts = scene.board.coasts_of(province) if kind is UnitKind.FLEET else ()
    if written in coasts:
        return written
    superfluous = scene.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
    if written != province and superfluous:
        return Impossible.COAST_SUPERFLUOUS
    if not coasts:
        return province
    if scene.rulebook.build_coast_omitted is BuildCoastOmitted.DEFAULT_COAST:
        return scene.board.default_coasts[province]
    return Impossible.COAST_NEEDED
