"""Find where dislodged units can retreat to, and adjudicate retreats (rulebook XI, DATC 6.H).

A move in a retreat phase is read as a retreat.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from judge.rules import outcomes, types
from judge.rules.board import Map
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


def adjudicate_retreats(
    context: PhaseContext, validated: outcomes.ValidatedOrders
) -> outcomes.Adjudication:
    """Adjudicate the orders of a retreat phase."""
    position = context.position
    orders = {origin: validated.given[index][1] for origin, index in validated.counting.items()}
    going: dict[types.Province, list[types.Province]] = {}
    for origin, order in orders.items():
        if isinstance(order, types.Retreat | types.Move):
            going.setdefault(types.province_of(order.target), []).append(origin)
    remaining, disbanded = list(position.units), []
    for unit in [each.unit for each in position.dislodged]:
        retreat = orders.get(unit.province)
        if (
            isinstance(retreat, types.Retreat | types.Move)
            and len(going[types.province_of(retreat.target)]) == 1
        ):
            location = target_location(context, unit, retreat.target)
            remaining.append(types.Unit(unit.power, unit.kind, location))
        else:
            disbanded.append(unit)
    return outcomes.Adjudication(
        outcomes.DeferredOutcomes(
            lambda: outcomes.outcomes_of(
                validated, validated.faults, lambda order: _retreat_verdict(order, going)
            ),
            lambda: _disbanded_without_order(position, validated),
        ),
        next_position(context.board, position.phase, remaining, position.owners),
        disbanded=tuple(disbanded),
    )


def _retreat_verdict(
    order: types.Order, going: Mapping[types.Province, Sequence[types.Province]]
) -> outcomes.Verdict:
    if not isinstance(order, types.Retreat | types.Move):
        return outcomes.Succeeds()
    rivals = {*going[types.province_of(order.target)]} - {order.unit.province}
    return (
        outcomes.Fails(outcomes.RetreatsClash(tuple(sorted(rivals))))
        if rivals
        else outcomes.Succeeds()
    )


def _disbanded_without_order(
    position: types.Position, validated: outcomes.ValidatedOrders
) -> tuple[outcomes.Outcome, ...]:
    """Return the outcomes of dislodged units without an order: they disband."""
    addressed = {
        (power, order.unit.province)
        for power, order in validated.given
        if not isinstance(order, types.Waive)
    }
    return tuple(
        outcomes.Outcome(
            unit.power,
            types.Disband(unit.named()),
            outcomes.Succeeds(),
            written=False,
        )
        for unit in [each.unit for each in position.dislodged]
        if (unit.power, unit.province) not in addressed
    )


MAY_RETREAT_TO_ORIGIN = RetreatToConvoyedOrigin.ALLOWED  # faster than an enum lookup


def open_retreats(
    board: Map,
    unit: types.Unit,
    *,
    attacked_from: types.Province,
    attacker_convoyed: bool,
    closed: Collection[types.Province],
    rulebook: Rulebook = DATC,
) -> tuple[types.Location, ...]:
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


def find_fault(
    context: PhaseContext, power: types.Power, order: types.Order
) -> outcomes.Impossible | None:
    """Return why *order* of *power* is impossible in a retreat phase; None if it is not."""
    match order:
        case types.Retreat() | types.Move() | types.Disband():
            dislodged = dislodged_unit_in(context, order.unit.province)
        case (
            types.Hold()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Build()
            | types.Waive()
        ):
            return outcomes.Impossible.WRONG_PHASE
        case _:
            assert_never(order)
    if dislodged is None:
        holder = context.unit_in(order.unit.province)
        return outcomes.Impossible.NOT_DISLODGED if holder else outcomes.Impossible.NO_SUCH_UNIT
    if dislodged.unit.power != power:
        return outcomes.Impossible.NOT_YOURS
    fault = naming_fault(context, power, dislodged.unit, order.unit)
    match order:
        case types.Disband():
            return fault
        case types.Retreat() | types.Move():
            return fault or _retreat_fault(context, dislodged, order.target)
        case _:
            assert_never(order)


def dislodged_unit_in(
    context: PhaseContext, province: types.Province
) -> types.DislodgedUnit | None:
    """Return the unit that was dislodged in *province*."""
    for dislodged in context.position.dislodged:
        if dislodged.unit.province == province:
            return dislodged
    return None


def completed(context: PhaseContext, order: types.Order) -> types.Order:
    """Return *order* with kind and coast as read in a retreat phase, a move as a retreat."""
    match order:
        case types.Retreat() | types.Move():
            dislodged = dislodged_unit_in(context, order.unit.province)
            if dislodged is None:
                return types.Retreat(order.unit, order.target)
            target = target_location(context, dislodged.unit, order.target)
            return types.Retreat(_completed_name(dislodged.unit, order.unit), target)
        case types.Disband():
            dislodged = dislodged_unit_in(context, order.unit.province)
            return (
                replace(order, unit=_completed_name(dislodged.unit, order.unit))
                if dislodged
                else order
            )
        case (
            types.Hold()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Build()
            | types.Waive()
        ):
            return order
        case _:
            assert_never(order)


def _completed_name(unit: types.Unit, written: types.UnitName) -> types.UnitName:
    return types.UnitName(unit.kind, unit.location, written.power)


def _retreat_fault(
    context: PhaseContext, dislodged: types.DislodgedUnit, target: types.Location
) -> outcomes.Impossible | None:
    """Return why the *dislodged* unit cannot retreat to *target* (rulebook XI, DATC 6.H)."""
    found = landing_location(context, dislodged.unit, target)
    if isinstance(found, outcomes.Impossible):
        return (
            outcomes.Impossible.RETREAT_UNREACHABLE
            if found is outcomes.Impossible.UNREACHABLE
            else found
        )
    if found in dislodged.retreats:
        return None
    province = types.province_of(found)
    if province in context.unit_at:
        return outcomes.Impossible.RETREAT_OCCUPIED
    if province in context.position.contested:
        return outcomes.Impossible.RETREAT_CONTESTED
    if province != dislodged.attacked_from:
        return outcomes.Impossible.NOT_A_RETREAT
    convoyed = dislodged.attacker_convoyed
    return (
        outcomes.Impossible.RETREAT_TO_CONVOYED
        if convoyed
        else outcomes.Impossible.RETREAT_TO_ATTACKER
    )
