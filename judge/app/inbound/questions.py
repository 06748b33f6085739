"""Questions whether an email in a player's name is theirs, and how many of them a day.

Anyone can write in a player's name, and each question lets them write to the player. So emails
without a sign of the player have a daily limit, after which the judge keeps them and lists them
once. They use up nothing that better emails need.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta

from judge.app.commands.context import MailContext
from judge.app.commands.sessions import command_of
from judge.app.identity import Answers, Doubtful
from judge.app.outbound.queue import (
    EmailDraft,
    ReplyMeaning,
    question_code,
    queue_email,
    token_for,
)
from judge.app.ports.inbox import NEEDS_CODE, InboxState, IncomingMail, MailOutcome
from judge.app.ports.people import Person, Purpose, Token
from judge.mail.body import digest_of
from judge.mail.language.command_syntax import ParsedLine
from judge.reports.emails import confirmation_emails
from judge.reports.emails.confirmation_emails import ConfirmationReason, HeldEmail
from judge.reports.emails.contexts import Context, Heading

# The last of these emails announces the rest. More would let a forger flood a player's mailbox.
QUESTIONS_A_DAY_MAX = 11
ANSWERS_MAX, ANSWER_PAUSE = 300, timedelta(minutes=5)  # per person: at once, then one per pause
SAME_MAX, SAME_PAUSE = 20, timedelta(hours=1)  # for the same text
HELD_WITHOUT_QUESTION = "not asked yet"  # the reason of held emails beyond the daily questions
EVERYTHING = "everything"  # the subject of the token in the list of these
LISTED_MAX = 20


def ask_whether_theirs(
    context: MailContext, parsed: Iterable[ParsedLine], who: Doubtful, *, refused: bool
) -> MailOutcome:
    """Ask the player who seems to have sent this email, at the latest in a list of such emails.

    *refused*: its password is wrong.
    """
    if not _may_ask(context, who):
        kind = f"unasked{_limit_of(context, who)}"
        if context.transaction.people.first_today(who.person.address, kind, context.now):
            # This email is not stored as held yet.
            waiting = [*held_without_question(context, who.person.id), context.mail]
            list_held(context, who.person, waiting)
        return MailOutcome(InboxState.HELD, HELD_WITHOUT_QUESTION)
    rows = [command_of(each) for each in parsed]
    by_code = any(row.confirmed or row.by_code for row in rows)
    ask_for_confirmation(
        replace(context, readdressed=who.claimed.readdressed),
        who.person,
        who.why,
        by_code=by_code,
        refused=refused,
    )
    return MailOutcome(InboxState.HELD, NEEDS_CODE if by_code else "unproven")


def _may_ask(context: MailContext, who: Doubtful) -> bool:
    """Return whether the player may get another question now.

    An email that is theirs in everything but the age of what it answers is answered like any of
    theirs. Others could be written by anybody.
    """
    signs = who.claimed.signs
    answers = signs.answers is not Answers.NOTHING or signs.vouched
    if signs.registered and answers and not signs.forged:
        return may_answer(context, who.person)
    name = f"confirm{_limit_of(context, who)}"
    return any(
        context.transaction.people.first_today(who.person.address, f"{name} {number}", context.now)
        for number in range(QUESTIONS_A_DAY_MAX - 1)
    )


def _limit_of(context: MailContext, who: Doubtful) -> str:
    """Return the name of the limit for such emails: who knows a reply address has one for it."""
    if context.proof.forged:
        return " forged"
    if who.token:
        return f" {who.token}"
    return " vouched" if context.proof.verified else ""


def may_answer(context: MailContext, person: Person) -> bool:
    """Count an answer to *person*; return False past a number that only a machine reaches."""
    theirs = f"answers to {person.id}"
    same = f"{theirs} {digest_of(context.opened.text)}"
    return context.transaction.budgets.spend_each(
        [(theirs, ANSWERS_MAX, ANSWER_PAUSE), (same, SAME_MAX, SAME_PAUSE)], context.now
    )


def ask_for_confirmation(
    context: MailContext,
    person: Person,
    why: ConfirmationReason,
    *,
    by_code: bool,
    refused: bool = False,
) -> None:
    """Ask *person*, at their registered address, whether they sent this email, with the reason.

    If it changes who they are, only a code confirms it. The question mentions a *refused*
    password, which must not be revealed to anyone else.
    """
    about = ReplyMeaning(subject=str(context.mail.id))
    token = token_for(context.transaction, Purpose.CONFIRM, person, about)
    page = confirmation_emails.ConfirmMail(
        heading=Heading(context.judge.code),
        received=context.mail.received_utc,
        lines=context.shown(context.opened.text.fresh),
        doubt=why,
        code=question_code(context.transaction, token) if by_code else "",
        refused=refused,
    )
    page = replace(page, readdressed=context.readdressed)
    send_question(context, page, person.address, token, person.zone)


def send_question(
    context: MailContext, page: Context, address: str, token: Token, zone: str | None = None
) -> None:
    """Queue *page* for *address*; a reply to it answers the question of *token*."""
    draft = EmailDraft(
        contexts=(page,),
        cause=f"{context.cause}:confirm",
        address=address,
        zone=zone,
        token=token,
        answers=context.answered,
    )
    queue_email(context.judge, context.transaction, draft, context.now)


def held_without_question(context: MailContext, person: str) -> list[IncomingMail]:
    """Return the held emails in the name of *person* that they were not asked about."""
    held = context.transaction.inbox.held_for(person, LISTED_MAX * 5)
    return [each for each in held if each.reason == HELD_WITHOUT_QUESTION]


def list_held(
    context: MailContext, person: Person, waiting: Sequence[IncomingMail], *, marked: bool = False
) -> None:
    """Send *person* the list of the emails *waiting*; with a code if their reply was *marked*."""
    about = ReplyMeaning(subject=EVERYTHING)
    token = token_for(context.transaction, Purpose.CONFIRM, person, about)
    page = confirmation_emails.ConfirmMail(
        heading=Heading(context.judge.code),
        received=context.mail.received_utc,
        lines=(),
        doubt=confirmation_emails.ConfirmationReason.MANY,
        code=question_code(context.transaction, token) if marked else "",
        waiting=tuple(_held_line(context, each, person) for each in waiting[:LISTED_MAX]),
        count=len(waiting),
    )
    draft = EmailDraft(
        contexts=(page,),
        cause=f"{context.cause}:unasked",
        address=person.address,
        zone=person.zone,
        token=token,
        answers=context.answered,
    )
    queue_email(context.judge, context.transaction, draft, context.now)


def _held_line(context: MailContext, mail: IncomingMail, person: Person) -> HeldEmail:
    opened = context.open_again(mail, person.id)
    lines = context.shown(opened.text.fresh) if opened else ()
    return HeldEmail(mail.id, mail.received_utc, tuple(line for line in lines if line.strip()))
