"""The PostgreSQL store: append-only, one version, atomic upgrades, secret passwords."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import UTC, datetime, timedelta

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Connection, create_engine
from sqlalchemy.exc import DBAPIError, IntegrityError
from sqlmodel import SQLModel

from judge.adapters.migrations import NEWEST
from judge.adapters.store import postgresql
from judge.adapters.store.database import (
    UnknownStepError,
    UnusableStoreError,
    open_database,
    recreate_tables,
)
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.system_clock import SystemClock
from judge.app.ports.inbox import Envelope
from judge.game.players.joining import PlayerLeft
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
OVER_ANOTHER = """INSERT INTO events SELECT * FROM events WHERE version = 2
    ON CONFLICT (position) DO UPDATE SET payload = '{}'"""
MERGED = """MERGE INTO events USING games ON games.name = events.game
    WHEN MATCHED THEN UPDATE SET payload = '{}'"""
CHANGES = [
    "UPDATE events SET payload = '{}' WHERE version = 2",
    "UPDATE events SET payload = '{}' WHERE version = 200",
    "DELETE FROM events WHERE version = 2",
    "DELETE FROM events",
    "TRUNCATE events",
    "TRUNCATE games CASCADE",
    OVER_ANOTHER,
    MERGED,
]


@pytest.fixture
def server(postgres: Postgres) -> Iterator[DatabaseServer]:
    with postgres.lent() as lent:
        yield lent


@pytest.fixture
def store(server: DatabaseServer) -> Iterator[SqlDatabase]:
    """Return a store with three events."""
    with closing(open_database(server)) as database:
        with database.write() as transaction:
            events = [PlayerLeft(f"p{n}") for n in range(3)]
            transaction.events.append("garnet", 0, events, NOON)
        yield database


@pytest.fixture
def intruder(store: SqlDatabase, server: DatabaseServer) -> Iterator[Connection]:
    """Return a connection of another program with all rights."""
    del store
    engine = create_engine(server.url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        yield connection
    engine.dispose()


@pytest.mark.parametrize("change", CHANGES)
def test_r43_no_event_is_changed_or_removed(intruder: Connection, change: str) -> None:
    before = intruder.exec_driver_sql("SELECT * FROM events").all()

    with pytest.raises(IntegrityError, match="append-only"):
        intruder.exec_driver_sql(change)

    assert intruder.exec_driver_sql("SELECT * FROM events").all() == before


def test_a_replica_role_cannot_change_events(intruder: Connection) -> None:
    intruder.exec_driver_sql("SET session_replication_role = replica")

    with pytest.raises(IntegrityError, match="append-only"):
        intruder.exec_driver_sql("DELETE FROM events")


@pytest.mark.parametrize(
    "tampering",
    [
        "DROP TRIGGER events_never_change ON events",
        "ALTER TABLE events DISABLE TRIGGER events_never_change",
    ],
)
def test_r43_opening_a_store_restores_its_triggers(
    intruder: Connection, server: DatabaseServer, tampering: str
) -> None:
    intruder.exec_driver_sql(tampering)
    with closing(open_database(server)):
        pass

    with pytest.raises(IntegrityError, match="append-only"):
        intruder.exec_driver_sql("DELETE FROM events")


@pytest.mark.filterwarnings("ignore:Did not recognize type 'xid8'")
def test_the_steps_make_the_tables_that_the_code_expects(store: SqlDatabase) -> None:
    def is_ours(_: object, name: str | None, *_more: object) -> bool:
        return name not in ("writer", "events_writer")  # PostgreSQL fills that column by itself

    with store._engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_object": is_ours})

        assert context.get_current_revision() == NEWEST
        assert not compare_metadata(context, SQLModel.metadata)


def test_events_of_an_older_store_keep_their_positions_and_others_follow(
    postgres: Postgres,
) -> None:
    server = postgres.new()
    with closing(open_database(server)) as store, store._engine.begin() as connection:
        recreate_tables(connection, "0028")
        connection.exec_driver_sql(
            "INSERT INTO games VALUES ('garnet', 1, 'h', now());"
            "INSERT INTO events VALUES (7, 'garnet', 1, 'player_left', 1, '', '{}', 'h')"
        )
    with closing(open_database(server)) as upgraded:
        with upgraded.write() as transaction:
            transaction.events.append("garnet", 1, [PlayerLeft("p1")], NOON)
        with upgraded.read() as transaction:
            found = "SELECT position, version FROM events ORDER BY position"
            assert [*transaction.connection.exec_driver_sql(found)] == [(7, 1), (8, 2)]


def test_judges_that_open_an_empty_database_at_once_make_its_tables_once(
    postgres: Postgres,
) -> None:
    server = postgres.empty()

    def key(_: int) -> bytes:
        with closing(open_database(server)) as database, database.read() as transaction:
            return transaction.secrets.token_key()

    with ThreadPoolExecutor(3) as threads:
        assert len(set(threads.map(key, range(3)))) == 1


def test_r47_an_upgrade_that_fails_leaves_the_store_as_it_was(postgres: Postgres) -> None:
    server = postgres.empty()
    postgres.ask(server, "CREATE TABLE tokens (in_the_way int)")  # on our last table
    with pytest.raises(UnusableStoreError, match="tokens"):
        open_database(server)

    tables = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    assert postgres.ask(server, tables) == [("tokens",)]


def test_r47_an_upgrade_that_is_killed_leaves_the_store_as_it_was(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = postgres.empty()

    def die(connection: Connection) -> None:
        with pytest.raises(DBAPIError):
            connection.exec_driver_sql("SELECT pg_terminate_backend(pg_backend_pid())")
        raise KeyboardInterrupt

    monkeypatch.setattr(postgresql, "guard_events", die)
    with pytest.raises(KeyboardInterrupt):
        open_database(server)
    monkeypatch.undo()

    tables = "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace"
    assert postgres.ask(server, tables) == [(0,)]
    with closing(open_database(server)):
        assert postgres.ask(server, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


def test_r47_a_store_of_another_version_is_refused(
    intruder: Connection, server: DatabaseServer
) -> None:
    intruder.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")

    with pytest.raises(UnknownStepError, match="9999"):
        open_database(server)
    intruder.exec_driver_sql("UPDATE alembic_version SET version_num = %s", (NEWEST,))


def test_a_text_may_hold_characters_that_the_server_cannot_store(store: SqlDatabase) -> None:
    with store.write() as transaction:
        assert transaction.inbox.keep(
            [(Envelope(b"\0", "an\0na", ("judge@localhost",), "smtp"), NOON)]
        )

    with store.read() as transaction:
        mail = transaction.inbox.get(1)
        assert mail
        assert (mail.raw, mail.sender) == (b"\0", "an\N{REPLACEMENT CHARACTER}na")


def test_a_server_that_does_not_answer_is_named_without_the_password() -> None:
    silent = DatabaseServer("postgresql+psycopg://judge:swordfish@127.0.0.1:1/judge")

    with pytest.raises(UnusableStoreError, match=r"judge:\*\*\*@127\.0\.0\.1:1/judge") as told:
        open_database(silent)
    assert "swordfish" not in str(told.value)
    with pytest.raises(postgresql.NoAnswerError, match="does not answer") as told_too:
        postgresql.server_version_and_skew(silent)
    assert "swordfish" not in str(told_too.value)
    assert "swordfish" not in repr(silent)


def test_a_server_that_answers_says_which_it_is_and_what_its_clock_shows(
    server: DatabaseServer,
) -> None:
    version, ahead = postgresql.server_version_and_skew(server)

    assert int(version.partition(".")[0]) >= 13
    assert abs(ahead) < 5


def test_a_slow_answer_is_not_taken_for_another_clock(
    server: DatabaseServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = SystemClock().now()
    times = iter((now - timedelta(minutes=1), now + timedelta(minutes=1)))
    monkeypatch.setattr(SystemClock, "now", lambda _: next(times))

    assert postgresql.server_version_and_skew(server)[1] == 0


def test_a_missing_driver_is_named_with_the_fix(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)

    with pytest.raises(postgresql.NoDriverError, match=r"pip install 'psycopg\[binary\]'"):
        open_database(DatabaseServer("postgresql+psycopg://127.0.0.1/judge"))


def test_connection_options_of_the_url_are_kept(server: DatabaseServer) -> None:
    url = f"{server.url}?application_name=judge&connect_timeout=3"
    with closing(open_database(DatabaseServer(url))) as database, database.read() as transaction:
        named = transaction.events._connection.exec_driver_sql("SHOW application_name")
        assert named.scalar_one() == "judge"
