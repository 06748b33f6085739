"""A running judge: its store, clock, random source, encryption, log and loaded games."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from judge.app.ports.inbox import Inputs, NoInputs
from judge.app.ports.people import MailForm
from judge.app.ports.storage import Database, Transaction
from judge.events import Event, Head
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.players.creation import GameCreated
from judge.mail.envelope import Letter, Unreadable, open_mail
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
        """Say whether the signature *number* of the mail *raw*, from 0 at its top, is valid."""
        ...


class UnopenedError(Exception):
    """Opening an email crashed or timed out; the message says how."""


class Opener(Protocol):
    """Opens emails, which may be made to break readers them."""

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
        """Open an email; raises `UnopenedError` when that did not come to an end."""
        ...


class OpenerInProcess:
    """Opens emails in this process: an email that crashes its reader crashes the judge."""

    def open(self, raw: bytes, envelope_sender: str | None) -> Letter | Unreadable:
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

    *boards* loads a variant by name, *arts* how its board is drawn, if anybody has drawn it;
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
