"""The store on PostgreSQL, which several judges write to at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from itertools import chain

from sqlalchemy import Connection, Engine, select
from sqlalchemy.exc import DBAPIError

from judge.adapters.store.event_store import SqlEventStore
from judge.adapters.store.postgresql import (
    ARRIVALS,
    POSITIONS,
    AdvisoryLocks,
    is_serialization_failure,
    let_pass,
    wait_for,
)
from judge.adapters.store.sql_inbox import SqlInbox
from judge.adapters.store.sql_outbox import OutboxState, SqlOutbox
from judge.adapters.store.tables import InboxRow, OutboxRow, table
from judge.adapters.store.transactions import SqlDatabase, SqlTransaction
from judge.app.ports.inbox import InboxState
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.storage import OvertakenError
from judge.events.store import Recorded, Row
from judge.overriding import override


class SharedEventStore(SqlEventStore):
    """The log as one of several transactions sees it, which ends with `flush`.

    Readers must find positions in the order in which they become visible, or they would skip what
    is committed late. So the events are inserted at the very end, under one lock that is held
    until the commit, and have their positions from there. A sequence could not do this, and a lock
    from `append` on would let everybody wait until all results are written.
    """

    def __init__(self, connection: Connection) -> None:
        super().__init__(connection)
        self._appended: list[Row] = []

    def flush(self) -> None:
        """Insert what was appended; the positions told before were as if nobody else wrote."""
        rows, self._appended = self._appended, []
        if rows:
            wait_for(self._connection, POSITIONS)
            moved = 1 + super()._last_position() - rows[0].position
            super()._insert([replace(row, position=row.position + moved) for row in rows])

    @override
    def games(self) -> Sequence[str]:
        """Name every game that has events, in the order in which they began."""
        self.flush()
        return super().games()

    @override
    def read_all(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of all games with a position above *after*, in order of commitment."""
        self.flush()
        return super().read_all(after)

    @override
    def _rows(self, game: str, after: int) -> Iterator[Row]:
        """Yield what the head that this transaction knows of stands for, and nothing later."""
        last = self.head(game).version
        appended = (row for row in self._appended if row.game == game and row.version > after)
        rows = chain(super()._rows(game, after), appended)
        return (row for row in rows if row.version <= last)

    @override
    def _last_position(self) -> int:
        return self._appended[-1].position if self._appended else super()._last_position()

    @override
    def _insert(self, rows: Sequence[Row]) -> None:
        self._appended.extend(rows)


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

    def __init__(self, connection: Connection, leases: AdvisoryLocks) -> None:
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


class SharedTransaction(SqlTransaction):
    """All stores, bound to one of several transactions."""

    def __init__(self, connection: Connection, leases: AdvisoryLocks) -> None:
        super().__init__(connection)
        self.events: SharedEventStore = SharedEventStore(connection)
        self.inbox = SharedInbox(connection)
        self.outbox = SharedOutbox(connection, leases)


class SharedDatabase(SqlDatabase):
    """Gives out transactions: as many as are wanted, of which none waits for those that read.

    Writers see what was committed before each of their statements. Where one must not act on what
    another has changed meanwhile, its own change fails: `StaleStreamError` or `OvertakenError`.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        steady = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._readers = engine.execution_options(**steady)
        self._leases = AdvisoryLocks(engine)
        self.claims = self._leases

    @override
    @contextmanager
    def write(self) -> Iterator[SharedTransaction]:
        """Begin to write; committed at the end of the block, rolled back if it raises."""
        try:
            with self._engine.begin() as connection:
                transaction = SharedTransaction(connection, self._leases)
                yield transaction
                transaction.events.flush()
        except DBAPIError as error:
            if is_serialization_failure(error):
                raise OvertakenError(str(error.orig)) from error
            raise

    @override
    @contextmanager
    def read(self) -> Iterator[SharedTransaction]:
        """Begin to read one consistent state."""
        with self._readers.begin() as connection:
            yield SharedTransaction(connection, self._leases)

    @override
    def close(self) -> None:
        """Let go of every connection."""
        self._leases.close()
        super().close()
