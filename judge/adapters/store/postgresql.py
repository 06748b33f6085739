"""PostgreSQL: connections, advisory locks between judges, an append-only event table.

The lock of a transaction is free when the transaction ends, and the lock of a session when its
connection does: a judge that was killed or cut off blocks nobody.

`FOR UPDATE SKIP LOCKED` suits an email that is being answered
(`judge.adapters.store.shared_store`), but
not one that a mail server is slow to take: a transaction that is open for minutes stops vacuuming
and blocks the player's SET MAILS. So what outlasts a transaction takes an advisory lock by name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from threading import Lock
from typing import TypeVar

from sqlalchemy import Connection, Engine, Select, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from judge.adapters.system_clock import SystemClock
from judge.errors import JudgeError
from judge.overriding import override
from judge.settings import DatabaseServer

CONNECT_SECONDS = 10
SESSION = {
    "timezone": "UTC",
    "lock_timeout": "10s",  # Whoever waits longer tries again later, and others go on.
    "idle_in_transaction_session_timeout": "60s",  # of a judge that hangs with locks in its hand
    # Is a machine that says nothing still there? Else its locks are free within half a minute.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
}

# SQLSTATE: serialization failure, deadlock, and a key that somebody else has just inserted.
OVERTAKEN = ("40001", "40P01", "23505")

GUARD = """
CREATE OR REPLACE FUNCTION events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE TRIGGER events_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_append_only();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_never_change;
"""
IS_GUARDED = text(
    "SELECT EXISTS (SELECT 1 FROM pg_trigger WHERE tgname = 'events_never_change' "
    "AND tgrelid = 'events'::regclass AND tgenabled = 'A')"
)


class NoDriverError(JudgeError):
    """PostgreSQL is asked for, and nothing here speaks to it."""


class NoAnswerError(JudgeError):
    """The server does not answer, or not to us."""


def key_of(name: str) -> int:
    """Return the number of the advisory lock *name*: 64 bits, with a sign."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)


MIGRATION = key_of("the tables change")
POSITIONS = key_of("events are given their positions")
ARRIVALS = key_of("mails are being kept")


def open_engine(server: DatabaseServer) -> Engine:
    """Get ready to connect to *server*; nothing is asked of it yet."""
    options = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    arguments: dict[str, object] = {"connect_timeout": CONNECT_SECONDS, "options": options}
    url = make_url(server.url).set(drivername="postgresql+psycopg")
    arguments = {name: each for name, each in arguments.items() if name not in url.query}
    try:
        # A failed statement is logged without its parameters, which may be somebody's orders.
        engine = create_engine(
            url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments
        )
    except ImportError as error:
        raise NoDriverError(
            "the database is a PostgreSQL server, for which psycopg is not installed: "
            "pip install 'pbem-judge[postgresql]'"
        ) from error
    event.listen(engine, "connect", lambda connection, _record: _set_up(connection))
    return engine


def ask(server: DatabaseServer) -> tuple[str, float]:
    """Return the version of *server*, and by how many seconds its clock is ahead of ours."""
    engine = open_engine(server)
    asking = "SELECT split_part(version(), ' ', 2), extract(epoch FROM clock_timestamp())"
    try:
        with engine.connect() as connection:
            version, seconds = connection.execute(text(asking)).one()
    except DBAPIError as error:
        why = " ".join(str(error.orig).split())
        raise NoAnswerError(f"the database {server} does not answer: {why}") from error
    finally:
        engine.dispose()
    return str(version), float(seconds) - SystemClock().now().timestamp()


def guard_events(connection: Connection) -> None:
    """Make the table of events append-only, unless it is: that would wait for all who read it."""
    if not connection.scalar(IS_GUARDED):
        connection.exec_driver_sql(GUARD)


def wait_for(connection: Connection, key: int, *, shared: bool = False) -> None:
    """Take the lock *key* until the transaction ends."""
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    connection.execute(text(f"SELECT {function}(:key)"), {"key": key})


def let_pass(connection: Connection, key: int) -> None:
    """Wait until nobody has the lock *key* of those who have it now."""
    passing = text("SELECT pg_advisory_lock(:key), pg_advisory_unlock(:key)")
    connection.execute(passing, {"key": key})


def is_serialization_failure(error: DBAPIError) -> bool:
    """Say whether somebody else was faster, so that another try may go well."""
    return getattr(error.orig, "sqlstate", None) in OVERTAKEN


def _set_up(connection: DBAPIConnection) -> None:
    """Keep a NUL, which a hostile mail may hold, from failing: PostgreSQL has none in a text."""
    from psycopg.abc import Buffer  # noqa: PLC0415 - only installed where it is used
    from psycopg.types.string import StrDumper  # noqa: PLC0415 - see above

    class Dumper(StrDumper):
        @override
        def dump(self, obj: str) -> Buffer | None:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    connection.adapters.register_dumper(str, Dumper)


TAKE_SOME = text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key "
    "WHERE pg_try_advisory_lock(key) LIMIT :most"
)
LEAVE = text("SELECT pg_advisory_unlock(:key)")
ALIVE = text("SELECT 1")

Answer = TypeVar("Answer")


class AdvisoryLocks:
    """The claims of this judge."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: Connection | None = None
        self._held: set[str] = set()
        self._turn = Lock()

    def take(self, name: str) -> bool:
        """Have *name* in hand, or have it already; False if another judge does."""
        return bool(self._asking(lambda connection: self._take(connection, [name], 1)))

    def take_listed(self, names: Select[str], most: int) -> Sequence[str]:
        """Have in hand, in their order, so many of *names* as nobody else has."""

        def take(connection: Connection) -> Sequence[str]:
            return self._take(connection, connection.execute(names).scalars().all(), most)

        return self._asking(take)

    def leave(self, name: str) -> None:
        """Let others have *name*."""
        with self._turn:
            if name in self._held and self._connection is not None:
                self._held.remove(name)
                try:
                    self._connection.execute(LEAVE, {"key": key_of(name)})
                except SQLAlchemyError:
                    self._lose()

    def close(self) -> None:
        """Let others have everything."""
        with self._turn:
            self._lose()

    def _asking(self, ask: Callable[[Connection], Answer]) -> Answer:
        """Ask by the connection, or by a new one if it is gone, and all that was held with it."""
        with self._turn:
            if self._connection is not None:
                try:
                    self._connection.execute(ALIVE)
                except SQLAlchemyError:
                    self._lose()
            if self._connection is None:
                self._connection = self._engine.connect()
            try:
                return ask(self._connection)
            except SQLAlchemyError:
                self._lose()
                raise

    def _take(self, connection: Connection, names: Sequence[str], most: int) -> Sequence[str]:
        held = [name for name in names if name in self._held][:most]
        keys = {key_of(name): name for name in names if name not in self._held}
        if keys and len(held) < most:
            asked = {"keys": list(keys), "most": most - len(held)}
            taken = connection.execute(TAKE_SOME, asked).scalars().all()
            held += [keys[key] for key in taken]
            self._held.update(held)
        return held

    def _lose(self) -> None:
        """Forget the connection, which frees what it held."""
        self._held.clear()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None
