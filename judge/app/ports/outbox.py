"""The outbox: emails to be sent, and what became of them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from typing import Protocol

NEVER = datetime(9999, 1, 1, tzinfo=UTC)  # until the reader chooses another pace


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """An email to be sent, to one envelope recipient.

    *raw* is all of it, empty until it is rendered from its *facts*, next tried at *render_utc*.
    *message_id* is unique and derived from the cause and the reader, so the same email is never
    queued twice. *token* is the one in its Reply-To: a reply that lost it is still understood by
    its thread. *offer* has the commands that the door shows.
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
    facts: str | None = None
    render_utc: datetime | None = None
    offer: str | None = None


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed attempt to deliver an email; *ours* if the judge or its mail server is at fault."""

    reason: str
    at: datetime
    ours: bool = False


class SentMails(Protocol):
    """A list of outgoing emails, sent or waiting."""

    def entries(
        self, game: str | None = None, way: DeliveryState | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        """Return the latest emails, newest first, filtered by *game* and delivery state *way*."""


class Outbox(SentMails, Protocol):
    """The outgoing emails."""

    def put(self, *mails: OutgoingMail) -> bool:
        """Queue *mails*, but none whose Message-ID was ever queued; False if there is no other."""

    def mention(self, message_id: str, names: Collection[str]) -> None:
        """Record that an email names people, addresses or games: by this they are forgotten."""

    def hold_back(self, *mails: OutgoingMail) -> bool:
        """Hold *mails* back for a digest until they are due; otherwise like `put`."""

    def awaited(self, now: datetime) -> Sequence[str]:
        """Return the people for whom a digest is due."""

    def waiting(self, person: str, now: datetime) -> Sequence[OutgoingMail]:
        """Return the emails held back for *person* that are due, by address, in order."""

    def release(self, message_id: str, now: datetime) -> None:
        """Render a held-back email *now*, and send it on its own."""

    def enclose(self, message_id: str, within: str) -> None:
        """Record that a held-back email goes out *within* another."""

    def enclosed(self, within: str) -> Sequence[OutgoingMail]:
        """Return the emails that went out *within* another."""

    def unrendered_games(self, now: datetime, limit: int) -> Sequence[str]:
        """Return the games of the queued emails to be rendered now, oldest first.

        An email without a game is named by its Message-ID. At most *limit* emails are looked at.
        """

    def unrendered(
        self, now: datetime, limit: int, names: Collection[str]
    ) -> Sequence[OutgoingMail]:
        """Return the queued emails to be rendered now, oldest first, of `unrendered_games`."""

    def rendered(self, message_id: str, raw: bytes, template_fault: str | None = None) -> None:
        """Store the bytes of an email, unless it has any; then it counts as never tried.

        They have the shipped words if the operator's had a *template_fault*.
        """

    def renew_token(self, message_id: str, token: str) -> None:
        """Record that the Reply-To of an email has another *token* than when it was queued."""

    def not_rendered(self, message_id: str, render_utc: datetime, failure: Failure) -> None:
        """Record that an email cannot be rendered; try again at *render_utc*."""

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Take the rendered emails to be tried now, oldest first, if no other judge has them."""

    def sent(self, message_ids: Collection[str], now: datetime) -> None:
        """Record that the mail server accepted the emails."""

    def postpone(self, message_id: str, due_utc: datetime, failure: Failure) -> None:
        """Record a failed attempt; try again at *due_utc*."""

    def bring_forward(self, now: datetime) -> None:
        """Make due *now* what was queued, tried or held back at a later time.

        It waits for a time that the clock showed before it was set back.
        """

    def requeue(self, message_id: str, due_utc: datetime, failure: Failure) -> None:
        """Record that a sent email was returned; try again at *due_utc*."""

    def give_up(self, message_id: str, failure: Failure) -> None:
        """Record that the email cannot be delivered."""

    def retry(self, message_id: str, now: datetime) -> None:
        """Make an email due *now*, to be rendered too if it was not, as new if it was given up."""

    def discard(self, message_id: str, reason: str) -> None:
        """Give up an email that has not been sent, because the operator wants to."""

    def named(self, name: str) -> int | None:
        """Return the number of the email with this number or Message-ID."""

    def get(self, number: int) -> OutgoingMail | None:
        """Return the email with this number, in any state."""

    def entry(self, number: int) -> SentMail | None:
        """Return how far the email with this number has come."""

    def find(self, message_id: str) -> OutgoingMail | None:
        """Return the email with this Message-ID, in any state."""

    def find_each(self, message_ids: Collection[str]) -> Mapping[str, OutgoingMail]:
        """Return the emails with these Message-IDs by them; few in a thread are of an email."""

    def latest_to(self, person: str, before: datetime, limit: int) -> Sequence[OutgoingMail]:
        """Return the latest emails due to *person* before then, the latest first."""

    def sent_from(self, sender: str) -> OutgoingMail | None:
        """Return the email that went out with its own envelope sender *sender*."""

    def bounced(self, message_id: str, now: datetime) -> None:
        """Record a bounce of an email."""

    def is_unreachable(
        self, person: str, since: datetime, now: datetime, *, bounces: bool
    ) -> bool:
        """Return whether an email to *person* has failed *since* then, and none arrived.

        Unless *bounces* count, only failures that we saw ourselves do.
        """

    def reschedule(self, person: str, kinds: Collection[str], due_utc: datetime) -> None:
        """Move emails to *person* of these *kinds* that are held back to *due_utc*."""

    def last_bounce(self, person: str) -> datetime | None:
        """Return when an email to *person* last bounced, None if a later one arrived."""

    def next_due(self) -> datetime | None:
        """Return when the next email is to be tried or rendered."""

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Delete the text of some emails above number *after* sent or given up *before*.

        Returns their numbers in ascending order.
        """

    def of_ended_games(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Return finished emails above number *after* of games that ended *before*, in order."""

    def remove(self, numbers: Collection[int]) -> None:
        """Remove finished emails, with all that is known of them."""


class DeliveryState(Enum):
    """The delivery state of an email."""

    HELD_BACK = "held_back"  # until the reader's next digest
    QUEUED = "queued"
    DEFERRED = "deferred"  # failed, to be retried
    SENT = "sent"
    ENCLOSED = "enclosed"  # sent within another email to the same reader
    CAME_BACK = "came_back"  # accepted, then bounced
    GIVEN_UP = "given_up"


@dataclass(frozen=True, slots=True, kw_only=True)
class SentMail:
    """An outgoing email without its text; *kind* is its template.

    *reason* is the last reason for a failed delivery, which was tried last at *tried_utc* and
    first failed at *failing_utc*; *ours* if the judge or its mail server is at fault.
    """

    id: int
    message_id: str
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
    failing_utc: datetime | None
    tried_utc: datetime | None
    ours: bool
