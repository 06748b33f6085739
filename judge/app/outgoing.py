"""What became of the mails that were to be sent, for whoever looks after them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol


class Way(Enum):
    """How far a mail has come."""

    HELD_BACK = "held_back"  # until the hour that its reader chose
    QUEUED = "queued"
    DEFERRED = "deferred"  # it was tried, and is tried again
    SENT = "sent"
    ENCLOSED = "enclosed"  # in another to the same reader
    CAME_BACK = "came_back"  # it was taken, and then somebody reported that it failed
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """A mail without a word of it; *kind* is the template that it was made from.

    *reason* is the last that was given for not taking it.
    """

    id: int
    kind: str
    game: str | None
    person: str | None
    recipient: str
    way: Way
    attempts: int
    reason: str
    due_utc: datetime
    sent_utc: datetime | None
    bounced_utc: datetime | None


class SentMails(Protocol):
    """The mails to be sent, and those that were."""

    def entries(
        self, game: str | None = None, way: Way | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        """List the latest mails, those about *game* or come so far if asked, the latest first."""
        ...
