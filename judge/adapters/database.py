"""Opens the store, whichever it is: a file, or a database of a server."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from judge.adapters import migration, sqlite
from judge.adapters.transactions import SqlDatabase
from judge.errors import JudgeError
from judge.settings import DatabaseServer


class UnusableStoreError(JudgeError):
    """The database cannot be opened."""


def look_after_a_crash(path: Path) -> None:
    """Raise `UnusableStoreError` if the file *path* was not closed and has not come out whole."""
    if sqlite.was_left_open(path):
        fault = sqlite.fault_of(path, sqlite.newest_library())
        if fault:
            raise UnusableStoreError(f"the database {path} is damaged, restore a copy: {fault}")


def fault_in(where: Path | DatabaseServer, error: Exception) -> str | None:
    """Say in one line what *error* tells of a database, None if it tells nothing of it."""
    if not isinstance(error, DBAPIError):
        return None
    why = " ".join(str(error.orig).split())
    if isinstance(where, Path) and not sqlite.can_grow(where):
        why = "there is no room on the disk"
    return f"the database {where} cannot be used: {why}"


def open_database(where: Path | DatabaseServer) -> SqlDatabase:
    """Open the database in a file or of a server, made or brought up to date first."""
    with ExitStack() as unless_it_opens:
        try:
            database = _open(where, unless_it_opens)
        except DBAPIError as error:
            raise UnusableStoreError(str(fault_in(where, error))) from error
        except OSError as error:
            why = error.strerror or str(error)
            raise UnusableStoreError(f"the database {where} cannot be made: {why}") from error
        unless_it_opens.pop_all()
    return database


def _open(where: Path | DatabaseServer, unless_it_opens: ExitStack) -> SqlDatabase:
    if isinstance(where, DatabaseServer):
        from judge.adapters import postgresql  # noqa: PLC0415 - most judges have a file
        from judge.adapters.shared_database import SharedDatabase  # noqa: PLC0415 - see above

        engine = postgresql.open_engine(where)
        database: SqlDatabase = SharedDatabase(engine)
    else:
        engine = sqlite.open_engine(where, sqlite.newest_library())
        database = SqlDatabase(engine)
    unless_it_opens.callback(engine.dispose)
    migration.upgrade(engine)
    with database.write() as transaction:
        transaction.secrets.token_key()  # made now, so that whoever only reads finds it
    return database
