"""What is counted in the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted in the store: mails by state, and the instants that tell whether they move.

    *refused* counts the mails given up since yesterday, *retried* those that failed and wait.
    """

    inbox: Mapping[str, int]
    outbox: Mapping[str, int]
    oldest_waiting: datetime | None
    oldest_queued: datetime | None
    retried: int
    refused: int
    games: Sequence[tuple[str, datetime]]  # that next want a look, and when


class Tallies(Protocol):
    """What can be counted."""

    def count(self, failures_since: datetime, games: int) -> Tally:
        """Count mails, and those given up since; name so many games that next want a look."""
        ...
