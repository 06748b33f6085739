"""Orders for phases that are still to come: kept, taken back, and given when their phase opens."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256
from typing import TypeAlias, assert_never

from judge.events.planning import OrdersPlanned
from judge.events.types import OrdersSubmitted, WaitSet
from judge.game.admission import may_not_order
from judge.game.commands import ClearPlan, PlanOrders, PlanWait
from judge.game.decision import Accepted, Refused, Remark, Why
from judge.game.fog import sight_of
from judge.game.game import Game, SeatState
from judge.game.instants import to_text
from judge.game.intake import Intake, place_of
from judge.game.kept import Plan
from judge.game.plans import come_of, together, wishes_of, wishes_to_payloads
from judge.game.standing import write_orders
from judge.notation.conditional_orders import ConditionalOrder
from judge.rules.board import Map
from judge.rules.outcome import Impossible
from judge.rules.phase_sequence import duties
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Phase,
    PhaseKind,
    Power,
    Retreat,
    SupportHold,
    SupportMove,
    Waive,
)

YEARS_AHEAD_MAX = 5  # as nJudge has it
NONCE_DIGITS = 32  # 128 bits, as every nonce has

OfOrders: TypeAlias = PlanOrders | ClearPlan
Planning: TypeAlias = OfOrders | PlanWait


def decide(board: Map, game: Game, command: Planning) -> Accepted | Refused:
    """Keep orders, or a wish to wait, for a later phase, or forget what was kept."""
    if why := may_not_order(game, command.power, command.person) or _untimely(game, command):
        return Refused(why)
    match command:
        case PlanOrders():
            return _plan(board, game, command)
        case ClearPlan():
            return _clear(board, game, command)
        case PlanWait():
            return _wait(game, command)
        case _:
            assert_never(command)


def given_in_advance(
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
            yield from _given(board, game, phase, opened, power, plan)


def _untimely(game: Game, command: Planning) -> Why | None:
    assert game.position is not None
    later, now = command.later, game.position.phase
    if later <= now:
        return Why.OTHER_PHASE
    if later.year > now.year + YEARS_AHEAD_MAX:
        return Why.TOO_FAR_AHEAD
    if isinstance(command, PlanWait):
        return None
    kept = _kept(game, command)
    return Why.OVERTAKEN if kept and command.received < kept.received else None


def _kept(game: Game, command: OfOrders) -> Plan | None:
    return game.plans.get(command.power, {}).get(command.later.code)


def _plan(board: Map, game: Game, command: PlanOrders) -> Accepted | Refused:
    kind = command.later.kind
    fit = tuple(w for w in command.wishes if all(is_of(kind, order) for order in w.orders))
    remarks = tuple(
        Remark(wish.orders[0], Impossible.WRONG_PHASE, refused=True)
        for wish in command.wishes
        if wish not in fit
    )
    if not fit:
        return Refused(Why.NOTHING_CHANGED, remarks)
    earlier = _wishes(board, game, command)
    return Accepted((_planned(game, command, together(earlier, fit, kind)),), remarks)


def _clear(board: Map, game: Game, command: ClearPlan) -> Accepted | Refused:
    earlier = _wishes(board, game, command)
    gone = command.provinces
    kept = tuple(w for w in earlier if gone and place_of(w.orders[0]) not in gone)
    if kept == earlier:
        return Refused(Why.NOTHING_CHANGED)
    return Accepted((_planned(game, command, kept),))


def _wait(game: Game, command: PlanWait) -> Accepted | Refused:
    code = command.later.code
    if command.wait is (command.power in game.waits.get(code, ())):
        return Refused(Why.NOTHING_CHANGED)
    said = WaitSet(command.power, command.person, code, command.wait, command.nonce)
    return Accepted((said,))


def _wishes(board: Map, game: Game, command: OfOrders) -> tuple[ConditionalOrder, ...]:
    kept = _kept(game, command)
    return wishes_of(board, command.later, kept.wishes) if kept else ()


def _planned(game: Game, command: OfOrders, wishes: tuple[ConditionalOrder, ...]) -> OrdersPlanned:
    assert game.position is not None
    return OrdersPlanned(
        power=command.power,
        person=command.person,
        phase=game.position.phase.code,
        later=command.later.code,
        wishes=wishes_to_payloads(wishes, game.rulebook),
        received=to_text(command.received),
        mail=command.mail,
        evidence=command.evidence,
        nonce=command.nonce,
    )


def is_of(kind: PhaseKind, order: Order) -> bool:
    """Say whether *order* is one for phases of *kind* at all."""
    match order:
        case Hold() | Move() | SupportHold() | SupportMove() | Convoy():
            return kind is PhaseKind.MOVEMENT
        case Retreat():
            return kind is PhaseKind.RETREATS
        case Disband():
            return kind is not PhaseKind.MOVEMENT
        case Build() | Waive():
            return kind is PhaseKind.ADJUSTMENTS
        case _:
            assert_never(order)


def _given(
    board: Map, game: Game, phase: str, opened: str, power: Power, plan: Plan
) -> Iterator[OrdersSubmitted]:
    assert game.position is not None
    position, law = game.position, game.rulebook
    wishes = wishes_of(board, Phase.parse(phase), plan.wishes)
    policy = game.house_rules.impossible_orders
    sight = sight_of(board, game, position, power)
    orders = come_of(board, position, power, wishes, law, sight)
    taken = Intake(board, position, law, policy, power, sight).take(orders)
    if taken.orders:
        nonce = sha256(f"{plan.nonce}\n{phase}\n".encode()).hexdigest()
        yield OrdersSubmitted(
            power=power,
            person=plan.person,
            phase=phase,
            orders=write_orders(orders, law),
            standing=write_orders(taken.orders, law),
            received=opened,
            mail=plan.mail,
            evidence=plan.evidence,
            nonce=nonce[:NONCE_DIGITS],
        )
