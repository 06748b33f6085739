"""The ways in, and whether all that came by them before an instant has been read."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol

ALERT_AFTER = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class Mailbox:
    """A mailbox that is read: how far, when last, and since when it cannot be, for what *reason*.

    *uid* is the highest that has been stored, of those that *uid_validity* gives a meaning to.
    """

    name: str
    uid_validity: int = 0
    uid: int = 0
    read_utc: datetime | None = None
    failing_utc: datetime | None = None
    reason: str = ""

    def is_red(self, now: datetime) -> bool:
        """Say whether somebody should look after it."""
        return self.failing_utc is not None and now - self.failing_utc >= ALERT_AFTER


class Mailboxes(Protocol):
    """How far each mailbox has been read."""

    def get(self, name: str) -> Mailbox:
        """Return what is known of a mailbox, nothing if it was never read."""
        ...

    def put(self, mailbox: Mailbox) -> None:
        """Write down how far a mailbox has been read, or why it cannot be."""
        ...

    def all(self) -> Sequence[Mailbox]:
        """Return every mailbox that was ever read, or should have been."""
        ...


class Ways(Protocol):
    """The ways in."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Name the ways that may still bring mail of before *since*; they are asked to hurry."""
        ...


class NoWaiting:
    """Ways in by which nothing is ever late: who sends speaks to the judge itself."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Name none."""
        del since, now
        return ()
