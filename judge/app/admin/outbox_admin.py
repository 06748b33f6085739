"""Single outgoing emails: show, retry or discard them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default

from judge.app.admin.inbox_admin import DISCARDED, safe_text
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import DeliveryState, OutgoingMail, SentMail
from judge.mail.headers import scrub

WAITING = (DeliveryState.QUEUED, DeliveryState.DEFERRED)
RETRIABLE = (*WAITING, DeliveryState.GIVEN_UP)
DEFERRED_MAX = 1_000  # retried by one command
DISCARDABLE = (*RETRIABLE, DeliveryState.HELD_BACK)


@dataclass(frozen=True, slots=True)
class NotPossible:
    """The email was left alone, for *reason*."""

    reason: str


def deferred_emails(judge: Judge) -> Sequence[int]:
    """Return the emails that have failed and wait for another attempt, oldest first."""
    with judge.database.read() as transaction:
        waiting = transaction.outbox.entries(way=DeliveryState.DEFERRED, limit=DEFERRED_MAX)
    return [each.id for each in reversed(waiting)]


def retry_email(judge: Judge, number: int) -> SentMail | NotPossible:
    """Make a waiting or given-up email due now; return it as it is then."""

    def retry(transaction: Transaction, entry: SentMail, mail: OutgoingMail) -> str | None:
        if not (mail.raw or mail.facts):
            return "its text has been deleted"
        if entry.way not in RETRIABLE:
            return f"it is {entry.way.value}"
        transaction.outbox.retry(mail.message_id, judge.clock.now())
        return None

    return _change(judge, number, retry)


def discard_email(judge: Judge, number: int) -> SentMail | NotPossible:
    """Give up an unsent email for good; return it as it is then."""

    def discard(transaction: Transaction, entry: SentMail, mail: OutgoingMail) -> str | None:
        if entry.way not in DISCARDABLE:
            return f"it is {entry.way.value}"
        transaction.outbox.discard(mail.message_id, DISCARDED)
        return None

    return _change(judge, number, discard)


def subject_of_email(judge: Judge, number: int) -> str:
    """Return the subject of an email without tokens; an empty text if it has been deleted."""
    with judge.database.read() as transaction:
        mail = transaction.outbox.get(number)
    subject = message_from_bytes(mail.raw, policy=default)["Subject"] if mail else None
    return safe_text(scrub(str(subject or ""), judge.address, judge.delimiter))


def _change(
    judge: Judge,
    number: int,
    change: Callable[[Transaction, SentMail, OutgoingMail], str | None],
) -> SentMail | NotPossible:
    with judge.database.write() as transaction:
        outbox = transaction.outbox
        entry, mail = outbox.entry(number), outbox.get(number)
        assert entry, "emails are never removed"
        assert mail, "emails are never removed"
        refusal = change(transaction, entry, mail)
        return NotPossible(refusal) if refusal else (outbox.entry(number) or entry)
