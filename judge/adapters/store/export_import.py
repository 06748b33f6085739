"""Export a whole judge as lines of JSON, pack it as a backup file, and import it again.

The first line has the schema version and the head of each game, the last line the number of rows
and a digest of all lines before, so a truncated file is noticed.
"""

from __future__ import annotations

import gzip
import io
import json
import zlib
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime
from hashlib import sha256
from itertools import chain, groupby
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TextIO, TypeAlias, cast

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError, StatementError
from sqlalchemy.types import TypeEngine

from judge.adapters import age, migrations
from judge.adapters.store import database, email_counts, tables
from judge.errors import JudgeError

FORM = 2
ROWS_A_FETCH = 200
READERS: Mapping[str, Callable[[str], object]] = {
    "bytes": b64decode,
    "instant": datetime.fromisoformat,
}
_A_BOX = tables.table(tables.MailboxRow)
TYPES: Mapping[str, TypeEngine[object]] = {  # a column of each kind, to insert into in any step
    "bytes": tables.table(tables.InboxRow).c.raw.type,
    "instant": _A_BOX.c.read_utc.type,
    "number": _A_BOX.c.uid.type,
    "flag": tables.table(tables.AddressRow).c.is_primary.type,
    "text": _A_BOX.c.name.type,
}
KINDS: Mapping[type, str] = {
    bytes: "bytes",
    datetime: "instant",
    int: "number",
    bool: "flag",
    str: "text",
}
COUNTS = tables.table(tables.EmailCountRow)  # which the import counts again
EXPORTED = [each for each in tables.TABLES if each is not COUNTS]

Cell: TypeAlias = str | int | bool | Mapping[str, str] | None
Line: TypeAlias = Mapping[str, object]


class ExportFormatError(JudgeError):
    """The export is damaged or of another version, or the database is not empty."""


class Imported(NamedTuple):
    """The number of *rows*, and when the export was made, if that is known."""

    rows: int
    made: datetime | None


class _Held(NamedTuple):
    table: sa.Table
    row: Mapping[str, object]


def export_lines(
    connection: sa.Connection, damaged: set[str] | None = None, **extra: str
) -> Iterator[str]:
    """Yield the content of a database as one transaction sees it, one row a line.

    The first line has the heads of all games, the version of the tables, and *extra*. Text that is
    not UTF-8 is written as its bytes; the names of its tables are added to *damaged*.
    """
    digest, count = sha256(), 0
    for line in _lines(connection, set() if damaged is None else damaged, extra):
        digest.update(line.encode())
        yield line
        count += 1
    yield _written({"rows": count - 1, "sha256": digest.hexdigest()})


def import_lines(connection: sa.Connection, lines: Iterable[str]) -> Imported:
    """Fill an empty database with the output of `export_lines`.

    An export of an earlier version is upgraded. Raises `ExportFormatError` if the database is not
    empty, or the export is damaged or incomplete.
    """
    kept = [each.name for each in _tables() if _has_rows(connection, each)]
    if kept:
        raise ExportFormatError(f"the database is not empty: there are rows in {', '.join(kept)}")
    connection.execute(sa.delete(tables.table(tables.SecretRow)))  # made when it was opened
    source = iter(lines)
    first = next(source, "")
    try:
        count = sum(_insert_all(connection, chain((first,), source)))
        database.migrate(connection)
        email_counts.recount(connection)
    except OperationalError as error:  # the disk is full, or the server gone
        why = " ".join(str(error.orig).split())
        raise ExportFormatError(f"the database cannot be written: {why}") from error
    except (LookupError, ValueError, StatementError, AttributeError) as error:
        raise ExportFormatError("the backup is damaged") from error
    if connection.dialect.name == "postgresql":
        _continue_sequences(connection)
    made = json.loads(first).get("made")
    return Imported(count, datetime.fromisoformat(made) if made else None)


def _insert_all(connection: sa.Connection, lines: Iterable[str]) -> Iterator[int]:
    """Insert the rows in *lines*; yield the size of each batch."""
    for into, several in groupby(_checked(connection, lines), key=lambda each: each.table):
        for rows in _batches(each.row for each in several):
            if any(isinstance(cell, sa.Cast) for row in rows for cell in row.values()):
                for row in rows:  # SQLAlchemy takes expressions in single rows only
                    connection.execute(sa.insert(into).values(row))
            else:
                connection.execute(sa.insert(into), rows)
            yield len(rows)


def _lines(
    connection: sa.Connection, damaged: set[str], extra: Mapping[str, str]
) -> Iterator[str]:
    form = {each.name: {cell.name: KINDS[_kind(cell)] for cell in each.c} for each in EXPORTED}
    heads = _heads(connection)
    yield _written(
        {"form": FORM, "step": migrations.NEWEST, **extra, "heads": heads, "tables": form}
    )
    for each in EXPORTED:
        rows = connection.execution_options(yield_per=ROWS_A_FETCH)
        for row in rows.execute(sa.select(each).order_by(*each.primary_key)).mappings():
            cells = {column.name: _packed(row[column.key]) for column in each.c}
            if any(isinstance(cell, dict) for cell in cells.values()):
                damaged.add(each.name)
            yield _written({"table": each.name, "row": cells})


def _heads(connection: sa.Connection) -> Mapping[str, Sequence[object]]:
    games = tables.table(tables.GameRow)
    found = sa.select(games.c.name, games.c.version, games.c.hash).order_by(games.c.name)
    rows = connection.execute(found)
    return {_shown(row.name): [row.version, _shown(row.hash)] for row in rows}


def _shown(text: str) -> str:
    return text.encode(errors="surrogateescape").decode(errors="replace")


def _written(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _packed(value: object) -> Cell:
    match value:
        case bytes():
            return b64encode(value).decode("ascii")
        case datetime():
            return value.isoformat()
        case str() if not _is_sound(value):
            raw = value.encode(errors="surrogateescape")
            return {"bytes": b64encode(raw).decode("ascii")}
        case str() | int() | None:
            return value
        case _:
            raise AssertionError(f"a column of a type that is not moved: {type(value)}")


def _is_sound(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _checked(connection: sa.Connection, lines: Iterable[str]) -> Iterator[_Held]:
    """Yield the rows, once their tables exist; raises `ExportFormatError` if the end is wrong."""
    digest, count, ended = sha256(), 0, False
    readers: Mapping[str, _Reader] = {}
    heads: object = None
    for line in lines:
        match _read(line):
            case {"form": form, "step": str(step), "heads": heads, "tables": dict(columns)}:
                _prepare(connection, form, step)
                readers = {name: _Reader.of(name, kinds) for name, kinds in columns.items()}
            case {"table": str(name), "row": dict(row)} if name in readers:
                count += 1
                yield _Held(readers[name].table, readers[name].read(row))
            case {"rows": rows, "sha256": expected}:
                ended = (rows, expected) == (count, digest.hexdigest())
            case _:
                raise ExportFormatError(
                    "this is not a backup, or it is damaged: it has a line that no judge wrote"
                )
        digest.update(line.encode())
    if not ended or heads != _heads(connection):
        raise ExportFormatError("the backup is damaged, or its end is missing")


def _prepare(connection: sa.Connection, form: object, step: str) -> None:
    """Create the tables of the version that was exported."""
    if form != FORM:
        raise ExportFormatError(
            f"the backup was written in another form ({form}) by a version of the judge"
        )
    if step != migrations.NEWEST:
        try:
            database.recreate_tables(connection, step)
        except database.UnknownStepError as error:
            raise ExportFormatError(f"this backup cannot be upgraded: {error}") from error


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise ExportFormatError(
            "this is not a backup, or it is damaged: it has a line that no judge wrote"
        ) from error


class _Reader(NamedTuple):
    """Converts the cells of rows of *table* to the types of their columns."""

    table: sa.Table
    readers: Mapping[str, Callable[[str], object]]

    @classmethod
    def of(cls, name: str, kinds: Mapping[str, str]) -> _Reader:
        columns = (sa.Column(cell, TYPES[kind]) for cell, kind in kinds.items())
        readers = {cell: READERS.get(kind, str) for cell, kind in kinds.items()}
        return cls(sa.Table(name, sa.MetaData(), *columns), readers)

    def read(self, row: Mapping[str, Cell]) -> Mapping[str, object]:
        return {name: self._read(name, cell) for name, cell in row.items()}

    def _read(self, name: str, cell: Cell) -> object:
        match cell:
            case str():
                return self.readers[name](cell)
            case {"bytes": str(raw)}:  # text as the disk has damaged it
                return sa.cast(sa.literal(b64decode(raw), sa.LargeBinary), sa.Text)
            case _:
                return cell


def _kind(column: sa.Column[object]) -> type:
    stored = column.type
    if isinstance(stored, sa.TypeDecorator):
        stored = stored.impl_instance
    return stored.python_type


def _batches(rows: Iterable[Mapping[str, object]]) -> Iterator[list[Mapping[str, object]]]:
    batch: list[Mapping[str, object]] = []
    for row in rows:
        batch.append(row)
        if len(batch) == ROWS_A_FETCH:
            yield batch
            batch = []
    if batch:
        yield batch


def _tables() -> Iterator[sa.Table]:
    secrets = tables.table(tables.SecretRow)
    return (each for each in tables.TABLES if each is not secrets)


def _has_rows(connection: sa.Connection, of: sa.Table) -> bool:
    return connection.execute(sa.select(of).limit(1)).first() is not None


def _continue_sequences(connection: sa.Connection) -> None:
    for each in tables.TABLES:
        counted = each.autoincrement_column
        if counted is not None:
            named = {"table": each.name, "column": counted.name}
            sequence = sa.text("SELECT pg_get_serial_sequence(:table, :column)")
            name = connection.execute(sequence, named).scalar_one()
            last = connection.execute(sa.select(sa.func.max(counted))).scalar_one()
            if name and last:
                setting = sa.text("SELECT setval(:name, :last)")
                connection.execute(setting, {"name": name, "last": last})


PACKING = 6  # of 9: higher levels take longer and hardly save more
CHUNK_BYTES = 1 << 20


@contextmanager
def text_writer(raw: BinaryIO, lock: age.Lock | None) -> Iterator[TextIO]:
    """Yield a text file that writes to *raw* by gzip, then encrypted with *lock*."""
    with (
        age.encrypting(raw, lock) if lock else nullcontext(raw) as outer,
        gzip.GzipFile("", "wb", PACKING, outer, mtime=0) as packing,
        io.TextIOWrapper(packing, encoding="utf-8", newline="\n") as written,
    ):
        yield written


@contextmanager
def text_reader(
    raw: BinaryIO, lock: age.Lock | None, *, must_be_encrypted: bool = False
) -> Iterator[TextIO]:
    """Yield the text of *raw*: encrypted with *lock* or not, packed or not.

    Raises `ExportFormatError` if it is damaged, and `NotDecryptedError`.
    """
    ahead = io.BufferedReader(cast("io.RawIOBase", raw), CHUNK_BYTES)
    try:
        if not age.is_encrypted(ahead.peek(len(age.MAGIC))):
            if must_be_encrypted:
                raise age.NotDecryptedError(
                    "it is not encrypted: if it should be, somebody has replaced it; otherwise "
                    "restore it without --decrypt"
                )
            with _unpacked(ahead) as text:
                yield text
        elif lock:
            with age.decrypting(ahead, lock) as plain, _unpacked(plain) as text:
                yield text
        else:
            raise age.NotDecryptedError(
                "it is encrypted: name its secret key or passphrase with --decrypt FILE"
            )
    finally:
        ahead.detach()  # *raw* is the caller's


@contextmanager
def _unpacked(ahead: io.BufferedReader[Any]) -> Iterator[TextIO]:
    is_packed = ahead.peek(2)[:2] == b"\x1f\x8b"  # RFC 1952 2.3.1
    unpacked = gzip.GzipFile(fileobj=ahead) if is_packed else ahead
    text = io.TextIOWrapper(unpacked, encoding="utf-8", errors="replace", newline="\n")
    try:
        yield text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise ExportFormatError("the backup is damaged, or its end is missing") from error
    finally:
        text.detach()


def digest_of(file: Path) -> str:
    """Return the SHA-256 of *file*, as `sha256sum` prints it."""
    with file.open("rb") as opened:
        digest = sha256()
        while chunk := opened.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()
