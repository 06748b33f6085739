"""Find where dislodged units can retreat to, and adjudicate retreats (rulebook XI, DATC 6.H).

A move in a retreat phase is read as a retreat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from judge.rules.board import Map
from judge.rules.outcome import (
    Adjudication,
    DeferredOutcomes,
    Fails,
    Impossible,
    Outcome,
    RetreatsClash,
    Succeeds,
    ValidatedOrders,
    Verdict,
    outcomes_of,
)
from judge.rules.phase_context import (
    PhaseContext,
    landing_location,
    map_index_of,
    naming_fault,
    target_location,
)
from judge.rules.phase_sequence import next_position
from judge.rules.rule_options import RetreatToConvoyedOrigin
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    DislodgedUnit,
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
    UnitName,
    Waive,
    province_of,
)


def adjudicate_retreats(context: PhaseContext, validated: ValidatedOrders) -> Adjudication:
    """Adjudicate the orders of a retreat phase."""
    position = context.position
    orders = {origin: validated.given[index][1] for origin, index in validated.counting.items()}
    going: dict[Province, list[Province]] = {}
    for origin, order in orders.items():
        if isinstance(order, Retreat | Move):
            going.setdefault(province_of(order.target), []).append(origin)
    remaining, disbanded = list(position.units), []
    for unit in [each.unit for each in position.dislodged]:
        retreat = orders.get(unit.province)
        if isinstance(retreat, Retreat | Move) and len(going[province_of(retreat.target)]) == 1:
            location = target_location(context, unit, retreat.target)
            remaining.append(Unit(unit.power, unit.kind, location))
        else:
            disbanded.append(unit)
    return Adjudication(
        DeferredOutcomes(
            lambda: outcomes_of(
                validated, validated.faults, lambda order: _retreat_verdict(order, going)
            ),
            lambda: _disbanded_without_order(position, validated),
        ),
        next_position(context.board, position.phase, remaining, position.owners),
        disbanded=tuple(disbanded),
    )


def _retreat_verdict(order: Order, going: Mapping[Province, Sequence[Province]]) -> Verdict:
    if not isinstance(order, Retreat | Move):
        return Succeeds()
    rivals = {*going[province_of(order.target)]} - {order.unit.province}
    return Fails(RetreatsClash(tuple(sorted(rivals)))) if rivals else Succeeds()


def _disbanded_without_order(
    position: Position, validated: ValidatedOrders
) -> tuple[Outcome, ...]:
    """Return the outcomes of dislodged units without an order: they disband."""
    addressed = {
        (power, order.unit.province)
        for power, order in validated.given
        if not isinstance(order, Waive)
    }
    return tuple(
        Outcome(unit.power, Disband(UnitName(unit.kind, unit.location)), Succeeds(), written=False)
        for unit in [each.unit for each in position.dislodged]
        if (unit.power, unit.province) not in addressed
    )


MAY_RETREAT_TO_ORIGIN = RetreatToConvoyedOrigin.ALLOWED  # faster than an enum lookup


def open_retreats(
    board: Map,
    unit: Unit,
    *,
    attacked_from: Province,
    attacker_convoyed: bool,
    closed: Collection[Province],
    rulebook: Rulebook = DATC,
) -> tuple[Location, ...]:
    """Return where *unit* can retreat to, in alphabetical order.

    These are the locations it could move to without a convoy, except in *closed* provinces, which
    are occupied or were left empty by a bounce, and in the one its attacker came from, unless that
    was by convoy (DATC 4.A.5).
    """
    origin = attacked_from
    if attacker_convoyed and rulebook.retreat_to_convoyed_origin is MAY_RETREAT_TO_ORIGIN:
        origin = ""
    return tuple(
        [
            location
            for province, locations in map_index_of(board).node_of(unit).reachable.items()
            if province not in closed and province != origin
            for location in locations
        ]
    )


def find_fault(context: PhaseContext, power: Power, order: Order) -> Impossible | None:
    """Return why *order* of *power* is impossible in a retreat phase; None if it is not."""
    match order:
        case Retreat() | Move() | Disband():
            dislodged = dislodged_unit_in(context, order.unit.province)
        case Hold() | SupportHold() | SupportMove() | Convoy() | Build() | Waive():
            return Impossible.WRONG_PHASE
        case _:
            assert_never(order)
    if dislodged is None:
        holder = context.unit_in(order.unit.province)
        return Impossible.NOT_DISLODGED if holder else Impossible.NO_SUCH_UNIT
    if dislodged.unit.power != power:
        return Impossible.NOT_YOURS
    fault = naming_fault(context, power, dislodged.unit, order.unit)
    match order:
        case Disband():
            return fault
        case Retreat() | Move():
            return fault or _retreat_fault(context, dislodged, order.target)
        case _:
            assert_never(order)


def dislodged_unit_in(context: PhaseContext, province: Province) -> DislodgedUnit | None:
    """Return the unit that was dislodged in *province*."""
    for dislodged in context.position.dislodged:
        if dislodged.unit.province == province:
            return dislodged
    return None


def completed(context: PhaseContext, order: Order) -> Order:
    """Return *order* with kind and coast as read in a retreat phase, a move as a retreat."""
    match order:
        case Retreat() | Move():
            dislodged = dislodged_unit_in(context, order.unit.province)
            if dislodged is None:
                return Retreat(order.unit, order.target)
            target = target_location(context, dislodged.unit, order.target)
            return Retreat(_completed_name(dislodged.unit, order.unit), target)
        case Disband():
            dislodged = dislodged_unit_in(context, order.unit.province)
            return (
                replace(order, unit=_completed_name(dislodged.unit, order.unit))
                if dislodged
                else order
            )
        case Hold() | SupportHold() | SupportMove() | Convoy() | Build() | Waive():
            return order
        case _:
            assert_never(order)


def _completed_name(unit: Unit, written: UnitName) -> UnitName:
    return UnitName(unit.kind, unit.location, written.power)


def _retreat_fault(
    context: PhaseContext, dislodged: DislodgedUnit, target: Location
) -> Impossible | None:
    """Return why the *dislodged* unit cannot retreat to *target* (rulebook XI, DATC 6.H)."""
    found = landing_location(context, dislodged.unit, target)
    if isinstance(found, Impossible):
        return Impossible.RETREAT_UNREACHABLE if found is Impossible.UNREACHABLE else found
    if found in dislodged.retreats:
        return None
    province = province_of(found)
    if province in context.unit_at:
        return Impossible.RETREAT_OCCUPIED
    if province in context.position.contested:
        return Impossible.RETREAT_CONTESTED
    if province != dislodged.attacked_from:
        return Impossible.NOT_A_RETREAT
    convoyed = dislodged.attacker_convoyed
    return Impossible.RETREAT_TO_CONVOYED if convoyed else Impossible.RETREAT_TO_ATTACKER
