"""Press that was not sent, and that PRESS or YES in reply to the receipt sends."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from judge.app.commands.context import MailContext, Session
from judge.app.commands.order_lines import read_for_any_phase
from judge.app.commands.order_offers import choices_before, orders_before
from judge.app.commands.press import OFFICES, handles_of, send_press, sender_of
from judge.app.commands.stored_offers import (
    has_offered_lines,
    offer_lines,
    offer_press,
    press_offered_by,
)
from judge.app.commands.use_these import UseThese
from judge.app.ports.inbox import IncomingMail
from judge.game.decision import Why
from judge.game.press import OBSERVER, PressSent
from judge.mail.body import Line
from judge.mail.language.command_syntax import OrdersOfPhase, OrderText, ParsedLine
from judge.mail.language.confirmations import Confirm
from judge.mail.reader.press_blocks import (
    OPENED,
    PLAIN_PRESS,
    Press,
    UnopenedPress,
    may_open_message,
    press_text,
    recipients_of,
    with_messages_by_handle,
)
from judge.mail.reader.press_replies import declared_kind
from judge.mail.reply_kind import ReplyKind
from judge.reports.emails import receipts
from judge.reports.emails.press import OrdersInPressOffered, PressOffered
from judge.rules.board import Map

# Beside a yes.
SENDING = re.compile(r"\b(?:send|(?:ab|ver)?schick|sende|absend|envo[iy])\w*", re.IGNORECASE)


def press_to_offer(
    context: MailContext, session: Session, parsed: Sequence[ParsedLine]
) -> Iterator[OrdersInPressOffered | PressOffered]:
    """Offer to send press that was not sent, and the orders in it if the email has no others."""
    game = context.game(session.game)
    if game is None or any(isinstance(each, UseThese) for each in parsed):
        return
    unsent = any(is_unsent(each) for each in parsed)
    if not unsent or sender_of(game, session) in (None, OBSERVER):
        return
    lone, ordering = context.read(read_unsent_press, tuple(parsed), context.board(game))
    if lone and not session.acting:
        offer_press(context, session, recipients_of(lone), press_text(lone))
        yield PressOffered(tuple(OFFICES.get(each, each) for each in recipients_of(lone)))
    if ordering and session.power:
        if not has_offered_lines(context, session):
            offer_lines(context, session, *map(_lines_of_press, parsed))
        yield OrdersInPressOffered()


def read_unsent_press(
    parsed: tuple[ParsedLine, ...], board: Map
) -> tuple[UnopenedPress | None, bool]:
    """Return the press that is all of the email, and whether only unsent press has orders."""
    parsed = tuple(_as_unopened(each, board) for each in parsed)
    unsent = [*map(_lines_of_press, parsed)]
    ordering = _holds_orders(board, unsent) and not _holds_orders(board, _ordered(parsed))
    return _lone_press(parsed, board), ordering


def accept_offered_press(
    context: MailContext, session: Session, parsed: ParsedLine
) -> Iterator[receipts.Item]:
    """Send, once, the press that the answered receipt offers; nothing if it offers none.

    `PRESS`, or `Yes, send it`, in reply to a receipt that offers nothing sends the only press that
    an email of this phase has.
    """
    game = context.game(session.game)
    if game is None or not _accepts_press(parsed):
        return
    log = (each.event for each in context.transaction.events.read(game.name))
    sent = {each.mail for each in log if isinstance(each, PressSent)}
    answered = context.email_answered(session)
    mails = [answered] if answered and press_offered_by(answered, game.name) else []
    says_press = not isinstance(parsed, Confirm) or (
        SENDING.search(parsed.text)
        and not (orders_before(context, session) or choices_before(context, session))
    )
    if not mails and says_press:
        mails = _unsent(context.emails_of_phase(session), game.name, sent)
    if len(mails) > 1:
        yield receipts.CommandRefused("press", Why.SEVERAL_HELD)
    opened = context.open_again(mails[0], session.person.id) if len(mails) == 1 else None
    if opened is None:
        return
    [mail] = mails
    press = press_offered_by(mail, game.name)
    if press and mail.sha256 in sent:
        yield receipts.CommandRefused("press", Why.NOTHING_CHANGED)
    elif press:
        yield send_press(replace(context, mail=mail, opened=opened), session, press)


def _unsent(mails: Iterable[IncomingMail], game: str, sent: Collection[str]) -> list[IncomingMail]:
    """Return those of *mails* with press that was not *sent*; of the same message, the last."""
    found, gone = dict[object, IncomingMail](), set[object]()
    for mail in mails:
        if press := press_offered_by(mail, game):
            message = (press.recipients, tuple(line.text for line in press.lines))
            found[message] = mail
            gone |= {message} if mail.sha256 in sent else set()
    return [mail for message, mail in found.items() if message not in gone]


def with_messages_by_name(
    context: MailContext, session: Session, parsed: tuple[ParsedLine, ...]
) -> tuple[ParsedLine, ...]:
    """Return *parsed*, where text that greets another player by name is held back as press."""
    game = context.game(session.game)
    texts = (each for each in parsed if isinstance(each, OrderText))
    if not (game and session.power and any(may_open_message(each.lines) for each in texts)):
        return parsed
    handles = handles_of(context, game)
    return tuple(with_messages_by_handle(parsed, context.board(game), session.power, handles))


def _accepts_press(parsed: ParsedLine) -> bool:
    if isinstance(parsed, Confirm):
        return parsed.yes
    alone = isinstance(parsed, OrderText) or (isinstance(parsed, Press) and not parsed.lines)
    return alone and declared_kind((Line(parsed.line, parsed.text),)) is ReplyKind.PRESS


def is_unsent(parsed: ParsedLine) -> bool:
    """Return whether *parsed* is press that has not been sent as it stands."""
    return isinstance(parsed, UnopenedPress) or (isinstance(parsed, Press) and not parsed.closed)


def _as_unopened(parsed: ParsedLine, board: Map) -> ParsedLine:
    """Return a block of plain press that nothing closes as a message without an opening.

    Orders below a forgotten ENDPRESS must not go to its readers.
    """
    match parsed:
        case Press(closed=False, unknown=(), manner=manner, lines=lines, recipients=to) if (
            to and manner == PLAIN_PRESS and not _holds_orders(board, [lines])
        ):
            opening = f"{OPENED}{', '.join(to)}"
            return UnopenedPress(lines, opening, line=parsed.line, text=f"{opening}:")
        case _:
            return parsed


def _lone_press(parsed: Sequence[ParsedLine], board: Map) -> UnopenedPress | None:
    """Return the press if the email contains nothing else that has an effect."""
    press = [each for each in parsed if isinstance(each, UnopenedPress)]
    others = [each for each in parsed if not isinstance(each, UnopenedPress | OrderText)]
    alone = len(press) == 1 and press[0].opening and not others
    return press[0] if alone and not _holds_orders(board, _ordered(parsed)) else None


def _ordered(parsed: Sequence[ParsedLine]) -> list[tuple[Line, ...]]:
    return [each.lines for each in parsed if isinstance(each, OrderText | OrdersOfPhase)]


def _lines_of_press(parsed: ParsedLine) -> tuple[Line, ...]:
    match parsed:
        case UnopenedPress(lines=lines, line=number, text=text) if parsed.opening:
            return (Line(number, text), *lines)
        case UnopenedPress(lines=lines):
            return lines
        case _:
            return ()


def _holds_orders(board: Map, texts: Sequence[Sequence[Line]]) -> bool:
    return any(
        read_for_any_phase("\n".join(line.text for line in lines), board) for lines in texts
    )
