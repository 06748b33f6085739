"""Transactions: everything a use case reads and writes is committed together, or not at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

from sqlalchemy import Connection, Engine

from judge.adapters import sqlite
from judge.adapters.agenda import SqlAgenda
from judge.adapters.budgets import SqlBudgets
from judge.adapters.compacting import compact
from judge.adapters.event_store import SqlEventStore
from judge.adapters.inbox import SqlInbox
from judge.adapters.mailboxes import SqlMailboxes
from judge.adapters.outbox import SqlOutbox
from judge.adapters.people import SqlPeople
from judge.adapters.tallies import SqlTallies
from judge.adapters.traces import SqlTraces
from judge.adapters.vault import SqlSecrets
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
        self.traces = SqlTraces(connection)


class Undivided:
    """The claims of the only judge on its store."""

    def take(self, name: str) -> bool:
        """Have *name* in hand: nobody else can."""
        del name
        return True

    def leave(self, name: str) -> None:
        """Have it no more."""


class SqlDatabase:
    """Gives out transactions: many that read, one at a time that writes.

    A writer must not begin another write inside its own: it would wait for itself.
    """

    claims: Claims = Undivided()

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
        """Leave nothing on the disk of what was removed; False if somebody is using it."""
        return compact(self._engine)

    def close(self) -> None:
        """Let go of every connection."""
        self._engine.dispose()
