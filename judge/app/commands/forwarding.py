"""Forward sentences that name a province to the moderator and list them in the receipt.

A sentence that names a province may be an order that was not read. It is forwarded only to a
moderator who sees orders. A moderator who plays gets nothing: that would be press.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from datetime import datetime
from typing import assert_never

from judge.app.commands.context import MailContext, Session
from judge.app.commands.other_text import NotOrders
from judge.app.outbound import queue
from judge.game.game_state import Game
from judge.game.house_rules import Forwarding
from judge.game.visibility import sees_orders
from judge.mail.body import Line
from judge.reports.emails import notices
from judge.reports.emails.receipts import CourtesiesLeftOut, Item, NotActedOn, QuestionsAnswered

SHOWN_MAX = 50  # sentences of one kind in a receipt


def items_of_prose(aside: NotOrders, shown: Collection[str] = ()) -> tuple[Item, ...]:
    """Return the receipt's items for text that is no order, except sentences *shown* already."""
    items: list[Item] = []
    for may_be in (True, False):
        lines = tuple(
            each.text
            for each in aside.sentences
            if each.names is may_be and (each.names_own or each.text not in shown)
        )
        if lines:
            items.append(NotActedOn(lines, may_be))
    if aside.courtesies:
        items.append(CourtesiesLeftOut(len(aside.courtesies)))
    return tuple(items)


def forward_prose(
    context: MailContext,
    session: Session,
    items: Sequence[Item],
    is_answered: Callable[[str], bool],
) -> list[Item]:
    """Collect the sentences of *items* in one item at the end, and forward possible orders.

    A question that *is_answered* by HELP is not forwarded.
    """
    kept: list[Item] = [each for each in items if is_acted_on(each)]
    game = context.game(session.game)
    moderator = _moderator(context, session, game) if game else None
    sent: list[str] = []
    for may_be in (True, False):
        lines = _lines(context, items, may_be_orders=may_be)
        if not may_be:
            answered = tuple(line for line in lines if is_answered(line))
            lines = tuple(line for line in lines if line not in answered)
            kept += [QuestionsAnswered(answered[:SHOWN_MAX])] if answered else ()
        if not lines:
            continue
        gets = bool(
            game
            and moderator
            and (not may_be or sees_orders(game, queue.visibility_for(moderator)))
        )
        sent += lines if gets else ()
        more = max(len(lines) - SHOWN_MAX, 0)
        kept.append(NotActedOn(lines[:SHOWN_MAX], may_be, gets, more))
    if game and moderator and sent:
        _forward(context, session, game, moderator, tuple(sent))
    courtesies = sum(each.lines for each in items if isinstance(each, CourtesiesLeftOut))
    courtesies += sum(any(map(str.isalnum, line)) for line in context.opened.text.signature)
    return [*kept, CourtesiesLeftOut(courtesies)] if courtesies else kept


def is_acted_on(item: Item) -> bool:
    """Return whether *item* is about more than prose."""
    return not isinstance(item, NotActedOn | QuestionsAnswered | CourtesiesLeftOut)


def _lines(context: MailContext, items: Sequence[Item], *, may_be_orders: bool) -> tuple[str, ...]:
    texts: Iterator[str] = (
        line
        for each in items
        if isinstance(each, NotActedOn) and each.may_be_orders is may_be_orders
        for line in each.lines
    )
    return context.shown(Line(0, text) for text in texts)


def _moderator(context: MailContext, session: Session, game: Game) -> queue.Recipient | None:
    takes_part = session.power is not None or session.person.id in game.observers
    if not takes_part or session.acting or session.person.id == game.moderator:
        return None
    everybody = queue.recipients_of(context.transaction, game)
    return next((each for each in everybody if each.moderates and each.power is None), None)


def _forward(
    context: MailContext,
    session: Session,
    game: Game,
    moderator: queue.Recipient,
    lines: tuple[str, ...],
) -> None:
    board, code = context.board(game), context.judge.code
    note = notices.forwarded(board, game, session.power, lines, judge_code=code)
    mailer = queue.GameMailer(context.judge, context.transaction, game, context.now)
    cause = f"{context.cause}:forwarded:{session.game}:{session.power}"
    mailer.note(note, moderator, cause, _send_at(game, context.now))


def _send_at(game: Game, now: datetime) -> datetime:
    match game.house_rules.forwarding:
        case Forwarding.AT_ONCE:
            return now
        case Forwarding.DAILY:
            return queue.next_daily(now)
        case forwarding:
            assert_never(forwarding)
