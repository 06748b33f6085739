"""Adjudicate a phase: return what becomes of a position and all orders."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from judge.rules import types
from judge.rules.adjustments import adjudicate_adjustments, listed_units
from judge.rules.board import Map
from judge.rules.legality import find_fault
from judge.rules.order_sets import validate_orders
from judge.rules.outcomes import (
    Adjudication,
    Fate,
    Illegal,
    Outcome,
    OutcomeSource,
    Paradox,
    Succeeds,
    new_outcome,
)
from judge.rules.phase_context import ARMY, BY_POWER_AND_LOCATION, NO_UNIT, PhaseContext
from judge.rules.phase_sequence import next_position_sorted
from judge.rules.resolution import paradoxes
from judge.rules.resolution.matched_orders import MatchedOrders, match_orders
from judge.rules.resolution.movement import MovementDecisions
from judge.rules.resolution.verdicts import STANDS, MovementVerdicts, RetreatsByUnit
from judge.rules.retreats import adjudicate_retreats, open_retreats
from judge.rules.rule_options import AutomaticRemoval
from judge.rules.rulebook import DATC, Rulebook

RESOLVER_VERSION = "1"  # Goes up when any position would be adjudicated differently than before.


def adjudicate(
    board: Map,
    position: types.Position,
    orders: Mapping[types.Power, Sequence[types.Order]],
    rulebook: Rulebook = DATC,
) -> Adjudication:
    """Adjudicate *orders*, by power in the order written, in the phase of *position*.

    Any order is accepted: an impossible one is `Illegal` in its outcome, and a unit without a
    possible order holds, or in a retreat phase disbands. In a retreat phase a move is a retreat.
    Raises `TypeError` for a text instead of a rulebook.
    """
    if isinstance(rulebook, str):
        raise TypeError(f"a text; named({rulebook!r}) is the rulebook")
    context = PhaseContext(board, position, rulebook)
    if rulebook.automatic_removal is AutomaticRemoval.OLDEST:
        return _with_list(position, _adjudicate_phase(context, orders))
    return _adjudicate_phase(context, orders)


def _adjudicate_phase(
    context: PhaseContext, orders: Mapping[types.Power, Sequence[types.Order]]
) -> Adjudication:
    if context.position.phase.kind is types.MOVEMENT:
        return adjudicate_movement(context, orders)
    if context.position.phase.kind is types.RETREATS:
        return adjudicate_retreats(context, validate_orders(context, orders))
    return adjudicate_adjustments(context, validate_orders(context, orders))


def _with_list(before: types.Position, adjudication: Adjudication) -> Adjudication:
    """Return *adjudication* with the list of units after it: moved in place, built at the end."""
    after = adjudication.after
    left = {
        (unit.power, unit.province): unit
        for unit in (*after.units, *(each.unit for each in after.dislodged))
    }
    gone_to = {
        (each.power, each.order.unit.province): types.province_of(each.order.target)
        for each in adjudication.outcomes
        if isinstance(each.verdict, Succeeds)
        and isinstance(each.order, types.Move | types.Retreat)
    }
    listed = []
    for unit in listed_units(before):
        where = unit.power, unit.province
        there = left.pop((unit.power, gone_to.get(where, unit.province)), None)
        listed += [there] if there else []
    built = [
        left.pop((each.power, each.order.unit.province))
        for each in adjudication.outcomes
        if isinstance(each.verdict, Succeeds) and isinstance(each.order, types.Build)
    ]
    return replace(adjudication, after=replace(after, listed=(*listed, *built)))


def adjudicate_movement(
    context: PhaseContext,
    orders: Mapping[types.Power, Sequence[types.Order]],
) -> Adjudication:
    """Adjudicate the orders of a movement phase (rulebook VIII, IX)."""
    decisions, met = _decide_moves(match_orders(context, orders))
    units, dislodgers, contested = _apply_moves(decisions)
    sorted_units = tuple(sorted(units, key=BY_POWER_AND_LOCATION))
    unit_at = types.units_by_province(sorted_units)
    retreats: dict[int, tuple[int, tuple[types.Location, ...]]] = {}
    dislodged: list[types.DislodgedUnit] = []
    if dislodgers:
        closed = {**unit_at, **dict.fromkeys(contested, NO_UNIT)}
        for unit, attacker in dislodgers.items():
            retreating = _dislodged_unit(decisions, unit, attacker, closed)
            retreats[unit] = attacker, retreating.retreats
            if retreating.retreats:
                dislodged.append(retreating)
    outcomes = MovementOutcomes(decisions, retreats)
    after = next_position_sorted(
        context.board, context.position, sorted_units, unit_at, dislodged, contested
    )
    return Adjudication(outcomes, after, contested, (), (), met)


def _decide_moves(matched: MatchedOrders) -> tuple[MovementDecisions, tuple[Paradox, ...]]:
    """Return all decisions, and the paradoxes met on the way.

    Armies that may fall back to land (DATC 4.A.3) first go by convoy.
    """
    decisions = MovementDecisions(matched)
    met: list[Paradox] = []
    units = matched.context.units
    while matched.may_fall_back and (fallen_back := decisions.fallen_back()):
        failed = {units[each].province for fleets in fallen_back.values() for each in fleets}
        found = paradoxes.find_paradoxes(matched, decisions.cycles)
        met += [each for each in found if failed & {*each.convoys}]
        matched.send_overland(fallen_back)
        decisions = MovementDecisions(matched)
    if decisions.cycles:
        met += paradoxes.find_paradoxes(matched, decisions.cycles)
    return decisions, tuple(met)


def _apply_moves(
    decisions: MovementDecisions,
) -> tuple[list[types.Unit], dict[int, int], frozenset[types.Province]]:
    """Return the resulting units, the attackers of dislodged ones, and the bounce provinces."""
    matched, answers = decisions.matched, decisions.answers
    unit_at, units = matched.context.unit_at, matched.context.units
    destinations, supporters = matched.destinations, matched.supporters
    winners: list[int] = []
    contested: list[types.Province] = []
    for province, group in matched.rival_attackers.items():
        for unit in group:
            if answers[unit]:
                winners.append(unit)
                break
        else:
            if _is_contested(decisions, province, group):
                contested.append(province)
    staying: list[types.Unit | None] = list(units)
    moved: list[types.Unit] = []
    dislodgers: dict[int, int] = {}
    for unit in [*matched.sole_attackers.values(), *winners]:
        if not answers[unit]:
            continue
        node = destinations[unit]
        assert node is not None
        staying[unit] = None
        moved.append(node.units[units[unit].power])
        if supporters[unit] and node.province in unit_at:
            occupant = unit_at[node.province]
            if destinations[occupant] is None or not answers[occupant]:
                staying[occupant] = None
                dislodgers[occupant] = unit
    return [*filter(None, staying), *moved], dislodgers, frozenset(contested)


def _is_contested(
    decisions: MovementDecisions, province: types.Province, attackers: Sequence[int]
) -> bool:
    """Return whether *attackers* bounced and left *province* empty (rulebook XI, DATC 6.H.6)."""
    occupant = decisions.context.unit_at.get(province)
    if occupant is not None and (
        decisions.matched.destinations[occupant] is None or not decisions.answers[occupant]
    ):
        return False
    return any(decisions.prevent_strength(each) is not None for each in attackers)


def _dislodged_unit(
    decisions: MovementDecisions, unit: int, attacker: int, closed: Collection[types.Province]
) -> types.DislodgedUnit:
    """Return *unit* with the locations that it can retreat to."""
    context, convoyed = decisions.context, attacker in decisions.matched.convoy_routes
    dislodged, origin = context.units[unit], context.units[attacker].province
    if dislodged.power == types.NEUTRAL:
        return types.DislodgedUnit(dislodged, origin, convoyed, ())
    locations = open_retreats(
        context.board,
        dislodged,
        attacked_from=origin,
        attacker_convoyed=convoyed,
        closed=closed,
        rulebook=context.rulebook,
    )
    return types.DislodgedUnit(dislodged, origin, convoyed, locations)


WRITTEN, SUPPOSED = True, False


class MovementOutcomes(OutcomeSource):
    """The outcomes of one movement phase.

    *retreats* has the attacker of each dislodged unit, and the locations it can retreat to. The
    fate of a unit is part of the outcome of the order that counts for it, or else of the first
    order that its power gave.
    """

    def __init__(self, decisions: MovementDecisions, retreats: RetreatsByUnit) -> None:
        self._decisions = decisions
        self._matched = decisions.matched
        self._retreats = retreats

    def of_orders(self) -> tuple[Outcome, ...]:
        matched, context, orders = self._matched, self._matched.context, self._matched.orders
        find_unit, units = context.unit_by_location.get, context.units
        all_count = matched.counting is matched.given
        faults = {} if all_count else validate_orders(context, matched.given).faults
        verdicts, fates, overland = self._verdicts().of_orders(), self._fates(), self._overland()
        reported: set[int] = set()
        outcomes: list[Outcome] = []
        for power, several in matched.given.items():
            for order in several:
                unit = NO_UNIT
                if type(order) is not types.Waive:  # faster than `isinstance`
                    unit = find_unit(order.unit.location, NO_UNIT)
                if unit == NO_UNIT:
                    unit = self._own_unit(power, order)
                counts = orders[unit] is order and units[unit].power == power
                if counts and not (faults and len(outcomes) in faults):
                    verdict, by_land = verdicts[unit], overland[unit]
                    outcomes.append(
                        new_outcome(power, order, verdict, fates[unit], WRITTEN, by_land)
                    )
                    continue
                unit = self._own_unit(power, order)
                fate = None
                if orders[unit] is None and unit not in reported:
                    reported.add(unit)
                    fate = fates[unit]
                outcomes.append(self._illegal(len(outcomes), power, order, fate))
        return tuple(outcomes)

    def of_unordered(self) -> tuple[Outcome, ...]:
        orders, given = self._matched.orders[:NO_UNIT], self._matched.given
        if all(orders):
            return ()
        context, fates = self._matched.context, self._fates()
        unordered = [unit for unit, order in enumerate(orders) if order is None]
        if len(unordered) + sum(map(len, given.values())) != len(orders):
            addressed = {self._own_unit(power, each) for power in given for each in given[power]}
            unordered = [unit for unit in unordered if unit not in addressed]
        return tuple([_supposed_hold(context, unit, fates[unit]) for unit in unordered])

    def _verdicts(self) -> MovementVerdicts:
        self._decisions.decide_supports()
        return MovementVerdicts(self._decisions, self._retreats)

    def _fates(self) -> list[Fate | None]:
        """Return the fate of each dislodged unit, by unit."""
        fates: list[Fate | None] = [None] * len(self._matched.orders)
        if self._retreats:
            verdicts = self._verdicts()
            for unit in self._retreats:
                fates[unit] = verdicts.fate(unit)
        return fates

    def _overland(self) -> list[bool]:
        """Return by unit whether it went by land though a convoy was ordered or asked for."""
        matched, units = self._matched, self._matched.context.units
        overland = [False] * len(matched.orders)
        for unit in matched.possibly_convoyed:
            order = matched.orders[unit]
            asked = isinstance(order, types.Move) and order.via_convoy
            overland[unit] = (
                units[unit].kind is ARMY
                and unit not in matched.convoy_routes
                and unit not in matched.void_moves
                and (asked or unit in matched.fleets)
            )
        return overland

    def _illegal(
        self, index: int, power: types.Power, order: types.Order, fate: Fate | None
    ) -> Outcome:
        """Return the outcome of the *order* given at *index*, which does not count."""
        fault = find_fault(self._matched.context, power, order)
        if fault is None:
            fault = validate_orders(self._matched.context, self._matched.given).faults[index]
        return new_outcome(power, order, Illegal(fault), fate)

    def _own_unit(self, power: types.Power, order: types.Order) -> int:
        """Return the unit of *power* that *order* is for, `NO_UNIT` if there is none."""
        if isinstance(order, types.Waive):
            return NO_UNIT
        context = self._matched.context
        unit = context.unit_at.get(order.unit.province, NO_UNIT)
        return NO_UNIT if unit == NO_UNIT or context.units[unit].power != power else unit


def _supposed_hold(context: PhaseContext, index: int, fate: Fate | None) -> Outcome:
    """Return the outcome of the hold supposed for a unit without an order."""
    unit = context.units[index]
    return new_outcome(unit.power, context.map_index.node_of(unit).hold, STANDS, fate, SUPPOSED)
