"""Orders, or lines in place of a wish, that a receipt offers for YES: stored with its email."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any

from judge.app.commands.context import MailContext, Session
from judge.app.commands.order_lines import read_orders
from judge.app.commands.orders import give_orders, is_for_another_phase, situation_of
from judge.app.commands.stored_offers import (
    OrderOffer,
    orders_offered_by,
    store_offer,
    wish_offered_by,
)
from judge.app.ports.inbox import IncomingMail
from judge.game import submission
from judge.game.payloads import format_instant, parse_instant
from judge.game.payloads import orders_from_texts as read_standing
from judge.game.phases import PhaseOpened
from judge.mail.body import Line, Text
from judge.mail.language import command_syntax
from judge.mail.language.command_table import CommandTable
from judge.mail.reader.email_text import read_lines
from judge.notation.order_text import write_order, write_short
from judge.notation.readings import NotUnderstood, Understood
from judge.notation.terms import names_of, tokenize
from judge.reading.words import words_for
from judge.reports.emails import receipts
from judge.reports.emails.order_status import OrderTaken
from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcomes import Impossible
from judge.rules.types import Build, Order, PhaseKind, Power, UnitKind, UnitName, province_of

TEXT_MAX = 100  # characters of `A fleet, after all!`


def note_offer(context: MailContext, session: Session, items: Sequence[receipts.Item]) -> None:
    """Store what the receipt with *items* offers for YES: orders, or the lines of a wish."""
    orders, game = receipts.orders_offered(items), context.game(session.game)
    offer: Mapping[str, object] | None = None
    if orders and game and game.position and game.phase and session.power:
        offer = asdict(
            OrderOffer(
                game.name,
                session.power,
                game.position.phase.code,
                tuple(map(write_order, orders)),
                game.phase.standing.get(session.power, ()),
            )
        )
    elif not orders:
        lines, choices = receipts.lines_offered(items), receipts.choices_offered(items)
        if lines or choices:
            written = [(each.wish, each.command) for each in choices]
            offer = {"game": session.game, "lines": lines, "choices": written}
    if offer:
        store_offer(context, offer)


def offers_orders(mail: IncomingMail) -> bool:
    """Return whether the receipt of *mail* offers orders; if it was sent long ago, False."""
    return any(orders_offered_by(mail))


def lines_accepted(context: MailContext, session: Session) -> tuple[str, ...]:
    """Return the lines of the wish that a YES to the answered receipt means, if it offers one."""
    return tuple(_wish_offered(context, session).get("lines", ()))


def choices_before(context: MailContext, session: Session) -> tuple[receipts.WishChoice, ...]:
    """Return the commands that the answered receipt offers for wishes."""
    written = _wish_offered(context, session).get("choices", ())
    return tuple(receipts.WishChoice(wish, command) for wish, command in written)


def _wish_offered(context: MailContext, session: Session) -> Mapping[str, list[Any]]:
    mail = context.email_answered(session)
    if mail is None or is_for_another_phase(context, session):
        return {}
    return wish_offered_by(mail, session.game)


def orders_before(context: MailContext, session: Session) -> tuple[Order, ...]:
    """Return the orders that the answered receipt still offers, without those that are in."""
    game, mail = context.game(session.game), context.email_answered(session)
    if not (game and game.phase and session.power and mail and mail.offer):
        return ()
    stands = read_standing(game.phase.standing.get(session.power, ()))
    offered = (each for offer in _offers_of(context, session, mail) for each in offer.orders)
    return tuple(each for each in read_standing(tuple(offered)) if each not in stands)


def other_build(context: MailContext, session: Session, text: str) -> tuple[Order, ...]:
    """Return the order that lacks a coast with that of *text*, or a build with its other kind.

    It is the only build of a power, or its only order without a coast.
    """
    game = context.game(session.game)
    if not (game and game.position and game.phase and session.power):
        return ()
    if len(text) > TEXT_MAX:
        return ()
    board, power = context.board(game), session.power
    stands = read_standing(game.phase.standing.get(power, ()))
    keys = [token.key for token in tokenize(text)]
    for order in stands:
        why = impossibility(board, game.position, power, order, game.rulebook)
        if why is Impossible.COAST_NEEDED:
            lacking = write_short(order, board).removeprefix("Build ")
            line = Line(1, f"{lacking} {text}")  # `F Stp north coast`
            found = context.read(read_orders, situation_of(board, game, power), (line,))
            orders = [each.order for each in found.readings if isinstance(each, Understood)]
            return tuple(orders) if len(orders) == 1 and orders[0] != order else ()
    builds = [each for each in stands if isinstance(each, Build)]
    long = {key for key in keys if len(key) > 1}
    kinds = {kind for kind in UnitKind if long & words_for(kind.name.lower())}
    if len(builds) != 1 or len(kinds) != 1 or any(map(names_of(board).meaning, keys)):
        return ()
    other = Build(UnitName(kinds.pop(), province_of(builds[0].unit.location)))
    possible = impossibility(board, game.position, power, other, game.rulebook) is None
    return (other,) if possible and other != builds[0] else ()


def accept_suggestions(context: MailContext, session: Session) -> tuple[receipts.Item, ...]:
    """Give the orders that the answered receipt offers for YES, and no others.

    A unit that was ordered since keeps its order, which the answer says.
    """
    game, mail = context.game(session.game), context.email_answered(session)
    if not (game and game.position and game.phase and session.power and mail):
        return ()
    if is_for_another_phase(context, session):
        return ()
    stands = frozenset(read_standing(game.phase.standing.get(session.power, ())))
    given: list[Order] = []
    late: list[Order] = []
    already: list[Order] = []
    for offer in _offers_of(context, session, mail):
        orders, then = read_standing(offer.orders), read_standing(offer.standing)
        changed = {submission.ordered_province(each) for each in stands.symmetric_difference(then)}
        adjusts = game.position.phase.kind is PhaseKind.ADJUSTMENTS
        for each in orders:
            newer = bool(changed) if adjusts else submission.ordered_province(each) in changed
            (already if each in stands else late if newer else given).append(each)
        if adjusts and given:
            places = {submission.ordered_province(each) for each in given} - {None}
            kept = [each for each in then if submission.ordered_province(each) not in places]
            given = [*kept, *given]
    board = context.board(game)
    return (
        *map(OrderTaken, already),
        *(give_orders(context, session, tuple(given)) if given else ()),
        *(receipts.CommandDone("offer_late", write_short(each, board)) for each in late),
    )


def _offers_of(
    context: MailContext, session: Session, mail: IncomingMail
) -> tuple[OrderOffer, ...]:
    """Return what the receipt of *mail* offers in the open phase."""
    game = context.game_of(session)
    if mail.offer is None:
        return tuple(_offer_read_again(context, session, mail))
    phase = game.position.phase.code if game.position else None
    return tuple(
        each
        for each in orders_offered_by(mail)
        if (each.game, each.power, each.phase) == (game.name, session.power, phase)
    )


def _offer_read_again(
    context: MailContext, session: Session, mail: IncomingMail
) -> Iterator[OrderOffer]:
    """Yield what the receipt of *mail* offers, if that was sent before offers were stored."""
    game, power = context.game_of(session), session.power
    then = _orders_after(context, session, mail)
    if then is None or power is None or game.position is None:
        return
    lines = ordered_lines(context, session, mail)
    unordered = replace(situation_of(context.board(game), game, power), standing=())
    readings = context.read(read_orders, unordered, lines).readings if lines else ()
    offers = [
        each.nearest
        for each in readings
        if isinstance(each, NotUnderstood) and each.nearest and each.power in (None, power)
    ]
    places = Counter(map(submission.ordered_province, offers))
    single = (each for each in offers if places[submission.ordered_province(each)] == 1)
    phase = game.position.phase.code
    yield OrderOffer(game.name, power, phase, tuple(map(write_order, single)), then)


def ordered_lines(context: MailContext, session: Session, mail: IncomingMail) -> tuple[Line, ...]:
    """Return the lines of orders in *mail*."""
    opened, game = context.open_again(mail, session.person.id), context.game(session.game)
    if not (opened and game):
        return ()
    board, commands = context.board(game), context.judge.commands
    return context.read(read_ordered_lines, opened.text, board, commands, session.power)


def read_ordered_lines(
    text: Text, board: Map, commands: CommandTable, power: Power | None
) -> tuple[Line, ...]:
    """Return the lines of orders in *text*."""
    parsed = read_lines(text, board, commands, own=power)
    return tuple(
        line
        for each in parsed
        if isinstance(each, command_syntax.OrderText | command_syntax.OrdersOfPhase)
        for line in each.lines
    )


def _orders_after(
    context: MailContext, session: Session, mail: IncomingMail
) -> tuple[str, ...] | None:
    """Return the orders in force after *mail*, None if that was before this phase."""
    stood: tuple[str, ...] | None = None
    game = context.game(session.game)
    assert game is not None, "the sender plays in it"
    for recorded in context.transaction.events.read(session.game):
        match recorded.event:
            case PhaseOpened(opened=opened):
                stood = () if parse_instant(opened) <= mail.received_utc else None
            case submission.OrdersSubmitted() | submission.OrdersCleared() as event if (
                event.power == session.power and stood is not None
            ):
                earlier = event.received < format_instant(mail.received_utc)
                if earlier or event.mail == mail.sha256:
                    stood = event.standing
            case _:
                pass
    return stood
