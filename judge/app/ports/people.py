"""People: addresses, keys, tokens, settings, and all that is stored of a person."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from typing import Protocol


class MailPace(Enum):
    """How soon a person wants emails that can wait."""

    AT_ONCE = "at_once"
    HOURLY = "hourly"
    DAILY = "daily"
    CRITICAL = "critical"  # not unless they ask for them


class MailForm(Enum):
    """What mails are made of, each with all that stands above it."""

    TEXT = "text"
    HTML = "html"
    PICTURES = "pictures"


class ResultPictures(Enum):
    """Which pictures an email with results has."""

    BOTH = "both"
    ORDERS = "orders"  # the board before the phase closed, with all orders
    POSITION = "position"  # the board afterwards


class Purpose(Enum):
    """What a reply to a token's address means."""

    ORDERS = "orders"  # orders and commands for the game
    PRESS = "press"  # press to the writer of the letter
    JOIN = "join"  # a stranger confirms their JOIN
    ADDRESS = "address"  # a player confirms a new address
    CONFIRM = "confirm"  # a player confirms that a held email is theirs
    SETTLE = "settle"  # the writer of a held reply to press says what it is
    MODERATE = "moderate"  # a person agrees to moderate a game


@dataclass(frozen=True, slots=True)
class Token:
    """What the token in an address of ours stands for.

    *phase* is the phase the email belongs to; *subject* the email held (CONFIRM, JOIN,
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


GIVEN_HANDLE = "player-"  # Begins the handles that were not chosen, and no other.


@dataclass(frozen=True, slots=True)
class Person:
    """A registered person; *handle* is shown to others unless the game is anonymous.

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
    """The registered people: the only place of addresses, handles, passwords and keys."""

    def add(self, person: str, address: str, handle: str, key: bytes, now: datetime) -> None:
        """Register a person with a verified primary address and the key for their press."""
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
        """Return the key of a person's press, None if they are forgotten."""
        ...

    def set_password(self, game: str, person: str, hashed: str) -> None:
        """Keep the hash of the password that signs *person* on to *game*."""
        ...

    def passwords(self, game: str) -> Sequence[tuple[str, str]]:
        """Return (person, hash) for each password in *game*."""
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
        """Set how soon *person* gets emails that can wait."""
        ...

    def stand_by(self, person: str, since: datetime | None) -> None:
        """Set since when *person* is a standby for any game; None if not."""
        ...

    def standing_by(self) -> Sequence[str]:
        """Return the standbys for any game, the longest waiting first."""
        ...

    def set_zone(self, person: str, zone: str | None) -> None:
        """Set the zone of deadlines in emails to *person*; None for that of each game."""
        ...

    def set_language(self, person: str, language: str) -> None:
        """Note the code of the language in which *person* is written to."""
        ...

    def set_handle(self, person: str, handle: str) -> None:
        """Note by which name *person* is known to others."""
        ...

    def handles(self) -> Sequence[tuple[str, str]]:
        """Return (person, handle) for each chosen handle."""
        ...

    def set_form(self, person: str, form: MailForm) -> None:
        """Set the form of emails to *person*."""
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
        """Record how the sender of an email was recognised, for events to refer to by id.

        *proof* is what the boundary or a signature says of the address that it came from.
        """
        ...

    def first_proof(self, signature: str, sha256: str) -> bool:
        """Take the digest of a *signature* as proof for the mail *sha256*; False if of another."""
        ...

    def first_today(self, address: str, kind: str, now: datetime) -> bool:
        """Count an answer of *kind* to *address*; False if it had one in the last 24 hours."""
        ...


@dataclass(frozen=True, slots=True)
class TracedPerson:
    """Who is to be forgotten: a *person* or a stranger, and all their *addresses*.

    *handle* is the name by which others know them.
    """

    addresses: tuple[str, ...]
    person: str | None = None
    handle: str | None = None


@dataclass(frozen=True, slots=True)
class TraceShare:
    """A person's *games*, the *letters* that their logs name, and their own *press*.

    Letters are named by the digests of emails, press by its messages.
    """

    games: tuple[str, ...] = ()
    letters: frozenset[str] = frozenset()
    press: frozenset[str] = frozenset()


class Trace(Enum):
    """The traces of a person in the text of an email."""

    NONE = "none"
    ABOUT = "about"  # an address of theirs, or the name by which others know them
    THEIRS = "theirs"  # it seems to be from them


@dataclass(slots=True)
class TraceSearch:
    """What was found of *whom* so far, in events and in the texts of emails, by their numbers.

    That takes long, and is done before anyone has to wait for what is erased: *position* is how
    far the events were read, which name them in *games*, and an address of theirs *naming* times.
    """

    whom: TracedPerson
    position: int = 0
    games: set[str] = field(default_factory=set)
    naming: int = 0
    mails_in: dict[int, Trace] = field(default_factory=dict)
    mails_out: dict[int, Trace] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Erased:
    """How many of each kind go, and what has to stay, by a word for each."""

    goes: Mapping[str, int] = field(default_factory=dict)
    stays: Mapping[str, int] = field(default_factory=dict)


class PersonalData(Protocol):
    """The data about a person outside the logs."""

    def read(self, reading: TraceSearch) -> bool:
        """Go on with *reading* for a while; False once there is nothing more to be read."""
        ...

    def finish(self, reading: TraceSearch) -> None:
        """Read all that is left, and what has come meanwhile."""
        ...

    def erase(self, reading: TraceSearch, share: TraceShare) -> Erased:
        """Erase a person's rows, and the text of all emails to or about them."""
        ...
