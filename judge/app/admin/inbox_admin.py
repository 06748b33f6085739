"""Single incoming emails: show, retry or discard them, and empty the old ones.

Descriptions contain orders and press, but neither passwords nor addresses with tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import TypeVar

from judge.app.admin.health import STANDSTILL_MAX
from judge.app.commands.context import COMMAND_BOARD
from judge.app.ports.database import Transaction, retry_overtaken
from judge.app.ports.inbox import Inbox, InboxState, IncomingMail
from judge.app.ports.judge import Judge, Opener
from judge.app.ports.outbox import Outbox
from judge.app.readings import read_now
from judge.app.sent_emails import without_sent_text
from judge.mail.body import Line
from judge.mail.envelope import UnopenedError, Unreadable
from judge.mail.headers import one_line, scrub
from judge.mail.quotes import without_quote_marks

RETRIABLE = (InboxState.QUARANTINED, InboxState.IGNORED)
UNSETTLED = (*RETRIABLE, InboxState.RECEIVED, InboxState.HELD)
DISCARDED = "discarded by the operator"


def retry_mail(judge: Judge, mail: IncomingMail) -> InboxState:
    """Try a quarantined or ignored email again; return its new state.

    An email in any other state, or without its text, is left alone.
    """
    with judge.database.write() as transaction:
        now = transaction.inbox.get(mail.id)
        assert now is not None, "emails are never removed"
        if now.state not in RETRIABLE or not now.raw:
            return now.state
        transaction.inbox.restart(mail.id)
    return InboxState.RECEIVED


def discard_mail(judge: Judge, mail: IncomingMail) -> InboxState:
    """Ignore an email for good unless it was processed; return its new state."""
    with judge.database.write() as transaction:
        now = transaction.inbox.get(mail.id)
        assert now is not None, "emails are never removed"
        if now.state not in UNSETTLED:
            return now.state
        transaction.inbox.finish(mail.id, InboxState.IGNORED, DISCARDED)
    return InboxState.IGNORED


SHOWN_MAX = 500  # characters of one field of an email


@dataclass(frozen=True, slots=True)
class MailDescription:
    """Sender and subject of an email and its lines: `new`, `quoted` and of the `signature`."""

    sender: str
    subject: str
    message_id: str
    automatic: str | None
    lines: Mapping[str, tuple[str, ...]]


def describe_mail(
    judge: Judge, mail: IncomingMail, opener: Opener
) -> MailDescription | Unreadable:
    """Describe *mail*, opened by *opener*, or return why it cannot be opened."""
    if not mail.raw:
        return Unreadable("its text is gone")
    try:
        opened = opener.open(mail.raw, mail.sender)
    except UnopenedError as error:
        return Unreadable(str(error))
    if isinstance(opened, Unreadable):
        return opened

    def shown(text: str) -> str:
        return safe_text(scrub(text, judge.address, judge.delimiter))

    def public(text: str) -> str:
        return shown(
            judge.commands.without_secrets(
                Line(0, without_quote_marks(text)), judge.boards(COMMAND_BOARD)
            )
        )

    with judge.database.read() as transaction:
        writer = transaction.people.by_address(opened.sender or "")
        if writer:
            read = partial(read_now, judge.reader)
            opened = without_sent_text(judge, transaction, mail, opened, writer.id, read=read)
    text = opened.text
    return MailDescription(
        sender=shown(opened.sender or ""),
        subject=shown(opened.subject),
        message_id=shown(opened.message_id or ""),
        automatic=opened.automatic.value if opened.automatic else None,
        lines={
            "new": tuple(public(line.text) for line in text.fresh),
            "quoted": tuple(map(public, (*text.quoted, *text.returned))),
            "signature": tuple(map(public, text.signature)),
        },
    )


def safe_text(text: str) -> str:
    """Return *text* on one line without unprintable characters, safe for a terminal."""
    return "".join(each if each.isprintable() else "?" for each in one_line(text, SHOWN_MAX))


BATCH = 200  # emails in one transaction, to keep incoming mail from waiting long
BOXES: Sequence[Callable[[Transaction], Inbox | Outbox]] = (
    lambda transaction: transaction.outbox,
    lambda transaction: transaction.inbox,
)
Row = TypeVar("Row", int, str)  # how rows are named in the order in which they are taken


def empty_old_mail(judge: Judge, age: timedelta, goes_on: Callable[[], bool]) -> int:
    """Empty the finished emails older than *age*, in and out; return how many.

    Emails that still wait are kept: for processing, a confirmation, the operator's decision or a
    mail server. It stops when *goes_on* returns False, and can be called again at any time. It
    does nothing while the judge's heartbeat is missing, as the clock may be wrong then.
    """
    if not _is_clock_trusted(judge):
        return 0
    before = judge.clock.now() - age

    def empty(box: Callable[[Transaction], Inbox | Outbox], after: int) -> Sequence[int]:
        def work() -> Sequence[int]:
            with judge.database.write() as transaction:
                return box(transaction).empty(before, after, BATCH)

        return retry_overtaken(work)

    count = sum(_in_batches(partial(empty, box), 0, goes_on) for box in reversed(BOXES))
    if count:
        judge.operator_log.note("mail.emptied", mails=count)
    return count


def forget_ended_games(judge: Judge, age: timedelta, goes_on: Callable[[], bool]) -> int:
    """Remove the reply addresses and the emptied emails of games that ended before *age*.

    An email about several games stays until the last of them. Returns how many. It stops, and
    refuses, as `empty_old_mail` does.
    """
    if not _is_clock_trusted(judge):
        return 0
    before = judge.clock.now() - age

    def remove(box: Callable[[Transaction], Inbox | Outbox], after: int) -> Sequence[int]:
        with judge.database.read() as transaction:
            numbers = box(transaction).of_ended_games(before, after, BATCH)
        if numbers:
            with judge.database.write() as transaction:
                box(transaction).remove(numbers)
        return numbers

    def remove_tokens(after: str) -> Sequence[str]:
        with judge.database.read() as transaction:
            digests = transaction.people.tokens_of_ended_games(before, after, BATCH)
        if digests:
            with judge.database.write() as transaction:
                transaction.people.remove_tokens(digests)
        return digests

    count = sum(_in_batches(partial(remove, box), 0, goes_on) for box in BOXES)
    count += _in_batches(remove_tokens, "", goes_on)
    if count:
        judge.operator_log.note("games.forgotten", rows=count)
    return count


def _is_clock_trusted(judge: Judge) -> bool:
    with judge.database.read() as transaction:
        awake = transaction.agenda.last_heartbeat()
    return awake is not None and abs(judge.clock.now() - awake) <= STANDSTILL_MAX


def _in_batches(
    take: Callable[[Row], Sequence[Row]], first: Row, goes_on: Callable[[], bool]
) -> int:
    """Call *take* with the last row that it has taken, until none is left; return how many."""
    count, last = 0, first
    while goes_on() and (taken := take(last)):
        count, last = count + len(taken), taken[-1]
    return count
