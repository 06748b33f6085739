"""The inbox: incoming emails, their states, the addresses that accept them, mailboxes."""

from __future__ import annotations

from collections.abc import Awaitable, Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import NamedTuple, Protocol, assert_never

from judge.mail.headers import addressees, is_ours, received_at, token_of, visible_addressees
from judge.mail.reply_kind import ReplyKind


class InboxState(Enum):
    """The state of an incoming email; all but `RECEIVED` and `HELD` are final."""

    RECEIVED = "received"
    HELD = "held"  # waits for the sender's confirmation
    PROCESSED = "processed"
    IGNORED = "ignored"
    QUARANTINED = "quarantined"


@dataclass(frozen=True, slots=True)
class IncomingMail:
    """A stored email: the raw bytes, the envelope, and when we accepted it."""

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
    retry_utc: datetime | None = None  # the earliest next attempt
    deaths: int = 0  # crashes of the judge while it processed this email
    in_hand: bool = False  # an attempt is under way
    held_for: str | None = None  # the player asked to confirm a held email
    game: str | None = None  # as its reply address, subject or claimed sender says
    offer: str | None = ""  # what its receipt offers, as JSON; None before 0.3.0


class WaitingMail(NamedTuple):
    """An email to process after *failed* attempts; its address or subject may name its *game*."""

    id: int
    sender: str
    game: str | None
    failed: int


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
    """The incoming emails."""

    def keep(self, mails: Iterable[tuple[Envelope, datetime]]) -> int:
        """Store each email for each of its recipients, with the time when it was received.

        Return how many copies were stored: the same bytes to the same recipient are stored once.
        """

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Return the emails in state received at or before *until*, oldest first."""

    def ready(self, now: datetime, limit: int = 100) -> Sequence[WaitingMail]:
        """Return the emails to try *now*, oldest first.

        These are up to *limit* emails that were never tried or, if there are none, a single other
        one. An email that may have crashed the judge comes last.
        """

    def arrive(self) -> bool:
        """Announce that emails are about to be stored, so no phase closes without them.

        Return whether only this judge closes phases, and so knows what it has still to store.
        """

    def claim(self, mail: int, now: datetime | None = None) -> bool:
        """Lock a waiting email against other judges until the end; False if one was faster.

        Also if it is not to be tried *now*, as another judge has just tried it.
        """

    def begin_attempt(self, mail: int, retry_utc: datetime | None = None) -> IncomingMail:
        """Count one more attempt and return the email; commit this before trying.

        Without an outcome, the email is tried again at *retry_utc*. An earlier attempt that has
        not ended is counted as a crash of the judge instead.
        """

    def end_attempt(self, mail: int) -> None:
        """Record that the judge has survived the current attempt."""

    def take_back(
        self, mail: int, retry_utc: datetime | None = None, game: str | None = None
    ) -> None:
        """Undo the beginning of an attempt that has not ended. Wait until *retry_utc*.

        Record that the email is about *game*, if that is known now.
        """

    def retry_by(self, latest: datetime) -> None:
        """Try every waiting email again at *latest*, if not sooner."""

    def get(self, mail: int) -> IncomingMail | None:
        """Return an email in any state."""

    def mention(self, mail: int, addresses: Collection[str]) -> None:
        """Record the *addresses* in an email, and their owners: `judge forget` looks for them."""

    def finish(self, mail: int, state: InboxState, reason: str = "") -> None:
        """Record the outcome of an email."""

    def restart(self, mail: int) -> None:
        """Put an email back to received, with its attempts and crashes reset to 0."""

    def rewrite(self, mail: int, raw: bytes) -> None:
        """Replace the bytes of an email; its digest stays that of the original."""

    def wrote(self, person: str, since: datetime) -> bool:
        """Return whether an email of *person* has arrived *since* then."""

    def of_person(self, person: str, since: datetime, limit: int) -> Sequence[int]:
        """Return the latest emails of *person* that arrived *since* then, newest first."""

    def held(self, before: datetime, limit: int) -> Sequence[int]:
        """Return some emails that have been held since *before*."""

    def hold_for(self, mail: int, person: str, game: str | None) -> None:
        """Record the claimed sender of an email to be held, and its game."""

    def held_for(self, person: str, limit: int) -> Sequence[IncomingMail]:
        """Return the held emails that claim to be from *person*, oldest first."""

    def held_because(self, reason: str, limit: int) -> Sequence[int]:
        """Return the oldest emails without a claimed sender that are held for *reason*."""

    def note_offer(self, mail: int, offer: str) -> None:
        """Store what the receipt of an email offers."""

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Delete the text of some finished emails above number *after* received *before*.

        Their digests stay. Returns their numbers in ascending order.
        """

    def of_ended_games(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Return some emptied emails above number *after* of games that all ended *before*.

        Those from a mailbox are not among them, as they may still be in it.
        """

    def remove(self, numbers: Collection[int]) -> None:
        """Remove the emails *numbers*, with the evidence for their senders."""

    def entries(self, state: InboxState | None = None, limit: int = 100) -> Sequence[InboxEntry]:
        """Return the latest emails, in *state* if given, oldest first."""

    def named(self, name: str) -> Sequence[int]:
        """Return at most two emails with the number *name* or a SHA-256 that begins with it."""

    def release(self, mail: int, person: str) -> None:
        """Put a held email back to received, confirmed by *person*."""

    def seen_before(self, person: str, message_id: str, digest: str, mail: int) -> datetime | None:
        """Remember *mail* of *person*, and return when they sent the same before.

        The same means the same Message-ID and the same new text; None if there was none.
        """


@dataclass(frozen=True, slots=True)
class MailOutcome:
    """The state of an email after processing, and the reason."""

    state: InboxState
    reason: str = ""


PROCESSED = MailOutcome(InboxState.PROCESSED)


NEEDS_CONFIRMATION = "what is always confirmed"  # waits; the rest of the email is carried out
NEEDS_CODE = "unproven, and changes who somebody is"
BY_CODE = (NEEDS_CONFIRMATION, NEEDS_CODE)  # of emails that only a code confirms
PRESS_OR_ORDERS = "press or orders"  # waits for the sender's decision
UNDECIDED = "press or orders, undecided at the close"  # which its sender has been told
MEANT_AS_PRESS = "meant as press"
MEANT_AS_ORDERS = "meant as orders"  # followed by the phase
MEANT_AS_NEITHER = "meant as neither"
OF_PHASE = " of "


def reason_for_meaning(meant: ReplyKind, phase: str | None) -> str:
    """Return the reason that records *meant*; orders are for *phase*, when they arrived."""
    match meant:
        case ReplyKind.PRESS:
            return MEANT_AS_PRESS
        case ReplyKind.ORDERS:
            return f"{MEANT_AS_ORDERS}{OF_PHASE}{phase}" if phase else MEANT_AS_ORDERS
        case ReplyKind.NEITHER:
            return MEANT_AS_NEITHER
        case _:
            assert_never(meant)


def meaning_in(reason: str) -> ReplyKind | None:
    """Return the meaning that *reason* gives a reply, None if it gives none."""
    if reason == MEANT_AS_PRESS:
        return ReplyKind.PRESS
    if reason == MEANT_AS_NEITHER:
        return ReplyKind.NEITHER
    return ReplyKind.ORDERS if reason.startswith(MEANT_AS_ORDERS) else None


def phase_in_reason(reason: str) -> str | None:
    """Return the phase for which *reason* records orders."""
    return reason.partition(f"{MEANT_AS_ORDERS}{OF_PHASE}")[2] or None


ALERT_AFTER = timedelta(minutes=10)
LOGIN_REFUSED = "the login is refused"  # begins the reason that a mailbox cannot be read


@dataclass(frozen=True, slots=True)
class Mailbox:
    """The progress of reading a mailbox, and since when and for what *reason* it fails.

    *uid* is the highest that has been stored, under *uid_validity*.
    """

    name: str
    uid_validity: int = 0
    uid: int = 0
    read_utc: datetime | None = None
    failing_utc: datetime | None = None
    reason: str = ""

    @property
    def login_refused(self) -> bool:
        """Return whether it is not read because the server refuses the login."""
        return self.failing_utc is not None and LOGIN_REFUSED in self.reason

    def is_red(self, now: datetime) -> bool:
        """Return whether the mailbox needs attention."""
        return self.failing_utc is not None and now - self.failing_utc >= ALERT_AFTER


@dataclass(frozen=True, slots=True)
class WithheldEmail:
    """An email that the server of *mailbox* lists but does not hand over.

    The judge reads on without it and tries again daily; *reason* is the server's own.
    """

    mailbox: str
    uid_validity: int
    uid: int
    reason: str
    since_utc: datetime
    tried_utc: datetime


class Mailboxes(Protocol):
    """The progress of reading each mailbox."""

    def get(self, name: str) -> Mailbox:
        """Return the state of a mailbox."""

    def put(self, mailbox: Mailbox) -> None:
        """Store the state of a mailbox."""

    def all(self) -> Sequence[Mailbox]:
        """Return the state of every mailbox."""

    def set_aside(self, email: WithheldEmail) -> None:
        """Record that *email* could not be fetched again."""

    def settle(self, email: WithheldEmail) -> None:
        """Record that *email* was fetched, or is gone."""

    def withheld(self, mailbox: str | None = None) -> Sequence[WithheldEmail]:
        """Return the emails that are set aside, of one *mailbox* or all."""


class Inputs(Protocol):
    """The ways in which email arrives."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Return the ways that may still have mail from before *since*; ask them to hurry."""


class NoInputs:
    """Ways in that are never late: senders connect to the judge itself."""

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        """Return none."""
        del since, now
        return ()


IN_MAILBOX = "imap"  # the way in of emails that stay where they were


@dataclass(frozen=True, slots=True)
class Envelope:
    """An email being received: bytes, sender (empty for a bounce) and our recipients.

    *received_utc* is when the boundary of our domain had it; None if the judge itself is the
    boundary.
    """

    raw: bytes
    sender: str
    recipients: tuple[str, ...]
    way_in: str
    received_utc: datetime | None = None


class MailStore(Protocol):
    """Stores emails; those that wait together are committed together."""

    def keep(self, envelope: Envelope) -> Awaitable[None]:
        """Begin to store *envelope*; return what is done once each copy is on the disk.

        Storing an email again is no error: a redelivery changes nothing.
        """


@dataclass(frozen=True, slots=True)
class MailReception:
    """The addresses of this judge, with or without a token after the delimiter.

    *boundary* is the name of the operator's own mail server, through which all mail comes; empty
    if strangers connect to the judge itself.
    """

    address: str
    delimiter: str
    boundary: str = ""

    def knows(self, recipient: str) -> bool:
        """Return whether *recipient* is ours, without revealing whether its token is known."""
        return is_ours(recipient, self.address, self.delimiter)

    def received(self, raw: bytes) -> datetime | None:
        """Return when the operator's own mail server received an email, if it says so."""
        return received_at(raw, self.boundary) if self.boundary else None

    def recipients(self, raw: bytes) -> tuple[str, ...]:
        """Return those of our addresses that an email without an envelope was sent to.

        Some providers write the name of the mailbox as its delivery address. Then the addresses
        in To and Cc that have a token count.
        """
        ours = tuple(each for each in addressees(raw) if self.knows(each))
        if not any(map(self._token, ours)):
            ours = tuple(each for each in visible_addressees(raw) if self._token(each)) or ours
        return ours or (self.address,)

    def _token(self, recipient: str) -> str | None:
        return token_of(recipient, self.address, self.delimiter)
