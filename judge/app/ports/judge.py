"""A running judge: what it depends on, and the games that it has loaded."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Protocol, TypeAlias

from judge.app.ports.damaged_logs import reporting_damage
from judge.app.ports.database import Database, Transaction
from judge.app.ports.inbox import Inputs, NoInputs
from judge.app.ports.people import MailForm
from judge.boards.variant_text import check_variant
from judge.checkpoints import Witness
from judge.event_log import VERSION_MAX, Head, Recorded
from judge.game.events import evolve
from judge.game.game_state import Game
from judge.game.house_rules import Builds
from judge.game.players.creation import BoardRecorded
from judge.mail.envelope import OpenedEmail, Unreadable, open_mail
from judge.reports.emails.contexts import Context
from judge.rules.board import DEFAULT_VARIANT, BuildSites, Map
from judge.rules.types import Power

if TYPE_CHECKING:
    from judge.mail.language.command_table import CommandTable
    from judge.pictures.board_art import BoardArt
    from judge.pictures.parts import Picture


class Clock(Protocol):
    """The only source of the time."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""


class RandomSource(Protocol):
    """The only source of random values."""

    def nonce(self) -> str:
        """Return 128 random bits in hexadecimal."""

    def key(self) -> bytes:
        """Return a new key for a person's press."""


class Encryption(Protocol):
    """Encrypts press, so that a person's words can be erased from the log."""

    def seal(self, text: str, key: bytes) -> str:
        """Encrypt *text*."""

    def open(self, sealed: str, key: bytes) -> str:
        """Decrypt the result of `seal`; raises `ValueError` for a wrong key."""

    def sign(self, message: bytes, seed: bytes) -> bytes:
        """Sign *message* with the private key made from *seed*, 32 random bytes."""

    def public_key(self, seed: bytes) -> bytes:
        """Return the public key of the private key made from *seed*."""

    def is_signed(self, key: bytes, message: bytes, signature: bytes) -> bool:
        """Return whether *signature* of *message* is that of the public *key*."""


class PasswordHasher(Protocol):
    """Hashes passwords slowly."""

    def hash(self, password: str) -> str:
        """Return a salted hash with its parameters."""

    def matches(self, password: str, hashed: str) -> bool:
        """Compare in constant time."""


class OperatorLog(Protocol):
    """The operator's log, which never quotes an email."""

    def note(self, event: str, **facts: str | int) -> None:
        """Record that *event* happened."""

    def warning(self, event: str, **facts: str | int) -> None:
        """Record that *event* happened and needs attention."""

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        """Record an error in the judge: its type and place, not its message."""


class Signatures(Protocol):
    """Checks the DKIM signatures of emails."""

    def is_valid(self, raw: bytes, number: int) -> bool:
        """Return whether signature *number* of *raw*, counted from 0 at the top, is valid."""


class Opener(Protocol):
    """Parses emails, some of which are made to break parsers."""

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        """Parse an email; raises `UnopenedError` if that crashes or takes too long."""


class OpenerInProcess:
    """Parses emails in this process: an email that crashes the parser crashes the judge."""

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        """Parse an email."""
        return open_mail(raw, envelope_sender)


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a pure *function*, which may be made in another process."""

    function: Callable[..., object]
    arguments: tuple[object, ...]
    keywords: Mapping[str, object] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Return the full name of the function."""
        return f"{self.function.__module__}.{self.function.__qualname__}"

    @property
    def values(self) -> tuple[object, ...]:
        """Return all arguments, those with keywords by their names."""
        return (*self.arguments, *sorted(self.keywords.items()))


class TooMuchToReadError(Exception):
    """Reading an email takes more CPU time than one email may."""


class Reader(Protocol):
    """Reads the texts of emails, some of which are made to take long."""

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        """Make *call*; return its result, and the CPU seconds that it took.

        Raises `TooMuchToReadError` past *seconds*, and `UnreadError` if the reader dies.
        """


class UnreadError(Exception):
    """Reading an email ended the process that reads; the message says how."""


class ReaderInProcess:
    """Reads in this process, without a limit."""

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        """Make *call*."""
        del seconds
        return call.function(*call.arguments, **call.keywords), 0.0


@dataclass(slots=True)
class StoreTrouble:
    """Why and *since* when the store or the system fails; nothing is decided meanwhile."""

    since: datetime | None = None
    reason: str = ""
    retaken: bool = False  # whether the emails were that failed for such a reason before
    in_hand: dict[int, str] = field(default_factory=dict)  # emails not ended in the store: senders


class StoreFaultError(Exception):
    """The store or the system fails: what was to be done is still to be done."""


class Painter(Protocol):
    """Paints pictures; painting takes long, and nothing else should wait meanwhile."""

    def paint(self, picture: Picture, width: int) -> bytes:
        """Return *picture* as a PNG *width* pixels wide."""


class PainterInProcess:
    """Paints pictures in this process, in which nothing else runs meanwhile."""

    def paint(self, picture: Picture, width: int) -> bytes:
        """Return *picture* as a PNG *width* pixels wide."""
        from judge.pictures.png import paint  # noqa: PLC0415 - few processes paint

        return paint(picture, width)


GAMES_KEPT_MAX = 1_000
PAST_EVENTS = 20  # at most as many are read again to render what was just announced
CentersByYear: TypeAlias = Mapping[int, Mapping[Power, int]]


@dataclass(slots=True)
class GameCache:
    """Caches games by the head of their log; results never depend on it.

    It also remembers a state of each in the *past*, from which later ones are found again, up to
    where each log was found *sound*, with the guards of the table then, the *centers* of powers by
    year, up to an event, when the operator was last warned that a log is *doubted*, and by their
    digests the *boards* of the games that have one of their own.
    """

    kept: dict[str, tuple[Head, Game]] = field(default_factory=dict)
    past: dict[str, tuple[Head, Game | None]] = field(default_factory=dict)
    boards: dict[str, Map] = field(default_factory=dict)
    sound: dict[str, tuple[str, Head]] = field(default_factory=dict)
    centers: dict[str, tuple[Head, CentersByYear]] = field(default_factory=dict)
    doubted: dict[str, datetime] = field(default_factory=dict)

    def board_of(self, boards: Callable[[str], Map], game: Game) -> Map:
        """Return the board of *game*: its own if its log has one, built on as its rules say."""
        board = self.boards[game.board_digest] if game.board_digest else boards(game.variant)
        builds = game.house_rules.build_sites
        sites = None if builds is Builds.BOARD else BuildSites(builds.value)
        return board.with_build_sites(sites) if sites else board

    def load(
        self, transaction: Transaction, boards: Callable[[str], Map], name: str
    ) -> Game | None:
        """Return the game *name* in the state that its log gives, None if there is none.

        Raises `DamagedLogError`.
        """
        head = transaction.events.head(name)
        if head.version == 0:
            return None
        known, game = self.kept.get(name, (Head(), None))
        if known == head:
            return game
        with reporting_damage(transaction, name):
            game, later = self._since(transaction, name, known, game)
            for state in self._states(boards, game, later):
                game = state
            assert game is not None, "a log begins with the creation of its game"
        return self._keep(name, head, game)

    def follow(
        self, boards: Callable[[str], Map], before: Game | None, recorded: Sequence[Recorded]
    ) -> Sequence[Game]:
        """Return *before* after each of *recorded*, which were just appended; keep the last."""
        states = tuple(self._states(boards, before, recorded))
        last = recorded[-1]
        name = last.game
        past, known = self.past.get(name), self.kept.get(name)
        is_far = past is None or last.version - past[0].version > PAST_EVENTS
        if known and known[1] is before and is_far:
            self.past[name] = known
        self._keep(name, Head(last.version, last.hash), states[-1])
        return states

    def at(
        self, transaction: Transaction, boards: Callable[[str], Map], name: str, version: int
    ) -> Game | None:
        """Return the game *name* as its log gave it at *version*."""
        game = self.load(transaction, boards, name)
        if game is None or game.version == version:
            return game
        return self.between(transaction, boards, name, version, version)[0][-1]

    def between(
        self,
        transaction: Transaction,
        boards: Callable[[str], Map],
        name: str,
        first: int,
        last: int,
    ) -> tuple[Sequence[Game | None], Sequence[Recorded]]:
        """Return the game before event *first* and after each up to *last*, and those events.

        Raises `LookupError` if the log has been cut off.
        """
        known, game = self.past.get(name, (Head(), None))
        if known.version >= first:
            known, game = Head(), None
        game, log = self._since(transaction, name, known, game, last)
        if not log or log[-1].version != last:
            raise LookupError(f"the log of {name!r} has no event {last}")
        states = [game, *self._states(boards, game, log)]
        earlier = len(log) - (last - first + 1)
        if earlier > 0:
            past = log[earlier - 1]
            self.past[name] = Head(past.version, past.hash), states[earlier]
        return states[earlier:], log[earlier:]

    def _keep(self, name: str, head: Head, game: Game) -> Game:
        self.kept.pop(name, None)
        self.kept[name] = (head, game)
        for oldest in [*self.kept][:-GAMES_KEPT_MAX]:
            self.kept.pop(oldest, None)
            self.past.pop(oldest, None)
            self.centers.pop(oldest, None)
        return game

    def _since(
        self,
        transaction: Transaction,
        name: str,
        known: Head,
        game: Game | None,
        until: int = VERSION_MAX,
    ) -> tuple[Game | None, Sequence[Recorded]]:
        """Return *game*, which was loaded up to *known*, and the events since then."""
        later = transaction.events.read(name, max(known.version - 1, 0), until)
        if game and later and later[0].hash == known.hash:
            return game, later[1:]
        if game is None:
            return None, later
        # The transaction that appended *known* failed.
        past, game = self.past.get(name, (Head(), None))
        if past.version >= known.version:
            past, game = Head(), None
        return self._since(transaction, name, past, game, until)

    def _states(
        self, boards: Callable[[str], Map], game: Game | None, events: Iterable[Recorded]
    ) -> Iterator[Game]:
        """Yield *game* as each of *events* leaves it."""
        for recorded in events:
            match game, recorded.event:
                case Game(), BoardRecorded() as kept:
                    board = board_recorded(boards, game.variant, kept)
                    self.boards[kept.digest] = board
                case Game(), _:
                    board = self.board_of(boards, game)
                case _:
                    board = boards(DEFAULT_VARIANT)  # which no creation asks anything
            game = evolve(board, game, recorded.event)
            yield game


def board_recorded(boards: Callable[[str], Map], variant: str, event: BoardRecorded) -> Map:
    """Return the board in the log of a game: that of the *variant* today, if it is the same.

    What later versions find wrong with it ends no game.
    """
    board: Map | None
    try:
        board = boards(variant)
    except (LookupError, ValueError):  # The folder is gone or changed, so the game has its own.
        board = None
    if board and board.digest == event.digest:
        return board
    recorded, _ = check_variant(event.files, event.base or None)
    return recorded


class Variants(Protocol):
    """The variants that games can be played on."""

    def names(self) -> tuple[str, ...]:
        """Return their names, sorted."""

    def recorded(self, name: str) -> BoardRecorded:
        """Return the files of the variant *name*, as a game keeps them."""


# By game and by the versions of the first and last event; then by cause and reader.
AnnouncedPages: TypeAlias = dict[
    tuple[str, int, int], Mapping[tuple[str, str], tuple[Context, ...]]
]


class PageMaker(Protocol):
    """Makes the pages of emails about a game from its log: `app.commands.answers`."""

    def __call__(
        self,
        judge: Judge,
        transaction: Transaction,
        pages: Iterable[Context],
        written: datetime,
        announced: AnnouncedPages,
    ) -> tuple[Context, ...]:
        """Return *pages*, with what they say in the place of those that only say about what.

        None is left if their author was erased. What is *announced* is kept for other readers.
        """


@dataclass(frozen=True, slots=True)
class Judge:
    """A running judge: its dependencies, and the addresses that it serves.

    *boards* loads a variant by name, *arts* the drawing of its board, if there is one; *code* is
    the word in the subject of every email (`:: Judge: CODE`). *authserv_id* is the name of the
    mail server whose verdict on a From counts, *signatures* checks DKIM; without either, a From
    proves nothing. *form* is the richest form of an email. The operator gets notes at their
    address.
    """

    database: Database
    boards: Callable[[str], Map]
    arts: Callable[[str], BoardArt | None]
    variants: Variants
    clock: Clock
    random: RandomSource
    encryption: Encryption
    passwords: PasswordHasher
    operator_log: OperatorLog
    commands: CommandTable
    pages_of: PageMaker
    address: str = "judge@localhost"
    delimiter: str = "+"
    code: str = "JUDGE"
    authserv_id: str = ""
    signatures: Signatures | None = None
    inputs: Inputs = field(default_factory=NoInputs)
    opener: Opener = field(default_factory=OpenerInProcess)
    reader: Reader = field(default_factory=ReaderInProcess)
    painter: Painter = field(default_factory=PainterInProcess)
    trouble: StoreTrouble = field(default_factory=StoreTrouble)
    game_cache: GameCache = field(default_factory=GameCache)
    form: MailForm = MailForm.PICTURES
    witnesses: tuple[Witness, ...] = ()
    operator_address: str = ""

    def board_of(self, game: Game) -> Map:
        """Return the board of *game*, which was loaded before."""
        return self.game_cache.board_of(self.boards, game)

    def board_drawn(self, variant: str, digest: str) -> Map:
        """Return the board to draw, of the game that has it or of the *variant* today.

        Raises `LookupError` if that is another one by now.
        """
        board = self.game_cache.boards.get(digest) or self.boards(variant)
        if digest not in ("", board.digest) and not board.is_default:
            raise LookupError(f"the board of {variant!r} is not the one of the picture")
        return board

    def art_of(self, board: Map) -> BoardArt | None:
        """Return the drawing of *board*; None if its variant has changed, or has none to use."""
        try:
            same = self.boards(board.name).digest == board.digest
        except (LookupError, ValueError):
            return None
        try:
            return self.arts(board.name) if same else None
        except ValueError:  # `judge variant check` says what is wrong
            return None

    def recorded_board(self, variant: str) -> BoardRecorded | None:
        """Return what a new game keeps of the board of *variant*; nothing of the default one."""
        return None if variant == DEFAULT_VARIANT else self.variants.recorded(variant)

    @property
    def domain(self) -> str:
        """Return the domain of our address, for Message-IDs."""
        return self.address.rpartition("@")[2]
