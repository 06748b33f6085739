"""SQLite: its version, durability, one writer at a time, the append-only event table."""

from __future__ import annotations

import errno
import os
import sqlite3
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, nullcontext
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from threading import Event, Thread
from time import monotonic
from types import ModuleType

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection

from judge.adapters.service import OperatorLog
from judge.adapters.store import journal
from judge.adapters.whole_files import sync_folder
from judge.errors import JudgeError

# Small: an email changes a few bytes in each of forty pages, and all of these are written.
PAGE_BYTES = 1024
JOURNAL_BYTES = 16 * 1024 * 1024  # then its pages are written to the database file
BUSY_SECONDS = 10  # How long a writer waits for another process, such as an operator's command.
# Before this version two writers could lose a commit: sqlite.org/wal.html.
WAL_SAFE_SINCE = (3, 51, 3)
WAL_SAFE_BACKPORTS = ((3, 44, 6), (3, 50, 7))

CHECK_PAGES = 100  # in memory; a check reads each page once, and more would only be slower
MAPPED_BYTES = 2**31  # the most that SQLite maps; the rest is read
ASKING_SECONDS = 0.1  # between two looks whether a check should end
DAMAGED = ("malformed", "not a database")  # sqlite.org/rescode.html: CORRUPT, NOTADB

EX_IOERR = 74  # the exit code; Windows does not name it
IO_ERROR = 10  # The last byte is SQLITE_IOERR: sqlite.org/rescode.html
DAMAGE = (11, 26)  # SQLITE_CORRUPT and SQLITE_NOTADB
WAY_OUT = "check the disk (dmesg, smartctl), and see docs/operators/running.md#a-damaged-database"
NO_ROOM = (errno.EDQUOT, errno.EFBIG, errno.ENOSPC)
JOURNALS = ("-wal", "-journal")

CHANGES = "judge_changes"  # of this connection, when its transaction began
READS = "judge_reads"  # An execution option of connections that only read.

GUARDS = {
    "events_never_change": "BEFORE UPDATE ON events",
    "events_never_go": "BEFORE DELETE ON events",
    # INSERT OR REPLACE removes a row without firing the trigger above, unless the connection has
    # recursive triggers; the setting holds for every connection.
    "events_never_give_way": """BEFORE INSERT ON events WHEN EXISTS (
        SELECT 1 FROM events WHERE position = NEW.position
        OR (game = NEW.game AND version = NEW.version))""",
}

log = OperatorLog()


class LinkedStoreError(JudgeError):
    """The database file has several names, so it would have several journals too."""


class StoreGoneError(JudgeError):
    """The database file is no longer where it was opened."""


class StoreFile:
    """The open file of a database, and its journal beside it.

    Writes to a file that was moved away would be lost, and so would those to a journal that was
    removed.
    """

    def __init__(self, path: Path) -> None:
        make_private(path)
        refuse_links(path)
        self._path = path
        self._opened = journal.identity_of(path)
        self._journal = journal.JournalWatch(path.resolve())
        self.is_guarded = False

    def look(self, connection: sqlite3.Connection) -> None:
        """Raise `StoreGoneError` if the file is gone; end this process if another replaced it.

        A restart then opens the new file. If the journal of a guarded file was removed, what it
        has is written to the file first.
        """
        there = journal.identity_of(self._path)
        if there is None:
            raise StoreGoneError(f"the database {self._path} has been moved away")
        if there != self._opened:
            text = "another file has taken its place, which the next start opens"
            log.critical("store.replaced", database=str(self._path), text=text)
            os._exit(EX_IOERR)
        if self.is_guarded and self._journal.is_removed():
            text = "its journal was removed; what that had is written to the file now"
            log.critical("store.journal_removed", database=str(self._path), text=text)
            connection.execute("PRAGMA wal_checkpoint(FULL)")
            os._exit(EX_IOERR)

    def note_commit(self) -> None:
        """Note that something was committed."""
        self._journal.note_commit()

    def settle(self, engine: sa.Engine) -> None:
        """Write the journal to the file, which is whole without it then, if it is time."""
        with closing(engine.raw_connection()) as pooled:
            connection = pooled.driver_connection
            assert connection is not None, "it has just been opened"
            try:
                self.look(connection)
                if self._journal.should_settle():
                    began = monotonic()
                    cursor = connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
                    [(_, frames, written)] = cursor.fetchall()
                    if frames == written:
                        self._journal.note_settled(began)
            except engine.dialect.loaded_dbapi.Error as error:
                self.end_if_it_fails(error)
                raise

    def end_if_it_fails(self, error: BaseException | None) -> None:
        """End this process at once, as a power cut would, if the disk fails to read or to store.

        Earlier writes may be lost too, and a retry would wrongly succeed, since the system forgets
        what it could not write. So nothing more is acknowledged, and after a restart the file is
        checked as the disk has it. A guarded file that turns out to be damaged ends the process,
        too: what it took from then on would be lost with the file.
        """
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF
        if code == IO_ERROR and can_grow(self._path):
            log.critical("store.disk_failed", error=str(error))
            os._exit(EX_IOERR)
        if code in DAMAGE and self.is_guarded:
            end_as_damaged(str(error))


def end_as_damaged(fault: str) -> None:
    """End this process: what a damaged file took from now on would be lost with it.

    SQLite calls a file damaged, too, if the disk reports that it cannot read it.
    """
    log.critical("store.damaged", fault=fault, advice=WAY_OUT)
    os._exit(EX_IOERR)


def open_store(path: Path, library: ModuleType) -> tuple[sa.Engine, StoreFile]:
    """Open the judge's database in the file *path*, whose journal must be its own."""
    keep_own_journal(path, library)
    here = StoreFile(path)
    engine = _open(path, library, here)
    sa.event.listen(engine, "commit", lambda connection: _count_commit(connection, here))
    return engine, here


def keep_own_journal(path: Path, library: ModuleType) -> None:
    """Set the journal aside if it is another file's; call it before SQLite opens *path*."""
    aside = journal.set_aside_foreign(path.resolve(), library)
    if aside:
        text = "the journal was another file's, or of another time, and is not applied"
        log.warning("store.journal_set_aside", database=str(path), journal=str(aside), text=text)


def open_engine(path: Path, library: ModuleType) -> sa.Engine:
    """Open the database in the file *path*; create it, for the owner only, if needed."""
    return _open(path, library, StoreFile(path))


def _open(path: Path, library: ModuleType, here: StoreFile) -> sa.Engine:
    url = sa.URL.create("sqlite", database=str(path.resolve()))
    # A failed statement is logged without its parameters, which may be a player's orders. The
    # connection used last goes next: SQLite drops what others have of a file that one has changed.
    engine = sa.create_engine(url, module=library, hide_parameters=True, pool_use_lifo=True)
    mode = "WAL" if is_wal_safe(library.sqlite_version_info) else "TRUNCATE"
    sa.event.listen(engine, "connect", lambda connection, _record: _set_up(connection, mode))
    sa.event.listen(engine, "begin", lambda connection: _begin(connection, here))
    sa.event.listen(
        engine, "handle_error", lambda error: here.end_if_it_fails(error.original_exception)
    )
    return engine


class NotCheckedError(Exception):
    """The check of the file was stopped, or could not be made."""


def fault_of(
    path: Path, library: ModuleType, is_enough: Callable[[], bool] | None = None
) -> str | None:
    """Check the whole file *path*, and return its fault, if any.

    Raises `NotCheckedError` if it is locked or unreadable, or *is_enough* says so meanwhile.
    Without *is_enough*, the file is mapped into memory, which takes a third of the time; but if
    the disk cannot be read, SIGBUS then ends this process.
    """
    try:
        with (
            closing(
                library.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
            ) as connection,
            _interrupting(connection, is_enough) if is_enough else nullcontext(),
        ):
            connection.execute(f"PRAGMA cache_size = {CHECK_PAGES}")
            if is_enough is None:
                connection.execute(f"PRAGMA mmap_size = {MAPPED_BYTES}")
            [(verdict,)] = connection.execute("PRAGMA quick_check(1)").fetchall()
    except library.DatabaseError as error:
        if not any(each in str(error) for each in DAMAGED):
            raise NotCheckedError(str(error)) from error
        return str(error)
    return None if verdict == "ok" else str(verdict)


@contextmanager
def _interrupting(connection: sqlite3.Connection, is_enough: Callable[[], bool]) -> Iterator[None]:
    """Interrupt *connection* in the block when it *is_enough*.

    The most of a check is one step of SQLite's machine, so a progress handler would come too late.
    """
    done = Event()

    def watch() -> None:
        while not done.wait(ASKING_SECONDS):
            if is_enough():
                connection.interrupt()

    watcher = Thread(target=watch, name="store check")
    watcher.start()
    try:
        yield
    finally:
        done.set()
        watcher.join()


def guard_events(connection: sa.Connection) -> None:
    """Make the table of events append-only, whether or not it was.

    Call it after every migration: changing a table in batch mode copies it and silently drops its
    triggers.
    """
    for name, when in GUARDS.items():
        connection.exec_driver_sql(f"DROP TRIGGER IF EXISTS {name}")
        connection.exec_driver_sql(
            f"CREATE TRIGGER {name} {when} "
            "BEGIN SELECT RAISE(ABORT, 'events are append-only'); END"
        )


def guards_in_force(connection: sa.Connection) -> str:
    """Return the version of the schema, which has the triggers; empty if one is missing."""
    found = connection.exec_driver_sql("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    if not GUARDS.keys() <= {*found.scalars()}:
        return ""
    return str(connection.exec_driver_sql("PRAGMA schema_version").scalar_one())


def newest_library() -> ModuleType:
    """Return Python's own SQLite; if it is unsafe and `pysqlite3`'s is not, that one."""
    if is_wal_safe(sqlite3.sqlite_version_info):
        return sqlite3
    try:
        from pysqlite3 import dbapi2  # noqa: PLC0415 - only installed where it helps
    except ImportError:
        return sqlite3
    return dbapi2 if is_wal_safe(dbapi2.sqlite_version_info) else sqlite3


def is_wal_safe(version: tuple[int, ...]) -> bool:
    """Return whether *version* of SQLite keeps every commit in WAL mode."""
    return version >= WAL_SAFE_SINCE or any(
        version[:2] == backport[:2] and version >= backport for backport in WAL_SAFE_BACKPORTS
    )


def make_private(path: Path) -> None:
    """Create the file for the owner only, if needed; its journals inherit its mode."""
    path = path.resolve()
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    sync_folder(path.parent)


def removing_new_store(path: Path) -> ExitStack:
    """Return a block that removes the database *path* if it raises and the file is not there now.

    Nobody else may open the file meanwhile.
    """
    at_failure = ExitStack()
    if path.exists():
        return at_failure

    def remove(kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            for ending in ("", *JOURNALS, "-shm"):
                path.with_name(path.name + ending).unlink(missing_ok=True)

    at_failure.push(remove)
    return at_failure


def refuse_links(path: Path) -> None:
    """Raise `LinkedStoreError` if the file *path* has other names (hard links)."""
    found = path.stat()
    if stat.S_ISREG(found.st_mode) and found.st_nlink > 1:
        raise LinkedStoreError(
            f"the database {path} has {found.st_nlink} names (hard links), which would damage it: "
            f"keep one, and remove the others (find them with `find / -xdev -samefile {path}`)"
        )


# Bytes that are no text, because the disk has changed them, become lone surrogates (PEP 383): so
# one of them damages one event, and not what else is read with it.
AS_TEXT = partial(str, encoding="utf-8", errors="surrogateescape")


def _set_up(connection: DBAPIConnection, journal: str) -> None:
    connection.isolation_level = None  # `_begin` starts transactions instead
    connection.text_factory = AS_TEXT
    cursor = connection.cursor()
    for pragma in (
        f"busy_timeout = {BUSY_SECONDS * 1000}",
        f"page_size = {PAGE_BYTES}",  # of a new file
        f"journal_mode = {journal}",
        f"wal_autocheckpoint = {JOURNAL_BYTES // PAGE_BYTES}",
        "synchronous = FULL",  # with NORMAL, a power cut loses commits that were acknowledged
        "foreign_keys = ON",
        "recursive_triggers = ON",
        "secure_delete = ON",  # removed data leaves the file too
    ):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


def _begin(connection: sa.Connection, here: StoreFile) -> None:
    """Lock out other writers from the first statement on, so a writer reads nothing stale."""
    connection.info.pop(CHANGES, None)  # of a transaction that was rolled back
    if connection.get_execution_options().get(READS, False):
        connection.exec_driver_sql("BEGIN")
        return
    raw = connection.connection.driver_connection
    assert raw is not None, "it is open"
    here.look(raw)
    connection.exec_driver_sql("BEGIN IMMEDIATE")
    connection.info[CHANGES] = raw.total_changes


def _count_commit(connection: sa.Connection, here: StoreFile) -> None:
    raw, before = connection.connection.driver_connection, connection.info.pop(CHANGES, None)
    if raw is not None and before not in (None, raw.total_changes):
        journal.count_commit(raw)
        here.note_commit()


def can_grow(path: Path) -> bool:
    """Return whether the disk has room; SQLite reports a full quota as a broken disk."""
    path = path.resolve()
    largest = max(_size(path.with_name(path.name + ending)) for ending in ("", *JOURNALS))
    try:
        with TemporaryFile(dir=path.parent) as probe:
            probe.seek(largest)
            probe.write(b"x")
            probe.flush()
    except OSError as error:
        return error.errno not in NO_ROOM
    return True


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0
