"""Process each incoming email in one transaction, from its stored row to its receipt."""

from __future__ import annotations

import re
from collections.abc import Container, Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial
from typing import assert_never

from judge.app import identity, store_trouble
from judge.app.commands.context import MailContext, redact_passwords
from judge.app.commands.orders import situation_of
from judge.app.commands.profile import SetMails
from judge.app.commands.sessions import changes_person, power_of_author
from judge.app.game.apply import warn_of_damage
from judge.app.game.witnesses import handle_witness_mail
from judge.app.inbound import confirmation_replies, unverified_senders
from judge.app.inbound.answer import answer_email, refuse_long_email
from judge.app.inbound.email_reading import (
    Expected,
    TextRead,
    holds_orders,
    read_ahead,
    read_text,
)
from judge.app.inbound.press_or_orders import answer_press_reply, settle_press_reply
from judge.app.inbound.wishes_of_strangers import with_wish_to_enter
from judge.app.outbound import queue, rendering
from judge.app.outbound.delivery import handle_bounce
from judge.app.ports.damaged_logs import DamagedLogError, reporting_damage
from judge.app.ports.database import Blame, Transaction, claim_on, claim_on_sender, retry_overtaken
from judge.app.ports.inbox import InboxState, IncomingMail, MailOutcome, WaitingMail
from judge.app.ports.judge import (
    Judge,
    StoreFaultError,
    TooMuchToReadError,
    UnreadError,
)
from judge.app.ports.people import MailPace, Person, Purpose, Token
from judge.app.readings import NotReadError, Readings
from judge.app.sent_emails import SentEmails, emails_to_compare
from judge.mail.envelope import OpenedEmail, UnopenedError, Unreadable
from judge.mail.headers import Automatic, folded, is_ours, token_of
from judge.mail.language.command_syntax import ParsedLine, SignOn
from judge.mail.sender_evidence import Signature
from judge.reports.emails import confirmation_emails, notices
from judge.reports.emails.contexts import Heading, heading_of
from judge.rules.board import DEFAULT_VARIANT

UNSUBSCRIBED = re.compile(rf"{rendering.UNSUBSCRIBE}(?: \[#\w+\])?", re.IGNORECASE)
ATTEMPTS_MAX = 3  # failures before an email is quarantined
DEATHS_MAX = 12  # crashes of the judge with one email in hand before its last attempt
RETRY_AFTER = (timedelta(seconds=2), timedelta(seconds=30))  # other emails do not wait
BATCH, LOOKED_AT_MAX = 20, 200  # emails: most of those looked at may be in other judges' hands


def process_waiting(judge: Judge) -> int:
    """Process the next emails that are ready, oldest first, and return their number.

    Emails about one game are processed by one judge at a time, and so are those of one sender. An
    email that failed before is retried alone, after all others were tried once.
    """
    answered, looked_at = 0, set[str]()
    while answered < BATCH:
        with judge.database.read() as transaction:
            ready = transaction.inbox.ready(judge.clock.now(), limit=LOOKED_AT_MAX)
        groups = dict.fromkeys(_claim_on(mail) for mail in ready)
        taken = judge.database.claims.take_next([each for each in groups if each not in looked_at])
        if not taken:
            return answered
        looked_at.update(taken)
        try:
            for mail in _of_groups(ready, taken)[:BATCH]:
                answered += _answer_in_turn(judge, mail)
        finally:
            for each in taken:
                judge.database.claims.leave(each)
        if len(taken) == len(groups):
            return answered
    return answered


def _claim_on(mail: WaitingMail) -> str:
    return claim_on(mail.game) if mail.game else f"read {mail.sender}"


def _of_groups(ready: Sequence[WaitingMail], groups: Container[str]) -> Sequence[WaitingMail]:
    """Return the emails in *groups*, without those whose senders have earlier ones elsewhere."""
    found, elsewhere = list[WaitingMail](), set[str]()
    for mail in ready:
        if _claim_on(mail) in groups and mail.sender not in elsewhere:
            found.append(mail)
        else:
            elsewhere.add(mail.sender)
    return found


def _answer_in_turn(judge: Judge, mail: WaitingMail) -> bool:
    claim = claim_on_sender(mail.sender)
    if not judge.database.claims.take(claim):
        return False
    try:
        process_email(judge, mail)
    finally:
        judge.database.claims.leave(claim)
    return True


def process_email(judge: Judge, waiting: WaitingMail) -> None:
    """Process an email; if anything fails, it stays in the inbox for a retry."""
    mail = retry_overtaken(partial(_begin, judge, waiting))
    if mail is None:
        return
    _try(judge, mail)
    judge.trouble.in_hand.pop(mail.id, None)


def _try(judge: Judge, mail: IncomingMail) -> None:
    if mail.attempts > ATTEMPTS_MAX or mail.deaths > DEATHS_MAX:
        often = f"the judge ended {mail.deaths} times over it"
        quarantine(judge, mail, often if mail.deaths > DEATHS_MAX else "failed too often")
        return
    try:
        opened = judge.opener.open(mail.raw, mail.sender)
        if isinstance(opened, Unreadable):
            quarantine(judge, mail, opened.reason, opened)
            return
        valid = identity.valid_signatures(judge, mail, opened)
        with ExitStack() as claims:
            finished = _read_and_answer(judge, mail, opened, valid, claims)
        if finished is None:
            return
        judge.operator_log.note(
            "mail.answered", mail=mail.sha256, state=finished.state.value, reason=finished.reason
        )
    except Exception as error:  # noqa: BLE001 - one bad email must not hold up the others
        _handle_failure(judge, mail, error)


def _handle_failure(judge: Judge, mail: IncomingMail, error: Exception) -> None:
    """Leave *mail* for another attempt, or quarantine it after the last."""
    if store_trouble.is_cause_of(judge, error):
        with suppress(Exception):
            _take_back(judge, mail)
        store_trouble.begin(judge, error)
        raise StoreFaultError(judge.trouble.reason) from error
    if judge.database.blame(error) is Blame.OTHERS:
        judge.operator_log.failed("mail.held_up", error, mail=mail.sha256)
        retry_overtaken(partial(_take_back, judge, mail, judge.clock.now() + RETRY_AFTER[0]))
        return
    if isinstance(error, DamagedLogError):
        warn_of_damage(judge, error.flaw)
    else:
        judge.operator_log.failed("mail.failed", error, mail=mail.sha256, attempt=mail.attempts)
    if mail.attempts == ATTEMPTS_MAX:
        is_told = isinstance(error, UnopenedError | UnreadError | DamagedLogError)
        why = str(error) if is_told else type(error).__name__
        if judge.database.blame(error) is Blame.UNCLEAR:
            why = f"{store_trouble.DESPITE_STORE}{why}"
        quarantine(judge, mail, why)
        return
    with judge.database.write() as transaction:
        transaction.inbox.end_attempt(mail.id)


def _take_back(
    judge: Judge, mail: IncomingMail, retry_utc: datetime | None = None, game: str | None = None
) -> None:
    """Put *mail* back untouched until then, or for the judge that is at work on *game*."""
    with judge.database.write() as transaction:
        transaction.inbox.take_back(mail.id, retry_utc, game)


def _begin(judge: Judge, waiting: WaitingMail) -> IncomingMail | None:
    """Count the attempt and commit that first: the judge may crash during it.

    Return None if another judge has just processed the email or tried to.
    """
    now = judge.clock.now()
    pause = RETRY_AFTER[min(waiting.failed, len(RETRY_AFTER) - 1)]  # no longer after a crash
    with judge.database.write() as transaction:
        if not transaction.inbox.claim(waiting.id, now):
            return None
        judge.trouble.in_hand[waiting.id] = waiting.sender
        return transaction.inbox.begin_attempt(waiting.id, now + pause)


def _read_and_answer(
    judge: Judge,
    mail: IncomingMail,
    opened: OpenedEmail,
    valid: tuple[Signature, ...],
    claims: ExitStack,
) -> MailOutcome | None:
    """Read *mail*, then carry it out and answer it; return None if another judge was faster.

    Also if another judge is at work on its game: that one, or the next that is free, answers it.

    If the transaction needs what has not been read, because the game has moved on or the email is
    about more than it seemed, the email is read again. Likewise its questions are answered.
    """
    readings = Readings(judge.reader, judge.opener)
    try:
        busy = _read_ahead(judge, mail, opened, readings, claims)
        if busy:
            retry_overtaken(partial(_take_back, judge, mail, game=busy))
            return None
        while True:
            try:
                return retry_overtaken(
                    partial(_commit_answer, judge, mail, opened, valid, readings)
                )
            except NotReadError as missing:
                readings.make_missing(missing)
    except TooMuchToReadError:
        readings.are_too_much = True
        return retry_overtaken(partial(_commit_answer, judge, mail, opened, valid, readings))


STRANGERS_CHARACTERS_MAX = 10_000  # of a stranger's email are read; their commands need fewer


def _read_ahead(
    judge: Judge,
    mail: IncomingMail,
    opened: OpenedEmail,
    readings: Readings,
    claims: ExitStack,
) -> str | None:
    """Read *mail* as what it claims to be; nothing here believes that.

    Its game is claimed first. If another judge has it, nothing is read, and its name returned.
    """
    if opened.bounce or opened.automatic:
        return None
    with judge.database.read() as transaction:
        claimed = identity.claimed_sender(judge, transaction, mail, opened)
        author = claimed if isinstance(claimed, identity.Author) else None
        asked = claimed.token if isinstance(claimed, identity.ConfirmationReply) else None
        games = transaction.summaries.names_of(author.person.id) if author else ()
        named = author.game if author else None
        about = named or (games[0] if len(games) == 1 else None)
        game = None
        if about and about != mail.game:
            claim = claim_on(about)
            if not judge.database.claims.take(claim):
                return about
            claims.callback(judge.database.claims.leave, claim)
        if about is not None and about in games:
            game = judge.game_cache.load(transaction, judge.boards, about)
        default = judge.boards(DEFAULT_VARIANT)
        board = judge.board_of(game) if game else default
        power = game.power_of(author.person.id) if game and author else None
        sent: SentEmails = ()
        writer = author.person.id if author else asked and asked.person
        if writer:
            key = mail.id, writer, asked is None
            sent = readings.sent[key] = emails_to_compare(
                judge, transaction, mail, opened, writer, latest=asked is None
            )
        joins = asked is not None and asked.purpose is Purpose.JOIN
        held = transaction.inbox.get(int(asked.subject or 0)) if asked and joins else None
        situation = None
        if game and power and game.position:
            with reporting_damage(transaction, game.name):
                situation = situation_of(board, game, power)
    expected = Expected(
        board=board if named and not board.is_default else default,
        default_board=default,
        own=power,
        games=frozenset(games),
        situation=situation,
        sent=sent,
        is_press_reply=author is not None and author.press_to is not None,
        characters_max=None if claimed else STRANGERS_CHARACTERS_MAX,
    )
    if held:
        readings.open_ahead(held)
    readings.read_ahead(read_ahead, opened, judge.commands, expected)
    return None


def _commit_answer(
    judge: Judge,
    mail: IncomingMail,
    opened: OpenedEmail,
    valid: tuple[Signature, ...],
    readings: Readings,
) -> MailOutcome | None:
    """Carry out and answer *mail*; return None if another judge was faster."""
    with judge.database.write() as transaction:
        if not transaction.inbox.claim(mail.id):
            return None
        finished = _finish(judge, transaction, mail, opened, valid, readings)
        _note_addresses(judge, transaction, mail, opened)
        transaction.inbox.finish(mail.id, finished.state, finished.reason)
        return finished


TOO_MUCH = "too much to read"


def _note_addresses(
    judge: Judge, transaction: Transaction, mail: IncomingMail, opened: OpenedEmail | Unreadable
) -> None:
    """Record the addresses in *mail*; that of its envelope is stored, and ours is nobody's."""
    known = folded(mail.sender)
    transaction.inbox.mention(
        mail.id,
        [
            each
            for each in opened.addresses
            if each != known and not is_ours(each, judge.address, judge.delimiter)
        ],
    )


def _finish(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    valid: tuple[Signature, ...],
    readings: Readings,
) -> MailOutcome:
    if opened.bounce and (handled := handle_bounce(judge, transaction, mail, opened.bounce)):
        return handled
    if opened.automatic and (handled := handle_witness_mail(judge, transaction, opened)):
        return handled
    if opened.automatic not in (None, Automatic.AUTO_SUBMITTED, Automatic.CALENDAR):
        return MailOutcome(InboxState.IGNORED, opened.automatic.value)
    writers = (mail.sender, opened.sender or "")
    if any(is_ours(each, judge.address, judge.delimiter) for each in writers):
        return MailOutcome(InboxState.IGNORED, Automatic.OWN_MAIL.value)
    proof = identity.assess_sender(judge, transaction, mail, opened, valid)
    context = MailContext(judge, transaction, judge.clock.now(), readings, mail, opened, proof)
    if readings.are_too_much:
        refuse_long_email(context)
        return MailOutcome(InboxState.IGNORED, TOO_MUCH)
    match opened.automatic:
        case None:
            finished = _answer(context)
        case Automatic.CALENDAR:
            finished = _answer_appointment(context)
        case _:
            finished = _answer_marked(context)
    redact_passwords(context, finished)
    return finished


def _answer_appointment(context: MailContext) -> MailOutcome:
    """Show a player the orders in their answer to an invitation; none is carried out."""
    who = identity.authenticate(
        context.judge, context.transaction, context.mail, context.opened, context.proof
    )
    text = context.opened.text
    if isinstance(who, identity.Author) and context.read(
        holds_orders, text.fresh, context.reading_board
    ):
        quoted = (*(line.text for line in text.fresh), *text.quoted)
        shown = replace(
            context.opened, automatic=None, text=replace(text, fresh=(), quoted=quoted)
        )
        return _answer(replace(context, opened=shown))
    return MailOutcome(InboxState.IGNORED, Automatic.CALENDAR.value)


def _answer_marked(context: MailContext) -> MailOutcome:
    """Process an email that is marked as automatic: it may confirm something by a code."""
    token = identity.answered_question(
        context.judge, context.transaction, context.mail, context.opened, context.proof
    )
    if token is None:
        return MailOutcome(InboxState.IGNORED, Automatic.AUTO_SUBMITTED.value)
    return confirmation_replies.answer_confirmation(context, token)


def _answer(context: MailContext) -> MailOutcome:
    if context.mail.confirmed_person is None and identity.replies_to_lost_email(
        context.judge, context.transaction, context.mail, context.opened
    ):
        return unverified_senders.answer_lost_reply(context)
    who = identity.authenticate(
        context.judge, context.transaction, context.mail, context.opened, context.proof
    )
    context, read = _read(_without_sent_text(context, who), who)
    parsed: Sequence[ParsedLine] = read.parsed
    if UNSUBSCRIBED.fullmatch(context.opened.subject.strip()):
        # The mail client wrote the text; it is no press.
        parsed = (SetMails(MailPace.CRITICAL, line=1, text=rendering.UNSUBSCRIBE),)
        who = replace(who, press_to=None) if isinstance(who, identity.Author) else who
    will_be_confirmed = (
        isinstance(who, identity.Doubtful | identity.Stranger)
        or (
            isinstance(who, identity.ConfirmationReply)
            and confirmation_replies.joins_again(context)
        )
        or context.mail.confirmed_person is not None
    )
    if will_be_confirmed:
        parsed = with_wish_to_enter(context, parsed)
    context = replace(context, changes_person=changes_person(parsed))
    match who:
        case identity.Author():
            return _answer_known(replace(context, readdressed=who.readdressed), parsed, who)
        case identity.ConfirmationReply() | identity.Stranger() if newcomer := _newcomer(
            context, parsed, who
        ):
            context = replace(context, mail=replace(context.mail, confirmed_person=newcomer.id))
            return answer_email(
                context, parsed, identity.confirmed_by(newcomer)
            ) or unverified_senders.answer_unknown(context)
        case identity.ConfirmationReply(token):
            return confirmation_replies.answer_confirmation(context, token)
        case identity.Doubtful(claimed=identity.Author(press_to=None)) | identity.Stranger() if (
            any(isinstance(each, SignOn) for each in parsed)
        ):
            return answer_email(context, parsed, None) or _answer_unproven(context, parsed, who)
        case identity.Doubtful() | identity.Stranger():
            return _answer_unproven(context, parsed, who)
        case _:
            assert_never(who)


def _newcomer(
    context: MailContext,
    parsed: Sequence[ParsedLine],
    who: identity.ConfirmationReply | identity.Stranger,
) -> Person | None:
    """Return the newcomer whose email enters a game, and proves their address by what it answers.

    It answers our door, or our question about another JOIN.
    """
    if isinstance(who, identity.Stranger):
        return confirmation_replies.newcomer_by_door(context, parsed)
    return confirmation_replies.newcomer_by_other_join(context, parsed, who.token)


def _without_sent_text(context: MailContext, who: identity.Sender) -> MailContext:
    match who:
        case identity.Author(person=person):
            opened = context.opened_by(context.mail, context.opened, person.id)
        case identity.ConfirmationReply(token):
            # No other email has the question's code, so all of the question would seem new.
            opened = context.opened_by(context.mail, context.opened, token.person, latest=False)
        case identity.Doubtful() | identity.Stranger():
            return context
        case _:
            assert_never(who)
    return replace(context, opened=opened)


def _read(context: MailContext, who: identity.Sender) -> tuple[MailContext, TextRead]:
    """Read the email by the names on the board of its game, which it may name only in its text."""
    if isinstance(who, identity.Author) and who.game:
        context = _about_game(context, who, who.game)
    board = context.reading_board
    found = _read_text(context, who)
    context = replace(context, opened=found.opened)
    answers = isinstance(who, identity.Author) and who.game is not None
    for name in dict.fromkeys(getattr(each, "game", None) for each in found.parsed):
        if context.board_of_game is None and name and not answers:
            context = _about_game(context, who, name)
    return context, found if context.reading_board is board else _read_text(context, who)


def _about_game(context: MailContext, who: identity.Sender, name: str) -> MailContext:
    """Return *context* with the board of the game *name*, if it has one of its own.

    How an unproven email is read must not show that there is an unlisted game of that name.
    """
    proven = isinstance(who, identity.Author | identity.ConfirmationReply)
    game = context.game(name) if proven else context.game_open_to(None, name)
    board = context.board(game) if game else None
    return replace(context, board_of_game=board) if board and not board.is_default else context


def _read_text(context: MailContext, who: identity.Sender) -> TextRead:
    return context.read(
        read_text,
        context.opened,
        context.reading_board,
        context.judge.commands,
        power_of_author(context, who) if isinstance(who, identity.Author) else None,
        subject_as_text=not (isinstance(who, identity.Author) and who.press_to),
        characters_max=(STRANGERS_CHARACTERS_MAX if isinstance(who, identity.Stranger) else None),
    )


def _answer_known(
    context: MailContext, parsed: Sequence[ParsedLine], who: identity.Author
) -> MailOutcome:
    if who.press_to:
        return answer_press_reply(context, who, who.press_to)
    if who.settles:
        return settle_press_reply(context, who, parsed)
    return answer_email(context, parsed, who) or unverified_senders.answer_unknown(context)


def _answer_unproven(
    context: MailContext, parsed: Sequence[ParsedLine], who: identity.Doubtful | identity.Stranger
) -> MailOutcome:
    return (
        unverified_senders.hold_for_confirmation(context, parsed, who)
        if isinstance(who, identity.Doubtful)
        else unverified_senders.answer_stranger(context, parsed)
    )


TOLD_A_DAY_MAX = 3  # notices about possibly forged emails


def quarantine(
    judge: Judge, mail: IncomingMail, reason: str, opened: Unreadable | None = None
) -> None:
    """Quarantine *mail*; notify its probable writer and their moderator.

    The email is quarantined first, whatever fails in the notification.
    """
    with judge.database.write() as transaction:
        transaction.inbox.finish(mail.id, InboxState.QUARANTINED, reason)
    judge.operator_log.warning("mail.quarantined", mail=mail.sha256, number=mail.id, reason=reason)
    try:
        with judge.database.write() as transaction:
            if opened:
                _note_addresses(judge, transaction, mail, opened)
            _notify_of_quarantine(judge, transaction, mail, opened.writer if opened else None)
    except Exception as error:  # noqa: BLE001 - the email is hostile already
        judge.operator_log.failed("quarantine.untold", error, mail=mail.sha256)


def _notify_of_quarantine(
    judge: Judge, transaction: Transaction, mail: IncomingMail, writer: str | None
) -> None:
    if not mail.sender:  # a bounce message
        return
    token = _token(judge, transaction, mail)
    person = _player(transaction, token, writer)
    now = judge.clock.now()
    if person is None or not any(
        transaction.people.first_today(person.address, f"unreadable {number}", now)
        for number in range(TOLD_A_DAY_MAX)
    ):
        return
    context = confirmation_emails.Unreadable(
        heading=Heading(judge.code), received=mail.received_utc
    )
    cause = f"quarantine:{mail.sha256}:{mail.recipient}"
    draft = queue.EmailDraft(
        contexts=(context,), cause=cause, address=person.address, zone=person.zone
    )
    queue.queue_email(judge, transaction, draft, now)
    if token and token.game:
        _notify_moderator(judge, transaction, token.game, person, cause)


def _notify_moderator(
    judge: Judge, transaction: Transaction, name: str, person: Person, cause: str
) -> None:
    game = judge.game_cache.load(transaction, judge.boards, name)
    power = game.power_of(person.id) if game else None
    if game is None or power is None:
        return
    notice = notices.UnreadMail(
        heading=heading_of(judge.board_of(game), game, judge.code), power=power
    )
    mailer = queue.GameMailer(judge, transaction, game, judge.clock.now())
    for reader in queue.recipients_of(transaction, game):
        if reader.moderates and reader.person != person:
            mailer.write(notice, reader, cause)


def _token(judge: Judge, transaction: Transaction, mail: IncomingMail) -> Token | None:
    token = transaction.people.redeem(
        token_of(mail.recipient, judge.address, judge.delimiter) or ""
    )
    return token if token and token.purpose in rendering.OF_PLAYERS else None


def _player(transaction: Transaction, token: Token | None, writer: str | None) -> Person | None:
    if token:
        return transaction.people.get(token.person)
    return transaction.people.by_address(writer) if writer else None
