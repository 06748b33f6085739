"""The log of events in a database that several judges write to at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain

from sqlalchemy import Connection

from judge.adapters.event_store import SqlEventStore
from judge.adapters.postgresql import POSITIONS, wait_for
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
