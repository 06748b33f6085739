"""How far each mailbox has been read, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, select

from judge.adapters.tables import MailboxRow, table, upsert
from judge.app.ports.inbox import Mailbox

_MAILBOXES = table(MailboxRow)


class SqlMailboxes:
    """The mailboxes as one transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def get(self, name: str) -> Mailbox:
        """Return what is known of a mailbox, nothing if it was never read."""
        known = self._connection.execute(select(_MAILBOXES).filter_by(name=name)).mappings()
        row = known.one_or_none()
        return Mailbox(**row) if row else Mailbox(name)

    def put(self, mailbox: Mailbox) -> None:
        """Write down how far a mailbox has been read, or why it cannot be."""
        values = asdict(mailbox)
        upsert(self._connection, _MAILBOXES, {"name": values.pop("name")}, values)

    def all(self) -> Sequence[Mailbox]:
        """Return every mailbox that was ever read, or should have been."""
        every = self._connection.execute(select(_MAILBOXES).order_by(_MAILBOXES.c.name))
        return [Mailbox(**row) for row in every.mappings()]
