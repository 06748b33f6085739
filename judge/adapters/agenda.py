"""When each game next wants a look, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, func, select

from judge.adapters.tables import AgendaRow, table, upsert

_AGENDA = table(AgendaRow)


class SqlAgenda:
    """The agenda as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* wants a look, None for never."""
        if due_utc is None:
            self._connection.execute(delete(_AGENDA).where(_AGENDA.c.game == game))
        else:
            upsert(self._connection, _AGENDA, {"game": game}, {"due_utc": due_utc})

    def due(self, now: datetime) -> Sequence[str]:
        """Name the games that want a look."""
        waiting = (
            select(_AGENDA.c.game)
            .where(_AGENDA.c.due_utc <= now)
            .order_by(_AGENDA.c.due_utc, _AGENDA.c.game)
        )
        return self._connection.execute(waiting).scalars().all()

    def next_due(self) -> datetime | None:
        """Say when the next game wants a look."""
        earliest = select(func.min(_AGENDA.c.due_utc))
        due: datetime | None = self._connection.execute(earliest).scalar_one()
        return due
