"""SQLite for tests, which open hundreds of databases in one process."""

from __future__ import annotations

from contextlib import closing
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects.sqlite.pysqlite import SQLiteDialect_pysqlite

from judge.adapters.store import sqlite
from judge.adapters.store.database import migrate

COMPILED: dict[Any, Any] = {}


class SharingDialect(SQLiteDialect_pysqlite):
    """Compiles each statement once for all engines.

    SQLAlchemy does so once for each engine, which is a fifth of the time of tests by mail.
    """

    supports_statement_cache = True

    @classmethod
    def engine_created(cls, engine: sa.Engine) -> None:
        engine.update_execution_options(compiled_cache=COMPILED)

    def __eq__(self, other: object) -> bool:  # statements are kept by dialect
        return type(self) is type(other)

    def __hash__(self) -> int:
        return hash(type(self))


def write_without_waiting(engine: sa.Engine) -> None:
    """Leave it to the system when the database reaches the disk.

    Only a power cut can show the difference; ending a process cannot.
    """
    without = "PRAGMA synchronous = OFF"
    sa.event.listen(engine, "connect", lambda connection, _record: connection.execute(without))
    with closing(engine.raw_connection()) as connection:  # as it is already open
        connection.cursor().execute(without)


def make_empty(file: Path) -> None:
    """Make a database with all tables and no rows, as a judge does that starts for the first time.

    To migrate each takes as long as to answer an email.
    """
    file.touch(mode=0o600)
    file.write_bytes(_migrated())


@cache
def _migrated() -> bytes:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "judge.db"
        engine = sqlite.open_engine(file, sqlite.newest_library())
        with engine.begin() as connection:
            migrate(connection)
        engine.dispose()
        return file.read_bytes()
