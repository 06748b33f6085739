"""When each game wants a look, when anybody last did, what was missed; and secrets made once."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol


class Agenda(Protocol):
    """When each game next wants a look: a hint, never the truth; and when anybody last looked."""

    def beat(self, now: datetime) -> None:
        """Note that the judge is awake."""
        ...

    def last_beat(self) -> datetime | None:
        """Say when the judge was last known to be awake."""
        ...

    def doubt(self, since: datetime | None) -> None:
        """Note *since* when the clock shows less than at the last beat; None if it does not."""
        ...

    def doubted_since(self) -> datetime | None:
        """Say since when the clock shows less than at the last beat."""
        ...

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* wants a look, None for never."""
        ...

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Name some games that want a look: first those to which no time is to be given back."""
        ...

    def miss(self, began: datetime, now: datetime) -> None:
        """Note that the judge was away since *began*, and that every game wants a look *now*.

        A game to which the time of an earlier outage is still to be given back gets both.
        """
        ...

    def missed_since(self, game: str) -> datetime | None:
        """Say since when time is to be given back to *game*."""
        ...

    def made_up(self, game: str) -> None:
        """Note that *game* has its time back."""
        ...

    def forgotten(self) -> Sequence[str]:
        """Name the games that want none, though they do not end with their end."""
        ...

    def is_due(self, game: str, now: datetime) -> bool:
        """Say whether *game* wants a look."""
        ...

    def next_due(self) -> datetime | None:
        """Say when the next game wants a look."""
        ...


class Secrets(Protocol):
    """Secrets of this judge that are made once and kept."""

    def token_key(self) -> bytes:
        """Return the key of the tokens, made at the first call."""
        ...
