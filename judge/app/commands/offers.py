"""Orders and press that the receipt offers and that one word accepts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from judge.app.commands.command import CommandRow
from judge.app.commands.context import MailContext, Session
from judge.app.commands.join import answer_offered_seat
from judge.app.commands.later_phases import for_phase_named, keep_orders, orders_in_wrong_phase
from judge.app.commands.moderator import answer_extension_in_reply
from judge.app.commands.order_lines import read_for_any_phase, read_on_board
from judge.app.commands.order_offers import (
    accept_suggestions,
    offers_orders,
    ordered_lines,
    orders_before,
)
from judge.app.commands.order_reading import Situation, read_orders
from judge.app.commands.orders import situation_of, submit_orders
from judge.app.commands.other_text import is_acted_on
from judge.app.commands.press import OFFICES, handles_of, send_press
from judge.app.commands.votes import vote_in_reply, vote_offered
from judge.app.identity import Author, answered_email, claimed_sender, only_game
from judge.app.ports.inbox import InboxState, IncomingMail
from judge.game import submission
from judge.game.decision import Accepted, Why
from judge.game.game_state import Game
from judge.game.payloads import orders_from_texts as read_standing
from judge.game.phases import PhaseOpened
from judge.game.press import PressSent
from judge.game.visibility import provinces_held, visible_fault
from judge.mail.body import Line, Text
from judge.mail.envelope import OpenedEmail
from judge.mail.language import command_syntax
from judge.mail.language.command_table import CommandTable, Form
from judge.mail.language.confirmations import Confirm
from judge.mail.language.phase_names import phase_meant, phase_named
from judge.mail.language.previews import Preview
from judge.mail.quotes import without_quote_marks
from judge.mail.reader.email_text import (
    FailingLine,
    read_all_others,
    read_lines,
    with_subject_as_text,
)
from judge.mail.reader.press_blocks import (
    Press,
    UnopenedPress,
    may_open_message,
    press_text,
    recipients_of,
    with_messages_by_handle,
)
from judge.mail.reader.press_replies import declared_kind
from judge.mail.reply_kind import ReplyKind
from judge.notation.order_text import write_order, write_short
from judge.notation.readings import Reading, Understood
from judge.notation.terms import names_of
from judge.reading.world import world_of
from judge.reports.emails import receipts
from judge.reports.emails.order_status import OrderTaken
from judge.reports.emails.press import OrdersInPressOffered, PressOffered
from judge.rules.board import Map
from judge.rules.phase_sequence import orders_due
from judge.rules.types import Order, Phase, PhaseKind, Position, Power


@dataclass(frozen=True, slots=True)
class UseThese(command_syntax.ParsedLine):
    """`USE THESE FOR F1902M`: use orders given for another phase in the open one.

    `USE THESE 2` means the offer of that number, where a receipt lists several.
    """

    code: str | None

    @property
    def number(self) -> int | None:
        """Return the number of the offer, from 1, if it is meant by that."""
        return int(self.code) if self.code and self.code.isdecimal() else None


def _read_use_these(arguments: list[str], board: Map) -> command_syntax.LineMaker | None:
    match [word.upper() for word in arguments]:
        case ["THESE"]:
            return partial(UseThese, code=None)
        case ["THESE", number] if command_syntax.SHORT_NUMBER.fullmatch(number):
            return partial(UseThese, code=number)
        case ["THESE", "FOR", *phase]:
            code = phase_named(phase, board)
            return partial(UseThese, code=code) if code else None
        case _:
            return None


NOTHING_OFFERED = (receipts.CommandRefused("use these", Why.NOTHING_OFFERED),)
OFFERED_MAX = 34  # orders; a longer list cannot be the sender's own
OFFERS_LOOKED_AT = 8  # emails of a phase that may offer orders
NESTED_MAX = 5  # emails that each say USE THESE of the one before


def _use_these(context: MailContext, session: Session, use: UseThese) -> tuple[receipts.Item, ...]:
    """Carry out the orders that a receipt offers for USE THESE.

    They are those of the email that the answered receipt is about: its new lines, or those of the
    email it referred to; if it has none, those of a preview or of unsent press; otherwise those in
    its quotes or signature. If that receipt offers none, they are those of another email in this
    phase; the judge asks if there are several.
    """
    game = context.game(session.game)
    answered = context.email_answered(session)
    if game is None:
        return ()
    phase = use.code if use.number is None else None
    session = for_phase_named(context, session, phase) if phase else session
    if answered and use.number is None and _offers(context, session, game, answered):
        return _take(context, session, game, answered)
    others = _open_offers(context, session, game, answered if use.number else None)
    if use.number is not None:
        chosen = others[use.number - 1 : use.number]
        return _take(context, session, game, chosen[0][0]) if chosen else NOTHING_OFFERED
    if len(others) > 1:
        return (receipts.OffersToChoose(tuple(_offer_shown(context, each) for each in others)),)
    mail = others[0][0] if others else answered
    return _take(context, session, game, mail) if mail else NOTHING_OFFERED


def _take(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[receipts.Item, ...]:
    about = _is_about(context, session, mail) and _offers_plainly(context, session, game, mail)
    if not about and offers_orders(mail):
        return accept_suggestions(context, replace(session, answered=str(mail.id)))
    take = keep_orders if session.later else submit_orders
    items = (
        item
        for lines in _offered(context, session, game, mail, NESTED_MAX)
        for item in take(context, session, lines)
    )
    return tuple(filter(is_acted_on, items)) or NOTHING_OFFERED  # Others were reported before.


def _offer_shown(
    context: MailContext, offer: tuple[IncomingMail, tuple[Line, ...]]
) -> receipts.OfferToChoose:
    mail, lines = offer
    return receipts.OfferToChoose(mail.received_utc, context.shown(lines))


def _open_offers(
    context: MailContext, session: Session, game: Game, before: IncomingMail | None
) -> list[tuple[IncomingMail, tuple[Line, ...]]]:
    """Return the emails about *game* in this phase with orders that are offered, oldest first.

    Only those that came *before* that email count, if it is given.
    """
    found = []
    for mail in _emails_of_phase(context, session, game):
        if before and mail.id > before.id:
            continue
        lines = _offers(context, session, game, mail)
        if lines and lines[0].text != mail.sha256:  # which means those of an earlier one
            found.append((mail, lines))
    return found


def _emails_of_phase(context: MailContext, session: Session, game: Game) -> Iterator[IncomingMail]:
    """Yield the writer's latest other emails in this phase of *game*, oldest first."""
    person, inbox = session.person.id, context.transaction.inbox
    since = game.phase.opened if game.phase else None
    numbers = inbox.of_person(person, since, OFFERS_LOOKED_AT) if since else ()
    for mail in (mail for number in reversed(numbers) if (mail := inbox.get(number))):
        if mail.id != context.mail.id and mail.state is InboxState.PROCESSED:
            yield mail


def _offers(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[Line, ...]:
    """Return the lines of *mail* that its receipt offers, or the orders that it offers for YES."""
    about = _is_about(context, session, mail)
    if about and (plain := _offers_plainly(context, session, game, mail)):
        return plain
    orders = orders_before(context, replace(session, answered=str(mail.id)))
    texts = (write_short(each, context.board(game)) for each in orders)
    return tuple(Line(number, text) for number, text in enumerate(texts, start=1))


def _is_about(context: MailContext, session: Session, mail: IncomingMail) -> bool:
    opened, judge, transaction = context.open(mail), context.judge, context.transaction
    if not isinstance(opened, OpenedEmail):
        return False
    claimed = claimed_sender(judge, transaction, mail, opened)
    name = isinstance(claimed, Author) and (
        claimed.game or only_game(transaction, session.person.id)
    )
    return name == session.game


def _offers_plainly(
    context: MailContext, session: Session, game: Game, mail: IncomingMail
) -> tuple[Line, ...]:
    """Return the lines of *mail* that its receipt offers, unless they are in force already."""
    opened = context.open_again(mail, session.person.id)
    if opened is None or game.position is None:
        return ()
    board, now = context.board(game), game.position.phase
    claimed = claimed_sender(context.judge, context.transaction, mail, opened)
    other = isinstance(claimed, Author) and claimed.phase not in (None, now.code)
    found = context.read(
        read_offered, opened, board, context.judge.commands, session.power, now, ordered=other
    )
    if found.refers:
        return (Line(1, mail.sha256),)
    lines = [line for each in found.lines for line in each]
    if not lines and not found.ordered:
        unread = (*opened.text.quoted, *opened.text.signature)
        texts = _texts(_possible_orders(context, session, game, unread))
        lines = [Line(number, text) for number, text in enumerate(texts, start=1)]
    meant = context.read(orders_meant, tuple(lines), board)
    stands = game.phase.standing.get(session.power, ()) if game.phase and session.power else ()
    return tuple(lines) if set(meant) - set(stands) else ()


def orders_meant(lines: tuple[Line, ...], board: Map) -> tuple[str, ...]:
    """Return the orders in *lines*, as the log writes them."""
    readings = read_for_any_phase("\n".join(line.text for line in lines), board)
    return tuple(write_order(each.order) for each in readings if isinstance(each, Understood))


def _offered(
    context: MailContext, session: Session, game: Game, mail: IncomingMail, nested: int
) -> Iterator[tuple[Line, ...]]:
    opened = context.open_again(mail, session.person.id)
    if opened is None:
        return
    board = context.board(game)
    now = game.position.phase if game.position else None
    offer = context.read(
        read_offered, opened, board, context.judge.commands, session.power, now, ordered=True
    )
    if nested and offer.refers:
        before = answered_email(context.judge, context.transaction, mail, opened)
        earlier = context.transaction.inbox.get(int(before)) if before else None
        if earlier:
            yield from _offered(context, session, game, earlier, nested - 1)
    elif offer.lines:
        yield from offer.lines
    else:
        unread = (*opened.text.quoted, *opened.text.signature)
        orders = _texts(_possible_orders(context, session, game, unread))
        yield tuple(Line(number, text) for number, text in enumerate(orders, start=1))


@dataclass(frozen=True, slots=True)
class OrdersOffered:
    """The *lines* of orders that an email offers; it *refers* to an earlier one by USE THESE.

    It may have *ordered* something, too.
    """

    lines: tuple[tuple[Line, ...], ...]
    refers: bool
    ordered: bool


def read_offered(
    opened: OpenedEmail,
    board: Map,
    commands: CommandTable,
    power: Power | None,
    now: Phase | None,
    *,
    ordered: bool,
) -> OrdersOffered:
    """Return the orders of *power* that an email offers in the phase *now*.

    With *ordered*, these may be the orders of its lines for no particular phase.
    """
    opened = with_subject_as_text(opened, board, commands)
    parsed = read_lines(opened.text, board, commands, opened.subject, power)
    written = _ordered(parsed)
    fresh = _lines_without_phase(parsed, board, now) or (written if ordered else [])
    if not _holds_orders(board, fresh):
        fresh = [lines for each in parsed if (lines := _lines_not_carried_out(each))]
    offered = fresh if _holds_orders(board, fresh) else []
    refers = any(isinstance(each, UseThese) for each in parsed)
    return OrdersOffered(tuple(offered), refers, _holds_orders(board, written))


def press_to_offer(
    context: MailContext, session: Session, parsed: Sequence[command_syntax.ParsedLine]
) -> Iterator[OrdersInPressOffered | PressOffered]:
    """Offer to send press that was not sent, and the orders in it if the email has no others."""
    game = context.game(session.game)
    if game is None or session.power is None or any(isinstance(each, UseThese) for each in parsed):
        return
    if not any(isinstance(each, UnopenedPress) for each in parsed):
        return
    lone, ordering = context.read(read_unsent_press, tuple(parsed), context.board(game))
    if lone and not session.acting:
        yield PressOffered(tuple(OFFICES.get(each, each) for each in recipients_of(lone)))
    if ordering:
        yield OrdersInPressOffered()


def read_unsent_press(
    parsed: tuple[command_syntax.ParsedLine, ...], board: Map
) -> tuple[UnopenedPress | None, bool]:
    """Return the press that is all of the email, and whether only unsent press has orders."""
    unsent = [_lines_not_carried_out(each) for each in parsed if isinstance(each, UnopenedPress)]
    ordering = _holds_orders(board, unsent) and not _holds_orders(board, _ordered(parsed))
    return _lone_press(parsed, board), ordering


def accept_offered_press(
    context: MailContext, session: Session, parsed: command_syntax.ParsedLine
) -> Iterator[receipts.Item]:
    """Send, once, the press that the answered receipt offers; nothing if it offers none.

    PRESS in reply to another receipt sends that of the only email of this phase that has some.
    """
    game = context.game(session.game)
    if game is None or not _accepts_press(parsed):
        return
    answered = context.email_answered(session)
    offers = [*_press_offered(context, session, game, [answered] if answered else [])]
    if not offers and not isinstance(parsed, Confirm):
        sent = {each.mail for each in _press_sent(context, game)}
        earlier = _emails_of_phase(context, session, game)
        about = (each for each in earlier if _is_about(context, session, each))
        others = _press_offered(context, session, game, about)
        offers = [each for each in others if each[0].sha256 not in sent]
    if len(offers) != 1:
        return
    [(mail, opened, press)] = offers
    if any(each.mail == mail.sha256 for each in _press_sent(context, game)):
        yield receipts.CommandRefused("press", Why.NOTHING_CHANGED)
        return
    block = Press(
        recipients_of(press), (), press_text(press), closed=True, line=press.line, text=press.text
    )
    yield send_press(replace(context, mail=mail, opened=opened), session, block)


def _press_sent(context: MailContext, game: Game) -> list[PressSent]:
    log = (each.event for each in context.transaction.events.read(game.name))
    return [each for each in log if isinstance(each, PressSent)]


def _press_offered(
    context: MailContext, session: Session, game: Game, mails: Iterable[IncomingMail]
) -> Iterator[tuple[IncomingMail, OpenedEmail, UnopenedPress]]:
    """Yield the press in each of *mails* that has nothing else, not even orders."""
    for mail in mails:
        opened = None if offers_orders(mail) else context.open_again(mail, session.person.id)
        if opened is None:
            continue
        board, handles = context.board(game), handles_of(context, game)
        press = context.read(
            read_lone_press, opened, board, context.judge.commands, session.power, handles
        )
        if press:
            yield mail, opened, press


def read_lone_press(
    opened: OpenedEmail,
    board: Map,
    commands: CommandTable,
    power: Power | None,
    handles: Mapping[str, Power],
) -> UnopenedPress | None:
    """Return the press of an email that contains nothing else that has an effect."""
    parsed = read_lines(opened.text, board, commands, opened.subject, power)
    if power:
        parsed = tuple(with_messages_by_handle(parsed, board, power, handles))
    return _lone_press(parsed, board)


def with_messages_by_name(
    context: MailContext, session: Session, parsed: tuple[command_syntax.ParsedLine, ...]
) -> tuple[command_syntax.ParsedLine, ...]:
    """Return *parsed*, where text that greets another player by name is held back as press."""
    game = context.game(session.game)
    texts = (each for each in parsed if isinstance(each, command_syntax.OrderText))
    if not (game and session.power and any(may_open_message(each.lines) for each in texts)):
        return parsed
    handles = handles_of(context, game)
    return tuple(with_messages_by_handle(parsed, context.board(game), session.power, handles))


def _accepts_press(parsed: command_syntax.ParsedLine) -> bool:
    if isinstance(parsed, Confirm):
        return parsed.yes
    alone = isinstance(parsed, command_syntax.OrderText) or (
        isinstance(parsed, Press) and not parsed.lines
    )
    return alone and declared_kind((Line(parsed.line, parsed.text),)) is ReplyKind.PRESS


def _lone_press(parsed: Sequence[command_syntax.ParsedLine], board: Map) -> UnopenedPress | None:
    """Return the press if the email contains nothing else that has an effect."""
    press = [each for each in parsed if isinstance(each, UnopenedPress)]
    others = [
        each for each in parsed if not isinstance(each, UnopenedPress | command_syntax.OrderText)
    ]
    alone = len(press) == 1 and press[0].opening and not others
    return press[0] if alone and not _holds_orders(board, _ordered(parsed)) else None


def _ordered(parsed: Sequence[command_syntax.ParsedLine]) -> list[tuple[Line, ...]]:
    return [
        each.lines
        for each in parsed
        if isinstance(each, command_syntax.OrderText | command_syntax.OrdersOfPhase)
    ]


def _lines_not_carried_out(parsed: command_syntax.ParsedLine) -> tuple[Line, ...]:
    match parsed:
        case UnopenedPress(lines=lines, line=number, text=text) if parsed.opening:
            return (Line(number, text), *lines)
        case UnopenedPress(lines=lines) | Preview(lines=lines):
            return lines
        case _:
            return ()


def _lines_without_phase(
    parsed: Sequence[command_syntax.ParsedLine], board: Map, now: Phase | None
) -> list[tuple[Line, ...]]:
    """Return the lines not used because their phase is unclear, impossible or another one."""
    held: list[tuple[Line, ...]] = []
    above: str | None = None
    for each in parsed:
        match each:
            case command_syntax.NamedPhase(code=name):
                above = name
            case command_syntax.OrdersOfPhase(code=name, lines=lines):
                held.append(_lines_below_phase(name, lines, board, now))
            case command_syntax.OrderText(lines=lines) if above:
                held.append(_lines_below_phase(above, lines, board, now))
            case _:
                pass
    return [lines for lines in held if lines]


def _lines_below_phase(
    name: str, lines: tuple[Line, ...], board: Map, now: Phase | None
) -> tuple[Line, ...]:
    code = phase_meant(name, now, board.calendar)
    if code is None or now is None:
        return lines if code is None else ()
    named = Phase.parse(code)
    if named == now:
        return ()
    offered = named < now or named.kind is now.kind
    return lines if offered else orders_in_wrong_phase(board, now, named, lines)


def report_unread_parts(
    context: MailContext, session: Session, items: Sequence[receipts.Item]
) -> Iterator[receipts.Item]:
    """Report unread parts of the email; offer the orders there if it has no others.

    *items* says what was done. If that is an order for each unit, the quoted lines do not matter.
    """
    text = context.opened.text
    game = context.game(session.game)
    if game is None:
        return
    ordered = bool(game.phase and session.power and game.phase.standing.get(session.power))
    taken = sum(isinstance(each, OrderTaken) for each in items)
    all_given = (
        game.position
        and session.power
        and gives_every_order(context.board(game), game.position, session.power, taken)
    )
    unread = () if all_given else text.quoted
    if quoted := _not_in_force(session, game, _possible_orders(context, session, game, unread)):
        dropped = len(text.quoted) + len(text.returned)
        yield receipts.QuotedTextIgnored(dropped, () if ordered else _texts(quoted))
    if orders := _texts(_possible_orders(context, session, game, text.signature)):
        yield receipts.SignatureIgnored(orders, offered=not ordered)
    if text.struck:
        yield receipts.StruckTextIgnored(context.shown(Line(0, each) for each in text.struck))
    # With all orders given, a picture is more likely a part of a signature.
    pictures = () if all_given else tuple(name for name, _ in text.pictures)
    if text.attachments or pictures:
        yield receipts.AttachmentsIgnored((*text.attachments, *pictures))
    if text.unread or text.says_more:
        yield from _other_part(context, session, game)


def _other_part(
    context: MailContext, session: Session, game: Game
) -> Iterator[receipts.PartsDiffer]:
    text = context.opened.text
    read, unread = context.read(
        compare_parts,
        context.board(game),
        context.judge.commands,
        text,
        context.opened.subject,
        session.power,
    )
    only_read = context.shown(Line(0, read[key]) for key in read if key not in unread)
    only_unread = context.shown(Line(0, unread[key]) for key in unread if key not in read)
    if only_read or only_unread or text.says_more:
        yield receipts.PartsDiffer(text.html, only_read[:OFFERED_MAX], only_unread[:OFFERED_MAX])


def compare_parts(
    board: Map, commands: CommandTable, text: Text, subject: str, power: Power | None
) -> tuple[dict[str, str], dict[str, str]]:
    """Return the requests in the part of an email that is read, and in the one that is not.

    The keys are what they mean, the values their texts.
    """
    other = tuple(Line(number, each) for number, each in enumerate(text.unread, 1))
    read, unread = (
        _requests_and_failures(board, commands, text, subject, power, lines)
        for lines in (text.fresh, other)
    )
    return read, unread


def _requests_and_failures(
    board: Map,
    commands: CommandTable,
    whole: Text,
    subject: str,
    power: Power | None,
    lines: Sequence[Line],
) -> dict[str, str]:
    def meant_by(some: Sequence[Line]) -> dict[str, str]:
        text = replace(whole, fresh=tuple(some))
        return _requests_in(board, read_lines(text, board, commands, subject, power))

    meant, failing = read_all_others(meant_by, lines)
    return meant | {each.line.text: each.line.text for each in failing}


def _requests_in(board: Map, parsed: Sequence[command_syntax.ParsedLine]) -> dict[str, str]:
    meant: dict[str, str] = {}
    for each in parsed:
        if isinstance(each, command_syntax.OrderText | command_syntax.OrdersOfPhase):
            for reading in read_for_any_phase("\n".join(line.text for line in each.lines), board):
                text = reading.text
                if isinstance(reading, Understood):
                    text = write_short(reading.order, board)
                meant[text] = text
            continue
        lines = each.lines if isinstance(each, Press | UnopenedPress | Preview) else ()
        words = " ".join([each.text, *(line.text for line in lines)]).casefold().split()
        meant["".join(words)] = each.text
    return meant


def _possible_orders(
    context: MailContext, session: Session, game: Game, lines: Sequence[str]
) -> tuple[Understood, ...]:
    """Return the orders in unread *lines* that the sender's power could give now."""
    if not (lines and game.position and game.phase and session.power):
        return ()
    situation = situation_of(context.board(game), game, session.power)
    found, failing = context.read(possible_orders, without_standing(situation), tuple(lines))
    for each in failing:
        context.note_failing_line(each.line.number, each.defect)
    return found


def without_standing(situation: Situation) -> Situation:
    """Return *situation* without the current orders, on which unread text does not depend."""
    return replace(situation, standing=())


def possible_orders(
    situation: Situation, lines: tuple[str, ...]
) -> tuple[tuple[Understood, ...], tuple[FailingLine, ...]]:
    """Return the orders in unread *lines* that the power could give, and the failing lines."""
    board, position, power = situation.board, situation.position, situation.power
    unread = [Line(number, without_quote_marks(line)) for number, line in enumerate(lines, 1)]
    kind, own = position.phase.kind, provinces_held(position, power)
    about = None if kind is PhaseKind.ADJUSTMENTS else own  # to waive a build names no province
    names, world = names_of(board), world_of(board, situation.seen, power)

    def read(some: Sequence[Line]) -> tuple[Reading, ...]:
        near = [x for x in some if about is None or not about.isdisjoint(names.all_in(x.text))]
        return read_on_board(world, near).readings

    readings, failing = read_all_others(read, unread)
    rulebook, visible = situation.rulebook, situation.visible
    possible = (
        each
        for each in readings
        if isinstance(each, Understood)
        and visible_fault(board, position, power, each.order, rulebook, visible) is None
    )
    return tuple(possible)[:OFFERED_MAX], failing


def gives_every_order(board: Map, position: Position, power: Power, taken: int) -> bool:
    """Return whether *taken* orders are as many as *power* has to give."""
    return taken >= orders_due(board, position, power)


def _texts(readings: Sequence[Understood]) -> tuple[str, ...]:
    return tuple(each.text for each in readings)


def _not_in_force(
    session: Session, game: Game, readings: Sequence[Understood]
) -> tuple[Understood, ...]:
    """Return those of *readings* that are not in force already, as in a quoted receipt."""
    stands = game.phase.standing.get(session.power, ()) if game.phase and session.power else ()
    return tuple(each for each in readings if write_order(each.order) not in stands)


def _holds_orders(board: Map, texts: Sequence[Sequence[Line]]) -> bool:
    return any(
        read_for_any_phase("\n".join(line.text for line in lines), board) for lines in texts
    )


def _handle_confirmation(
    context: MailContext, session: Session, parsed: Confirm
) -> tuple[receipts.Item, ...]:
    answered = answer_offered_seat(context, session, parsed)
    if answered:
        return (answered,)
    if voted := vote_in_reply(context, session, parsed, yes=parsed.yes):
        return (voted,)
    if granted := answer_extension_in_reply(context, session, parsed, yes=parsed.yes):
        return (granted,)
    done = (
        accept_suggestions(context, session) if parsed.yes else undo_corrections(context, session)
    )
    return done or vote_offered(context, session, parsed)


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
    CommandRow(
        UseThese,
        readers={"USE": _read_use_these},
        in_subject=True,
        handle=_use_these,
        topic="phase",
        aliases="these",
        forms=(
            Form(
                "USE THESE | USE THESE 2",
                "gives the orders that a receipt offers, or those of that number in its list",
            ),
        ),
    ),
)
