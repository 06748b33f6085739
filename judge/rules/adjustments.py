"""Adjudicate builds, removals and civil disorder (rulebook XIII.2, DATC 4.D.8, 6.I, 6.J)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import TypeAlias, assert_never

from judge.rules import rule_options, types
from judge.rules.board import Map, Terrain
from judge.rules.convoys import is_convoy_path
from judge.rules.outcomes import (
    Adjudication,
    DeferredOutcomes,
    Impossible,
    Outcome,
    Succeeds,
    ValidatedOrders,
    outcomes_of,
)
from judge.rules.phase_context import PhaseContext, is_coast_refused, map_index_of, naming_fault
from judge.rules.phase_sequence import build_site_fault, next_position, open_build_sites
from judge.rules.rulebook import DATC, Rulebook


def adjudicate_adjustments(context: PhaseContext, validated: ValidatedOrders) -> Adjudication:
    """Adjudicate the orders of an adjustment phase."""
    position = context.position
    faults = {**validated.faults, **_all_excess_adjustments(context, validated)}
    done = [given for index, given in enumerate(validated.given) if index not in faults]
    leaving = {
        order.unit.province: power for power, order in done if isinstance(order, types.Disband)
    }
    remaining = [unit for unit in position.units if unit.province not in leaving]
    removed: list[types.Unit] = []
    for power, due in context.dues.items():
        excess = -due - list(leaving.values()).count(power)
        if excess > 0:
            own = [unit for unit in remaining if unit.power == power]
            removed += removal_sequence(context.board, position, own, context.rulebook)[:excess]
    if removed:
        left = {unit.province for unit in removed}
        remaining = [unit for unit in remaining if unit.province not in left]
    supposed = _first_armies(context, done)
    for power, order in (*done, *supposed):
        if isinstance(order, types.Build):
            unit = unit_to_build(context, power, order.unit)
            assert isinstance(unit, types.Unit)
            remaining.append(unit)
    return Adjudication(
        DeferredOutcomes(
            lambda: outcomes_of(validated, faults, lambda _: Succeeds()),
            lambda: tuple(Outcome(*each, Succeeds(), written=False) for each in supposed),
        ),
        next_position(context.board, position.phase, remaining, position.owners),
        removed=tuple(removed),
    )


def _first_armies(
    context: PhaseContext, done: Iterable[tuple[types.Power, types.Order]]
) -> list[tuple[types.Power, types.Order]]:
    """Return the armies that powers get without an order, if the board starts so."""
    board, position = context.board, context.position
    if not (board.first_armies and position.phase == board.start.phase):
        return []
    ordered = [power for power, order in done if not isinstance(order, types.Disband)]
    taken = {order.unit.province for _, order in done if isinstance(order, types.Build)}
    armies: list[tuple[types.Power, types.Order]] = []
    for power, due in context.dues.items():
        sites = [
            site
            for site in open_build_sites(board, position, power)
            if site not in taken and board.places[site].terrain is not Terrain.SEA
        ]
        for site in sites[: max(due - ordered.count(power), 0)]:
            taken.add(site)
            armies.append((power, types.Build(types.UnitName(types.UnitKind.ARMY, site))))
    return armies


def excess_adjustment_faults(
    context: PhaseContext, power: types.Power, wanted: Sequence[tuple[int, types.Order]]
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
        case rule_options.RepeatedOrders.FIRST | rule_options.ExcessRemovals.FIRST:
            return dict.fromkeys(numbers[limit:], Impossible.TOO_MANY)
        case rule_options.RepeatedOrders.LAST | rule_options.ExcessRemovals.LAST:
            return dict.fromkeys(numbers[: len(numbers) - limit], Impossible.TOO_MANY_LAST)
        case rule_options.RepeatedOrders.NONE:
            return dict.fromkeys(numbers, Impossible.TOO_MANY_NONE)
        case rule_options.ExcessRemovals.CIVIL_DISORDER:
            own = context.position.units_of(power)
            leaving = removal_sequence(context.board, context.position, own, context.rulebook)[
                :limit
            ]
            unasked = {unit.province for unit in leaving}
            return {
                number: Impossible.TOO_MANY_UNASKED
                for number, order in wanted
                if isinstance(order, types.Disband) and order.unit.province not in unasked
            }
        case _:
            assert_never(rule)


def _all_excess_adjustments(
    context: PhaseContext, validated: ValidatedOrders
) -> dict[int, Impossible]:
    """Return by index why possible orders exceed what is due."""
    wanted: dict[types.Power, list[tuple[int, types.Order]]] = {}
    for index, (power, order) in enumerate(validated.given):
        if index not in validated.faults:
            wanted.setdefault(power, []).append((index, order))
    faults: dict[int, Impossible] = {}
    for power, several in wanted.items():
        faults.update(excess_adjustment_faults(context, power, several))
    return faults


def removal_sequence(
    board: Map, position: types.Position, units: Iterable[types.Unit], rulebook: Rulebook = DATC
) -> list[types.Unit]:
    """Return *units* of a power in the order in which civil disorder removes them (DATC 4.D.8).

    The farthest from the centers goes first, then fleets before armies, then by the alphabet. By
    nJudge's list those on a center of their power are never removed.
    """
    rule, ties = rulebook.automatic_removal, rulebook.removal_ties
    if rule is rule_options.AutomaticRemoval.OLDEST:
        waiting = set(units)
        return [
            unit
            for unit in listed_units(position)
            if unit in waiting and position.owners.get(unit.province) != unit.power
        ]
    if rule is rule_options.AutomaticRemoval.BY_PLACE:
        ranks = {unit: place_rank(board, position, unit) for unit in units}
    else:
        ranks = {unit: -far for unit, far in distances(board, position, units, rule).items()}
    alike = ties is rule_options.RemovalTies.FULL_NAMES_ALONE
    return sorted(
        ranks,
        key=lambda unit: (
            ranks[unit],
            unit.kind is types.UnitKind.ARMY and not alike,
            _tie_break_name(board, unit.province, ties),
        ),
    )


def listed_units(position: types.Position) -> tuple[types.Unit, ...]:
    """Return all units, dislodged ones too, in the order of nJudge's list.

    Without a list they are in that of their powers and provinces.
    """
    return position.listed or (*position.units, *(each.unit for each in position.dislodged))


def place_rank(board: Map, position: types.Position, unit: types.Unit) -> int:
    """Return when DPjudge removes *unit*, by its place: 0 first, 4 last.

    Units on no center go first; then those on own centers, the home centers last; then those on
    centers of others, and last those on a home center that another power owns.
    """
    if not board.places[unit.province].center:
        return 0
    is_home = unit.province in board.homes_of(unit.power)
    is_own = position.owners.get(unit.province) == unit.power
    return (1 if is_own else 3) + is_home


def find_fault(context: PhaseContext, power: types.Power, order: types.Order) -> Impossible | None:
    """Return why *order* of *power* is impossible in an adjustment phase; None if it is not."""
    owed = context.dues[power]
    match order:
        case types.Build():
            return _build_fault(context, power, order) or (
                None if owed > 0 else Impossible.NOTHING_DUE
            )
        case types.Disband():
            return _removal_fault(context, power, order) or (
                None if owed < 0 else Impossible.NOTHING_DUE
            )
        case types.Waive() if (
            context.rulebook.waived_builds is rule_options.WaivedBuilds.NOT_ALLOWED
        ):
            return Impossible.WAIVE_NOT_ALLOWED
        case types.Waive():
            return None if owed > 0 else Impossible.NOTHING_DUE
        case (
            types.Hold()
            | types.Move()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Retreat()
        ):
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)


def completed(context: PhaseContext, order: types.Order) -> types.Order:
    """Return *order* with the kind and the coast of its unit."""
    match order:
        case types.Build():
            unit = unit_to_build(context, "", order.unit)
            if isinstance(unit, Impossible):
                return order
            return types.Build(types.UnitName(unit.kind, unit.location, order.unit.power))
        case types.Disband():
            standing = context.unit_in(order.unit.province)
            if standing is None:
                return order
            return types.Disband(
                types.UnitName(standing.kind, standing.location, order.unit.power)
            )
        case (
            types.Waive()
            | types.Hold()
            | types.Move()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Retreat()
        ):
            return order
        case _:
            assert_never(order)


def unit_to_build(
    context: PhaseContext, power: types.Power, name: types.UnitName
) -> types.Unit | Impossible:
    """Return the unit that *power* builds when it orders *name*, or why it cannot."""
    place = context.board.places.get(name.province)
    if place is None:
        return Impossible.NOT_A_HOME_CENTER
    inland = place.terrain is Terrain.INLAND
    kind = name.kind or _default_kind(context.rulebook, inland=inland, coast="/" in name.location)
    if kind is None:
        return Impossible.KIND_NEEDED
    if kind is types.UnitKind.FLEET and inland:
        if context.rulebook.fleet_inland is rule_options.FleetInland.FAILS:
            return Impossible.NO_FLEET_INLAND
        kind = types.UnitKind.ARMY
    if kind is types.UnitKind.ARMY and place.terrain is Terrain.SEA:
        return Impossible.NO_ARMY_AT_SEA
    location = _build_location(context, kind, name.location)
    return location if isinstance(location, Impossible) else types.Unit(power, kind, location)


def _tie_break_name(board: Map, province: types.Province, ties: rule_options.RemovalTies) -> str:
    match ties:
        case rule_options.RemovalTies.FULL_NAMES | rule_options.RemovalTies.FULL_NAMES_ALONE:
            return board.places[province].name
        case rule_options.RemovalTies.MAP_CODES:
            return province
        case rule_options.RemovalTies.RECORD_CODES:
            return board.record_codes.get(province, province.lower())
        case _:
            assert_never(ties)


def _build_fault(
    context: PhaseContext, power: types.Power, order: types.Build
) -> Impossible | None:
    province = order.unit.province
    if why := build_site_fault(context.board, context.position, power, province):
        return why
    if province in context.unit_at:
        return Impossible.OCCUPIED
    unit = unit_to_build(context, power, order.unit)
    return unit if isinstance(unit, Impossible) else None


def _removal_fault(
    context: PhaseContext, power: types.Power, order: types.Disband
) -> Impossible | None:
    unit = context.unit_in(order.unit.province)
    if unit is None:
        return Impossible.NO_SUCH_UNIT
    if unit.power != power:
        return Impossible.NOT_YOURS
    return naming_fault(context, power, unit, order.unit)


def _default_kind(rulebook: Rulebook, *, inland: bool, coast: bool) -> types.UnitKind | None:
    match rulebook.build_kind_omitted:
        case rule_options.BuildKindOmitted.FAILS:
            return None
        case rule_options.BuildKindOmitted.ARMY:
            return types.UnitKind.ARMY
        case rule_options.BuildKindOmitted.ARMY_INLAND:
            return types.UnitKind.ARMY if inland else None
        case rule_options.BuildKindOmitted.ARMY_INLAND_FLEET_WITH_COAST:
            if inland:
                return types.UnitKind.ARMY
            return types.UnitKind.FLEET if coast else None
        case rule:
            assert_never(rule)


def _build_location(
    context: PhaseContext, kind: types.UnitKind, written: types.Location
) -> types.Location | Impossible:
    province = types.province_of(written)
    coasts = context.board.coasts_of(province) if kind is types.UnitKind.FLEET else ()
    if written in coasts:
        return written
    if written != province and is_coast_refused(context.rulebook, kind):
        return Impossible.COAST_SUPERFLUOUS
    if not coasts:
        return province
    if context.rulebook.build_coast_omitted is rule_options.BuildCoastOmitted.DEFAULT_COAST:
        return context.board.default_coasts[province]
    return Impossible.COAST_NEEDED


CONVOY_MAPS_CACHED_MAX = 64  # Each serves all units of a power, or of all powers, in one phase.

Borders: TypeAlias = Mapping[types.Location, Collection[types.Location]]


def distances(
    board: Map,
    position: types.Position,
    units: Iterable[types.Unit],
    rule: rule_options.AutomaticRemoval,
) -> Mapping[types.Unit, int]:
    """Return for each of *units* the steps to the nearest center or province that counts.

    Units that cannot get to one are all equally far: farther than any route on the board.
    """
    waiting = tuple(units)
    far = len(board.locations)
    goals = {
        power: _locations_in(board, _target_provinces(board, position, power, rule))
        for power in {unit.power for unit in waiting}
    }
    return {
        unit: _count_steps(unit, goals[unit.power], _borders_for(board, position, unit, rule), far)
        for unit in waiting
    }


def _locations_in(board: Map, provinces: Collection[types.Province]) -> frozenset[types.Location]:
    """Return the locations of *provinces*, coasts counted."""
    coasts = [coast for province in provinces for coast in board.coasts_of(province)]
    return frozenset((*provinces, *coasts))


def _target_provinces(
    board: Map, position: types.Position, power: types.Power, rule: rule_options.AutomaticRemoval
) -> Collection[types.Province]:
    match rule:
        case rule_options.AutomaticRemoval.OWNED_ANY:
            return position.centers_of(power)
        case rule_options.AutomaticRemoval.COUNTRY_2000:
            return board.country_of(power)
        case (
            rule_options.AutomaticRemoval.HOME_ANY
            | rule_options.AutomaticRemoval.HOME_DPTG
            | rule_options.AutomaticRemoval.CONVOY_ONE_ANY
            | rule_options.AutomaticRemoval.CONVOY_ONE_FLEETS
            | rule_options.AutomaticRemoval.CONVOY_ONE_OWN
        ):
            return board.homes_of(power)
        case rule_options.AutomaticRemoval.OLDEST | rule_options.AutomaticRemoval.BY_PLACE:
            return ()  # no distance counts
        case _:
            assert_never(rule)


def _borders_for(
    board: Map, position: types.Position, unit: types.Unit, rule: rule_options.AutomaticRemoval
) -> Borders:
    """Return the borders by which the distance of *unit* is counted."""
    any_borders = rule in {
        rule_options.AutomaticRemoval.OWNED_ANY,
        rule_options.AutomaticRemoval.HOME_ANY,
    }
    if unit.kind is types.UnitKind.FLEET and not any_borders:
        return board.fleet
    match rule:
        case rule_options.AutomaticRemoval.CONVOY_ONE_ANY:
            return _borders_with_convoys(board, sum(map_index_of(board).bit_of_sea.values()))
        case rule_options.AutomaticRemoval.CONVOY_ONE_FLEETS:
            return _borders_with_convoys(board, _seas_with_fleets(board, position.units))
        case rule_options.AutomaticRemoval.CONVOY_ONE_OWN:
            return _borders_with_convoys(
                board, _seas_with_fleets(board, position.units_of(unit.power))
            )
        case (
            rule_options.AutomaticRemoval.OWNED_ANY
            | rule_options.AutomaticRemoval.HOME_ANY
            | rule_options.AutomaticRemoval.HOME_DPTG
            | rule_options.AutomaticRemoval.COUNTRY_2000
            | rule_options.AutomaticRemoval.OLDEST
            | rule_options.AutomaticRemoval.BY_PLACE
        ):
            return map_index_of(board).neighbors
        case _:
            assert_never(rule)


def _seas_with_fleets(board: Map, units: Iterable[types.Unit]) -> int:
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
                for destination in map_index.landing_seas
                if is_convoy_path(map_index, start, destination, seas)
            ),
        }
        for start, touched in board.army.items()
    }


def _count_steps(
    unit: types.Unit, goals: frozenset[types.Location], borders: Borders, far: int
) -> int:
    """Return the steps of *unit* to the nearest of *goals*; *far* if it gets to none."""
    start = unit.location if unit.location in borders else unit.province
    seen, front = {start}, {start}
    steps = 0
    while front:
        if not front.isdisjoint(goals):
            return steps
        front = set().union(*[borders[location] for location in front]) - seen
        seen |= front
        steps += 1
    return far
