"""Orders for later phases: conditional orders kept until their phase opens."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from hashlib import sha256
from typing import TypeAlias, assert_never, cast

from judge.event_log import Event, Value
from judge.game.decision import Accepted, Refused, Remark, Why, why_not_order
from judge.game.game_state import Game, Plan, SeatState, with_entry, without_key
from judge.game.payloads import (
    format_instant,
    get_payload,
    get_text,
    get_texts,
    orders_from_texts,
    parse_instant,
    write_orders,
)
from judge.game.submission import OrderSetUpdate, OrdersSubmitted, WaitSet, ordered_province
from judge.game.visibility import VisibleProvinces, visible_provinces
from judge.notation import conditional_orders
from judge.rules import types
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcomes import Impossible
from judge.rules.phase_sequence import duties, orders_due
from judge.rules.rulebook import Rulebook


@dataclass(frozen=True, slots=True)
class PlanOrders:
    """Orders for the phase *later*, which is still to come, as read from one email."""

    power: types.Power
    person: str
    later: types.Phase
    wishes: tuple[conditional_orders.ConditionalOrder, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class ClearPlan:
    """Drop the stored orders for the phase *later*: all, or those for units in *provinces*."""

    power: types.Power
    person: str
    later: types.Phase
    provinces: tuple[types.Province, ...]
    received: datetime
    mail: str
    nonce: str
    evidence: str | None = None


@dataclass(frozen=True, slots=True)
class PlanWait:
    """Set WAIT for the phase *later*, or clear it."""

    power: types.Power
    person: str
    later: types.Phase
    wait: bool
    nonce: str


@dataclass(frozen=True, slots=True)
class OrdersPlanned(Event):
    """A power stored orders in *phase* for the phase *later*, or withdrew them.

    *wishes* are all that is now stored for that phase, none if nothing is. Each has *orders* for
    one unit, of which the first that is possible by then counts, and the condition *if*:
    `{"stands": {"power", "kind", "place"}}`, `{"owns": {"power", "province"}}`, `{"not": ...}`,
    `{"both": [..., ...]}`, `{"either": [..., ...]}`, or null. When *later* opens, an
    `OrdersSubmitted` of the same email has the resulting orders.
    """

    power: str
    person: str
    phase: str
    later: str
    wishes: tuple[Mapping[str, Value], ...]
    received: str
    mail: str
    evidence: str | None
    nonce: str


YEARS_AHEAD_MAX = 5  # as nJudge has it
NONCE_DIGITS = 32  # 128 bits, as every nonce has

PlanChange: TypeAlias = PlanOrders | ClearPlan
PlanCommand: TypeAlias = PlanChange | PlanWait


def decide_plan(game: Game, command: PlanCommand) -> Accepted | Refused:
    """Decide on storing orders or WAIT for a later phase, or dropping them."""
    if why := why_not_order(game, command.power, command.person) or _why_plan_untimely(
        game, command
    ):
        return Refused(why)
    match command:
        case PlanOrders():
            return _plan_orders(game, command)
        case ClearPlan():
            return _clear_plan(game, command)
        case PlanWait():
            return _plan_wait(game, command)
        case _:
            assert_never(command)


def submit_planned_orders(
    board: Map, game: Game, phase: str, *, opened: str
) -> Iterator[OrdersSubmitted]:
    """Yield the orders that powers kept for the *phase* of *game*, just *opened*.

    Its nonce is made of that of the plan, which stays its owner's secret.
    """
    assert game.position is not None
    asked = duties(board, game.position)
    for power, plans in game.plans.items():
        plan = plans.get(phase)
        disorder = game.seats[power].state is SeatState.CIVIL_DISORDER
        if plan and power in asked and not disorder:
            yield from _submit_plan(board, game, phase, opened, power, plan)


def _why_plan_untimely(game: Game, command: PlanCommand) -> Why | None:
    assert game.position is not None
    later, now = command.later, game.position.phase
    if later <= now:
        return Why.OTHER_PHASE
    if later.year > now.year + YEARS_AHEAD_MAX:
        return Why.TOO_FAR_AHEAD
    if isinstance(command, PlanWait):
        return None
    kept = _plan_of(game, command)
    return Why.OVERTAKEN if kept and command.received < kept.received else None


def _plan_of(game: Game, command: PlanChange) -> Plan | None:
    return game.plans.get(command.power, {}).get(command.later.code)


def _plan_orders(game: Game, command: PlanOrders) -> Accepted | Refused:
    kind = command.later.kind
    fit = tuple(
        w for w in command.wishes if all(is_order_of_phase(kind, order) for order in w.orders)
    )
    remarks = tuple(
        Remark(wish.orders[0], Impossible.WRONG_PHASE, refused=True)
        for wish in command.wishes
        if wish not in fit
    )
    if not fit:
        return Refused(Why.NOTHING_CHANGED, remarks)
    earlier = _planned_wishes(game, command)
    return Accepted((_orders_planned(game, command, merge_wishes(earlier, fit, kind)),), remarks)


def _clear_plan(game: Game, command: ClearPlan) -> Accepted | Refused:
    earlier = _planned_wishes(game, command)
    gone = command.provinces
    kept = tuple(w for w in earlier if gone and ordered_province(w.orders[0]) not in gone)
    if kept == earlier:
        return Refused(Why.NOTHING_CHANGED)
    return Accepted((_orders_planned(game, command, kept),))


def _plan_wait(game: Game, command: PlanWait) -> Accepted | Refused:
    code = command.later.code
    if command.wait is (command.power in game.waits.get(code, ())):
        return Refused(Why.NOTHING_CHANGED)
    wait_set = WaitSet(command.power, command.person, code, command.wait, command.nonce)
    return Accepted((wait_set,))


def _planned_wishes(
    game: Game, command: PlanChange
) -> tuple[conditional_orders.ConditionalOrder, ...]:
    kept = _plan_of(game, command)
    return wishes_from_payloads(kept.wishes) if kept else ()


def _orders_planned(
    game: Game, command: PlanChange, wishes: tuple[conditional_orders.ConditionalOrder, ...]
) -> OrdersPlanned:
    assert game.position is not None
    return OrdersPlanned(
        power=command.power,
        person=command.person,
        phase=game.position.phase.code,
        later=command.later.code,
        wishes=wishes_to_payloads(wishes, game.rulebook),
        received=format_instant(command.received),
        mail=command.mail,
        evidence=command.evidence,
        nonce=command.nonce,
    )


def is_order_of_phase(kind: types.PhaseKind, order: types.Order) -> bool:
    """Return whether *order* is one for phases of *kind* at all."""
    match order:
        case (
            types.Hold()
            | types.Move()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
        ):
            return kind is types.PhaseKind.MOVEMENT
        case types.Retreat():
            return kind is types.PhaseKind.RETREATS
        case types.Disband():
            return kind is not types.PhaseKind.MOVEMENT
        case types.Build() | types.Waive():
            return kind is types.PhaseKind.ADJUSTMENTS
        case _:
            assert_never(order)


def _submit_plan(
    board: Map, game: Game, phase: str, opened: str, power: types.Power, plan: Plan
) -> Iterator[OrdersSubmitted]:
    assert game.position is not None
    position, rulebook = game.position, game.rulebook
    wishes = wishes_from_payloads(plan.wishes)
    policy = game.house_rules.impossible_orders
    visible = visible_provinces(board, game, position, power)
    orders = resolve_wishes(board, position, power, wishes, rulebook, visible)
    taken = OrderSetUpdate(board, position, rulebook, policy, power, visible).take(orders)
    if taken.orders:
        nonce = sha256(f"{plan.nonce}\n{phase}\n".encode()).hexdigest()
        yield OrdersSubmitted(
            power=power,
            person=plan.person,
            phase=phase,
            orders=write_orders(orders, rulebook),
            standing=write_orders(taken.orders, rulebook),
            received=opened,
            mail=plan.mail,
            evidence=plan.evidence,
            nonce=nonce[:NONCE_DIGITS],
        )


def apply_plan(game: Game, event: OrdersPlanned) -> Game:
    """Return *game* with orders for a later phase stored or cleared."""
    others = without_key(game.plans.get(event.power, {}), event.later)
    plan = Plan(
        event.wishes,
        event.person,
        event.mail,
        event.evidence,
        event.nonce,
        parse_instant(event.received),
    )
    kept = with_entry(others, event.later, plan) if event.wishes else others
    return replace(game, plans=with_entry(game.plans, event.power, kept))


def plans_for_phase(game: Game, code: str) -> dict[types.Power, Plan]:
    """Return the stored orders of each power for the phase *code*."""
    return {power: plans[code] for power, plans in game.plans.items() if code in plans}


def plans_after(game: Game, phase: types.Phase) -> dict[types.Power, dict[str, Plan]]:
    """Return the plans for phases after *phase*; plans for skipped phases are lost."""
    return {
        power: {code: plan for code, plan in plans.items() if types.Phase.parse(code) > phase}
        for power, plans in game.plans.items()
    }


Payload = Mapping[str, Value]
NOT_MISSED = frozenset({Impossible.NOT_DISLODGED, Impossible.NO_SUCH_UNIT})


def wishes_from_payloads(
    payloads: Iterable[Payload],
) -> tuple[conditional_orders.ConditionalOrder, ...]:
    """Read what `wishes_to_payloads` wrote; raises `UnreadableOrderError` for other orders."""
    return tuple(
        conditional_orders.ConditionalOrder(
            _optional_condition(each["if"]), orders_from_texts(get_texts(each, "orders"))
        )
        for each in payloads
    )


def wishes_to_payloads(
    wishes: Iterable[conditional_orders.ConditionalOrder], rulebook: Rulebook
) -> tuple[Payload, ...]:
    """Write *wishes* as primitives."""
    return tuple(
        {
            "if": _condition_to_payload(wish.condition),
            "orders": write_orders(wish.orders, rulebook),
        }
        for wish in wishes
    )


def plan_lines(plan: Plan) -> tuple[str, ...]:
    """Return the wishes of *plan* as text for its writer, one a line."""
    return tuple(
        map(conditional_orders.write_conditional_order, wishes_from_payloads(plan.wishes))
    )


def merge_wishes(
    earlier: Sequence[conditional_orders.ConditionalOrder],
    wishes: Sequence[conditional_orders.ConditionalOrder],
    kind: types.PhaseKind,
) -> tuple[conditional_orders.ConditionalOrder, ...]:
    """Return the stored wishes after an email's *wishes*: by unit, but adjustments as a whole."""
    if kind is types.PhaseKind.ADJUSTMENTS:
        return tuple(wishes)
    replaced = {ordered_province(wish.orders[0]) for wish in wishes}
    return (
        *(wish for wish in earlier if ordered_province(wish.orders[0]) not in replaced),
        *wishes,
    )


def resolve_wishes(
    board: Map,
    position: types.Position,
    power: types.Power,
    wishes: Iterable[conditional_orders.ConditionalOrder],
    rulebook: Rulebook,
    visible: VisibleProvinces = None,
) -> tuple[types.Order, ...]:
    """Return the orders that *wishes* of *power* become in *position*, as far as it is *visible*.

    Of several for one unit the last counts. A movement that is impossible by then still counts as
    an order, as if it had been sent in that phase. Impossible retreats and adjustments are
    dropped, since these are choices.
    """
    chosen = [wish.orders for wish in wishes if _is_met(wish.condition, position, power, visible)]
    possible = [
        [each for each in orders if not impossibility(board, position, power, each, rulebook)]
        for orders in chosen
    ]
    match position.phase.kind:
        case types.PhaseKind.MOVEMENT:
            pairs = zip(chosen, possible, strict=True)
            return tuple((some or orders)[0] for orders, some in pairs)
        case types.PhaseKind.RETREATS:
            return tuple(some[0] for some in possible if some)
        case types.PhaseKind.ADJUSTMENTS:
            wanted = _without_duplicates(each for some in possible for each in some[:1])
            return tuple(wanted)[: orders_due(board, position, power)]
        case kind:
            assert_never(kind)


def unfit_wishes(update: OrderSetUpdate, plan: Plan) -> tuple[tuple[types.Order, Impossible], ...]:
    """Return the orders of *plan* that cannot be carried out now, each with the reason.

    A retreat for a unit that was not dislodged after all is not missed, nor is an adjustment if
    enough others can be made.
    """
    board, position, power = update.board, update.position, update.power
    wishes = wishes_from_payloads(plan.wishes)
    holding = [w for w in wishes if _is_met(w.condition, position, power, update.visible)]
    if position.phase.kind is types.PhaseKind.ADJUSTMENTS:
        given = resolve_wishes(board, position, power, wishes, update.rulebook, update.visible)
        if len(update.take(given).orders) >= orders_due(board, position, power):
            return ()
    else:  # Of several for one unit the last counts.
        holding = list({ordered_province(wish.orders[0]): wish for wish in holding}.values())
    faults = [[update.fault_in(order) for order in wish.orders] for wish in holding]
    retreating = position.phase.kind is types.PhaseKind.RETREATS
    return tuple(
        (wish.orders[0], why[0])
        for wish, why in zip(holding, faults, strict=True)
        if all(why) and why[0] and not (retreating and why[0] in NOT_MISSED)
    )


def _without_duplicates(orders: Iterable[types.Order]) -> Iterator[types.Order]:
    """Yield *orders* but those for a place that was built in, or a unit removed, before."""
    places = set()
    for order in orders:
        place = ordered_province(order)
        if isinstance(order, types.Waive) or place not in places:
            yield order
        places.add(place)


def _is_met(
    condition: conditional_orders.Condition | None,
    position: types.Position,
    power: types.Power,
    visible: VisibleProvinces,
) -> bool | None:
    """Return whether *condition* of *power* is met, None if *visible* does not show it.

    Dislodged units are in no province. A power always knows its own units and centers.
    """
    match condition:
        case None:
            return True
        case conditional_orders.Stands(unit):
            known = visible is None or unit.province in visible or unit.power == power
            return _is_unit_there(unit, position) if known else None
        case conditional_orders.Owns(province, owner):
            known = visible is None or province in visible or owner in (None, power)
            return position.owners.get(province) == (owner or power) if known else None
        case conditional_orders.Not(denied):
            met = _is_met(denied, position, power, visible)
            return None if met is None else not met
        case conditional_orders.Both(first, second):
            both = {_is_met(each, position, power, visible) for each in (first, second)}
            return next((each for each in (False, None) if each in both), True)
        case conditional_orders.Either(first, second):
            either = {_is_met(each, position, power, visible) for each in (first, second)}
            return next((each for each in (True, None) if each in either), False)
        case _:
            assert_never(condition)


def _is_unit_there(unit: types.UnitName, position: types.Position) -> bool:
    return any(
        each.province == unit.province
        and unit.location in (each.province, each.location)
        and unit.kind in (None, each.kind)
        and unit.power in (None, each.power)
        for each in position.units
    )


def _condition_to_payload(condition: conditional_orders.Condition | None) -> Value:
    match condition:
        case None:
            return None
        case conditional_orders.Stands(unit):
            kind = unit.kind.value if unit.kind else None
            return {"stands": {"power": unit.power, "kind": kind, "place": unit.location}}
        case conditional_orders.Owns(province, power):
            return {"owns": {"power": power, "province": province}}
        case conditional_orders.Not(denied):
            return {"not": _condition_to_payload(denied)}
        case conditional_orders.Both(first, second):
            return {"both": (_condition_to_payload(first), _condition_to_payload(second))}
        case conditional_orders.Either(first, second):
            return {"either": (_condition_to_payload(first), _condition_to_payload(second))}
        case _:
            assert_never(condition)


def _optional_condition(payload: Value) -> conditional_orders.Condition | None:
    return None if payload is None else _condition_from_payload(cast("Payload", payload))


def _condition_from_payload(payload: Payload) -> conditional_orders.Condition:
    [(name, value)] = payload.items()
    match name:
        case "stands":
            unit = get_payload(payload, name)
            kind = types.UnitKind(get_text(unit, "kind")) if unit["kind"] else None
            return conditional_orders.Stands(
                types.UnitName(kind, get_text(unit, "place"), _optional_power(unit))
            )
        case "owns":
            center = get_payload(payload, name)
            return conditional_orders.Owns(
                types.province_of(get_text(center, "province")), _optional_power(center)
            )
        case "not":
            return conditional_orders.Not(_condition_from_payload(cast("Payload", value)))
        case _:
            first, second = map(_condition_from_payload, cast("tuple[Payload, Payload]", value))
            return (
                conditional_orders.Both(first, second)
                if name == "both"
                else conditional_orders.Either(first, second)
            )


def _optional_power(payload: Payload) -> types.Power | None:
    return cast("types.Power | None", payload["power"])
