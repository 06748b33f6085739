"""Orders for a later phase: how the log holds them, and what comes of them then."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import assert_never, cast

from judge.events.value import Value
from judge.game.intake import Intake, place_of
from judge.game.kept import Plan
from judge.game.primitives import inner, text, texts
from judge.game.sight import Sight
from judge.game.standing import read_orders, write_orders
from judge.notation.conditional_orders import (
    Both,
    Condition,
    ConditionalOrder,
    Either,
    Not,
    Owns,
    Stands,
    write_conditional_order,
)
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcome import Impossible
from judge.rules.phase_sequence import orders_due
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

Payload = Mapping[str, Value]
NOT_MISSED = frozenset({Impossible.NOT_DISLODGED, Impossible.NO_SUCH_UNIT})


def wishes_of(
    board: Map, later: Phase, payloads: Iterable[Payload]
) -> tuple[ConditionalOrder, ...]:
    """Read the wishes for the phase *later*."""
    return tuple(
        ConditionalOrder(
            _condition(each["if"]), read_orders(board, later.kind, texts(each, "orders"))
        )
        for each in payloads
    )


def wishes_to_payloads(wishes: Iterable[ConditionalOrder], law: Rulebook) -> tuple[Payload, ...]:
    """Write *wishes* for the log."""
    return tuple(
        {"if": _payload(wish.condition), "orders": write_orders(wish.orders, law)}
        for wish in wishes
    )


def lines_of(board: Map, later: Phase, plan: Plan) -> tuple[str, ...]:
    """Return the wishes of *plan* as text, one a line: what its writer is told is kept."""
    return tuple(map(write_conditional_order, wishes_of(board, later, plan.wishes)))


def together(
    earlier: Sequence[ConditionalOrder], wishes: Sequence[ConditionalOrder], kind: PhaseKind
) -> tuple[ConditionalOrder, ...]:
    """Return what is kept after a mail with *wishes*: unit by unit, but adjustments as a whole."""
    if kind is PhaseKind.ADJUSTMENTS:
        return tuple(wishes)
    said = {place_of(wish.orders[0]) for wish in wishes}
    return (*(wish for wish in earlier if place_of(wish.orders[0]) not in said), *wishes)


def come_of(
    board: Map,
    position: Position,
    power: Power,
    wishes: Iterable[ConditionalOrder],
    law: Rulebook,
    sight: Sight = None,
) -> tuple[Order, ...]:
    """Return the orders that *wishes* of *power*, with so much in *sight*, come to in *position*.

    Of several for one unit the last counts. A movement that is impossible by then is one all the
    same, as if it had been sent in that phase; retreats and adjustments are choices, and what is
    impossible is none of them.
    """
    chosen = [wish.orders for wish in wishes if _holds(wish.condition, position, power, sight)]
    possible = [
        [each for each in orders if not impossibility(board, position, power, each, law)]
        for orders in chosen
    ]
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            pairs = zip(chosen, possible, strict=True)
            return tuple((some or orders)[0] for orders, some in pairs)
        case PhaseKind.RETREATS:
            return tuple(some[0] for some in possible if some)
        case PhaseKind.ADJUSTMENTS:
            wanted = _once(each for some in possible for each in some[:1])
            return tuple(wanted)[: orders_due(board, position, power)]
        case kind:
            assert_never(kind)


def no_longer_fit(intake: Intake, plan: Plan) -> tuple[tuple[Order, Impossible], ...]:
    """Return the orders of *plan* that cannot be carried out now, each with the reason.

    A retreat for a unit that was not dislodged after all is not missed, nor is an adjustment if
    enough others can be made.
    """
    board, position, power = intake.board, intake.position, intake.power
    wishes = wishes_of(board, position.phase, plan.wishes)
    holding = [w for w in wishes if _holds(w.condition, position, power, intake.sight)]
    if position.phase.kind is PhaseKind.ADJUSTMENTS:
        given = come_of(board, position, power, wishes, intake.rulebook, intake.sight)
        if len(intake.take(given).orders) >= orders_due(board, position, power):
            return ()
    else:  # Of several for one unit the last counts.
        holding = list({place_of(wish.orders[0]): wish for wish in holding}.values())
    faults = [[intake.fault_in(order) for order in wish.orders] for wish in holding]
    retreating = position.phase.kind is PhaseKind.RETREATS
    return tuple(
        (wish.orders[0], why[0])
        for wish, why in zip(holding, faults, strict=True)
        if all(why) and why[0] and not (retreating and why[0] in NOT_MISSED)
    )


def _once(orders: Iterable[Order]) -> Iterator[Order]:
    """Yield *orders* but those for a place that was built in, or a unit removed, before."""
    places = set()
    for order in orders:
        place = place_of(order)
        if isinstance(order, Waive) or place not in places:
            yield order
        places.add(place)


def _holds(
    condition: Condition | None, position: Position, power: Power, sight: Sight
) -> bool | None:
    """Say whether *condition* of *power* is met, None if that hangs on what is not in *sight*.

    Dislodged units do not stand anywhere. What a power holds itself it knows wherever that is.
    """
    match condition:
        case None:
            return True
        case Stands(unit):
            known = sight is None or unit.province in sight or unit.power == power
            return _stands(unit, position) if known else None
        case Owns(province, owner):
            known = sight is None or province in sight or owner in (None, power)
            return position.owners.get(province) == (owner or power) if known else None
        case Not(denied):
            met = _holds(denied, position, power, sight)
            return None if met is None else not met
        case Both(first, second):
            both = {_holds(each, position, power, sight) for each in (first, second)}
            return next((each for each in (False, None) if each in both), True)
        case Either(first, second):
            either = {_holds(each, position, power, sight) for each in (first, second)}
            return next((each for each in (True, None) if each in either), False)
        case _:
            assert_never(condition)


def _stands(unit: UnitName, position: Position) -> bool:
    return any(
        each.province == unit.province
        and unit.location in (each.province, each.location)
        and unit.kind in (None, each.kind)
        and unit.power in (None, each.power)
        for each in position.units
    )


def _payload(condition: Condition | None) -> Value:
    match condition:
        case None:
            return None
        case Stands(unit):
            kind = unit.kind.value if unit.kind else None
            return {"stands": {"power": unit.power, "kind": kind, "place": unit.location}}
        case Owns(province, power):
            return {"owns": {"power": power, "province": province}}
        case Not(denied):
            return {"not": _payload(denied)}
        case Both(first, second):
            return {"both": (_payload(first), _payload(second))}
        case Either(first, second):
            return {"either": (_payload(first), _payload(second))}
        case _:
            assert_never(condition)


def _condition(payload: Value) -> Condition | None:
    return None if payload is None else _read(cast("Payload", payload))


def _read(payload: Payload) -> Condition:
    [(name, value)] = payload.items()
    match name:
        case "stands":
            unit = inner(payload, name)
            kind = UnitKind(text(unit, "kind")) if unit["kind"] else None
            return Stands(UnitName(kind, text(unit, "place"), _power(unit)))
        case "owns":
            center = inner(payload, name)
            return Owns(province_of(text(center, "province")), _power(center))
        case "not":
            return Not(_read(cast("Payload", value)))
        case _:
            first, second = map(_read, cast("tuple[Payload, Payload]", value))
            return Both(first, second) if name == "both" else Either(first, second)


def _power(payload: Payload) -> Power | None:
    return cast("Power | None", payload["power"])
