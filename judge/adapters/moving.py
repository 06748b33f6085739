"""Moves a judge from one database to another: everything that it keeps, as lines of JSON.

The first line says of which step the tables are, the last one how many rows there were and what
all lines before add up to, so that a file which was cut short is noticed.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple, TypeAlias

from sqlalchemy import (
    Column,
    Connection,
    Table,
    TypeDecorator,
    delete,
    func,
    insert,
    select,
    text,
)
from sqlalchemy.exc import StatementError
from sqlmodel import SQLModel

from judge.adapters.migrations import NEWEST
from judge.adapters.tables import SecretRow, table
from judge.errors import JudgeError

FORM = 1
ROWS_A_FETCH = 200
READERS: Mapping[type, Callable[[str], object]] = {
    bytes: b64decode,
    datetime: datetime.fromisoformat,
}

Cell: TypeAlias = str | int | bool | None
Line: TypeAlias = Mapping[str, object]


class UnmovableError(JudgeError):
    """What is to be moved is damaged, or of another version, or would be mixed with another."""


class _Held(NamedTuple):
    table: Table
    row: Mapping[str, object]


def packed(connection: Connection) -> Iterator[str]:
    """Yield all that is in a database, of one moment, a line each."""
    digest, count = sha256(), 0
    for line in _lines(connection):
        digest.update(line.encode())
        yield line
        count += 1
    yield _written({"rows": count - 1, "sha256": digest.hexdigest()})


def unpack(connection: Connection, lines: Iterable[str]) -> int:
    """Fill an empty database with what `packed` made; return how many rows there were.

    Raises `UnmovableError` if it is not empty, or not everything has come.
    """
    kept = [each.name for each in _tables() if _has_rows(connection, each)]
    if kept:
        raise UnmovableError(f"the database is not empty: there is something in {', '.join(kept)}")
    connection.execute(delete(table(SecretRow)))  # made when it was opened
    try:
        count = sum(_insert_all(connection, lines))
    except (LookupError, ValueError, StatementError) as error:
        raise UnmovableError("it is damaged") from error
    if connection.dialect.name == "postgresql":
        _count_on(connection)
    return count


def _insert_all(connection: Connection, lines: Iterable[str]) -> Iterator[int]:
    """Insert the rows in *lines*; yield how many at a time."""
    for into, several in groupby(_checked(lines), key=lambda each: each.table):
        for rows in _batches(each.row for each in several):
            connection.execute(insert(into), rows)
            yield len(rows)


def _lines(connection: Connection) -> Iterator[str]:
    yield _written({"form": FORM, "step": NEWEST})
    for each in SQLModel.metadata.sorted_tables:
        key = list(each.primary_key)
        rows = connection.execution_options(yield_per=ROWS_A_FETCH)
        for row in rows.execute(select(each).order_by(*key)).mappings():
            cells = {column.key: _packed(row[column.key]) for column in each.c}
            yield _written({"table": each.name, "row": cells})


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


def _checked(lines: Iterable[str]) -> Iterator[_Held]:
    """Yield the rows; raises at the end if it was not the end of what was written."""
    digest, count, ended = sha256(), 0, False
    readers = {each.name: _reader(each) for each in SQLModel.metadata.sorted_tables}
    for line in lines:
        match _read(line):
            case {"form": form, "step": step}:
                if (form, step) != (FORM, NEWEST):
                    raise UnmovableError(
                        f"it was exported by another version of the judge (step {step}; here it "
                        f"is {NEWEST}): let one version export and import"
                    )
            case {"table": str(name), "row": dict(row)} if name in readers:
                count += 1
                yield _Held(SQLModel.metadata.tables[name], readers[name](row))
            case {"rows": rows, "sha256": expected}:
                ended = (rows, expected) == (count, digest.hexdigest())
            case _:
                raise UnmovableError("there is a line that no judge wrote")
        digest.update(line.encode())
    if not ended:
        raise UnmovableError("it is damaged, or its end is missing")


def _read(line: str) -> object:
    try:
        return json.loads(line)
    except ValueError as error:
        raise UnmovableError("there is a line that no judge wrote") from error


def _reader(of: Table) -> Callable[[Mapping[str, Cell]], Mapping[str, object]]:
    """Return what gives the cells of a row back the types of their columns."""
    readers = {column.key: READERS.get(_kind(column), str) for column in of.c}

    def read(row: Mapping[str, Cell]) -> Mapping[str, object]:
        return {
            name: readers[name](cell) if isinstance(cell, str) else cell
            for name, cell in row.items()
        }

    return read


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
