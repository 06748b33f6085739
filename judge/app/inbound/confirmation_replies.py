"""Replies to our questions whether an email is its sender's, or what a new address agrees to.

A YES is a whole sentence of its own. What changes who somebody is needs the code from the body of
our email, and so does a reply that is marked as automatic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import assert_never

from judge.app.commands.admissions import answer_moderation
from judge.app.commands.context import MailContext, discard_held
from judge.app.commands.join import Join
from judge.app.commands.profile import answer_new_address
from judge.app.identity import register_person
from judge.app.inbound.door import door, language_of_stranger, set_language_of_newcomer
from judge.app.inbound.questions import (
    EVERYTHING,
    LISTED_MAX,
    held_without_question,
    list_held,
    send_question,
)
from judge.app.inbound.wishes_of_strangers import (
    choices_instead,
    enters_by_door,
    known_of_stranger,
)
from judge.app.outbound.queue import EmailDraft, question_code, queue_email
from judge.app.ports.inbox import BY_CODE, PROCESSED, InboxState, IncomingMail, MailOutcome
from judge.app.ports.people import Person, Purpose, Token
from judge.mail.envelope import OpenedEmail
from judge.mail.headers import same_mailbox
from judge.mail.intents import installed
from judge.mail.intents.known import powers_in, with_known_things_marked
from judge.mail.language.command_syntax import ParsedLine
from judge.mail.language.confirmations import answer_in, has_code, may_be_note, without_code
from judge.notation.terms import names_of
from judge.reports.emails import confirmation_emails
from judge.reports.emails.contexts import Context, Heading, in_language
from judge.reports.languages import languages
from judge.reports.render import sentences

QUESTIONS_REPEATED_MAX = 3  # per question and day
MARKED_ONCE = timedelta(days=14)  # how often the sender of marked replies is told, per question
SETTLED_A_DAY_MAX = 3  # replies about a question that was answered before
LISTS_A_DAY_MAX = 10  # replies to the list of held emails
DENIED = "denied a request"  # a note on an address
NUMBER = re.compile(r"\b\d{1,12}\b")
ALL = re.compile(r"\b(?:all|alle|alles|tous|toutes|tout)\b", re.IGNORECASE)
BESIDE_NUMBERS = re.compile(
    rf"{NUMBER.pattern}|{ALL.pattern}|\b(?:and|und|et|e?-?mails?|no\.|nr\.|n°)\b|#", re.IGNORECASE
)
QUOTED_HEADING = re.compile(r"\W*:: Judge:")  # as in each email of ours
NAME_WORD = re.compile(r"[^\W\d_]+")
AS_POWER = "as with the please als mit bitte avec comme en le la les l svp"  # beside a power


def answer_confirmation(context: MailContext, token: Token) -> MailOutcome:
    """Carry out the held request of *token* on a YES; ask again if the reply is unclear."""
    if token.subject == EVERYTHING:
        return _settle_held(context, token)
    match token.purpose:
        case Purpose.ADDRESS | Purpose.MODERATE:
            return _answer_about_person(context, token)
        case Purpose.JOIN | Purpose.CONFIRM | Purpose.SETTLE | Purpose.ORDERS | Purpose.PRESS:
            return _answer_about_mail(context, token)
        case other:
            assert_never(other)


def _answer_about_person(context: MailContext, token: Token) -> MailOutcome:
    """Register the new address or moderator of *token*, if the reply has the code."""
    asked = context.transaction.people.addresses(token.person)
    if token.purpose is Purpose.ADDRESS:
        asked = [(token.subject or "").split(" ", 2)[2]]
    if not _is_from(context, asked):
        return _reply_elsewhere(context, token)
    answered = _answer(context, token, by_code=True)
    if answered is None:
        return _ask_again(context, token, by_code=True)
    handle = answer_new_address if token.purpose is Purpose.ADDRESS else answer_moderation
    outcome = handle(context, token, yes=answered)
    if outcome.state is InboxState.IGNORED:
        _reply(context, token, _settled(context, counted=False))
    return outcome


def _answer_about_mail(context: MailContext, token: Token) -> MailOutcome:
    """Release the held email of *token* on YES, and drop it on NO."""
    held = context.transaction.inbox.get(int(token.subject or 0))
    if held is None or held.state is not InboxState.HELD:
        if not _is_from(context, context.transaction.people.addresses(token.person)):
            return MailOutcome(InboxState.IGNORED, "nothing waits for this")
        counted = held is not None and held.confirmed_person is not None
        return _reply(context, token, _settled(context, counted=counted))
    asked = _addresses_asked(context, token, held)
    if not _is_from(context, asked):
        return _reply_elsewhere(context, token)
    by_code = held.reason in BY_CODE
    match _answer(context, token, by_code=by_code):
        case True:
            person = _confirmed_person(context, token, asked[0])
            if token.purpose is Purpose.JOIN and asked[0]:
                set_language_of_newcomer(context, person, held)
            context.transaction.inbox.release(held.id, person)
            return PROCESSED
        case False:
            discard_held(context.judge, context.transaction, held.id, "denied by its writer")
            if token.purpose is Purpose.JOIN:
                context.transaction.people.note_stranger(asked[0], DENIED, context.now)
            return _reply(context, token, *_dropped(context, token, held))
        case None:
            return _ask_again(context, token, held, by_code=by_code)
        case answered:
            assert_never(answered)


def _answer(
    context: MailContext, token: Token, *, by_code: bool, beside: re.Pattern[str] | None = None
) -> bool | None:
    """Return the answer of the reply; None if it is unclear, or lacks the code that it needs.

    What matches *beside* may stand in it, too.
    """
    code = question_code(context.transaction, token)
    lines = [line.text for line in context.opened.text.fresh]
    coded = has_code(
        lines, code, tuple(sentences("confirming", each)["code"] for each in languages())
    )
    plain = [beside.sub(" ", line) if beside else line for line in lines]
    if coded:
        rest = [without_code(line, code) for line in plain]
        return answer_in(rest, _names(context, token)) is not False
    opened = context.opened
    if opened.is_marked_automatic or context.proof.forged or may_be_note(opened.subject, lines):
        return None
    answered = answer_in(plain, _names(context, token))
    return None if answered and by_code else answered


def _names(context: MailContext, token: Token) -> frozenset[str]:
    """Return the words, in small letters, that may sign an email of this sender."""
    person = context.transaction.people.get(token.person)
    local_part = (context.opened.sender or "").rpartition("@")[0]
    called = f"{context.opened.name} {person.handle if person else ''} {local_part}"
    if token.purpose is Purpose.JOIN:  # `Yes, with Kenya`
        called = f"{called} {AS_POWER} {' '.join(_powers_wanted(context, token))}"
    return frozenset(word.casefold() for word in NAME_WORD.findall(called))


def _powers_wanted(context: MailContext, token: Token) -> Iterator[str]:
    """Yield the names of the powers that the email asked about names."""
    held, weights = context.transaction.inbox.get(int(token.subject or 0)), installed.weights()
    opened = context.open(held) if held else None
    if weights is None or not isinstance(opened, OpenedEmail):
        return
    text = " ".join((opened.subject, *(line.text for line in opened.text.fresh)))
    known = known_of_stranger(context, text)
    wanted = powers_in(with_known_things_marked(text, known, weights).slots)
    powers = names_of(known.board).powers.items()
    yield from (name for name, power in powers if power in wanted and len(name) > 1)


def _ask_again(
    context: MailContext, token: Token, held: IncomingMail | None = None, *, by_code: bool
) -> MailOutcome:
    """Answer a reply that was neither yes nor no, or lacked the code, a few times.

    If it is marked as automatic it may be a note that answers us in turn: it is answered once.
    """
    address, marked = context.opened.sender, context.opened.is_marked_automatic
    assert address, "it is an address that was asked"
    if not (_tell_of_mark(context, token) if marked else _may_ask_again(context, token)):
        return MailOutcome(InboxState.IGNORED, "a question that was asked again already")
    opened = context.open_again(held, token.person) if held else None
    page = confirmation_emails.AskedAgain(
        heading=Heading(context.judge.code),
        purpose=token.purpose.value,
        received=held.received_utc if held else None,
        lines=context.shown(opened.text.fresh) if opened else (),
        game=token.game,
        code=(
            question_code(context.transaction, token)
            if by_code or marked or context.proof.forged
            else ""
        ),
        marked=marked,
    )
    send_question(context, _in_their_language(context, token, page), address, token)
    return PROCESSED


def _in_their_language(context: MailContext, token: Token, page: Context) -> Context:
    """Return *page* in the language of the email if its writer is a newcomer."""
    joins = token.purpose is Purpose.JOIN
    return in_language(page, language_of_stranger(context)) if joins else page


def _tell_of_mark(context: MailContext, token: Token) -> bool:
    budgets = context.transaction.budgets
    return budgets.spend(f"marked {token.text}", 1, MARKED_ONCE, context.now)


def _may_ask_again(context: MailContext, token: Token) -> bool:
    return _is_first_today(context, f"again {token.text}", QUESTIONS_REPEATED_MAX)


def _is_first_today(context: MailContext, what: str, most: int) -> bool:
    people, address = context.transaction.people, context.opened.sender or ""
    return any(
        people.first_today(address, f"{what} {number}", context.now) for number in range(most)
    )


def _dropped(context: MailContext, token: Token, held: IncomingMail) -> Sequence[Context]:
    """Return the answer to a NO; `No, I meant Turkey` gets the door, with what is meant on top."""
    opened = context.open(held) if token.purpose is Purpose.JOIN else None
    meant = choices_instead(context, opened) if isinstance(opened, OpenedEmail) else ()
    if not meant:
        return [_settled(context, counted=False)]
    return [replace(door(context, (), again=False), meant=meant, denied=True)]


def _settled(context: MailContext, *, counted: bool) -> Context:
    return confirmation_emails.AlreadyAnswered(
        heading=Heading(context.judge.code), counted=counted
    )


def _reply_elsewhere(context: MailContext, token: Token) -> MailOutcome:
    """Answer somebody else who has the question, or its reader at another address."""
    code = context.judge.code
    return _reply(
        context, token, confirmation_emails.AlreadyAnswered(heading=Heading(code), elsewhere=True)
    )


def _reply(context: MailContext, token: Token, *pages: Context) -> MailOutcome:
    """Send *pages* to the sender, a few times a day for each question."""
    address = context.opened.sender
    marked = context.opened.is_marked_automatic or context.proof.forged
    if address is None or marked:
        return MailOutcome(InboxState.IGNORED, "the sender cannot be answered")
    if not _is_first_today(context, f"settled {token.text}", SETTLED_A_DAY_MAX):
        return MailOutcome(InboxState.IGNORED, "told about this question often enough today")
    draft = EmailDraft(
        contexts=tuple(_in_their_language(context, token, page) for page in pages),
        cause=context.cause,
        address=address,
        answers=context.answered,
    )
    queue_email(context.judge, context.transaction, draft, context.now)
    return PROCESSED


def _is_from(context: MailContext, addresses: Iterable[str]) -> bool:
    sender = context.opened.sender
    return sender is not None and any(same_mailbox(sender, each) for each in addresses)


def _addresses_asked(context: MailContext, token: Token, held: IncomingMail) -> Sequence[str]:
    if token.purpose is Purpose.CONFIRM:
        return context.transaction.people.addresses(token.person)
    opened = context.open(held)
    assert isinstance(opened, OpenedEmail), "it was opened when it came"
    assert opened.sender, "it was asked back at this address"
    return (opened.sender,)


def _confirmed_person(context: MailContext, token: Token, address: str) -> str:
    if token.purpose is Purpose.CONFIRM:
        return token.person
    return register_person(
        context.judge, context.transaction, address, context.now, token.person
    ).id


def _settle_held(context: MailContext, token: Token) -> MailOutcome:
    """Confirm or drop the held emails that a reply to the list names, and list those beyond it."""
    people = context.transaction.people
    person = people.get(token.person)
    if person is None or not _is_from(context, people.addresses(person.id)):
        return MailOutcome(InboxState.IGNORED, "the question has come into other hands")
    waiting = held_without_question(context, person.id)
    yes = _answer(context, token, by_code=False, beside=BESIDE_NUMBERS)
    chosen = _chosen(context, token, waiting, yes=yes)
    if yes is None or not chosen:
        return _list_again(context, token, person, waiting)
    for each in chosen:
        if yes:
            context.transaction.inbox.release(each.id, person.id)
        else:
            discard_held(context.judge, context.transaction, each.id, "denied by its writer")
    if unlisted := waiting[LISTED_MAX:]:
        list_held(context, person, [each for each in unlisted if each not in chosen])
    return PROCESSED


def _chosen(
    context: MailContext, token: Token, waiting: Sequence[IncomingMail], *, yes: bool | None
) -> Sequence[IncomingMail]:
    code = question_code(context.transaction, token)
    lines = (without_code(line.text, code) for line in context.opened.text.fresh)
    text = " ".join(lines)
    numbers = {int(each) for each in NUMBER.findall(text)}
    chosen = [each for each in waiting if each.id in numbers]
    if len(waiting) == 1 or ALL.search(text) or (yes is False and not numbers):
        return chosen or waiting[:LISTED_MAX]  # They were not shown the others.
    return chosen


def _list_again(
    context: MailContext, token: Token, person: Person, waiting: Sequence[IncomingMail]
) -> MailOutcome:
    marked = context.opened.is_marked_automatic
    may = (
        _tell_of_mark(context, token)
        if marked
        else _is_first_today(context, f"unasked {token.text}", LISTS_A_DAY_MAX)
    )
    if not may:
        return MailOutcome(InboxState.IGNORED, "told of the held emails often enough today")
    list_held(context, person, waiting, marked=marked or context.proof.forged)
    return PROCESSED


def newcomer_by_door(context: MailContext, parsed: Sequence[ParsedLine]) -> Person | None:
    """Return the newcomer who answers our door with a way into a game that it offers.

    Nobody else has the Message-ID of the door, so this proves the address as a YES to a question.
    """
    opened, lines = context.opened, [line.text for line in context.opened.text.fresh]
    note = opened.is_marked_automatic or may_be_note(opened.subject, lines)
    asks = any("?" in line for line in lines)
    vouched = context.proof.verified or not context.judge.authserv_id
    if note or asks or context.proof.forged or not vouched or not enters_by_door(context, parsed):
        return None
    assert opened.sender, "the door went to it"
    newcomer = register_person(context.judge, context.transaction, opened.sender, context.now)
    set_language_of_newcomer(context, newcomer.id, context.mail)
    return newcomer


def joins_again(context: MailContext) -> bool:
    """Return whether a reply has a line that begins with JOIN, and asks nothing."""
    lines = [line.text.strip().upper() for line in context.opened.text.fresh]
    return any(each.startswith("JOIN ") for each in lines) and "?" not in "".join(lines)


def newcomer_by_other_join(
    context: MailContext, parsed: Sequence[ParsedLine], token: Token
) -> Person | None:
    """Return the newcomer who answers our question about their JOIN with another JOIN.

    That proves the address as a YES does, unless it is forged or may be a note that quotes the
    question. The first JOIN is dropped.
    """
    lines = [line.text for line in context.opened.text.fresh]
    note = context.opened.is_marked_automatic or may_be_note(context.opened.subject, lines)
    doubtful = note or context.proof.forged or any(map(QUOTED_HEADING.match, lines))
    comes = not doubtful and any(isinstance(each, Join) for each in parsed)
    if token.purpose is not Purpose.JOIN or not comes:
        return None
    held = context.transaction.inbox.get(int(token.subject or 0))
    if held is None:
        return None
    opened = context.open(held)
    asked = opened.sender if isinstance(opened, OpenedEmail) else None
    sender = context.opened.sender
    if held.state is not InboxState.HELD or not (asked and sender and same_mailbox(asked, sender)):
        return None
    newcomer = register_person(
        context.judge, context.transaction, asked, context.now, token.person
    )
    set_language_of_newcomer(context, newcomer.id, held)
    discard_held(context.judge, context.transaction, held.id, "its writer joined otherwise")
    return newcomer
