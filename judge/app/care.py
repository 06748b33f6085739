"""What the operator does about single mails that came in; all of it can be done twice."""

from __future__ import annotations

from judge.app.incoming import InboxState, IncomingMail
from judge.app.judge import Judge

AGAIN = (InboxState.QUARANTINED, InboxState.IGNORED)  # what may be tried once more
OPEN = (*AGAIN, InboxState.RECEIVED, InboxState.HELD)
DISCARDED = "discarded by the operator"


def retry(judge: Judge, mail: IncomingMail) -> InboxState:
    """Let a mail that was set aside or ignored be tried again; return where it stands now.

    One that was processed has had its effect, one that waits or is held needs no help, and one
    whose text is gone cannot be read.
    """
    with judge.database.write() as transaction:
        now = transaction.inbox.get(mail.id)
        assert now is not None, "mails are never removed"
        if now.state not in AGAIN or not now.raw:
            return now.state
        transaction.inbox.restart(mail.id)
    return InboxState.RECEIVED


def discard(judge: Judge, mail: IncomingMail) -> InboxState:
    """Ignore a mail for good, unless it was processed; return where it stands now."""
    with judge.database.write() as transaction:
        now = transaction.inbox.get(mail.id)
        assert now is not None, "mails are never removed"
        if now.state not in OPEN:
            return now.state
        transaction.inbox.finish(mail.id, InboxState.IGNORED, DISCARDED)
    return InboxState.IGNORED
