"""Transactions: everything a use case reads and writes is committed together or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from threading import Lock

from sqlalchemy import Connection, Engine, text
from sqlalchemy.exc import DBAPIError

from judge.adapters.store import sqlite
from judge.adapters.store.daemon_state import (
    SqlAgenda,
    SqlBudgets,
    SqlMailboxes,
    SqlSecrets,
    SqlTallies,
)
from judge.adapters.store.erasure import SqlPersonalData
from judge.adapters.store.event_store import SqlEventStore
from judge.adapters.store.sql_inbox import SqlInbox
from judge.adapters.store.sql_outbox import SqlOutbox
from judge.adapters.store.sql_people import SqlPeople
from judge.adapters.store.tables import TABLES
from judge.app.ports.storage import Claims


class SqlTransaction:
    """All stores, bound to one transaction."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.events = SqlEventStore(connection)
        self.inbox = SqlInbox(connection)
        self.outbox = SqlOutbox(connection)
        self.people = SqlPeople(connection)
        self.budgets = SqlBudgets(connection)
        self.agenda = SqlAgenda(connection)
        self.secrets = SqlSecrets(connection)
        self.mailboxes = SqlMailboxes(connection)
        self.tallies = SqlTallies(connection)
        self.personal_data = SqlPersonalData(connection)


class SoleJudgeClaims:
    """The claims of the only judge on its store."""

    def take(self, name: str) -> bool:
        """Claim *name*, which always succeeds."""
        del name
        return True

    def leave(self, name: str) -> None:
        """Release *name*."""


class SqlDatabase:
    """Gives out transactions: many that read, one at a time that writes.

    A writer must not begin another write inside its own: it would wait for itself.
    """

    claims: Claims = SoleJudgeClaims()

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._readers = engine.execution_options(**{sqlite.READS: True})
        self._next = Lock()  # whoever waits goes before whoever has just written
        self._writing = Lock()

    @contextmanager
    def write(self) -> Iterator[SqlTransaction]:
        """Begin to write; committed at the end of the block, rolled back if it raises."""
        with self._next:
            self._writing.acquire()
        try:
            with self._engine.begin() as connection:
                yield SqlTransaction(connection)
        finally:
            self._writing.release()

    @contextmanager
    def read(self) -> Iterator[SqlTransaction]:
        """Begin to read one consistent state."""
        with self._readers.begin() as connection:
            yield SqlTransaction(connection)

    def compact(self) -> bool:
        """Remove deleted data from the disk; False if the database is in use."""
        return compact(self._engine)

    def close(self) -> None:
        """Close every connection."""
        self._engine.dispose()


def compact(engine: Engine) -> bool:
    """Rewrite the whole database; False if another connection prevented it."""
    try:
        return _vacuum_file(engine) if engine.dialect.name == "sqlite" else _vacuum_tables(engine)
    except DBAPIError:
        return False


def _vacuum_file(engine: Engine) -> bool:
    """Write the file anew, and empty its journal, which still holds the old one."""
    with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        try:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(busy, *_)] = cursor.fetchall()
        except engine.dialect.loaded_dbapi.OperationalError:
            return False
    return not busy


def _vacuum_tables(engine: Engine) -> bool:
    """Write every table but that of the events anew, since nothing was removed from that one.

    What the planner knows of them has the commonest values in it: that is made anew as well.
    """
    alone = engine.execution_options(isolation_level="AUTOCOMMIT")
    with alone.connect() as connection:
        for each in TABLES:
            if each.name != "events":
                connection.execute(text(f"VACUUM (FULL, ANALYZE) {each.name}"))
        connection.execute(text("VACUUM FULL pg_statistic"))
    return True
