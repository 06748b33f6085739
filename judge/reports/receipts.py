"""The answer to one mail."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from judge.game.orders.future_orders import plan_lines
from judge.game.orders.order_set_update import ordered_province
from judge.game.orders.submission import commit_orders
from judge.game.visibility import Player, is_blind, view
from judge.reports.contexts import Commitment, Receipt
from judge.reports.greetings import Heading
from judge.reports.headings import heading_of
from judge.reports.items import (
    CommandDone,
    Item,
    LineNotUnderstood,
    LineUnclear,
    NothingSaid,
    OrderTaken,
)
from judge.reports.states import state_of
from judge.rules.types import Phase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from judge.game.game_state import Game
    from judge.reports.standing import State
    from judge.rules.board import Map
    from judge.rules.types import Power

CHANGES = ("clear", "undone")  # orders, as an order does


def receipt(
    board: Map,
    game: Game,
    reader: Power | None,
    items: Sequence[Item],
    *,
    judge_code: str,
    commitment: Commitment | None = None,
) -> Receipt:
    """Account for each of *items* and say what stands for *reader* in *game* after them."""
    state = _unexplained(state_of(board, game, reader), items) if reader else None
    return Receipt(
        heading=heading_of(board, game, judge_code),
        said=tuple(items) or (NothingSaid(),),
        conflict=any(isinstance(item, OrderTaken) and item.instead_of for item in items),
        state=state,
        commitment=commitment,
        unread=_unread(items),
        promised=_promised(board, game, reader) if reader else {},
        dark=is_blind(game),
        still_ready=bool(state and state.ready and _only_changes(items)),
    )


def _unexplained(state: State | None, items: Sequence[Item]) -> State | None:
    """Return *state* without the reasons that one of *items* has given for an order already."""
    if state is None:
        return None
    told = {
        (ordered_province(item.order), item.impossible)
        for item in items
        if isinstance(item, OrderTaken)
    }
    standing = (
        replace(each, impossible=None)
        if (ordered_province(each.order), each.impossible) in told
        else each
        for each in state.standing
    )
    return replace(state, standing=tuple(standing))


def _only_changes(items: Sequence[Item]) -> bool:
    """Say whether orders changed in a mail that did not say READY."""
    done = {each.command for each in items if isinstance(each, CommandDone)}
    ordered = any(isinstance(each, OrderTaken) for each in items)
    return "ready" not in done and (ordered or not done.isdisjoint(CHANGES))


def _unread(items: Sequence[Item]) -> int:
    return sum(isinstance(item, LineNotUnderstood | LineUnclear) for item in items)


def _promised(board: Map, game: Game, reader: Power) -> Mapping[Phase, Commitment]:
    """Return what the owner of orders for later phases can hold the judge to."""
    plans = view(game, Player(reader)).plans.get(reader, {})
    lines = {code: plan_lines(board, Phase.parse(code), plan) for code, plan in plans.items()}
    return {
        Phase.parse(code): Commitment(
            commit_orders(plan.nonce, lines[code]), plan.nonce, lines[code]
        )
        for code, plan in sorted(plans.items(), key=lambda each: Phase.parse(each[0]))
    }


def homeless(items: Sequence[Item], *, judge_code: str) -> Receipt:
    """Account for each of *items*, none of which is about a game that there is."""
    return Receipt(
        heading=Heading(judge_code),
        said=tuple(items),
        conflict=False,
        state=None,
        commitment=None,
        unread=_unread(items),
    )
