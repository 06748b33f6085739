"""YES and NO to an email of ours: what YES accepts, and the corrections that NO undoes."""

from __future__ import annotations

from collections.abc import Sequence

from judge.app.commands.command import CommandRow
from judge.app.commands.context import MailContext, Session
from judge.app.commands.join import answer_offered_seat
from judge.app.commands.moderator import answer_extension_in_reply
from judge.app.commands.order_lines import read_orders
from judge.app.commands.order_offers import accept_suggestions, choices_before, ordered_lines
from judge.app.commands.orders import situation_of
from judge.app.commands.situation import Situation
from judge.app.commands.use_these import open_offers
from judge.app.commands.votes import vote_in_reply, vote_offered
from judge.game import submission
from judge.game.decision import Accepted
from judge.game.payloads import orders_from_texts as read_standing
from judge.game.phases import PhaseOpened
from judge.mail.body import Line
from judge.mail.language.command_table import Form
from judge.mail.language.confirmations import Confirm
from judge.notation.order_text import write_short
from judge.notation.readings import Understood
from judge.reports.emails import receipts
from judge.rules.types import Order, PhaseKind, Position


def _handle_confirmation(
    context: MailContext, session: Session, parsed: Confirm
) -> tuple[receipts.Item, ...]:
    if answered := answer_offered_seat(context, session, parsed):
        return answered
    if voted := vote_in_reply(context, session, parsed, yes=parsed.yes):
        return (voted,)
    if granted := answer_extension_in_reply(context, session, parsed, yes=parsed.yes):
        return (granted,)
    done = (
        accept_suggestions(context, session) if parsed.yes else undo_corrections(context, session)
    )
    if done or choices_before(context, session):
        return done
    return (*vote_offered(context, session, parsed), *_offers_meant(context, session, parsed))


def _offers_meant(
    context: MailContext, session: Session, parsed: Confirm
) -> tuple[receipts.Item, ...]:
    """Show the orders that other receipts of the phase offer, one of which a YES may mean."""
    game = context.game(session.game) if parsed.yes else None
    offers = open_offers(context, session, game, None) if game and session.power else []
    meant = (receipts.OfferToChoose(mail.received_utc, texts) for mail, texts in offers)
    return (receipts.OffersToChoose(tuple(meant)),) if offers else ()


def undo_corrections(context: MailContext, session: Session) -> tuple[receipts.Item, ...]:
    """Undo the corrections in the email whose receipt is answered with NO."""
    game, mail = context.game(session.game), context.email_answered(session)
    if not (game and game.position and game.phase and session.power and mail):
        return ()
    board, power = context.board(game), session.power
    lines = ordered_lines(context, session, mail)
    situation = situation_of(board, game, power)
    corrected = context.read(read_corrections, situation, lines)
    gone = [order for order in corrected if order in situation.standing]
    if not gone:
        return ()
    kept = tuple(order for order in situation.standing if order not in gone)
    back = _orders_before(context, session, mail.sha256, game.position, gone, alone=not kept)
    _replace_orders(context, session, gone, (*kept, *back))
    return tuple(receipts.CommandDone("undone", write_short(order, board)) for order in gone)


def read_corrections(situation: Situation, lines: tuple[Line, ...]) -> tuple[Order, ...]:
    """Return the orders in *lines* that were corrected."""
    found = read_orders(situation, lines)
    slips = (each for each in found.readings if each in found.slips)
    return tuple(each.order for each in slips if isinstance(each, Understood))


def _orders_before(
    context: MailContext,
    session: Session,
    mail: str,
    position: Position,
    gone: Sequence[Order],
    *,
    alone: bool,
) -> tuple[Order, ...]:
    """Return the orders for the units of *gone* before *mail* arrived.

    Adjustments replace each other as a set; so they are restored as a set if the email's are
    *alone*.
    """
    game = context.game(session.game)
    assert game is not None, "its orders are undone"
    before: tuple[str, ...] = ()
    for recorded in context.transaction.events.read(session.game):
        match recorded.event:
            case PhaseOpened():
                before = ()
            case submission.OrdersSubmitted(power=power, mail=sha256) if (
                power == session.power and sha256 == mail
            ):
                break
            case submission.OrdersSubmitted() | submission.OrdersCleared() as event if (
                event.power == session.power
            ):
                before = event.standing
            case _:
                pass
    kind = position.phase.kind
    orders = read_standing(before)
    if kind is PhaseKind.ADJUSTMENTS:
        return orders if alone else ()
    places = {submission.ordered_province(order) for order in gone}
    return tuple(order for order in orders if submission.ordered_province(order) in places)


def _replace_orders(
    context: MailContext, session: Session, gone: Sequence[Order], orders: tuple[Order, ...]
) -> None:
    assert session.power
    places = tuple(place for order in gone if (place := submission.ordered_province(order)))
    received, mail, nonce = (
        context.mail.received_utc,
        context.mail.sha256,
        context.judge.random.nonce,
    )
    person = session.person.id
    clear = submission.ClearOrders(session.power, person, places, received, mail, nonce())
    cleared = context.apply_command(session.game, clear).decision
    if orders and isinstance(cleared, Accepted):
        submit = submission.SubmitOrders(
            session.power, person, orders, received, mail, nonce(), session.evidence
        )
        context.apply_command(session.game, submit)


COMMANDS = (
    CommandRow(
        Confirm,
        in_subject=True,
        handle=_handle_confirmation,
        topic="join",
        aliases="yes, no",
        forms=(
            Form(
                "YES | NO",
                "confirms that an email is yours, or denies it; gives the orders a receipt "
                "suggests, or undoes a correction",
            ),
        ),
    ),
)
