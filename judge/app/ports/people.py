"""People: addresses, keys, tokens, settings, and all that is stored of a person."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Protocol, TypedDict, Unpack


class MailPace(Enum):
    """The pace of emails that can wait."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    CRITICAL = "critical"  # only on request


class MailForm(Enum):
    """The content of emails; each form includes those above it."""

    TEXT = "text"
    HTML = "html"
    PICTURES = "pictures"


class ResultPictures(Enum):
    """The pictures in an email with results."""

    BOTH = "both"
    ORDERS = "orders"  # the board before the phase closed, with all orders
    POSITION = "position"  # the board afterwards


class Receipts(Enum):
    """The proofs that come with emails."""

    SHORT = "short"  # the line of the log in results
    FULL = "full"  # and an attachment with commitments and the whole checkpoint


class Purpose(Enum):
    """The meaning of a reply to a token's address."""

    ORDERS = "orders"  # orders and commands for the game
    PRESS = "press"  # press to the author of the press
    JOIN = "join"  # a stranger confirms their JOIN
    ADDRESS = "address"  # a player confirms a new address
    CONFIRM = "confirm"  # a player confirms that a held email is theirs
    SETTLE = "settle"  # the sender of a held reply to press decides what it is
    MODERATE = "moderate"  # a person agrees to moderate a game


@dataclass(frozen=True, slots=True)
class Token:
    """The meaning of the token in one of our addresses.

    *phase* is the phase the email belongs to; *subject* the email held (CONFIRM, JOIN, SETTLE) or
    the power written to (PRESS).
    """

    text: str
    purpose: Purpose
    person: str
    key_version: int
    game: str | None = None
    power: str | None = None
    phase: str | None = None
    subject: str | None = None


GIVEN_HANDLE = "player-"  # the prefix of assigned handles, refused in chosen ones


@dataclass(frozen=True, slots=True)
class Person:
    """A registered person; *handle* is shown to others unless the game is anonymous.

    *name* is the display name in their own emails, shown only to moderators who do not play.
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
    receipts: Receipts = Receipts.SHORT


@dataclass(frozen=True, slots=True)
class Evidence:
    """The evidence for the sender of an email; events refer to it by *id*.

    *how* names the way in which the sender was recognized, *proof* the verdict of the boundary or
    a signature on the From. The *game* that the email is about needs it; it may be about none.
    """

    id: str
    mail: int
    how: str
    proof: str
    game: str | None


class PersonSettings(TypedDict, total=False):
    """The settings of a person, as in `Person`."""

    handle: str
    zone: str | None
    pace: MailPace
    form: MailForm
    language: str
    name: str
    pictures: ResultPictures
    receipts: Receipts


class People(Protocol):
    """The registered people: the only place of addresses, handles, passwords and keys."""

    def add(self, person: str, address: str, handle: str, key: bytes, now: datetime) -> None:
        """Register a person with a verified primary address and the key for their press."""

    def get(self, person: str) -> Person | None:
        """Return a person by id."""

    def get_each(self, persons: Collection[str]) -> Mapping[str, Person]:
        """Return the known ones of *persons*, by id."""

    def by_address(self, address: str) -> Person | None:
        """Return the person who registered *address*, ignoring case."""

    def addresses(self, person: str) -> Sequence[str]:
        """Return the registered addresses of a person, the primary one first."""

    def key(self, person: str) -> bytes | None:
        """Return the key of a person's press, None if they were erased."""

    def set_password(self, game: str, person: str, hashed: str) -> None:
        """Store the hash of the password that signs *person* on to *game*."""

    def passwords(self, game: str) -> Sequence[tuple[str, str]]:
        """Return (person, hash) for each password in *game*."""

    def add_address(self, person: str, address: str, *, primary: bool) -> None:
        """Register another verified address; a *primary* one gets all emails from now on."""

    def drop_address(self, person: str, address: str) -> bool:
        """Delete a registered address; False if it is the primary one, which stays."""

    def revoke(self, person: str, game: str) -> None:
        """Revoke the tokens that *person* has for *game* only."""

    def raise_key_version(self, person: str) -> None:
        """Revoke every token of *person*."""

    def change(self, person: str, **settings: Unpack[PersonSettings]) -> None:
        """Change what *person* has set."""

    def stand_by(self, person: str, since: datetime | None) -> None:
        """Record since when *person* is a standby for any game; None if not."""

    def standing_by(self) -> Sequence[str]:
        """Return the standbys for any game, the longest waiting first."""

    def handles(self) -> Sequence[tuple[str, str]]:
        """Return (person, handle) for each chosen handle."""

    def issue(self, *tokens: Token) -> None:
        """Store the meaning of each token; issuing it again changes nothing."""

    def redeem(self, text: str) -> Token | None:
        """Return the meaning of a token, None if it is unknown.

        Case does not count, and the comparison takes constant time.
        """

    def tokens_of_ended_games(self, before: datetime, after: str, limit: int) -> Sequence[str]:
        """Return digests of tokens above *after* of games that ended *before*, in order."""

    def remove_tokens(self, digests: Collection[str]) -> None:
        """Remove the tokens with these *digests*."""

    def add_evidence(self, evidence: Evidence, now: datetime) -> None:
        """Record *evidence*."""

    def evidence(self, name: str) -> Evidence | None:
        """Return the evidence with the id *name*."""

    def first_proof(self, signature: str, sha256: str) -> bool:
        """Use a *signature* digest as proof for the email *sha256*; False if used for another."""

    def note_stranger(self, address: str, note: str, now: datetime) -> None:
        """Note something about an *address*, registered or not, for good."""

    def notes_on_stranger(self, address: str, notes: Sequence[str]) -> Sequence[str]:
        """Return which of *notes* were made about *address*, the latest first."""

    def first_today(self, address: str, kind: str, now: datetime) -> bool:
        """Count a reply of *kind* to *address*; False if it had one in the last 24 hours."""

    def answered_today(self, address: str, kind: str, now: datetime) -> bool:
        """Return whether *address* had a reply of *kind* in the last 24 hours."""


@dataclass(frozen=True, slots=True)
class TracedPerson:
    """A *person* to be erased, or a stranger, with all their *addresses*."""

    addresses: tuple[str, ...]
    person: str | None = None


@dataclass(frozen=True, slots=True)
class TraceShare:
    """A person's *games*, the *letters* (emails) that their logs name, and their own *press*.

    Emails are named by digest, press by its messages.
    """

    games: tuple[str, ...] = ()
    letters: frozenset[str] = frozenset()
    press: frozenset[str] = frozenset()


@dataclass(slots=True)
class TraceSearch:
    """The traces of *whom* found so far in events.

    The search takes long and ends before anything is locked. *events_read* is how far the events
    were read; *games* are those whose events name them, and *naming* the positions of events with
    an address of theirs.
    """

    whom: TracedPerson
    events_read: int = 0
    games: set[str] = field(default_factory=set)
    naming: set[int] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Erased:
    """The number of erased items of each kind, and of those that stay."""

    goes: Mapping[str, int] = field(default_factory=dict)
    stays: Mapping[str, int] = field(default_factory=dict)


class PersonalData(Protocol):
    """The data about people outside the logs."""

    def read(self, reading: TraceSearch) -> None:
        """Continue *reading* up to the latest event."""

    def erase(self, reading: TraceSearch, share: TraceShare) -> Erased:
        """Erase a person's rows, and the text of all emails to or about them."""
