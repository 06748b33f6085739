"""Moves a judge from one database to another: everything that it keeps, as lines of JSON.

The first line says of which step the tables are and how far each game goes, the last one how many
rows there were and what all lines before add up to, so that a file which was cut short is noticed.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    MetaData,
    Table,
    TypeDecorator,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import OperationalError, StatementError
from sqlalchemy.types import TypeEngine
from sqlmodel import SQLModel

from judge.adapters import migration
from judge.adapters.migrations import NEWEST
from judge.adapters.tables import AddressRow, GameRow, InboxRow, MailboxRow, SecretRow, table
from judge.errors import JudgeError

FORM = 2
ROWS_A_FETCH = 200
READERS: Mapping[str, Callable[[str], object]] = {
    "bytes": b64decode,
    "instant": datetime.fromisoformat,
}
_A_BOX = table(MailboxRow)
TYPES: Mapping[str, TypeEngine[object]] = {  # a column of each kind, to be filled in any step
    "bytes": table(InboxRow).c.raw.type,
    "instant": _A_BOX.c.read_utc.type,
    "number": _A_BOX.c.uid.type,
    "flag": table(AddressRow).c.is_primary.type,
    "text": _A_BOX.c.name.type,
}
KINDS: Mapping[type, str] = {
    bytes: "bytes",
    datetime: "instant",
    int: "number",
    bool: "flag",
    str: "text",
}

Cell: TypeAlias = str | int | bool | None
Line: TypeAlias = Mapping[str, object]


class UnmovableError(JudgeError):
    """What is to be moved is damaged, or of another version, or would be mixed with another."""


class _Held(NamedTuple):
    table: Table
    row: Mapping[str, object]


def packed(connection: Connection, **told: str) -> Iterator[str]:
    """Yield all that is in a database, of one moment, a line each.

    The first line tells the heads of all games, whatever else is *told*, and how the tables are.
    """
    digest, count = sha256(), 0
    for line in _lines(connection, told):
        digest.update(line.encode())
        yield line
        count += 1
    yield _written({"rows": count - 1, "sha256": digest.hexdigest()})


def unpack(connection: Connection, lines: Iterable[str]) -> int:
    """Fill an empty database with what `packed` made; return how many rows there were.

    What an earlier judge packed is brought up to date. Raises `UnmovableError` if the database is
    not empty, or not everything has come.
    """
    kept = [each.name for each in _tables() if _has_rows(connection, each)]
    if kept:
        raise UnmovableError(f"the database is not empty: there is something in {', '.join(kept)}")
    connection.execute(delete(table(SecretRow)))  # made when it was opened
    try:
        count = sum(_insert_all(connection, lines))
        migration.bring(connection)
    except OperationalError as error:  # the disk is full, or the server gone
        why = " ".join(str(error.orig).split())
        raise UnmovableError(f"there it cannot be written: {why}") from error
    except (LookupError, ValueError, StatementError, AttributeError) as error:
        raise UnmovableError("it is damaged") from error
    if connection.dialect.name == "postgresql":
        _count_on(connection)
    return count


def _insert_all(connection: Connection, lines: Iterable[str]) -> Iterator[int]:
    """Insert the rows in *lines*; yield how many at a time."""
    for into, several in groupby(_checked(connection, lines), key=lambda each: each.table):
        for rows in _batches(each.row for each in several):
            connection.execute(insert(into), rows)
            yield len(rows)


def _lines(connection: Connection, told: Mapping[str, str]) -> Iterator[str]:
    tables = SQLModel.metadata.sorted_tables
    form = {each.name: {cell.name: KINDS[_kind(cell)] for cell in each.c} for each in tables}
    heads = _heads(connection)
    yield _written({"form": FORM, "step": NEWEST, **told, "heads": heads, "tables": form})
    for each in tables:
        rows = connection.execution_options(yield_per=ROWS_A_FETCH)
        for row in rows.execute(select(each).order_by(*each.primary_key)).mappings():
            cells = {column.name: _packed(row[column.key]) for column in each.c}
            yield _written({"table": each.name, "row": cells})


def _heads(connection: Connection) -> Mapping[str, Sequence[object]]:
    games = table(GameRow)
    found = select(games.c.name, games.c.version, games.c.hash).order_by(games.c.name)
    return {row.name: [row.version, row.hash] for row in connection.execute(found)}


def _written(line: Line) -> str:
    return json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"


def _packed(value: object) -> Cell:
    match value:
        case bytes():
            return b64encode(value).decode("ascii")
        case datetime():
            return value.isoformat()
        case str() | int() | None:
            return value
        case _:
            raise AssertionError(f"a column of a type that is not moved: {type(value)}")


def _checked(connection: Connection, lines: Iterable[str]) -> Iterator[_Held]:
    """Yield the rows, when there are tables for them; raises unless it ends as it was written."""
    digest, count, ended = sha256(), 0, False
    readers: Mapping[str, _Reader] = {}
    heads: object = None
    for line in lines:
        match _read(line):
            case {"form": form, "step": str(step), "heads": heads, "tables": dict(tables)}:
                _prepare(connection, form, step)
                readers = {name: _Reader.of(name, kinds) for name, kinds in tables.items()}
            case {"table": str(name), "row": dict(row)} if name in readers:
                count += 1
                yield _Held(readers[name].table, readers[name].read(row))
            case {"rows": rows, "sha256": expected}:
                ended = (rows, expected) == (count, digest.hexdigest())
            case _:
                raise UnmovableError("there is a line that no judge wrote")
        digest.update(line.encode())
    if not ended or heads != _heads(connection):
        raise UnmovableError("it is damaged, or its end is missing")


def _prepare(connection: Connection, form: object, step: str) -> None:
    """Have the tables that there were when it was packed."""
    if form != FORM:
        raise UnmovableError(f"it was written in another form ({form}) by a version of the judge")
    if step != NEWEST:
        try:
            migration.begin_again(connection, step)
        except migration.NewerStoreError as error:
            told = f"it was written by a later version of the judge (step {step}): install that"
            raise UnmovableError(told) from error


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise UnmovableError("there is a line that no judge wrote") from error


class _Reader(NamedTuple):
    """Gives the cells of the rows of *table* back the types of their columns."""

    table: Table
    readers: Mapping[str, Callable[[str], object]]

    @classmethod
    def of(cls, name: str, kinds: Mapping[str, str]) -> _Reader:
        columns = (Column(cell, TYPES[kind]) for cell, kind in kinds.items())
        readers = {cell: READERS.get(kind, str) for cell, kind in kinds.items()}
        return cls(Table(name, MetaData(), *columns), readers)

    def read(self, row: Mapping[str, Cell]) -> Mapping[str, object]:
        return {
            name: self.readers[name](cell) if isinstance(cell, str) else cell
            for name, cell in row.items()
        }


def _kind(column: Column[object]) -> type:
    stored = column.type
    if isinstance(stored, TypeDecorator):
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


def _tables() -> Iterator[Table]:
    secrets = table(SecretRow)
    return (each for each in SQLModel.metadata.sorted_tables if each is not secrets)


def _has_rows(connection: Connection, of: Table) -> bool:
    return connection.execute(select(of).limit(1)).first() is not None


def _count_on(connection: Connection) -> None:
    """Let the next mail have a number that none had."""
    for each in SQLModel.metadata.sorted_tables:
        counted = each.autoincrement_column
        if counted is not None:
            named = {"table": each.name, "column": counted.name}
            sequence = text("SELECT pg_get_serial_sequence(:table, :column)")
            name = connection.execute(sequence, named).scalar_one()
            last = connection.execute(select(func.max(counted))).scalar_one()
            if name and last:
                setting = text("SELECT setval(:name, :last)")
                connection.execute(setting, {"name": name, "last": last})
