"""Open the store: choose the database, migrate its schema, lock it for one daemon."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import ExitStack, suppress
from enum import Enum
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Self

import sqlalchemy as sa
from sqlalchemy.exc import DBAPIError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]  # checked before use

from judge.adapters import migrations
from judge.adapters.store import email_counts, journal, sqlite
from judge.adapters.store.daemon_state import SqlAgenda
from judge.adapters.store.sqlite import make_private, refuse_links
from judge.adapters.store.tables import TABLES
from judge.adapters.store.transactions import ChangedStoreError, SqlDatabase
from judge.adapters.system_clock import SystemClock
from judge.errors import JudgeError
from judge.settings import DatabaseServer


class StoreProblem(Enum):
    """A reason why a database cannot be used; *value* is SQLite's or the system's text."""

    FULL = ("is full", "no room", "No space left", "quota", "too large")
    READ_ONLY = ("readonly", "Read-only")
    FORBIDDEN = ("unable to open", "ermission", "not permitted")
    LOCKED = ("locked", "busy")
    DAMAGED = ("malformed", "not a database")
    FAILING = ("disk I/O error", "Input/output error")
    OTHER = ()

    @classmethod
    def of(cls, why: str) -> Self:
        return next(each for each in cls if each is cls.OTHER or any(w in why for w in each.value))


class UnusableStoreError(JudgeError):
    """The database cannot be opened, because of *problem*."""

    def __init__(self, message: str, problem: StoreProblem = StoreProblem.OTHER) -> None:
        super().__init__(message)
        self.problem = problem


def check_file(path: Path) -> None:
    """Raise `UnusableStoreError`, and record it, if the file *path* is there and damaged."""
    if not path.exists() or not path.stat().st_size:
        return
    sqlite.keep_own_journal(path, sqlite.newest_library())
    try:
        fault = sqlite.fault_of(path, sqlite.newest_library())
    except sqlite.NotCheckedError as error:
        raise unusable(path, str(error)) from error
    if fault:
        with suppress(DBAPIError, OSError):
            _note_damage(path)
        message = (
            f"the database {path} is damaged ({fault}): restore a backup with `judge restore`, or "
            "save what can be read: see docs/operators/running.md#a-damaged-database"
        )
        raise UnusableStoreError(message, StoreProblem.DAMAGED)


def _note_damage(path: Path) -> None:
    """Record for `judge status`, which reads few pages, that the file *path* is damaged."""
    engine, _ = sqlite.open_store(path, sqlite.newest_library())
    try:
        with engine.begin() as connection:
            SqlAgenda(connection).set_store_damaged(SystemClock().now())
    finally:
        engine.dispose()


def unusable(where: Path | DatabaseServer, why: str) -> UnusableStoreError:
    """Return the problem of the database, as SQLite or the system says *why* in its words."""
    if isinstance(where, DatabaseServer):
        return UnusableStoreError(f"the database {where} cannot be used: {why}")
    problem = StoreProblem.of(why)
    if problem in (StoreProblem.FORBIDDEN, StoreProblem.READ_ONLY):
        if owner := _other_owner(where):
            why = f"it belongs to the user {owner}; run this as {owner}, for example with sudo"
    elif not sqlite.can_grow(where):
        why, problem = "there is no room on the disk", StoreProblem.FULL
    return UnusableStoreError(f"the database {where} cannot be used: {why}", problem)


def _other_owner(file: Path) -> str | None:
    """Return the owner of *file*, or of the folder that hides it; None if that is us."""
    if not hasattr(os, "geteuid"):  # Windows
        return None
    for each in (file.absolute(), *file.absolute().parents):
        with suppress(OSError):
            owner = each.stat().st_uid
            if owner == os.geteuid():
                return None
            try:
                return each.owner()
            except KeyError:  # a user without a name
                return str(owner)
    return None


LOCK_SECONDS_MAX = sqlite.BUSY_SECONDS / 2  # then mail that waits goes on, and is not refused


class DailyFileCheck:
    """Checks the file of the database beside the work of the judge.

    Readers hold nobody up, except with an SQLite too old for WAL: then it gives up after
    `LOCK_SECONDS_MAX`.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._library = sqlite.newest_library()
        self._stopped = Event()

    def fault(self) -> str | None:
        """Return the fault of the file, if any. Raises `NotCheckedError`."""
        ends = monotonic() + LOCK_SECONDS_MAX
        waits = not sqlite.is_wal_safe(self._library.sqlite_version_info)

        def is_enough() -> bool:
            return self._stopped.is_set() or (waits and monotonic() > ends)

        return sqlite.fault_of(self._path, self._library, is_enough)

    def stop(self) -> None:
        """End a running check soon."""
        self._stopped.set()


def explain(where: Path | DatabaseServer, error: Exception) -> UnusableStoreError | None:
    """Return the problem of the database that *error* reports; None if it reports none."""
    if isinstance(error, UnusableStoreError):
        return error
    if isinstance(error, OSError) and error.filename == str(where):
        return unusable(where, error.strerror or str(error))
    if not isinstance(error, DBAPIError):
        return None
    return unusable(where, " ".join(str(error.orig).split()))


def open_database(where: Path | DatabaseServer) -> SqlDatabase:
    """Open the database in a file or on a server, creating or upgrading it first."""
    with ExitStack() as unless_it_opens:
        try:
            database = _open(where, unless_it_opens)
        except DBAPIError as error:
            raise unusable(where, " ".join(str(error.orig).split())) from error
        except OSError as error:
            why = error.strerror or str(error)
            message = f"the database {where} cannot be made: {why}"
            raise UnusableStoreError(message, StoreProblem.of(why)) from error
        unless_it_opens.pop_all()
    return database


def _open(where: Path | DatabaseServer, unless_it_opens: ExitStack) -> SqlDatabase:
    if isinstance(where, DatabaseServer):
        from judge.adapters.store import postgresql  # noqa: PLC0415 - most judges have a file

        engine = postgresql.open_engine(where)
        unless_it_opens.callback(engine.dispose)
        postgresql.refuse_transaction_pool(engine)
        database: SqlDatabase = postgresql.SharedDatabase(engine)
    else:
        engine, file = sqlite.open_store(where, sqlite.newest_library())
        unless_it_opens.callback(engine.dispose)
        database = SqlDatabase(engine, file)
    with engine.begin() as connection:
        migrate(connection)
        if isinstance(where, Path):
            journal.identify(connection)
    with database.write() as transaction:
        transaction.secrets.token_key()  # now, so that readers find it
    return database


STEPS = "judge.adapters:migrations"  # where Alembic finds them


class UnknownStepError(JudgeError):
    """The tables are at a migration *step* that this version of the judge does not have."""

    def __init__(self, step: str) -> None:
        if step < migrations.OLDEST:
            super().__init__(
                f"the tables are those of a version before 0.1.0 (step {step}): upgrade them with "
                f"commit {migrations.REACHES_OLDEST} of the judge (its `judge status` does it), "
                "then with this version"
            )
        else:
            super().__init__(
                f"the tables are those of a newer version of the judge (step {step}): install "
                "that version, or restore a backup made before it"
            )


def check_tables(where: Path | DatabaseServer) -> Exception | None:
    """Return why a table cannot be read; None if all can be. Nothing is changed.

    Raises `UnknownStepError` if the database cannot be upgraded.
    """
    if isinstance(where, Path):
        if not where.is_file() or not where.stat().st_size:
            return None
        library = sqlite.newest_library()
        sqlite.keep_own_journal(where, library)
        engine = sa.create_engine(f"sqlite:///{where.resolve()}", module=library)
        database = SqlDatabase(engine)
    else:
        from judge.adapters.store import postgresql  # noqa: PLC0415 - most judges have a file

        engine = postgresql.open_engine(where)
        database = postgresql.SharedDatabase(engine)
    try:
        with engine.connect() as connection:
            step = _current_step(connection)
        if step == migrations.NEWEST:
            database.probe(writes=False)
    except (DBAPIError, ChangedStoreError) as error:
        return error
    finally:
        engine.dispose()
    if step and not migrations.OLDEST <= step <= migrations.NEWEST:
        raise UnknownStepError(step)
    return None


def migrate(connection: sa.Connection, to: str | None = None) -> None:
    """Migrate the tables to the step *to*, by default the newest."""
    to = to or migrations.NEWEST
    guard_events = _lock_tables(connection)
    step = _current_step(connection)
    if step != to:
        _take_steps(connection, step, to)
    guard_events(connection)
    email_counts.count_from_now_on(connection)


def recreate_tables(connection: sa.Connection, to: str) -> None:
    """Drop all tables and their rows, and create those of the step *to*.

    Raises `UnknownStepError`.
    """
    _lock_tables(connection)
    for each in reversed(TABLES):
        connection.exec_driver_sql(f"DROP TABLE IF EXISTS {each.name}")
    connection.exec_driver_sql("DROP TABLE IF EXISTS alembic_version")
    migrate(connection, to)


def _lock_tables(connection: sa.Connection) -> Callable[[sa.Connection], None]:
    """Keep other processes from changing the tables, and return the dialect's `guard_events`."""
    if connection.dialect.name == "sqlite":
        return sqlite.guard_events
    from judge.adapters.store import postgresql  # noqa: PLC0415 - most judges have a file

    postgresql.unlimit(connection)
    postgresql.wait_for(connection, postgresql.MIGRATION)
    return postgresql.guard_events


def _current_step(connection: sa.Connection) -> str | None:
    if not sa.inspect(connection).has_table("alembic_version"):
        return None
    step: str | None = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
    return step


def _take_steps(connection: sa.Connection, step: str | None, to: str) -> None:
    # Importing Alembic takes as long as everything else about opening a store.
    from alembic import command  # noqa: PLC0415 - see above
    from alembic.config import Config  # noqa: PLC0415
    from alembic.script import ScriptDirectory  # noqa: PLC0415

    config = Config()
    config.set_main_option("script_location", STEPS)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    for each in {step or to, to} - known:
        raise UnknownStepError(each)
    config.attributes["connection"] = connection
    command.upgrade(config, to)


LOCKS = Path("/proc/locks")
PID_COLUMN, INODE_COLUMN = 4, 5  # of `1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF`


class StoreInUseError(JudgeError):
    """Another daemon runs on the same store."""


class DaemonLock:
    """Holds a lock on the database file while the block runs, creating the file if needed.

    The lock (flock) belongs to the file, not to its name: a symlink leads to the same lock, and a
    file with several names is refused. It ends with the process. SQLite's own locks are of another
    kind. A forked child would keep the lock: start children with `spawn` or `exec`. On Windows
    nothing is locked.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._file = -1

    def __enter__(self) -> Self:
        make_private(self._database)
        refuse_links(self._database)
        self._file = os.open(self._database, os.O_RDONLY)
        if fcntl is None:
            return self
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.fstat(self._file).st_ino)
            os.close(self._file)
            raise StoreInUseError(
                f"another judge (process {holder}) runs on this store: {self._database} is "
                "locked; stop that one first"
            ) from None
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def _holder(inode: int) -> str:
    """Name the process that holds the file *inode*, if the system shows it."""
    with suppress(OSError):
        for line in LOCKS.read_text(encoding="ascii").splitlines():
            words = line.split()
            if "FLOCK" in words and words[INODE_COLUMN].endswith(f":{inode}"):
                return words[PID_COLUMN]
    return "unknown"
