"""An event store in memory, for one writer at a time as all stores are."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime

from judge.event_log import (
    VERSION_MAX,
    Codec,
    Event,
    Head,
    Recorded,
    Row,
    StaleStreamError,
    Vouched,
    seal,
    unseal,
)


class MemoryEventStore:
    """Keeps the rows of all games in one list."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._rows: list[Row] = []
        self._heads: dict[str, Head] = {}
        self._vouched: dict[str, Vouched] = {}

    def games(self) -> Sequence[str]:
        """Return the games that have events, in the order in which they began."""
        return tuple(self._heads)

    def head(self, game: str) -> Head:
        """Return the head of the log of *game*."""
        return self._heads.get(game, Head())

    def read(self, game: str, after: int = 0, until: int = VERSION_MAX) -> Sequence[Recorded]:
        """Return the events of *game* above *after*, up to *until*."""
        return tuple(unseal(self._codec, row) for row in self.rows(game, after, until))

    def rows(self, game: str, after: int = 0, until: int = VERSION_MAX) -> Sequence[Row]:
        """Return the events of *game* above *after*, up to *until*, as they are stored."""
        own = (row for row in self._rows if row.game == game)
        return tuple(row for row in own if after < row.version <= until)

    def guards(self) -> str:
        """Return a constant: the rows cannot change."""
        return "memory"

    def vouched(self, game: str) -> Vouched | None:
        """Return what an operator has accepted of the log of *game*, if anything."""
        return self._vouched.get(game)

    def vouch(self, game: str, vouched: Vouched) -> None:
        """Record that an operator has accepted the log of *game* as it is."""
        self._vouched[game] = vouched

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[Event],
        now: datetime,
        *,
        known: Collection[str] = (),
    ) -> Sequence[Recorded]:
        """Write *events* after version *expected* of *game*, all or none."""
        del known
        head = self.head(game)
        if head.version != expected:
            raise StaleStreamError(game, expected)
        rows = tuple(seal(self._codec, game, head, events, now))
        recorded = tuple(unseal(self._codec, row) for row in rows)
        if rows:
            self._rows.extend(rows)
            self._heads[game] = Head(rows[-1].version, rows[-1].hash)
        return recorded
