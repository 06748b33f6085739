"""Replies to press: send them to the writer, or ask if they may hold orders.

A reply with orders for the sender's own units, with a command or with press to another player is
not sent. It is held like an email that needs confirmation, and one word decides: PRESS sends it,
ORDERS carries it out as of its arrival. Marked blocks need no question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import assert_never

from judge.app import identity
from judge.app.commands.context import MailContext, Session, discard_held
from judge.app.commands.press import Draft, handles_of, recipients_as_shown, sender_of, write_press
from judge.app.commands.sessions import power_of_author, session_of
from judge.app.commands.use_these import UseThese
from judge.app.inbound.answer import answer_email, send_pages
from judge.app.inbound.unverified_senders import answer_unknown, hold_for_confirmation
from judge.app.outbound.queue import ReplyMeaning, token_for
from judge.app.ports import inbox
from judge.app.ports.people import Purpose, Token
from judge.game.game_state import Game
from judge.game.press import MODERATOR, OBSERVER, PressSent, usual_signature
from judge.game.visibility import position_visible_to
from judge.mail.body import Line
from judge.mail.language.command_syntax import MASTER, OrderText, ParsedLine
from judge.mail.language.command_syntax import OBSERVER as THOSE_WHO_LOOK_ON
from judge.mail.language.confirmations import Confirm, reads_as_note
from judge.mail.reader.email_text import read_lines
from judge.mail.reader.game_headings import games_named_in
from judge.mail.reader.notation_in_press import own_orders
from judge.mail.reader.phase_hints import holds_order
from judge.mail.reader.press_blocks import UnopenedPress, misdirected_press, recipients_of
from judge.mail.reader.press_replies import Reply, declared_kind, read_reply
from judge.mail.reply_kind import ReplyKind
from judge.notation.terms import names_of
from judge.reports.emails import press, receipts
from judge.reports.emails.contexts import heading_of
from judge.reports.emails.press import PressOrOrders
from judge.reports.emails.receipts import Duplicate
from judge.rules.board import Map

OFFICES = {MODERATOR: MASTER, OBSERVER: THOSE_WHO_LOOK_ON}  # as named in greetings


def answer_press_reply(
    context: MailContext, author: identity.Author, to: str
) -> inbox.MailOutcome:
    """Send a reply to press to its author alone, or ask whether it is press or orders."""
    session = session_of(context, author)
    assert session is not None, "press is about a game"
    lines, reason = context.opened.text.fresh, context.mail.reason
    if reason == inbox.NEEDS_CONFIRMATION:  # It was orders with a command that must be confirmed.
        return _carry_out(context, author, lines, author.phase)
    game = context.game_of(session)
    received = context.received_before(author.person)
    if received:
        again = receipts.receipt(
            context.board(game), game, None, [Duplicate(received)], judge_code=context.judge.code
        )
        send_pages(context, author.person, [again])
        return inbox.PROCESSED
    draft = _answer(context, game, session, to, _press_sent(context, game))
    written = context.read(
        read_reply,
        lines,
        context.board(game),
        context.judge.commands,
        session.power,
        _names(draft),
    )
    match inbox.meaning_in(reason):
        case ReplyKind.PRESS:
            return _send(context, author, session, replace(draft, lines=written.rest), reason)
        case ReplyKind.ORDERS:
            as_it_came = replace(context, mail=replace(context.mail, confirmed_person=None))
            done = _carry_out(as_it_came, author, written.rest, inbox.phase_in_reason(reason))
            return (
                done
                if done.state is inbox.InboxState.HELD
                else inbox.MailOutcome(done.state, reason)
            )
        case ReplyKind.NEITHER | None:
            return _send_or_ask(context, author, session, draft, written)
        case other:
            assert_never(other)


def settle_press_reply(
    context: MailContext, author: identity.Author, parsed: Sequence[ParsedLine]
) -> inbox.MailOutcome:
    """Process the sender's decision whether a held reply is press or orders.

    The first decision counts. A reply with orders or commands of its own is carried out itself.
    """
    held = context.transaction.inbox.get(int(author.settles or 0))
    meant = _meant(context, parsed)
    if held is None or (meant is None and _says_more(context, parsed)):
        more = identity.authorship(
            author.signs, identity.rule_of(context.judge, context.transaction, author)
        )
        if isinstance(more, identity.Unproven):
            return hold_for_confirmation(
                context, parsed, identity.Doubtful(author.person, author, more.why)
            )
        return answer_email(context, parsed, replace(author, settles=None)) or answer_unknown(
            context
        )
    undecided = held.reason in (inbox.PRESS_OR_ORDERS, inbox.UNDECIDED)
    waits = undecided and held.state is inbox.InboxState.HELD
    if waits and meant in (ReplyKind.PRESS, ReplyKind.ORDERS):
        reason = inbox.reason_for_meaning(meant, author.phase)
        context.transaction.inbox.finish(held.id, inbox.InboxState.HELD, reason)
        context.transaction.inbox.release(held.id, author.person.id)
        return inbox.PROCESSED
    if waits and meant:
        discard_held(context.judge, context.transaction, held.id, inbox.MEANT_AS_NEITHER)
    else:
        meant = None if waits else inbox.meaning_in(held.reason)
    session = session_of(context, author)
    assert session is not None, "the question was about a game"
    game = context.game_of(session)
    page = PressOrOrders(
        heading=heading_of(context.board(game), game, context.judge.code),
        received=held.received_utc,
        settled=meant.value if meant else "",
        again=waits and meant is None,
    )
    token = _token(context, session, held.id) if page.again else None
    send_pages(context, author.person, [page], token=token)
    return inbox.PROCESSED


def _meant(context: MailContext, parsed: Sequence[ParsedLine]) -> ReplyKind | None:
    """Return the decision in the text or, if that is empty, in the subject."""
    if any(isinstance(each, UseThese) for each in parsed):
        return ReplyKind.ORDERS
    fresh, subject = context.opened.text.fresh, context.opened.subject
    if fresh or identity.is_subject_of_ours(subject):
        return declared_kind(fresh)
    return declared_kind((Line(1, subject),))


def _says_more(context: MailContext, parsed: Sequence[ParsedLine]) -> bool:
    return bool(parsed) and context.read(says_more, tuple(parsed), context.reading_board)


def says_more(parsed: tuple[ParsedLine, ...], board: Map) -> bool:
    """Return whether *parsed* has orders or commands besides the decision."""
    return any(
        any(holds_order(line.text, board) for line in each.lines)
        if isinstance(each, OrderText)
        else not isinstance(each, Confirm | UnopenedPress)
        for each in parsed
    )


def _send_or_ask(
    context: MailContext, author: identity.Author, session: Session, draft: Draft, written: Reply
) -> inbox.MailOutcome:
    orders = () if written.too_long else _own_orders(context, session, written.rest)
    others = (*_to_another(context, session, draft, written.rest), *written.others)
    found = (*orders, *written.phase, *written.commands, *others)
    names = names_of(context.board(context.game_of(session)))
    is_note = reads_as_note(
        context.opened.subject,
        (line.text for line in draft.lines),
        {*names.written, *names.foreign, *names.powers},
    )
    if not (written.blocks or found or written.too_long or is_note):
        return _send(context, author, session, draft)
    if written.blocks:
        done = _carry_out(context, author, written.blocks, None)
        if done.state is inbox.InboxState.HELD or not (found or written.says_more):
            return done
    game = context.game_of(session)
    page = PressOrOrders(
        heading=heading_of(context.board(game), game, context.judge.code),
        received=context.mail.received_utc,
        writer=None if draft.secret else recipients_as_shown(game, draft.named)[0],
        orders=context.shown(_sorted_unique((*orders, *written.phase))),
        commands=context.shown(_sorted_unique(written.commands)),
        others=context.shown(_sorted_unique(others)),
        rest=() if found or written.too_long else context.shown(written.rest),
        obeyed=bool(written.blocks),
    )
    token = _token(context, session, context.mail.id)
    send_pages(context, author.person, [page], draft.shown, token)
    context.transaction.inbox.hold_for(context.mail.id, author.person.id, game.name)
    return inbox.MailOutcome(inbox.InboxState.HELD, inbox.PRESS_OR_ORDERS)


def _to_another(
    context: MailContext, session: Session, draft: Draft, rest: Sequence[Line]
) -> Sequence[Line]:
    """Return the salutation of a reply that greets another player by name: `Dear Anna,`."""
    first = next((line for line in rest if line.text.strip()), None)
    game = context.game_of(session)
    if first is None or draft.secret or session.power is None:
        return ()
    handles = {
        name: power
        for name, power in handles_of(context, game).items()
        if power not in {*draft.named, session.power}
    }
    press = misdirected_press(first, (), context.board(game), session.power, handles)
    return [first] if press and not {*recipients_of(press[0])}.isdisjoint(handles.values()) else ()


def _sorted_unique(lines: Sequence[Line]) -> list[Line]:
    return sorted(dict.fromkeys(lines), key=lambda line: line.number)


def _token(context: MailContext, session: Session, mail: int) -> Token:
    game = context.game_of(session)
    phase = game.position.phase.code if game.position else None
    about = ReplyMeaning(game=game.name, power=session.power, phase=phase, subject=str(mail))
    return token_for(context.transaction, Purpose.SETTLE, session.person, about)


def _own_orders(context: MailContext, session: Session, lines: Sequence[Line]) -> tuple[Line, ...]:
    lines = tuple(lines)
    own = {*context.transaction.summaries.names_of(session.person.id)}
    text = "\n".join(line.text for line in lines).casefold()
    names = {session.game, *games_named_in(text, own)} & own
    games = [game for name in sorted(names) if (game := context.game(name))]
    return tuple(
        line
        for game in games
        if (power := game.power_of(session.person.id)) and game.position
        for line in context.read(
            own_orders,
            lines,
            context.board(game),
            position_visible_to(context.board(game), game, game.position, power),
            power,
        )
    )


def _carry_out(
    context: MailContext, author: identity.Author, lines: Sequence[Line], phase: str | None
) -> inbox.MailOutcome:
    """Carry out *lines* as if they were an email of their own and no reply to press."""
    opened, board = context.opened, context.reading_board
    subject = "" if identity.is_subject_of_ours(opened.subject) else opened.subject
    text = replace(opened.text, fresh=tuple(lines))
    own = power_of_author(context, author)
    parsed = context.read(read_lines, text, board, context.judge.commands, subject, own)
    plain = replace(author, press_to=None, phase=phase)
    context = replace(context, opened=replace(opened, text=text, subject=subject))
    return answer_email(context, parsed, plain) or answer_unknown(context)


def _send(
    context: MailContext, author: identity.Author, session: Session, draft: Draft, reason: str = ""
) -> inbox.MailOutcome:
    game = context.game_of(session)
    echo = press.press_echo(
        context.board(game),
        game,
        () if draft.secret else recipients_as_shown(game, draft.recipients),
        write_press(context, session, draft),
        judge_code=context.judge.code,
    )
    send_pages(context, author.person, [echo], draft.shown)
    return inbox.MailOutcome(inbox.InboxState.PROCESSED, reason)


def _names(draft: Draft) -> frozenset[str]:
    return (
        frozenset() if draft.secret else frozenset(OFFICES.get(each, each) for each in draft.named)
    )


def _press_sent(context: MailContext, game: Game) -> Sequence[PressSent]:
    log = (each.event for each in context.transaction.events.read(game.name))
    return [each for each in log if isinstance(each, PressSent)]


def _answer(
    context: MailContext, game: Game, session: Session, to: str, letters: Sequence[PressSent]
) -> Draft:
    """Return the reply to the message *to*, or to the power or moderator of that name."""
    lines, sender = context.opened.text.fresh, sender_of(game, session) or ""
    signed = usual_signature(game, sender)
    answered = next((each for each in letters if each.message == to), None)
    if answered is None:
        return Draft(lines, (to,), (to,), signed)
    exchange = (each for each in letters if each.thread == answered.thread)
    if unsigned := any(each.sender == sender and each.signed is None for each in exchange):
        signed = None  # A signed reply would reveal the author of the unsigned press.
    thread = answered.thread if signed or unsigned else None
    honest = session.person.id == game.moderator and MODERATOR in answered.recipients
    writer = answered.sender if honest else answered.signed
    place = answered.thread
    if writer is None:
        whom = (answered.sender,)
        return Draft(lines, whom, whom, signed, thread=thread, shown=place, secret=True)
    whom = (answered.person,) if writer == OBSERVER else (writer,)
    return Draft(lines, whom, (writer,), signed, thread=thread, shown=place)
