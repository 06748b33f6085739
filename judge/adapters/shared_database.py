"""Transactions on a PostgreSQL server, of several judges and several at once of each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from judge.adapters.leases import Leases
from judge.adapters.postgresql import is_overtaken
from judge.adapters.shared_log import SharedEventStore
from judge.adapters.shared_mail import SharedInbox, SharedOutbox
from judge.adapters.transactions import SqlDatabase, SqlTransaction
from judge.app.ports.storage import OvertakenError
from judge.overriding import override


class SharedTransaction(SqlTransaction):
    """All stores, bound to one of several transactions."""

    def __init__(self, connection: Connection, leases: Leases) -> None:
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
        self._leases = Leases(engine)
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
            if is_overtaken(error):
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
