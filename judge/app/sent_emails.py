"""Take out of an email what the judge itself has sent to its writer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from judge.app.ports.database import Transaction
from judge.app.ports.inbox import IncomingMail
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.mail.body import compared
from judge.mail.envelope import OpenedEmail
from judge.mail.sent_text import sent_texts

ANSWERED_MAX = 5  # emails named in In-Reply-To and References that are compared
LATEST_MAX = 30  # emails to a person; forwards of some programs name none


def without_sent_text(
    judge: Judge, transaction: Transaction, mail: IncomingMail, opened: OpenedEmail, person: str
) -> OpenedEmail:
    """Return *opened*, the email *mail* of *person*, split by what they got from the judge.

    An email to somebody else is never compared: the receipt would show whether a guess is right.
    """
    text = opened.text
    names_us = re.compile(rf"\b{re.escape(judge.code)}\b *[:\u00b7]|:: ?Judge:", re.IGNORECASE)
    repeats = any(names_us.search(form) for form in text.forms)
    if not (text.quoted or repeats):
        return opened
    sent = [*_answered(transaction, opened, person)]
    if not sent and repeats:
        sent = [*transaction.outbox.latest_to(person, mail.received_utc, LATEST_MAX)]
    texts = [text for each in sent for text in sent_texts(each.raw, each.kind)]
    return replace(opened, text=compared(text, texts))


def _answered(
    transaction: Transaction, opened: OpenedEmail, person: str
) -> Iterator[OutgoingMail]:
    for message_id in opened.answers[:ANSWERED_MAX]:
        sent = transaction.outbox.find(message_id)
        if sent and sent.person == person:
            yield sent
