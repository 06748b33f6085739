"""The mails that come in and go out, in a database that several judges write to at once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, select

from judge.adapters.inbox import SqlInbox
from judge.adapters.leases import Leases
from judge.adapters.outbox import OutboxState, SqlOutbox
from judge.adapters.postgresql import ARRIVALS, let_pass, wait_for
from judge.adapters.tables import InboxRow, OutboxRow, table
from judge.app.ports.inbox import InboxState
from judge.app.ports.outbox import OutgoingMail
from judge.overriding import override

LOOKED_AT_MAX = 1_000  # mails that are due: more than all other judges have in hand
IN_HAND_MAX = 40  # so that each judge has some, and few are sent twice when one is killed

_INBOX = table(InboxRow)
_OUTBOX = table(OutboxRow)


class SharedInbox(SqlInbox):
    """The inbox as one of several transactions sees it."""

    @override
    def arrive(self) -> None:
        """Let whoever asks what waited until some instant wait for what is kept from now on."""
        wait_for(self._connection, ARRIVALS, shared=True)

    @override
    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Name the mails in state received, oldest first, those received at or before *until*.

        Nothing that was received by then can come later: the clock is read after `arrive`.
        """
        if until is not None:
            let_pass(self._connection, ARRIVALS)
        return super().waiting(until, limit)

    @override
    def claim(self, mail: int) -> bool:
        """Keep a mail that waits from every other judge until the transaction ends."""
        waits = select(_INBOX.c.id).where(
            _INBOX.c.id == mail, _INBOX.c.state == InboxState.RECEIVED.value
        )
        mine = waits.with_for_update(skip_locked=True)
        return self._connection.execute(mine).first() is not None


class SharedOutbox(SqlOutbox):
    """The outbox as one of several transactions sees it; *leases* are this judge's."""

    def __init__(self, connection: Connection, leases: Leases) -> None:
        super().__init__(connection)
        self._leases = leases

    @override
    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Take the mails to be tried now, oldest first, those that no other judge has in hand.

        They are looked at once more when they are ours: another may just have sent them.
        """
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value, _OUTBOX.c.due_utc <= now
        oldest = select(_OUTBOX.c.message_id).where(*queued)
        oldest = oldest.order_by(_OUTBOX.c.due_utc, _OUTBOX.c.id).limit(LOOKED_AT_MAX)
        ours = self._leases.take_listed(oldest, min(limit, IN_HAND_MAX))
        mails = self._oldest(*queued, _OUTBOX.c.message_id.in_(ours), limit=limit)
        for gone in {*ours} - {mail.message_id for mail in mails}:
            self._leases.leave(gone)
        return mails
