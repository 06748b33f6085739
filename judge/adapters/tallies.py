"""What the operator is told in numbers, counted in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Column, ColumnElement, Connection, Row, Select, func, select

from judge.adapters.outbox import TO_GO, OutboxState
from judge.adapters.tables import AgendaRow, InboxRow, OutboxRow, table
from judge.app.ports.inbox import InboxState
from judge.app.ports.storage import Tally

_INBOX = table(InboxRow)
_OUTBOX = table(OutboxRow)
_AGENDA = table(AgendaRow)


class SqlTallies:
    """The numbers as one transaction sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def count(self, failures_since: datetime, games: int) -> Tally:
        """Count mails, and those given up since; name so many games that next want a look."""
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value
        to_go = _OUTBOX.c.state.in_(TO_GO)
        waits = _INBOX.c.state == InboxState.RECEIVED.value
        refused = _OUTBOX.c.state == OutboxState.GIVEN_UP.value
        looks = select(_AGENDA.c.game, _AGENDA.c.due_utc).order_by(_AGENDA.c.due_utc).limit(games)
        return Tally(
            inbox=self._by_state(_INBOX.c.state),
            outbox=self._by_state(_OUTBOX.c.state),
            oldest_waiting=self._one(select(func.min(_INBOX.c.received_utc)).where(waits)),
            oldest_queued=self._one(select(func.min(_OUTBOX.c.due_utc)).where(to_go)),
            retried=self._count(queued, _OUTBOX.c.attempts > 0),
            refused=self._count(refused, _OUTBOX.c.due_utc >= failures_since),
            games=[(row.game, row.due_utc) for row in self._connection.execute(looks)],
        )

    def _by_state(self, state: Column[str]) -> dict[str, int]:
        counted = select(state, func.count()).group_by(state).order_by(state)
        rows: Sequence[Row[str, int]] = self._connection.execute(counted).all()
        return {name: number for name, number in rows}  # noqa: C416 - rows are no pairs to mypy

    def _count(self, *conditions: ColumnElement[bool]) -> int:
        found = select(func.count()).select_from(_OUTBOX).where(*conditions)
        return self._connection.execute(found).scalar_one()

    def _one(self, question: Select[datetime]) -> datetime | None:
        instant: datetime | None = self._connection.execute(question).scalar_one()
        return instant
