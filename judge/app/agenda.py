"""When each game next wants a look, and when anybody last looked; and secrets made once."""

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

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* wants a look, None for never."""
        ...

    def due(self, now: datetime) -> Sequence[str]:
        """Name the games that want a look."""
        ...

    def all(self) -> Sequence[str]:
        """Name the games that want a look some time."""
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
