"""The SQLite store: private, durable, append-only, one version."""

from __future__ import annotations

import os
import resource
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from threading import Event
from types import ModuleType
from typing import Any, cast

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.operations import Operations
from sqlalchemy import String
from sqlalchemy.exc import IntegrityError, OperationalError
from sqlmodel import SQLModel

from judge.adapters.migrations import NEWEST
from judge.adapters.store import database as store_database
from judge.adapters.store import sqlite
from judge.adapters.store.database import (
    DailyFileCheck,
    StoreProblem,
    UnknownStepError,
    UnusableStoreError,
    check_file,
    open_database,
)
from judge.adapters.store.sqlite import StoreGoneError
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.inbox import Envelope
from judge.event_log import Damage, Flaw, verify_chain
from judge.game.players.joining import PlayerLeft

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
LIBRARY = sqlite.newest_library()
REPLACE = """INTO events SELECT position {move}, game, version, type, schema, recorded_utc, '{{}}',
    hash FROM events WHERE version = 2"""
CHANGES = [
    "UPDATE events SET payload = '{}' WHERE version = 2",
    "DELETE FROM events WHERE version = 2",
    "DELETE FROM events",
    "INSERT OR REPLACE " + REPLACE.format(move=""),
    "REPLACE " + REPLACE.format(move="+ 9"),
]
DISK_FAILS = """
import sys, pathlib
from judge.adapters.store.database import open_database
from tests.faults.unsyncing import refuse_to_sync
database = open_database(pathlib.Path(sys.argv[1]))
refuse_to_sync()
with database.write() as transaction:
    transaction.connection.exec_driver_sql("CREATE TABLE scratch (word)")
"""


@pytest.fixture
def written(database: SqlDatabase, store: Path) -> Path:
    """Return a store with three events."""
    with database.write() as transaction:
        events = [PlayerLeft(f"p{n}") for n in range(3)]
        transaction.events.append("garnet", 0, events, NOON)
    return store


@pytest.fixture
def intruder(written: Path) -> Iterator[sqlite3.Connection]:
    """Return a connection of another program, without our settings."""
    with closing(LIBRARY.connect(written, isolation_level=None)) as connection:
        yield connection


def pragma(database: SqlDatabase, name: str) -> object:
    with database._engine.connect() as connection:
        return connection.exec_driver_sql(f"PRAGMA {name}").scalar_one()


def flaw(database: SqlDatabase) -> Flaw | None:
    with database.read() as transaction:
        log = transaction.events
        return verify_chain("garnet", log.rows("garnet"), log.head("garnet"))


def test_nobody_else_may_read_the_files(database: SqlDatabase, written: Path) -> None:
    assert flaw(database) is None
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) for path in written.parent.iterdir()}

    assert set(modes.values()) == {0o600}, modes


def test_a_commit_is_on_the_disk_when_it_returns(database: SqlDatabase) -> None:
    assert pragma(database, "synchronous") == 2  # FULL
    assert pragma(database, "foreign_keys") == 1
    assert pragma(database, "recursive_triggers") == 1


@pytest.mark.parametrize(
    ("version", "safe"),
    [
        ((3, 40, 1), False),
        ((3, 44, 5), False),
        ((3, 44, 6), True),
        ((3, 50, 6), False),
        ((3, 50, 7), True),
        ((3, 51, 2), False),
        ((3, 51, 3), True),
        ((4, 0, 0), True),
    ],
)
def test_r49_wal_is_used_where_it_loses_no_commit(version: tuple[int, ...], safe: bool) -> None:  # noqa: FBT001 - a row of the table
    assert sqlite.is_wal_safe(version) is safe


@pytest.mark.parametrize("library", [sqlite3, LIBRARY], ids=["Python's", "the newest"])
def test_r49_the_journal_suits_the_library(library: ModuleType, store: Path) -> None:
    safe = sqlite.is_wal_safe(library.sqlite_version_info)

    engine = sqlite.open_engine(store, library)
    with closing(SqlDatabase(engine)) as database:
        assert pragma(database, "journal_mode") == ("wal" if safe else "truncate")


@pytest.mark.parametrize("change", CHANGES)
def test_r43_no_event_is_changed_or_removed(
    intruder: sqlite3.Connection, database: SqlDatabase, change: str
) -> None:
    with pytest.raises(LIBRARY.IntegrityError, match="append-only"):
        intruder.execute(change)

    assert flaw(database) is None


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.usefixtures("written")
def test_r43_a_migrated_table_is_append_only_once_its_triggers_are_restored(
    database: SqlDatabase, change: str
) -> None:
    with database._engine.begin() as connection:
        operations = Operations(MigrationContext.configure(connection))
        with operations.batch_alter_table("events") as batch:
            batch.alter_column("type", existing_type=String(), nullable=True)
        sqlite.guard_events(connection)

        with pytest.raises(IntegrityError, match="append-only"):
            connection.exec_driver_sql(change)


@pytest.mark.parametrize(
    ("tampering", "expected"),
    [
        pytest.param(
            "UPDATE events SET payload = replace(payload, 'p1', 'p2') WHERE version = 2",
            Flaw("garnet", 2, Damage.ALTERED),
            id="one byte",
        ),
        pytest.param(
            "DELETE FROM events WHERE version = 2",
            Flaw("garnet", 2, Damage.MISSING),
            id="one event",
        ),
        pytest.param(
            "DELETE FROM events WHERE version = 3",
            Flaw("garnet", 3, Damage.TRUNCATED),
            id="the end",
        ),
        pytest.param("DELETE FROM events", Flaw("garnet", 1, Damage.TRUNCATED), id="everything"),
        pytest.param(
            'UPDATE events SET payload = CASE version WHEN 1 THEN \'{"person":"p1"}\' '
            'ELSE \'{"person":"p0"}\' END WHERE version < 3',
            Flaw("garnet", 1, Damage.ALTERED),
            id="two swapped",
        ),
    ],
)
def test_removed_triggers_are_detected(
    intruder: sqlite3.Connection, database: SqlDatabase, tampering: str, expected: Flaw
) -> None:
    for guard in sqlite.GUARDS:
        intruder.execute(f"DROP TRIGGER {guard}")
    intruder.execute(tampering)

    assert flaw(database) == expected
    with database.read() as transaction:
        assert transaction.events.games() == ["garnet"]


def test_the_steps_make_the_tables_that_the_code_expects(database: SqlDatabase) -> None:
    with database._engine.connect() as connection:
        context = MigrationContext.configure(connection)

        assert context.get_current_revision() == NEWEST
        assert not compare_metadata(context, SQLModel.metadata)


def test_transactions_one_after_another_use_the_connection_that_knows_the_file(
    database: SqlDatabase,
) -> None:
    with database.read(), database.read(), database.read():
        pass  # as when several threads are at work
    used = set[int]()
    for _ in range(3):
        with database.write() as transaction:
            used.add(id(transaction.connection.connection.driver_connection))
    assert len(used) == 1


def test_r47_opening_again_changes_nothing(database: SqlDatabase, written: Path) -> None:
    before = flaw(database)
    with closing(open_database(written)) as again:
        assert flaw(again) == before
        with again.read() as ours, database.read() as theirs:
            assert ours.secrets.token_key() == theirs.secrets.token_key()


def test_r47_a_store_of_another_version_is_refused(
    intruder: sqlite3.Connection, written: Path
) -> None:
    intruder.execute("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(UnknownStepError, match="9999"):
        open_database(written)


def test_r47_an_upgrade_that_fails_leaves_the_store_as_it_was(store: Path) -> None:
    with closing(LIBRARY.connect(store)) as connection:
        connection.execute("CREATE TABLE tokens (in_the_way)")  # on our last table
    with pytest.raises(UnusableStoreError, match="tokens"):
        open_database(store)

    with closing(LIBRARY.connect(store)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
        assert tables == [("tokens",)]


def test_a_file_name_may_hold_special_characters_of_urls(tmp_path: Path) -> None:
    path = tmp_path / "50% off? #1.db"
    with closing(open_database(path)):
        assert [each.name for each in tmp_path.glob("*.db")] == [path.name]


def test_a_store_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(UnusableStoreError, match=r"nowhere/judge\.db.*No such file"):
        open_database(tmp_path / "nowhere" / "judge.db")

    letter = tmp_path / "letter.txt"
    letter.write_text("Dear Anna, " * 100)
    with pytest.raises(UnusableStoreError, match=r"letter\.txt.*not a database"):
        open_database(letter)


@pytest.mark.parametrize("commits", [1, 7, 40])
def test_a_kill_in_the_middle_of_appending_leaves_a_valid_chain(store: Path, commits: int) -> None:
    command = [sys.executable, "-m", "tests.support.append_until_killed", str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout
        told = [int(writer.stdout.readline()) for _ in range(commits)]
        writer.kill()
        told += [int(line) for line in writer.stdout if line.endswith("\n")]

    with closing(open_database(store)) as database, database.read() as transaction:
        assert flaw(database) is None
        head = transaction.events.head("garnet")
        assert head.version >= told[-1]
        assert head.version % 3 == 0, "three events were appended together or not at all"


@pytest.mark.parametrize("closed", [True, False])
def test_a_damaged_page_is_found_at_the_start_whether_or_not_the_store_was_closed(
    database: SqlDatabase, store: Path, *, closed: bool
) -> None:
    database.close()  # flushes to the file; later writes stay in the WAL
    with database.write() as transaction:
        transaction.events.append("garnet", 0, [PlayerLeft("p1")], NOON)
    if closed:
        database.close()
    check_file(store)  # sound so far

    damage(store)
    with pytest.raises(UnusableStoreError, match=r"is damaged \(.+\): restore a backup") as told:
        check_file(store)
    assert told.value.problem is StoreProblem.DAMAGED


def damage(store: Path) -> None:
    """Overwrite all pages but the first ones."""
    with store.open("r+b") as file:
        file.seek(4_096)
        file.write(b"\xff" * (store.stat().st_size - 4_096))


def test_a_store_that_is_not_there_yet_or_is_empty_is_sound(tmp_path: Path) -> None:
    check_file(tmp_path / "none.db")
    assert not (tmp_path / "none.db").exists()
    (tmp_path / "empty.db").touch()
    check_file(tmp_path / "empty.db")


def test_a_locked_store_is_not_called_damaged(
    written: Path, database: SqlDatabase, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0)
    database.close()
    with closing(LIBRARY.connect(written)) as other:
        other.execute("PRAGMA journal_mode = DELETE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(UnusableStoreError, match="locked") as told:
            check_file(written)
        other.rollback()
    assert told.value.problem is StoreProblem.LOCKED


STEPS = 100  # of SQLite's virtual machine; checking a small store takes some thousands


class SlowLibrary:
    """An SQLite that asks *during* its work, again and again."""

    DatabaseError, sqlite_version_info = LIBRARY.DatabaseError, LIBRARY.sqlite_version_info

    def __init__(self, during: Callable[[], object]) -> None:
        self._during = during

    def connect(self, path: Path, **options: Any) -> Any:  # noqa: ANN401 - of either library
        connection = LIBRARY.connect(path, **options)
        connection.set_progress_handler(self._during, STEPS)
        return connection


def slow(during: Callable[[], object]) -> ModuleType:
    return cast("ModuleType", SlowLibrary(during))


def stalled(seconds: float) -> ModuleType:
    """An SQLite that stops once for *seconds* in the middle of its work, or until interrupted."""
    interrupted = Event()

    class Interruptible(LIBRARY.Connection):  # type: ignore[misc, name-defined]
        def interrupt(self) -> None:
            super().interrupt()
            interrupted.set()

    class StalledLibrary(SlowLibrary):
        def connect(self, path: Path, **options: Any) -> Any:  # noqa: ANN401 - as above
            return super().connect(path, factory=Interruptible, **options)

    def wait_once() -> None:
        if not interrupted.is_set():
            interrupted.wait(seconds)
            interrupted.set()

    return cast("ModuleType", StalledLibrary(wait_once))


def test_mail_is_stored_while_the_daily_check_runs(database: SqlDatabase, written: Path) -> None:
    stored: list[int] = []
    mail = Envelope(b"mail", "a@x", ("b@y",), "smtp")

    def store_mail() -> None:
        if not stored:
            with database.write() as transaction:
                stored.append(transaction.inbox.keep([(mail, NOON)]))

    assert sqlite.fault_of(written, slow(store_mail)) is None
    assert stored == [1]


def test_a_stopped_daily_check_reports_nothing(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = DailyFileCheck(written)
    assert check.fault() is None
    monkeypatch.setattr(sqlite, "newest_library", lambda: stalled(60))
    check = DailyFileCheck(written)
    check.stop()

    with pytest.raises(sqlite.NotCheckedError, match="interrupted"):
        check.fault()


@pytest.mark.parametrize("is_wal_safe", [True, False])
def test_without_wal_the_daily_check_gives_up_before_a_writer_does(
    written: Path, monkeypatch: pytest.MonkeyPatch, *, is_wal_safe: bool
) -> None:
    monkeypatch.setattr(sqlite, "newest_library", lambda: stalled(0.3 if is_wal_safe else 60))
    monkeypatch.setattr(sqlite, "is_wal_safe", lambda _: is_wal_safe)
    monkeypatch.setattr(store_database, "LOCK_SECONDS_MAX", 0.0)
    check = DailyFileCheck(written)

    if is_wal_safe:
        assert check.fault() is None  # a WAL reader blocks no writer
    else:
        with pytest.raises(sqlite.NotCheckedError, match="interrupted"):
            check.fault()


def test_a_commit_on_a_full_disk_fails_without_ending_the_process(
    database: SqlDatabase, written: Path
) -> None:
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    with database.write() as transaction:
        transaction.events.append("garnet", 3, [PlayerLeft("p4")], NOON)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, limit[1]))
        try:
            with pytest.raises(OperationalError, match="disk I/O error"):
                transaction.connection.commit()
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, limit)

    assert sqlite.fault_of(written, LIBRARY) is None


def test_a_process_whose_disk_fails_ends_at_once(written: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", DISK_FAILS, str(written)],
        capture_output=True,
        check=False,
    )

    assert done.returncode == os.EX_IOERR
    assert b"store.disk_failed" in done.stderr
    assert sqlite.fault_of(written, LIBRARY) is None


def test_nothing_is_written_to_a_file_that_was_moved_away(tmp_path: Path) -> None:
    file, elsewhere = tmp_path / "judge.db", tmp_path / "away"
    with closing(open_database(file)) as database:
        file.rename(elsewhere)
        with pytest.raises(StoreGoneError, match="has been moved away"), database.write():
            pass

        elsewhere.rename(file)
        with database.write() as transaction:
            transaction.agenda.record_heartbeat(NOON)


def test_a_process_whose_store_was_replaced_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def end(code: int) -> None:
        raise SystemExit(code)

    monkeypatch.setattr(os, "_exit", end)
    file = tmp_path / "judge.db"
    with closing(open_database(file)) as database:
        file.rename(tmp_path / "away")
        open_database(file).close()
        with pytest.raises(SystemExit) as ended, database.write():
            pass
    assert ended.value.code == os.EX_IOERR
