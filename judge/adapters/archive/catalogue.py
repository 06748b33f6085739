"""A catalogue of recorded games in one SQLite file: its tables, creation and update."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import TypeAlias

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

from judge.adapters.archive.record_files import ReadOptions
from judge.adapters.store import sqlite
from judge.archive.records import Seat
from judge.archive.summary import IndexEntry
from judge.archive.tally import Openings
from judge.errors import JudgeError
from judge.rules.types import Phase

APPLICATION_ID = 0x4A554443  # "JUDC", which identifies a catalogue to `file` and to us
VERSION = 1  # of the tables; a catalogue of another version is made anew

METADATA = sa.MetaData()


def _of_game() -> sa.Column[int]:
    cascade = sa.ForeignKey("games.id", ondelete="CASCADE")
    return sa.Column("game", sa.Integer, cascade, nullable=False, index=True)


FILES = sa.Table(
    "files",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("path", sa.String, nullable=False, unique=True),
    sa.Column("size", sa.Integer, nullable=False),
    sa.Column("sha256", sa.String, nullable=False),
    sa.Column("how", sa.String, nullable=False),  # the options it was read with
    sa.Column(
        "unread", sa.String, nullable=False
    ),  # why part of it was not read; empty if all was
)
GAMES = sa.Table(
    "games",
    METADATA,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("file", sa.Integer, sa.ForeignKey("files.id", ondelete="CASCADE"), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),  # its place in the file, from 1
    sa.Column("name", sa.String, nullable=False),
    sa.Column("folded", sa.String, nullable=False),
    sa.Column("format", sa.String, nullable=False),
    sa.Column("source", sa.String, nullable=False),
    sa.Column("sha256", sa.String, nullable=False),
    sa.Column("first_line", sa.Integer, nullable=False),
    sa.Column("last_line", sa.Integer),
    sa.Column("variant", sa.String, nullable=False),
    sa.Column("rulebook", sa.String),
    sa.Column("gamemaster", sa.String),
    sa.Column("zine", sa.String),
    sa.Column("issue", sa.String),
    sa.Column("first_phase", sa.String),
    sa.Column("last_phase", sa.String),
    sa.Column("first_year", sa.Integer),
    sa.Column("last_year", sa.Integer),
    sa.Column("phases", sa.Integer, nullable=False),
    sa.Column("played_from", sa.Integer),
    sa.Column("played_until", sa.Integer),
    sa.Column("end", sa.String),
    sa.Column("end_phase", sa.String),
    sa.Column("end_reason", sa.String),
    sa.UniqueConstraint("file", "number"),
)
NUMBERS = sa.Table(
    "numbers",
    METADATA,
    _of_game(),
    sa.Column("kind", sa.String, nullable=False),
    sa.Column("number", sa.String, nullable=False),
    sa.Column("folded", sa.String, nullable=False),
)
SEATS = sa.Table(
    "seats",
    METADATA,
    _of_game(),
    sa.Column("power", sa.String, nullable=False),
    sa.Column("player", sa.String),
    sa.Column("folded", sa.String),
    sa.Column("hold", sa.String, nullable=False),
    sa.Column("since", sa.String),
    sa.Column("until", sa.String),
    sa.Column("address", sa.String),
)
ENDS = sa.Table(
    "ends",  # won, was conceded to, or shared a draw
    METADATA,
    _of_game(),
    sa.Column("power", sa.String, nullable=False),
)
OPENINGS = sa.Table(
    "openings",
    METADATA,
    _of_game(),
    sa.Column("power", sa.String, nullable=False),
    sa.Column("orders", sa.String, nullable=False),
    sa.Column("name", sa.String),
    sa.Column("folded", sa.String),
)


Value: TypeAlias = str | int | None

INTEGER_MAX = 2**63 - 1  # SQLite's limit
HEADER = b"SQLite format 3\0"
HEADER_BYTES = 100
VERSION_AT, APPLICATION_ID_AT, INTEGER_BYTES = 60, 68, 4  # sqlite.org/fileformat.html
LETTERS = str.maketrans(  # without a decomposition into letter and accent
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "\u0131": "i"}
)


class UnusableCatalogueError(JudgeError):
    """A file is not a catalogue, or cannot be used as one."""


@dataclass(frozen=True, slots=True)
class Identity:
    """A file or Maildir in its current state; the *path* is absolute."""

    path: str
    size: int
    sha256: str


class Catalogue:
    """An open catalogue."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine
        self._readers = engine.execution_options(**{sqlite.READS: True})

    def files(self, how: ReadOptions) -> Mapping[Identity, bool]:
        """Return the listed files, and whether each was read completely and as *how*."""
        with self.reading() as connection:
            return {
                Identity(row.path, row.size, row.sha256): row.how == str(how) and not row.unread
                for row in connection.execute(sa.select(FILES).order_by(FILES.c.path))
            }

    @contextmanager
    def replacing(
        self, identity: Identity, how: ReadOptions, openings: Openings
    ) -> Iterator[File]:
        """Yield a new entry for a file, to add its games to; it replaces the old one.

        All are stored at the end of the block, or none if it raises.
        """
        with self._engine.begin() as connection:
            connection.execute(sa.delete(FILES).filter_by(path=identity.path))
            row = {"path": identity.path, "size": identity.size, "sha256": identity.sha256}
            made = connection.execute(sa.insert(FILES).values(**row, how=str(how), unread=""))
            yield File(connection, made.lastrowid, openings)

    def remove(self, paths: Iterable[str]) -> None:
        """Remove the files of *paths* and their games."""
        with self._engine.begin() as connection:
            for path in paths:
                connection.execute(sa.delete(FILES).filter_by(path=path))

    def games(self) -> int:
        with self.reading() as connection:
            return connection.scalar(sa.select(sa.func.count()).select_from(GAMES)) or 0

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        with self._readers.begin() as connection:
            yield connection


class File:
    """A file whose games are being added."""

    def __init__(self, connection: sa.Connection, number: int, openings: Openings) -> None:
        self._connection = connection
        self._id = number
        self._openings = openings
        self.games = 0
        self.unread = False

    def add(self, entry: IndexEntry) -> None:
        """Add the next game."""
        self.games += 1
        made = self._connection.execute(
            sa.insert(GAMES).values(file=self._id, number=self.games, **_storable(_game(entry)))
        )
        game = made.lastrowid
        numbers = entry.numbers.items()
        self._insert(
            NUMBERS,
            game,
            [{"kind": kind, "number": text, "folded": folded(text)} for kind, text in numbers],
        )
        self._insert(SEATS, game, [_seat(each) for each in entry.seats])
        self._insert(
            ENDS, game, [{"power": each} for each in (entry.ending.powers if entry.ending else ())]
        )
        self._insert(OPENINGS, game, [*_openings(self._openings, entry)])

    def leave_unread(self, why: str) -> None:
        """Record why part of the file could not be read; it will be tried again."""
        self.unread = True
        self._connection.execute(
            sa.update(FILES).filter_by(id=self._id).values(unread=storable(why))
        )

    def _insert(self, into: sa.Table, game: int, rows: Iterable[Mapping[str, Value]]) -> None:
        values = [{"game": game, **_storable(row)} for row in rows]
        if values:
            self._connection.execute(sa.insert(into), values)


@contextmanager
def open_catalogue(file: Path, *, make: bool = False) -> Iterator[Catalogue]:
    """Open the catalogue in *file*; with *make*, create it if needed.

    Raises `UnusableCatalogueError` for any error of the database within the block.
    """
    library = sqlite.newest_library()
    try:
        if _is_new(file):
            if not make:
                raise UnusableCatalogueError(f"there is no catalogue {file}")
            with closing(library.connect(file)) as connection:
                connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                connection.execute(f"PRAGMA user_version = {VERSION}")
        engine = sqlite.open_engine(file, library)
        try:
            if make:
                METADATA.create_all(engine)
            yield Catalogue(engine)
        finally:
            engine.dispose()
    except BrokenPipeError:
        raise  # not ours: the reader of the output has gone
    except (OSError, library.Error) as error:
        raise UnusableCatalogueError(f"the catalogue {file} cannot be used: {error}") from error
    except DBAPIError as error:
        why = f"the catalogue {file} cannot be used: {error.orig}"
        raise UnusableCatalogueError(why) from error


def identify(path: Path) -> Identity:
    """Return the current state of *path*. Raises `OSError`."""
    if path.is_dir():
        return _identify_maildir(path)
    with path.open("rb") as stream:
        digest = file_digest(stream, "sha256").hexdigest()
    return Identity(storable(str(path.resolve())), path.stat().st_size, digest)


def folded(text: str) -> str:
    """Return *text* for comparison: no capitals, no accents, single spaces."""
    apart = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(each for each in apart if not unicodedata.combining(each))
    return " ".join(bare.translate(LETTERS).split())


def storable(text: str) -> str:
    """Return *text* as SQLite takes it, without halves of surrogate pairs, which it does not."""
    return text.encode(errors="backslashreplace").decode()


def _is_new(file: Path) -> bool:
    try:
        with file.open("rb") as stream:
            head = stream.read(HEADER_BYTES)
    except FileNotFoundError:
        return True
    if not head:
        return True
    if not head.startswith(HEADER) or _integer(head, APPLICATION_ID_AT) != APPLICATION_ID:
        raise UnusableCatalogueError(f"{file} is not a catalogue of recorded games")
    if _integer(head, VERSION_AT) != VERSION:
        raise UnusableCatalogueError(
            f"{file} is of another version: delete it and index the games again"
        )
    return False


def _identify_maildir(maildir: Path) -> Identity:
    digest, size = sha256(), 0
    for mail in sorted(mail for folder in ("cur", "new") for mail in (maildir / folder).glob("*")):
        content = mail.read_bytes()
        size += len(content)
        digest.update(f"{mail.relative_to(maildir)} {len(content)}\n".encode() + content)
    return Identity(storable(str(maildir.resolve())), size, digest.hexdigest())


def _integer(head: bytes, at: int) -> int:
    return int.from_bytes(head[at : at + INTEGER_BYTES], "big")


def _storable(row: Mapping[str, Value]) -> dict[str, Value]:
    return {
        name: storable(value) if isinstance(value, str) else value and min(value, INTEGER_MAX)
        for name, value in row.items()
    }


def _game(entry: IndexEntry) -> dict[str, Value]:
    first, last, ending, source = entry.first, entry.last, entry.ending, entry.source
    first_year, last_year = entry.years or (None, None)
    played_from, played_until = entry.played or (None, None)
    return {
        "name": entry.name,
        "folded": folded(entry.name),
        "format": source.format,
        "source": source.name,
        "sha256": source.sha256,
        "first_line": source.first_line,
        "last_line": source.last_line,
        "variant": entry.variant,
        "rulebook": entry.rulebook,
        "gamemaster": entry.gamemaster,
        "zine": entry.zine,
        "issue": entry.issue,
        "first_phase": _code(first),
        "last_phase": _code(last),
        "first_year": first_year,
        "last_year": last_year,
        "phases": entry.phases,
        "played_from": played_from,
        "played_until": played_until,
        "end": ending.kind.value if ending else None,
        "end_phase": _code(ending.phase) if ending else None,
        "end_reason": ending.reason if ending else None,
    }


def _code(phase: Phase | None) -> str | None:
    return phase.code if phase else None


def _seat(seat: Seat) -> dict[str, Value]:
    return {
        "power": seat.power,
        "player": seat.player,
        "folded": seat.player and folded(seat.player),
        "hold": seat.hold.value,
        "since": _code(seat.since),
        "until": _code(seat.until),
        "address": seat.address,
    }


def _openings(openings: Openings, entry: IndexEntry) -> Iterator[dict[str, Value]]:
    for power, orders in entry.openings.items():
        name = openings.name_of(power, orders)
        row = {"power": power, "orders": orders, "name": name}
        yield {**row, "folded": name and folded(name)}
