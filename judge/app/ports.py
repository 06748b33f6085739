"""What the use cases need from outside to read mail and to keep things, as one transaction."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import Protocol

from judge.app.agenda import Agenda, Secrets
from judge.app.budgets import Budgets
from judge.app.claims import Claims
from judge.app.incoming import Inbox
from judge.app.outgoing import SentMails
from judge.app.tally import Tallies
from judge.app.traces import Traces
from judge.app.ways import Mailboxes
from judge.events.store import EventStore
from judge.mail.language.profile_commands import MailForm, MailPace, ResultPictures


@dataclass(frozen=True, slots=True)
class OutgoingMail:
    """A mail to be sent: complete bytes, for one envelope recipient.

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


class Outbox(SentMails, Protocol):
    """The mails to be sent."""

    def put(self, mail: OutgoingMail) -> bool:
        """Queue *mail*; False, and nothing done, if one of that Message-ID was ever queued."""
        ...

    def hold_back(self, mail: OutgoingMail) -> bool:
        """Let *mail* wait for others to its reader, until it is due; else as `put`."""
        ...

    def awaited(self, now: datetime) -> Sequence[str]:
        """Name the persons for whom mails that were held back are due."""
        ...

    def waiting(self, person: str, now: datetime) -> Sequence[OutgoingMail]:
        """Return the mails held back that are due to *person*, by address, oldest first."""
        ...

    def release(self, message_id: str) -> None:
        """Let a mail that was held back go as it is."""
        ...

    def enclose(self, message_id: str, within: str) -> None:
        """Record that a mail that was held back goes *within* another."""
        ...

    def enclosed(self, within: str) -> Sequence[OutgoingMail]:
        """Return the mails that went *within* another."""
        ...

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Take the mails to be tried now, oldest first, that no other judge has in hand."""
        ...

    def sent(self, message_id: str, now: datetime) -> None:
        """Record that the mail was taken."""
        ...

    def postpone(self, message_id: str, due_utc: datetime, reason: str) -> None:
        """Record a failed attempt; try again at *due_utc*."""
        ...

    def give_up(self, message_id: str, reason: str) -> None:
        """Record that the mail cannot be delivered."""
        ...

    def find(self, message_id: str) -> OutgoingMail | None:
        """Return the mail with this Message-ID, whatever became of it."""
        ...

    def sent_from(self, sender: str) -> OutgoingMail | None:
        """Return the mail that went out with the envelope sender *sender*, its own."""
        ...

    def bounced(self, message_id: str, now: datetime) -> None:
        """Record that a mail which was sent came back."""
        ...

    def is_unreachable(self, person: str, since: datetime, now: datetime) -> bool:
        """Say whether a mail to *person* failed *since* then, and none seems to have arrived."""
        ...

    def reschedule(self, person: str, kinds: Collection[str], due_utc: datetime) -> None:
        """Let what waits for *person*, of these *kinds* and not tried yet, be due then."""
        ...

    def last_bounce(self, person: str) -> datetime | None:
        """Say when a mail to *person* last came back, None if none after it seems to arrive."""
        ...

    def next_due(self) -> datetime | None:
        """Say when the next mail is to be tried."""
        ...

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Take the bytes of some mails above number *after* that were sent or given up *before*.

        Returns their numbers, the lowest first.
        """
        ...


class Purpose(Enum):
    """What a reply to a token's address means."""

    ORDERS = "orders"  # orders and commands for the game
    PRESS = "press"  # press to the writer of the letter
    JOIN = "join"  # a stranger confirms his JOIN
    ADDRESS = "address"  # somebody confirms that mail for a player may go to his address
    CONFIRM = "confirm"  # a player confirms that a held mail is his
    SETTLE = "settle"  # the writer of a held reply to press says what it is
    MODERATE = "moderate"  # somebody agrees to moderate a game


@dataclass(frozen=True, slots=True)
class Token:
    """What the token in an address of ours stands for.

    *phase* is the phase the mail belongs to; *subject* the mail held (CONFIRM, JOIN,
    SETTLE) or the power written to (PRESS).
    """

    text: str
    purpose: Purpose
    person: str
    key_version: int
    game: str | None = None
    power: str | None = None
    phase: str | None = None
    subject: str | None = None


GIVEN_HANDLE = "player-"  # Begins a handle that nobody chose, and no other.


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody who plays; *handle* is shown to others unless the game is anonymous.

    *name* is what their own email calls them: for moderators who do not play, and for nobody else.
    """

    id: str
    handle: str
    address: str  # the primary one
    zone: str | None = None
    key_version: int = 1
    pace: MailPace = MailPace.AT_ONCE
    form: MailForm = MailForm.PICTURES
    language: str = "en"
    name: str = ""
    pictures: ResultPictures = ResultPictures.BOTH


class People(Protocol):
    """Who is who: the only place where addresses, handles, passwords and keys are kept."""

    def add(self, person: str, address: str, handle: str, key: bytes, now: datetime) -> None:
        """Register a person with a verified primary address and the key that seals his press."""
        ...

    def get(self, person: str) -> Person | None:
        """Return a person by id."""
        ...

    def by_address(self, address: str) -> Person | None:
        """Return who registered *address*, in either part of which case does not count."""
        ...

    def addresses(self, person: str) -> Sequence[str]:
        """Return the registered addresses of a person, the primary one first."""
        ...

    def key(self, person: str) -> bytes | None:
        """Return the key of a person's press, None once he was forgotten."""
        ...

    def set_password(self, game: str, person: str, hashed: str) -> None:
        """Keep the hash of the password that signs *person* on to *game*."""
        ...

    def passwords(self, game: str) -> Sequence[tuple[str, str]]:
        """Return (person, hash) of everybody who has a password in *game*."""
        ...

    def add_address(self, person: str, address: str, *, primary: bool) -> None:
        """Register another verified address; a *primary* one is written to from now on."""
        ...

    def drop_address(self, person: str, address: str) -> bool:
        """Forget a registered address, which must not be the primary one; False if it was."""
        ...

    def revoke(self, person: str, game: str) -> None:
        """Make the tokens worthless that *person* has for *game*; others stay."""
        ...

    def raise_key_version(self, person: str) -> None:
        """Make every token that was given to *person* worthless."""
        ...

    def set_pace(self, person: str, pace: MailPace) -> None:
        """Note how soon *person* wants the mails that can wait."""
        ...

    def stand_by(self, person: str, since: datetime | None) -> None:
        """Note since when *person* waits for a place in any game; None if he does not."""
        ...

    def standing_by(self) -> Sequence[str]:
        """Return who waits for a place in any game, the longest first."""
        ...

    def set_zone(self, person: str, zone: str | None) -> None:
        """Note in which zone *person* is told of deadlines; None for that of each game."""
        ...

    def set_language(self, person: str, language: str) -> None:
        """Note the code of the language in which *person* is written to."""
        ...

    def set_handle(self, person: str, handle: str) -> None:
        """Note by which name *person* is known to others."""
        ...

    def handles(self) -> Sequence[tuple[str, str]]:
        """Return (person, handle) of everybody who chose how he is known."""
        ...

    def set_form(self, person: str, form: MailForm) -> None:
        """Note what *person* wants mails to be made of."""
        ...

    def set_pictures(self, person: str, pictures: ResultPictures) -> None:
        """Note which pictures *person* wants in emails with results."""
        ...

    def set_name(self, person: str, name: str) -> None:
        """Note what the emails of *person* call them."""
        ...

    def issue(self, token: Token) -> None:
        """Remember what a token stands for; the same token twice is one."""
        ...

    def redeem(self, text: str) -> Token | None:
        """Return what a token stands for, None if it is unknown.

        Case does not count, and the comparison takes as long whatever is given.
        """
        ...

    def add_evidence(self, evidence: str, mail: int, how: str, proof: str, now: datetime) -> None:
        """Keep how the writer of a mail was recognised, in a row that events name by id.

        *proof* is what the boundary or a signature says of the address that it came from.
        """
        ...

    def first_proof(self, signature: str, sha256: str) -> bool:
        """Take the digest of a *signature* as proof for the mail *sha256*; False if of another."""
        ...

    def first_today(self, address: str, kind: str, now: datetime) -> bool:
        """Count an answer of *kind* to *address*; False if it had one in the last 24 hours."""
        ...


class Transaction(Protocol):
    """Everything a use case may read and write; all of it is committed together or not at all."""

    @property
    def events(self) -> EventStore:
        """Return the log of every game."""
        ...

    @property
    def inbox(self) -> Inbox:
        """Return the mails that came in."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Return the mails to be sent."""
        ...

    @property
    def people(self) -> People:
        """Return who is who."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Return what may still be tried and answered."""
        ...

    @property
    def agenda(self) -> Agenda:
        """Return when each game wants a look."""
        ...

    @property
    def secrets(self) -> Secrets:
        """Return the secrets of this judge."""
        ...

    @property
    def mailboxes(self) -> Mailboxes:
        """Return how far the mailboxes have been read that mail comes by."""
        ...

    @property
    def tallies(self) -> Tallies:
        """Return what can be counted."""
        ...

    @property
    def traces(self) -> Traces:
        """Return what is kept of people, to be erased."""
        ...


class Database(Protocol):
    """Where transactions come from."""

    @property
    def claims(self) -> Claims:
        """Return what this judge has in hand, of those on the same store."""
        ...

    def write(self) -> AbstractContextManager[Transaction]:
        """Begin to write; the end of the block commits, an exception in it rolls back.

        What was read may have changed by then where several judges write: `persistently`.
        """
        ...

    def read(self) -> AbstractContextManager[Transaction]:
        """Begin to read one consistent state."""
        ...

    def compact(self) -> bool:
        """Leave nothing on the disk of what was removed; False if somebody is using it."""
        ...
