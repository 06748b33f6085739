"""A running judge: its store, clock, random source, encryption, log and loaded games."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from judge.app.ports.inbox import Inbox, Inputs, Mailboxes, NoInputs
from judge.app.ports.outbox import Outbox
from judge.app.ports.people import MailForm, People, PersonalData
from judge.events import Event, EventStore, Head, StaleStreamError
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.players.creation import GameCreated
from judge.mail.envelope import OpenedEmail, Unreadable, open_mail
from judge.mail.language.command_table import CommandTable
from judge.pictures.board_art import BoardArt
from judge.rules.board import Map


class Clock(Protocol):
    """The one place where the time is read."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


class RandomSource(Protocol):
    """The one source of random values."""

    def nonce(self) -> str:
        """Return 128 random bits in hexadecimal."""
        ...

    def key(self) -> bytes:
        """Return a new key for a person's press."""
        ...


class Encryption(Protocol):
    """Encrypts press, so that a person's words can be erased from the log."""

    def seal(self, text: str, key: bytes) -> str:
        """Encrypt *text*."""
        ...

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt what `seal` made; raises `ValueError` when the key is another."""
        ...


class PasswordHasher(Protocol):
    """Hashes passwords slowly."""

    def hash(self, password: str) -> str:
        """Return a salted hash with its parameters."""
        ...

    def matches(self, password: str, hashed: str) -> bool:
        """Compare in constant time."""
        ...


class OperatorLog(Protocol):
    """The log for the operator, which never quotes an email."""

    def note(self, event: str, **facts: str | int) -> None:
        """Record that *event* happened."""
        ...

    def warn(self, event: str, **facts: str | int) -> None:
        """Record that *event* happened, which needs attention."""
        ...

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Record a failure of ours: its type and place, not its message."""
        ...


class Signatures(Protocol):
    """Checks the signatures (DKIM) of emails."""

    def is_valid(self, raw: bytes, number: int) -> bool:
        """Return whether signature *number* of the email *raw*, from 0 at its top, is valid."""
        ...


class UnopenedError(Exception):
    """Opening an email crashed or timed out; the message says how."""


class Opener(Protocol):
    """Opens emails, which may be made to break readers them."""

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        """Open an email; raises `UnopenedError` when that did not come to an end."""
        ...


class OpenerInProcess:
    """Opens emails in this process: an email that crashes its reader crashes the judge."""

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        """Open an email."""
        return open_mail(raw, envelope_sender)


GAMES_KEPT_MAX = 1_000


@dataclass(slots=True)
class GameCache:
    """Remembers games by the head of their log, as a cache: empty, it gives the same answers.

    And when the operator was last told that a log is *doubted*.
    """

    kept: dict[str, tuple[Head, Game]] = field(default_factory=dict)
    doubted: dict[str, datetime] = field(default_factory=dict)

    def load(
        self, transaction: Transaction, boards: Callable[[str], Map], name: str
    ) -> Game | None:
        """Return the game *name* as the log tells it, None if there is none."""
        head = transaction.events.head(name)
        if head.version == 0:
            return None
        known, game = self.kept.get(name, (Head(), None))
        if known == head:
            return game
        after = known.version if _continues(transaction, name, known) else 0
        game = game if after else None
        for recorded in transaction.events.read(name, after):
            game = evolve(boards(_variant(game, recorded.event)), game, recorded.event)
        assert game is not None, "a log begins with the creation of its game"
        self.kept.pop(name, None)
        self.kept[name] = (head, game)
        for oldest in [*self.kept][:-GAMES_KEPT_MAX]:
            self.kept.pop(oldest, None)
        return game


def _continues(transaction: Transaction, name: str, known: Head) -> bool:
    """Return whether the log runs through *known*: not if the transaction that wrote it failed."""
    if known.version == 0:
        return False
    recorded = transaction.events.read(name, known.version - 1)
    return bool(recorded) and recorded[0].hash == known.hash


def _variant(game: Game | None, event: Event) -> str:
    if game:
        return game.variant
    assert isinstance(event, GameCreated), "a log begins with the creation of its game"
    return event.variant


def undrawn(_: str) -> BoardArt | None:
    """Return None: no board has a drawing."""


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge: its doors to the outside and the addresses it answers to.

    *boards* loads a variant by name, *arts* the drawing of its board, if there is one;
    *code* is the word that heads every email (`:: Judge: CODE`).
    *authserv_id* is the name of the mail server whose word for a From counts, *signatures* checks
    those of emails; without either a From proves nothing. *form* is the most that an email has.
    """

    database: Database
    boards: Callable[[str], Map]
    clock: Clock
    random: RandomSource
    encryption: Encryption
    passwords: PasswordHasher
    operator_log: OperatorLog
    commands: CommandTable
    address: str = "judge@localhost"
    delimiter: str = "+"
    code: str = "JUDGE"
    authserv_id: str = ""
    signatures: Signatures | None = None
    inputs: Inputs = field(default_factory=NoInputs)
    opener: Opener = field(default_factory=OpenerInProcess)
    game_cache: GameCache = field(default_factory=GameCache)
    arts: Callable[[str], BoardArt | None] = undrawn
    form: MailForm = MailForm.PICTURES

    @property
    def domain(self) -> str:
        """Return the domain of our address, for Message-IDs."""
        return self.address.rpartition("@")[2]


class Agenda(Protocol):
    """When each game is next due, as a hint, and the heartbeat of the judge."""

    def record_heartbeat(self, now: datetime) -> None:
        """Record a heartbeat."""
        ...

    def last_heartbeat(self) -> datetime | None:
        """Return the last heartbeat."""
        ...

    def set_clock_behind(self, since: datetime | None) -> None:
        """Record *since* when the clock has been behind the last heartbeat; None if it is not."""
        ...

    def clock_behind_since(self) -> datetime | None:
        """Return since when the clock has been behind the last heartbeat."""
        ...

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Set when *game* is next due, None for never."""
        ...

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Return games that are due; those that are owed time after an outage come last."""
        ...

    def begin_outage(self, began: datetime, now: datetime) -> None:
        """Record an outage since *began*, and make every game due *now*.

        A game to which the time of an earlier outage is still to be given back gets both.
        """
        ...

    def outage_since(self, game: str) -> datetime | None:
        """Return when the outage began for which *game* is owed time."""
        ...

    def end_outage(self, game: str) -> None:
        """Record that *game* has been given its time back."""
        ...

    def unscheduled_games(self) -> Sequence[str]:
        """Return the games that have not ended and have no entry."""
        ...

    def is_due(self, game: str, now: datetime) -> bool:
        """Return whether *game* is due."""
        ...

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""
        ...


class Secrets(Protocol):
    """Secrets of this judge that are made once and kept."""

    def token_key(self) -> bytes:
        """Return the key of the tokens, made at the first call."""
        ...


class Budgets(Protocol):
    """How often something may still be done: what is spent is paid back as time goes by."""

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Spend one unit: *most* at once, then one per *pause*; False if none is left."""
        ...

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Return whether `spend` would succeed."""
        ...


TRIES = 5  # after another judge was faster; then it waits like any other failure

Result = TypeVar("Result")


class OvertakenError(Exception):
    """Another judge on the same store was faster: nothing was written; read again, decide anew."""


class Claims(Protocol):
    """What is in the hand of this judge; whatever happens to it, others can have it then.

    A claim keeps two judges from doing the same work, and nothing depends on it: what they write
    shows in the store who was second.
    """

    def take(self, name: str) -> bool:
        """Claim *name*; False if another judge holds it."""
        ...

    def leave(self, name: str) -> None:
        """Release *name*."""
        ...


def retry_overtaken(work: Callable[[], Result]) -> Result:
    """Do *work*, one transaction, again while another judge is faster."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except (OvertakenError, StaleStreamError):
            continue
    return work()


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted in the store: mails by state, and the instants that tell whether they move.

    *refused* counts the emails given up since yesterday, *retried* those that failed and wait.
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
        """Count emails by state and failures since then; return the next *games* due."""
        ...


class Transaction(Protocol):
    """Everything a use case may read and write; all of it is committed together or not at all."""

    @property
    def events(self) -> EventStore:
        """Return the log of every game."""
        ...

    @property
    def inbox(self) -> Inbox:
        """Return the emails that came in."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Return the emails to be sent."""
        ...

    @property
    def people(self) -> People:
        """Return the people."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Return what may still be tried and answered."""
        ...

    @property
    def agenda(self) -> Agenda:
        """Return the agenda."""
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
    def personal_data(self) -> PersonalData:
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
        """Remove deleted data from the disk; False if the database is in use."""
        ...
