"""Take out of an email what the judge itself has sent to its writer."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from judge.app.ports.database import Transaction
from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Judge
from judge.mail.body import compared
from judge.mail.envelope import OpenedEmail
from judge.mail.sent_text import sent_email

ANSWERED_MAX = 5  # emails named in In-Reply-To and References that are compared
FILE_NAME = re.compile(rb'filename="([^"\r\n]{1,200})"')  # as `compose` writes it
LATEST_MAX = 30  # emails to a person; forwards of some programs name none

SentEmails: TypeAlias = tuple[tuple[bytes, str], ...]  # as the outbox stores them, and the kinds
# What calls a function that reads an email's text, within a limit of time.
Read: TypeAlias = Callable[
    [Callable[[OpenedEmail, SentEmails], OpenedEmail], OpenedEmail, SentEmails], OpenedEmail
]


def without_sent_text(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    person: str,
    *,
    read: Read,
) -> OpenedEmail:
    """Return *opened*, the email *mail* of *person*, split by what they got from the judge.

    An email to somebody else is never compared: the receipt would show whether a guess is right.
    """
    sent = emails_to_compare(judge, transaction, mail, opened, person)
    return read(split_by_sent_text, opened, sent) if sent else opened


def split_by_sent_text(opened: OpenedEmail, sent: SentEmails) -> OpenedEmail:
    """Return *opened*, split by the texts of the emails *sent*."""
    files = {name.decode() for raw, _ in sent for name in FILE_NAME.findall(raw)}
    text = compared(opened.text, [sent_email(*each) for each in sent], opened.subject)
    attachments = tuple(name for name in text.attachments if name not in files)
    pictures = tuple(each for each in text.pictures if each[0] not in files)
    return replace(opened, text=replace(text, attachments=attachments, pictures=pictures))


def emails_to_compare(
    judge: Judge,
    transaction: Transaction,
    mail: IncomingMail,
    opened: OpenedEmail,
    person: str,
    *,
    latest: bool = True,
) -> SentEmails:
    """Return the emails to *person* that *opened* names, and if *latest* the last to them.

    Those are looked for only if it has the heading of more of our emails than it names, as a
    forwarded conversation has.
    """
    text = opened.text
    code = re.escape(judge.code)
    names_us = re.compile(rf"\b{code} *:|(:: ?Judge:|\b{code} *\u00b7)", re.IGNORECASE)
    named = [names_us.findall(form) for form in text.forms]
    if not (text.quoted or any(named)):
        return ()
    found = transaction.outbox.find_each(opened.answers[:ANSWERED_MAX])
    answered = (found[each] for each in opened.answers if each in found)
    sent = [
        each
        for each in answered
        if each.person == person or (each.person is None and each.recipient == opened.sender)
    ]
    headings = max((sum(map(bool, each)) for each in named), default=0)
    if latest and any(named) and (not sent or headings > len(sent)):
        known = {each.message_id for each in sent}
        last = transaction.outbox.latest_to(person, mail.received_utc, LATEST_MAX)
        sent += [each for each in last if each.message_id not in known]
    return tuple((each.raw, each.kind) for each in sent)
