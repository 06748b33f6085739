"""What every store of events promises; the contract tests under `tests/contract` hold each to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from judge.events.types import Event

GENESIS = "0" * 64  # The hash before the first event of a game.


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it stands in the log.

    *version* counts within the game from 1 without gaps; *position* counts all events of the store, in the order in which
    they were committed; *hash* is `sha256(previous hash || canonical)`, in hexadecimal; *recorded_utc* is when.
    """

    game: str
    version: int
    position: int
    recorded_utc: datetime
    event: Event
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """How far the log of one game goes: its last version and hash, version 0 and `GENESIS` for none."""

    version: int = 0
    hash: str = GENESIS


class StaleStreamError(Exception):
    """Somebody else appended first: read again and decide anew."""

    def __init__(self, game: str, expected: int) -> None:
        super().__init__(f"the log of {game!r} has moved past version {expected}")
        self.game = game
        self.expected = expected


class EventStore(Protocol):
    """The log of every game, append-only."""

    def games(self) -> Sequence[str]:
        """Name every game that has events, in the order in which they began."""
        ...

    def head(self, game: str) -> Head:
        """Say how far the log of *game* goes."""
        ...

    def read(self, game: str, after: int = 0) -> Sequence[Recorded]:
        """Return the events of *game* with a version above *after*, upcast to the present types."""
        ...

    def read_all(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of all games with a position above *after*, in the order of commitment."""
        ...

    def append(
        self, game: str, expected: int, events: Sequence[Event], now: datetime
    ) -> Sequence[Recorded]:
        """Write *events* after version *expected* of *game*, all or none.

        Raises `StaleStreamError` when the log has moved on.
        """
        ...
