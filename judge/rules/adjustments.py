"""Adjudicate builds, removals and civil disorder (rulebook XIII.2, DATC 4.D.8, 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, assert_never

from judge.rules.board import Map, Terrain
from judge.rules.convoys import is_convoy_path
from judge.rules.outcome import (
    Adjudication,
    DeferredOutcomes,
    Impossible,
    Succeeds,
    ValidatedOrders,
    outcomes_of,
)
from judge.rules.phase_context import PhaseContext, map_index_of, naming_fault
from judge.rules.phase_sequence import next_position
from judge.rules.rule_options import (
    AutomaticRemoval,
    BuildCoastOmitted,
    BuildKindOmitted,
    CoastSuperfluous,
    ExcessRemovals,
    FleetInland,
    RemovalTies,
    RepeatedOrders,
    WaivedBuilds,
)
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
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


def adjudicate_adjustments(context: PhaseContext, validated: ValidatedOrders) -> Adjudication:
    """Adjudicate the orders of an adjustment phase."""
    position = context.position
    faults = {**validated.faults, **_all_excess_adjustments(context, validated)}
    done = [given for index, given in enumerate(validated.given) if index not in faults]
    leaving = {order.unit.province: power for power, order in done if isinstance(order, Disband)}
    remaining = [unit for unit in position.units if unit.province not in leaving]
    removed: list[Unit] = []
    for power, due in context.dues.items():
        excess = -due - list(leaving.values()).count(power)
        if excess > 0:
            own = [unit for unit in remaining if unit.power == power]
            removed += removal_sequence(context.board, position, own, context.rulebook)[:excess]
    if removed:
        remaining = [unit for unit in remaining if unit not in removed]
    for power, order in done:
        if isinstance(order, Build):
            unit = unit_to_build(context, power, order.unit)
            assert isinstance(unit, Unit)
            remaining.append(unit)
    return Adjudication(
        DeferredOutcomes(lambda: outcomes_of(validated, faults, lambda _: Succeeds())),
        next_position(context.board, position.phase, remaining, position.owners),
        removed=tuple(removed),
    )


def excess_adjustment_faults(
    context: PhaseContext, power: Power, wanted: Sequence[tuple[int, Order]]
) -> Mapping[int, Impossible]:
    """Return by number why orders of *power* exceed what is due (DATC 4.D.4, 4.D.6).

    *wanted* are its possible orders with their numbers.
    """
    owed = context.dues[power]
    limit = abs(owed)
    if len(wanted) <= limit:
        return {}
    rule = context.rulebook.excess_builds if owed > 0 else context.rulebook.excess_removals
    numbers = [number for number, _ in wanted]
    match rule:
        case RepeatedOrders.FIRST | ExcessRemovals.FIRST:
            return dict.fromkeys(numbers[limit:], Impossible.TOO_MANY)
        case RepeatedOrders.LAST | ExcessRemovals.LAST:
            return dict.fromkeys(numbers[: len(numbers) - limit], Impossible.TOO_MANY_LAST)
        case RepeatedOrders.NONE:
            return dict.fromkeys(numbers, Impossible.TOO_MANY_NONE)
        case ExcessRemovals.CIVIL_DISORDER:
            own = context.position.units_of(power)
            leaving = removal_sequence(context.board, context.position, own, context.rulebook)[
                :limit
            ]
            unasked = {unit.province for unit in leaving}
            return {
                number: Impossible.TOO_MANY_UNASKED
                for number, order in wanted
                if isinstance(order, Disband) and order.unit.province not in unasked
            }
        case _:
            assert_never(rule)


def _all_excess_adjustments(
    context: PhaseContext, validated: ValidatedOrders
) -> dict[int, Impossible]:
    """Return by index why possible orders exceed what is due."""
    wanted: dict[Power, list[tuple[int, Order]]] = {}
    for index, (power, order) in enumerate(validated.given):
        if index not in validated.faults:
            wanted.setdefault(power, []).append((index, order))
    faults: dict[int, Impossible] = {}
    for power, several in wanted.items():
        faults.update(excess_adjustment_faults(context, power, several))
    return faults


def removal_sequence(
    board: Map, position: Position, units: Iterable[Unit], rulebook: Rulebook = DATC
) -> list[Unit]:
    """Return *units* of a power in the order in which civil disorder removes them (DATC 4.D.8).

    The farthest from the centers goes first, then fleets before armies, then by the alphabet.
    """
    far = distances(board, position, units, rulebook.automatic_removal)
    return sorted(
        far,
        key=lambda unit: (
            -far[unit],
            unit.kind is UnitKind.ARMY,
            _tie_break_name(board, unit.province, rulebook.removal_ties),
        ),
    )


def find_fault(context: PhaseContext, power: Power, order: Order) -> Impossible | None:
    """Return why *order* of *power* is impossible in an adjustment phase; None if it is not."""
    owed = context.dues[power]
    match order:
        case Build():
            return _build_fault(context, power, order) or (
                None if owed > 0 else Impossible.NOTHING_DUE
            )
        case Disband():
            return _removal_fault(context, power, order) or (
                None if owed < 0 else Impossible.NOTHING_DUE
            )
        case Waive() if context.rulebook.waived_builds is WaivedBuilds.NOT_ALLOWED:
            return Impossible.WAIVE_NOT_ALLOWED
        case Waive():
            return None if owed > 0 else Impossible.NOTHING_DUE
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Retreat():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)


def completed(context: PhaseContext, order: Order) -> Order:
    """Return *order* with the kind and the coast of its unit."""
    match order:
        case Build():
            unit = unit_to_build(context, "", order.unit)
            if isinstance(unit, Impossible):
                return order
            return Build(UnitName(unit.kind, unit.location, order.unit.power))
        case Disband():
            standing = context.unit_in(order.unit.province)
            if standing is None:
                return order
            return Disband(UnitName(standing.kind, standing.location, order.unit.power))
        case Waive() | Hold() | Move() | SupportHold() | SupportMove() | Convoy() | Retreat():
            return order
        case _:
            assert_never(order)


def unit_to_build(context: PhaseContext, power: Power, name: UnitName) -> Unit | Impossible:
    """Return the unit that *power* builds when it orders *name*, or why it cannot."""
    place = context.board.places.get(name.province)
    if place is None:
        return Impossible.NOT_A_HOME_CENTER
    inland = place.terrain is Terrain.INLAND
    kind = name.kind or _default_kind(context.rulebook, inland=inland, coast="/" in name.location)
    if kind is None:
        return Impossible.KIND_NEEDED
    if kind is UnitKind.FLEET and inland:
        if context.rulebook.fleet_inland is FleetInland.FAILS:
            return Impossible.NO_FLEET_INLAND
        kind = UnitKind.ARMY
    if kind is UnitKind.ARMY and place.terrain is Terrain.SEA:
        return Impossible.NO_ARMY_AT_SEA
    location = _build_location(context, kind, name.location)
    return location if isinstance(location, Impossible) else Unit(power, kind, location)


def _tie_break_name(board: Map, province: Province, ties: RemovalTies) -> str:
    match ties:
        case RemovalTies.FULL_NAMES:
            return board.places[province].name
        case RemovalTies.RECORD_CODES:
            return board.record_codes.get(province, province.lower())
        case _:
            assert_never(ties)


def _build_fault(context: PhaseContext, power: Power, order: Build) -> Impossible | None:
    province = order.unit.province
    if province not in context.board.homes_of(power):
        return Impossible.NOT_A_HOME_CENTER
    if context.position.owners.get(province) != power:
        return Impossible.CENTER_NOT_OWNED
    if province in context.unit_at:
        return Impossible.OCCUPIED
    unit = unit_to_build(context, power, order.unit)
    return unit if isinstance(unit, Impossible) else None


def _removal_fault(context: PhaseContext, power: Power, order: Disband) -> Impossible | None:
    unit = context.unit_in(order.unit.province)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return naming_fault(context, power, unit, order.unit)


def _default_kind(rulebook: Rulebook, *, inland: bool, coast: bool) -> UnitKind | None:
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


def _build_location(
    context: PhaseContext, kind: UnitKind, written: Location
) -> Location | Impossible:
    province = province_of(written)
    coasts = context.board.coasts_of(province) if kind is UnitKind.FLEET else ()
    if written in coasts:
        return written
    superfluous = context.rulebook.coast_superfluous is CoastSuperfluous.ILLEGAL
    if written != province and superfluous:
        return Impossible.COAST_SUPERFLUOUS
    if not coasts:
        return province
    if context.rulebook.build_coast_omitted is BuildCoastOmitted.DEFAULT_COAST:
        return context.board.default_coasts[province]
    return Impossible.COAST_NEEDED


CONVOY_MAPS_CACHED_MAX = 64  # Each serves all units of a power, or of all powers, in one phase.

Borders: TypeAlias = Mapping[Location, Collection[Location]]


def distances(
    board: Map, position: Position, units: Iterable[Unit], rule: AutomaticRemoval
) -> Mapping[Unit, int]:
    """Return for each of *units* the steps to the nearest center or province that counts.

    Units that cannot get to one are all equally far: farther than any route on the board.
    """
    far = len(board.locations)
    return {
        unit: _count_steps(
            unit,
            _target_provinces(board, position, unit.power, rule),
            _borders_for(board, position, unit, rule),
            far,
        )
        for unit in units
    }


def _target_provinces(
    board: Map, position: Position, power: Power, rule: AutomaticRemoval
) -> Collection[Province]:
    match rule:
        case AutomaticRemoval.OWNED_ANY:
            return position.centers_of(power)
        case AutomaticRemoval.COUNTRY_2000:
            return board.country_of(power)
        case (
            AutomaticRemoval.HOME_ANY
            | AutomaticRemoval.HOME_DPTG
            | AutomaticRemoval.CONVOY_ONE_ANY
            | AutomaticRemoval.CONVOY_ONE_FLEETS
            | AutomaticRemoval.CONVOY_ONE_OWN
        ):
            return board.homes_of(power)
        case _:
            assert_never(rule)


def _borders_for(board: Map, position: Position, unit: Unit, rule: AutomaticRemoval) -> Borders:
    """Return the borders by which the distance of *unit* is counted."""
    any_borders = rule in {AutomaticRemoval.OWNED_ANY, AutomaticRemoval.HOME_ANY}
    if unit.kind is UnitKind.FLEET and not any_borders:
        return board.fleet
    match rule:
        case AutomaticRemoval.CONVOY_ONE_ANY:
            return _borders_with_convoys(board, sum(map_index_of(board).bit_of_sea.values()))
        case AutomaticRemoval.CONVOY_ONE_FLEETS:
            return _borders_with_convoys(board, _seas_with_fleets(board, position.units))
        case AutomaticRemoval.CONVOY_ONE_OWN:
            return _borders_with_convoys(
                board, _seas_with_fleets(board, position.units_of(unit.power))
            )
        case (
            AutomaticRemoval.OWNED_ANY
            | AutomaticRemoval.HOME_ANY
            | AutomaticRemoval.HOME_DPTG
            | AutomaticRemoval.COUNTRY_2000
        ):
            return map_index_of(board).neighbors
        case _:
            assert_never(rule)


def _seas_with_fleets(board: Map, units: Iterable[Unit]) -> int:
    sea = map_index_of(board).bit_of_sea
    return sum(sea.get(unit.province, 0) for unit in units)


@lru_cache(CONVOY_MAPS_CACHED_MAX)
def _borders_with_convoys(board: Map, seas: int) -> Borders:
    """Return where armies get in one step, by land or by a convoy over *seas*."""
    map_index = map_index_of(board)
    return {
        start: {
            *touched,
            *(
                destination
                for destination in map_index.coastal_seas
                if is_convoy_path(map_index, start, destination, seas)
            ),
        }
        for start, touched in board.army.items()
    }


def _count_steps(unit: Unit, targets: Collection[Province], borders: Borders, far: int) -> int:
    """Return the steps of *unit* to the nearest of *targets*; *far* if it gets to none."""
    start = unit.location if unit.location in borders else unit.province
    seen, front = {start}, {start}
    steps = 0
    while front:
        if any(province_of(location) in targets for location in front):
            return steps
        front = {other for location in front for other in borders[location]} - seen
        seen |= front
        steps += 1
    return far
