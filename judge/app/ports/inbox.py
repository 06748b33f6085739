"""The inbox: incoming emails, their states, the addresses that accept them, mailboxes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Protocol, assert_never

from judge.mail.headers import addressees, is_ours, received_at
from judge.mail.reader.press_replies import Meant


class InboxState(Enum):
    """The state of an incoming email; all but `RECEIVED` and `HELD` are final."""

    RECEIVED = "received"
    HELD = "held"  # waits for its writer to confirm that it is theirs
    PROCESSED = "processed"
    IGNORED = "ignored"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """An email as it was kept: the raw bytes, the envelope, and when we answered for it."""

    id: int
    sha256: str
    raw: bytes
    sender: str  # envelope sender; empty for a bounce
    recipient: str
    way_in: str  # smtp, lmtp, imap, pipe
    received_utc: datetime
    state: InboxState
    attempts: int
    reason: str = ""
    confirmed_person: str | None = None  # who confirmed a held email
    retry_utc: datetime | None = None  # not to be tried before
    deaths: int = 0  # how often the judge ended while it had this email in hand
    in_hand: bool = False  # an attempt was begun, and has not ended yet
    held_for: str | None = None  # the player who is asked whether a held email is theirs
    held_game: str | None = None  # what it is about, if that is known


@dataclass(frozen=True, slots=True)
class InboxEntry:
    """An incoming email in the operator's list, without its text."""

    id: int
    sha256: str
    way_in: str
    received_utc: datetime
    state: InboxState
    reason: str
    attempts: int


class Inbox(Protocol):
    """The mails that came in."""

    def keep(
        self, raw: bytes, sender: str, recipient: str, way_in: str, received_utc: datetime
    ) -> bool:
        """Store an email; False if the same bytes to this recipient are stored already."""
        ...

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Return the emails in state received at or before *until*, oldest first."""
        ...

    def ready(self, now: datetime, limit: int = 100) -> Sequence[tuple[int, str]]:
        """Name, with their senders, emails that wait and may be tried *now*, oldest first.

        Those are *limit* emails that were never tried or, if there are none, a single other one:
        last an email of which the judge may have died.
        """
        ...

    def arrive(self) -> None:
        """Announce that emails will be stored, so that no phase closes without them."""
        ...

    def claim(self, mail: int) -> bool:
        """Keep a mail that waits from every other judge until the end; False if one was faster."""
        ...

    def begin_attempt(self, mail: int, retry_utc: datetime | None = None) -> IncomingMail:
        """Count one more attempt and return the email; commit this before trying.

        If nothing is heard of it any more, it is tried again at *retry_utc*. An attempt that was
        begun before and has not ended is counted as a death of the judge instead.
        """
        ...

    def end_attempt(self, mail: int) -> None:
        """Record that the judge has survived the attempt that it began."""
        ...

    def get(self, mail: int) -> IncomingMail | None:
        """Return an email in any state."""
        ...

    def finish(self, mail: int, state: InboxState, reason: str = "") -> None:
        """Record the outcome of an email."""
        ...

    def restart(self, mail: int) -> None:
        """Put an email back to received, with a fresh count of attempts and deaths."""
        ...

    def rewrite(self, mail: int, raw: bytes) -> None:
        """Replace the bytes of an email; its digest stays that of the original."""
        ...

    def wrote(self, person: str, since: datetime) -> bool:
        """Return whether an email of *person* came *since* then."""
        ...

    def held(self, before: datetime, limit: int) -> Sequence[int]:
        """Return some emails that have been held since *before*."""
        ...

    def hold_for(self, mail: int, person: str, game: str | None) -> None:
        """Record who an email to be held claims to be from, and its game."""
        ...

    def held_for(self, person: str, limit: int) -> Sequence[IncomingMail]:
        """Return the held emails that claim to be from *person*, oldest first."""
        ...

    def held_because(self, reason: str, limit: int) -> Sequence[int]:
        """Return the oldest emails without a claimed sender that are held for *reason*."""
        ...

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Empty some finished emails above number *after* that were received *before*.

        Each is still known by the digest of what came. Returns their numbers, the lowest first.
        """
        ...

    def entries(self, state: InboxState | None = None, limit: int = 100) -> Sequence[InboxEntry]:
        """Return the latest emails, in *state* if given, oldest first."""
        ...

    def named(self, name: str) -> Sequence[int]:
        """Return at most two emails whose number is *name* or whose SHA-256 begins with it."""
        ...

    def release(self, mail: int, person: str) -> None:
        """Put a held email back to received, confirmed by *person*."""
        ...

    def seen_before(self, person: str, message_id: str, digest: str, mail: int) -> datetime | None:
        """Remember what *person* sent in *mail*, and return when they sent the same before.

        Such is one with the same Message-ID and the same new text; None if there was none.
        """
        ...


@dataclass(frozen=True, slots=True)
class MailOutcome:
    """The state of an email after processing, and the reason."""

    state: InboxState
    reason: str = ""


PROCESSED = MailOutcome(InboxState.PROCESSED)


PRESS_OR_ORDERS = "press or orders"  # It waits for its writer's word.
MEANT_AS_PRESS = "meant as press"
MEANT_AS_ORDERS = "meant as orders"  # and behind it, for which phase
MEANT_AS_NEITHER = "meant as neither"
OF_PHASE = " of "


def reason_for_meaning(meant: Meant, phase: str | None) -> str:
    """Return the reason that says so; orders are for the *phase* in which they arrived."""
    match meant:
        case Meant.PRESS:
            return MEANT_AS_PRESS
        case Meant.ORDERS:
            return f"{MEANT_AS_ORDERS}{OF_PHASE}{phase}" if phase else MEANT_AS_ORDERS
        case Meant.NEITHER:
            return MEANT_AS_NEITHER
        case _:
            assert_never(meant)


def meaning_in(reason: str) -> Meant | None:
    """Return the meaning that *reason* gives a reply, None if it gives none."""
    if reason == MEANT_AS_PRESS:
        return Meant.PRESS
    if reason == MEANT_AS_NEITHER:
        return Meant.NEITHER
    return Meant.ORDERS if reason.startswith(MEANT_AS_ORDERS) else None


def phase_in_reason(reason: str) -> str | None:
    """Return for which phase the orders are of which *reason* speaks."""
    return reason.partition(f"{MEANT_AS_ORDERS}{OF_PHASE}")[2] or None


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
        """Return whether the mailbox needs attention."""
        return self.failing_utc is not None and now - self.failing_utc >= ALERT_AFTER


class Mailboxes(Protocol):
    """How far each mailbox has been read."""

    def get(self, name: str) -> Mailbox:
        """Return the state of a mailbox."""
        ...

    def put(self, mailbox: Mailbox) -> None:
        """Record how far a mailbox has been read, or why it cannot be."""
        ...

    def all(self) -> Sequence[Mailbox]:
        """Return the state of every mailbox."""
        ...


class Inputs(Protocol):
    """The ways in."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Name the ways that may still bring mail of before *since*; they are asked to hurry."""
        ...


class NoInputs:
    """Ways in by which nothing is ever late: who sends speaks to the judge itself."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Name none."""
        del since, now
        return ()


@dataclass(frozen=True, slots=True)
class Envelope:
    """A mail at the door: its bytes, its sender (empty for a bounce) and its recipients here.

    *received_utc* is when the boundary of our domain had it, None where only we can say that.
    """

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    way_in: str
    received_utc: datetime | None = None


class MailStore(Protocol):
    """Stores mails; many waiting at once are committed together."""

    async def keep(self, envelope: Envelope) -> None:
        """Return once every recipient's copy is on the disk; raises when it is not.

        A mail that is already there is there: a redelivery changes nothing and is no error.
        """
        ...


@dataclass(frozen=True, slots=True)
class MailReception:
    """The addresses of this judge: its own, with or without a token behind the delimiter.

    *boundary* is the name of the operator's own mail server, through which all mail comes; empty
    where there is none, and strangers speak to the judge itself.
    """

    address: str
    delimiter: str
    boundary: str = ""

    def knows(self, recipient: str) -> bool:
        """Return whether *recipient* is ours, without revealing whether its token is known."""
        return is_ours(recipient, self.address, self.delimiter)

    def received(self, raw: bytes) -> datetime | None:
        """Return when the operator's own mail server had a mail, if it says so."""
        return received_at(raw, self.boundary) if self.boundary else None

    def recipients(self, raw: bytes) -> tuple[str, ...]:
        """Return to which of our addresses a mail went that comes without an envelope."""
        ours = tuple(each for each in addressees(raw) if self.knows(each))
        return ours or (self.address,)
