"""What stands for one power in the open phase, as far as its reader may know (`visibility`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.game.orders.future_orders import plan_lines
from judge.game.orders.missing_orders import has_ordered_all, unfit_planned_orders
from judge.game.orders.order_set_update import contradictory_orders, excess_adjustments
from judge.game.payloads import read_orders
from judge.game.visibility import (
    GameView,
    Player,
    Reader,
    position_within,
    view,
    visible_fault,
    visible_provinces,
)
from judge.reports.items import OrderLeft, OrderTaken
from judge.reports.names import as_seen
from judge.reports.standing import Kept, State
from judge.rules.phase_sequence import orders_due, units_to_order
from judge.rules.types import Phase, Waive

if TYPE_CHECKING:
    from judge.game.game_state import Game
    from judge.rules.board import Map
    from judge.rules.types import Power


def state_of(board: Map, game: Game, power: Power, reader: Reader | None = None) -> State | None:
    """Return what *reader*, by default its player, may know of what stands for *power*.

    None while no phase is open.
    """
    seen = view(game, reader or Player(power))
    if game.position is None or seen.phase is None:
        return None
    kind = game.position.phase.kind
    orders = read_orders(board, kind, seen.phase.standing.get(power, ()))
    ordered = {order.unit.province for order in orders if not isinstance(order, Waive)}
    missing = [u for u in units_to_order(game.position, power) if u.province not in ordered]
    sight = visible_provinces(board, game, game.position, power)
    known = position_within(game.position, sight, power)
    faults = [
        visible_fault(board, game.position, power, each, game.rulebook, sight) for each in orders
    ]
    possible = [(i, each) for i, each in enumerate(orders) if faults[i] is None]
    void = excess_adjustments(board, game.position, game.rulebook, power, possible)
    other = dict(contradictory_orders(order for _, order in possible))
    against = {i: other[each] for i, each in possible if each in other}
    number = orders_due(board, game.position, power)
    lapsed = unfit_planned_orders(board, game, power) if power in seen.phase.planned else ()
    return State(
        power=power,
        standing=tuple(
            OrderTaken(
                as_seen(order, known, power, why), why or void.get(i), contradicts=against.get(i)
            )
            for i, (order, why) in enumerate(zip(orders, faults, strict=True))
        ),
        missing=tuple(missing),
        to_order=number,
        beyond=len(void),
        vain=len(faults) - faults.count(None),
        complete=has_ordered_all(board, game, power),
        waiting=power in seen.phase.waiting,
        ready=power in seen.phase.ready,
        ready_needed=game.house_rules.need_ready,
        draw=power in seen.draw_votes,
        concedes_to=seen.concessions.get(power),
        draw_among=seen.draw_lists.get(power, ()),
        kept=_kept(board, seen, power),
        unfit=tuple(OrderLeft(as_seen(order, known, power, why), why) for order, why in lapsed),
    )


def _kept(board: Map, seen: GameView, power: Power) -> tuple[Kept, ...]:
    plans = seen.plans.get(power, {})
    lines = {code: plan_lines(board, Phase.parse(code), plan) for code, plan in plans.items()}
    lines |= {code: (*lines.get(code, ()), "WAIT") for code in seen.waits}
    kept = (Kept(Phase.parse(code), said) for code, said in lines.items())
    return tuple(sorted(kept, key=lambda each: each.phase))
