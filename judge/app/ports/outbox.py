"""The outbox: emails to be sent, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """An email to be sent: complete bytes, for one envelope recipient.

    *message_id* is derived from the cause and the reader, and is unique: the same mail is never
    queued twice. *token* is the one in its Reply-To, so that an answer that lost it is still
    understood by its thread.
    """

    message_id: str
    sender: str
    recipient: str
    raw: bytes
    due_utc: datetime
    kind: str  # the template it was made from
    game: str | None = None
    person: str | None = None
    token: str | None = None
    attempts: int = 0


class SentMails(Protocol):
    """The mails to be sent, and those that were."""

    def entries(
        self, game: str | None = None, way: DeliveryState | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        """List the latest emails, those about *game* or come so far if asked, the latest first."""
        ...


class Outbox(SentMails, Protocol):
    """The mails to be sent."""

    def put(self, mail: OutgoingMail) -> bool:
        """Queue *mail*; False, and nothing done, if one of that Message-ID was ever queued."""
        ...

    def hold_back(self, mail: OutgoingMail) -> bool:
        """Hold *mail* back for a digest until it is due; otherwise as `put`."""
        ...

    def awaited(self, now: datetime) -> Sequence[str]:
        """Return the persons for whom a digest is due."""
        ...

    def waiting(self, person: str, now: datetime) -> Sequence[OutgoingMail]:
        """Return the emails held back for *person* that are due, by address, oldest first."""
        ...

    def release(self, message_id: str) -> None:
        """Send an email that was held back by itself."""
        ...

    def enclose(self, message_id: str, within: str) -> None:
        """Record that an email held back goes out *within* another."""
        ...

    def enclosed(self, within: str) -> Sequence[OutgoingMail]:
        """Return the emails that went *within* another."""
        ...

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Take the emails to be tried now, oldest first, that no other judge has in hand."""
        ...

    def sent(self, message_id: str, now: datetime) -> None:
        """Record that the email was taken."""
        ...

    def postpone(self, message_id: str, due_utc: datetime, reason: str) -> None:
        """Record a failed attempt; try again at *due_utc*."""
        ...

    def give_up(self, message_id: str, reason: str) -> None:
        """Record that the email cannot be delivered."""
        ...

    def find(self, message_id: str) -> OutgoingMail | None:
        """Return the email with this Message-ID, whatever became of it."""
        ...

    def sent_from(self, sender: str) -> OutgoingMail | None:
        """Return the email that went out with the envelope sender *sender*, its own."""
        ...

    def bounced(self, message_id: str, now: datetime) -> None:
        """Record a bounce of an email."""
        ...

    def is_unreachable(self, person: str, since: datetime, now: datetime) -> bool:
        """Return whether an email to *person* failed *since* then, and none arrived."""
        ...

    def reschedule(self, person: str, kinds: Collection[str], due_utc: datetime) -> None:
        """Move untried waiting emails to *person* of these *kinds* to *due_utc*."""
        ...

    def last_bounce(self, person: str) -> datetime | None:
        """Return when an email to *person* last bounced, None if a later one arrived."""
        ...

    def next_due(self) -> datetime | None:
        """Return when the next mail is to be tried."""
        ...

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Empty some emails above number *after* that were sent or given up *before*.

        Returns their numbers, the lowest first.
        """
        ...


class DeliveryState(Enum):
    """The delivery state of an email."""

    HELD_BACK = "held_back"  # until the hour that its reader chose
    QUEUED = "queued"
    DEFERRED = "deferred"  # it was tried, and is tried again
    SENT = "sent"
    ENCLOSED = "enclosed"  # in another to the same reader
    CAME_BACK = "came_back"  # it was accepted, and then a bounce message came
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """An email without its text; *kind* is its template.

    *reason* is the last that was given for not taking it.
    """

    id: int
    kind: str
    game: str | None
    person: str | None
    recipient: str
    way: DeliveryState
    attempts: int
    reason: str
    due_utc: datetime
    sent_utc: datetime | None
    bounced_utc: datetime | None
