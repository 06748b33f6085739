"""The store on PostgreSQL, which several judges may write to at once.

A lock of a transaction or a session ends with it, so a judge that was killed or cut off blocks no
other.

`FOR UPDATE SKIP LOCKED` suits an email that is being processed, but not one that a mail server is
slow to accept: a transaction open for minutes stops vacuuming and blocks the player's SET MAILS.
So work that outlasts a transaction takes an advisory lock by name.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from math import inf
from threading import Lock
from time import monotonic
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from judge.adapters.store.daemon_state import FIRST_STAMP, STAMPS_APART, StoreStamp
from judge.adapters.store.sql_inbox import SqlInbox
from judge.adapters.store.sql_outbox import DUE, RENDERED, OutboxState, SqlOutbox
from judge.adapters.store.sql_people import SqlPersonalData
from judge.adapters.store.tables import TABLES, InboxRow, OutboxRow, table
from judge.adapters.store.transactions import (
    ChangedStoreError,
    SqlCheckpoints,
    SqlDatabase,
    SqlEventStore,
    SqlTransaction,
    SqlWitnessedCheckpoints,
)
from judge.adapters.system_clock import ServerClock, SystemClock
from judge.app.ports.database import OlderStoreError, OvertakenError
from judge.app.ports.inbox import InboxState
from judge.app.ports.outbox import OutgoingMail
from judge.checkpoints import Witnessed, WitnessedCheckpoint
from judge.errors import JudgeError
from judge.event_log import VERSION_MAX, Row
from judge.settings import DatabaseServer

Answer = TypeVar("Answer")

CONNECT_SECONDS = 10
SESSION = {
    "timezone": "UTC",
    "lock_timeout": "10s",  # A longer wait is retried later, and others go on.
    "idle_in_transaction_session_timeout": "60s",  # of a judge that hangs while it holds locks
    # Check that a silent machine is alive; otherwise its locks are freed within half a minute.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "4",
}

# What libpq itself does: it gives up a machine that does not answer, or sends nothing back.
LIBPQ: Mapping[str, object] = {
    "connect_timeout": CONNECT_SECONDS,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,  # milliseconds
}
# For each answer of the server, also where its machine acknowledges what a stopped server gets.
# Longer than `lock_timeout`. A judge has two connections to give up before it goes on.
STATEMENT_SECONDS = 15

# SQLSTATE: serialization failure, deadlock, and a key that another judge has just inserted.
OVERTAKEN = ("40001", "40P01", "23505")

GUARD = """
CREATE OR REPLACE FUNCTION events_are_append_only() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'events are append-only' USING ERRCODE = 'integrity_constraint_violation';
END $$;
CREATE OR REPLACE TRIGGER events_never_change BEFORE UPDATE OR DELETE OR TRUNCATE ON events
    FOR EACH STATEMENT EXECUTE FUNCTION events_are_append_only();
ALTER TABLE events ENABLE ALWAYS TRIGGER events_never_change;
"""
GUARDED_SINCE = sa.text(
    "SELECT xmin::text FROM pg_trigger WHERE tgname = 'events_never_change' "
    "AND tgrelid = 'events'::regclass AND tgenabled = 'A'"
)


class NoDriverError(JudgeError):
    """There is no PostgreSQL driver."""


class NoAnswerError(JudgeError):
    """The server does not respond, or refuses us."""


class ReadOnlyError(ChangedStoreError):
    """The operator has made the database read-only."""

    def __init__(self) -> None:
        super().__init__(
            "the database is read-only (default_transaction_read_only): reset that when changes "
            "are welcome again"
        )


class TransactionPoolError(JudgeError):
    """Transactions of one connection are in several sessions."""


def lock_key(name: str) -> int:
    """Return the key of the advisory lock *name*, a signed 64-bit number."""
    return int.from_bytes(sha256(name.encode()).digest()[:8], signed=True)


MIGRATION = lock_key("the tables change")
ARRIVALS = lock_key("mails are being kept")
CHECKPOINTS = lock_key("the tree of events grows")
WITNESSED = lock_key("checkpoints are cosigned")


def open_engine(server: DatabaseServer) -> sa.Engine:
    """Make an engine for *server*, without connecting yet."""
    options = " ".join(f"-c {name}={value}" for name, value in SESSION.items())
    arguments: dict[str, object] = {**LIBPQ, "options": options}
    url = sa.make_url(server.url).set(drivername="postgresql+psycopg")
    arguments = {name: each for name, each in arguments.items() if name not in url.query}
    try:
        # A failed statement is logged without its parameters, which may be a player's orders.
        engine = sa.create_engine(
            url, hide_parameters=True, pool_pre_ping=True, connect_args=arguments
        )
    except ImportError as error:
        raise NoDriverError(
            "the database is a PostgreSQL server, for which psycopg is not installed: "
            "pip install 'psycopg[binary]'"
        ) from error
    connect = cache(_limited_connection)
    sa.event.listen(
        engine, "do_connect", lambda _dialect, _record, words, names: connect()(*words, **names)
    )
    sa.event.listen(engine, "connect", lambda connection, _record: _set_up(connection))
    sa.event.listen(engine, "checkout", lambda connection, *_: _limit(connection))
    return engine


def _limited_connection() -> Callable[..., Any]:
    """Return what opens connections that are cut if the server takes too long for an answer.

    Nothing else ends the wait for a server that is stopped, or that a firewall has cut off.
    """
    from psycopg import Connection, OperationalError  # noqa: PLC0415 - only installed where used

    def limited(
        answer: Generator[Any, Any, Answer], seconds: float
    ) -> Generator[Any, Any, Answer]:
        end, ready = monotonic() + seconds, None
        while True:
            try:
                asked = answer.send(ready)
            except StopIteration as done:
                found: Answer = done.value
                return found
            ready = yield asked
            if not ready and monotonic() > end:  # psycopg looks several times a second
                raise OperationalError(f"the server has not answered for {seconds:.0f} s")

    class LimitedConnection(Connection[Any]):
        seconds: float = STATEMENT_SECONDS

        def wait(self, gen: Any, *words: Any, **names: Any) -> Any:  # noqa: ANN401 - as psycopg's
            end = monotonic() + self.seconds
            try:
                return super().wait(limited(gen, self.seconds), *words, **names)
            finally:
                if monotonic() > end:
                    self.close()  # What it says later would be taken for the next answer.

    return LimitedConnection.connect


def _limit(connection: DBAPIConnection) -> None:
    connection.seconds = STATEMENT_SECONDS


def unlimit(connection: sa.Connection) -> None:
    """Lift the limit of *connection* until it goes back to the pool."""
    driver: Any = connection.connection.driver_connection
    driver.seconds = inf


KEEPS_TRYING = 3


def refuse_transaction_pool(engine: sa.Engine) -> None:
    """Raise `TransactionPoolError` if a pooler gives each transaction another session.

    The server's process is another one than the connection says only behind a pooler. There, the
    process of one connection is taken while the other is idle.
    """
    asking = sa.text("SELECT pg_backend_pid()")
    with engine.connect() as first, engine.connect() as second:
        driver: Any = first.connection.driver_connection
        process = first.scalar(asking)
        first.commit()
        if process == driver.info.backend_pid:
            return
        for _ in range(KEEPS_TRYING):
            is_shared = second.scalar(asking) == process
            moved = not is_shared and first.scalar(asking) != process
            first.rollback()
            second.rollback()
            if is_shared or moved:
                raise TransactionPoolError(
                    "the database is behind a pooler (such as PgBouncer) that pools transactions, "
                    "which loses the judge's locks: set pool_mode = session for it, or connect to "
                    "the server itself"
                )


def server_version_and_skew(server: DatabaseServer) -> tuple[str, float]:
    """Return the version of *server*, and how many seconds its clock is ahead of ours."""
    engine = open_engine(server)
    asking = "SELECT split_part(version(), ' ', 2), extract(epoch FROM clock_timestamp())"
    try:
        with engine.connect() as connection:
            asked = SystemClock().now().timestamp()
            version, seconds = connection.execute(sa.text(asking)).one()
            answered = SystemClock().now().timestamp()
        refuse_transaction_pool(engine)
    except DBAPIError as error:
        why = " ".join(str(error.orig).split())
        raise NoAnswerError(f"the database {server} does not answer: {why}") from error
    finally:
        engine.dispose()
    # A slow answer does not tell of another clock.
    return str(version), float(seconds) - min(max(float(seconds), asked), answered)


def guard_events(connection: sa.Connection) -> None:
    """Make the table of events append-only unless it is; this waits for all its readers."""
    if not connection.scalar(GUARDED_SINCE):
        connection.exec_driver_sql(GUARD)


def wait_for(connection: sa.Connection, key: int, *, shared: bool = False) -> None:
    """Take the lock *key* until the transaction ends."""
    function = "pg_advisory_xact_lock_shared" if shared else "pg_advisory_xact_lock"
    connection.execute(sa.text(f"SELECT {function}(:key)"), {"key": key})


def _set_up(connection: DBAPIConnection) -> None:
    """Replace NUL, which PostgreSQL text cannot hold but a hostile email may.

    Bytes of a text that are not UTF-8 become lone surrogates, as with SQLite.
    """
    from psycopg.abc import Buffer  # noqa: PLC0415 - only installed where it is used
    from psycopg.adapt import Loader  # noqa: PLC0415 - see above
    from psycopg.types.string import StrDumper  # noqa: PLC0415 - see above

    class Dumper(StrDumper):
        def dump(self, obj: str) -> Buffer | None:
            return super().dump(obj.replace("\0", "\N{REPLACEMENT CHARACTER}"))

    class AsText(Loader):
        def load(self, data: Buffer) -> str:
            return str(data, "utf-8", "surrogateescape")

    connection.adapters.register_dumper(str, Dumper)
    for name in ("text", "varchar"):
        connection.adapters.register_loader(name, AsText)


TAKE_SOME = sa.text(
    "SELECT key FROM unnest(CAST(:keys AS bigint[])) AS key "
    "WHERE pg_try_advisory_lock(key) LIMIT :most"
)
LEAVE = sa.text("SELECT pg_advisory_unlock(:key)")
PASS_ARRIVALS = sa.text("SELECT pg_advisory_lock(:key), pg_advisory_unlock(:key)")
ALIVE = sa.text("SELECT 1")
SERVER_TIME = sa.text("SELECT clock_timestamp()")
# Sessions that are open do not see what was set for the next ones.
IS_READ_ONLY = sa.text(
    "SELECT current_setting('default_transaction_read_only') = 'on' OR EXISTS ("
    "SELECT FROM pg_db_role_setting, unnest(setconfig) AS chosen "
    "WHERE setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database())) "
    "AND setrole IN (0, (SELECT oid FROM pg_roles WHERE rolname = current_user)) "
    "AND chosen ~* '^default_transaction_read_only=(on|true|yes|1)$')"
)


class AdvisoryLocks:
    """The claims of this judge, as advisory locks of a session."""

    def __init__(self, engine: sa.Engine) -> None:
        self._engine = engine.execution_options(isolation_level="AUTOCOMMIT")
        self._connection: sa.Connection | None = None
        self._held: set[str] = set()
        self._turn = Lock()

    def take(self, name: str) -> bool:
        return bool(self._ask(lambda connection: self._take(connection, [name], 1)))

    def take_next(self, names: Sequence[str]) -> Sequence[str]:
        return self._ask(lambda connection: self._take(connection, names, 1)) if names else ()

    def take_listed(self, names: sa.Select[str], most: int) -> Sequence[str]:
        """Claim at most *most* of *names* that no other judge holds, in order."""

        def take(connection: sa.Connection) -> Sequence[str]:
            return self._take(connection, connection.execute(names).scalars().all(), most)

        return self._ask(take)

    def leave(self, name: str) -> None:
        with self._turn:
            if name in self._held and self._connection is not None:
                self._held.remove(name)
                try:
                    self._connection.execute(LEAVE, {"key": lock_key(name)})
                except SQLAlchemyError:
                    self._disconnect()

    def close(self) -> None:
        with self._turn:
            self._disconnect()

    def _ask(self, ask: Callable[[sa.Connection], Answer]) -> Answer:
        """Call *ask* with the connection; with a new one, and without its locks, if it is gone."""
        with self._turn:
            if self._connection is not None:
                try:
                    self._connection.execute(ALIVE)
                except SQLAlchemyError:
                    self._disconnect()
            if self._connection is None:
                self._connection = self._engine.connect()
            try:
                return ask(self._connection)
            except SQLAlchemyError:
                self._disconnect()
                raise

    def _take(self, connection: sa.Connection, names: Sequence[str], most: int) -> Sequence[str]:
        held = [name for name in names if name in self._held][:most]
        keys = {lock_key(name): name for name in names if name not in self._held}
        if keys and len(held) < most:
            asked = {"keys": list(keys), "most": most - len(held)}
            taken = connection.execute(TAKE_SOME, asked).scalars().all()
            held += [keys[key] for key in taken]
            self._held.update(held)
        return held

    def _disconnect(self) -> None:
        self._held.clear()
        if self._connection is not None:
            self._connection.invalidate()
            self._connection.close()
            self._connection = None


class SharedEventStore(SqlEventStore):
    """The event log as one of several transactions sees it."""

    def guards(self) -> str:
        """Return the last change of the trigger; empty if it is missing or disabled."""
        return str(self._connection.scalar(GUARDED_SINCE) or "")

    def _rows(self, game: str, after: int, until: int = VERSION_MAX) -> Iterator[Row]:
        """Yield no event that another transaction has appended since the head was read."""
        return super()._rows(game, after, min(self.head(game).version, until))


LOOKED_AT_MAX = 1_000  # due emails: more than all other judges hold
IN_HAND_MAX = 40  # so that each judge gets some, and few are sent twice when one is killed

_INBOX = table(InboxRow)
_OUTBOX = table(OutboxRow)
_OURS_DUE = DUE.where(_OUTBOX.c.message_id.in_(sa.bindparam("ours", expanding=True)))


_CLAIM = (
    sa.select(_INBOX.c.id)
    .where(_INBOX.c.id == sa.bindparam("mail"), _INBOX.c.state == InboxState.RECEIVED.value)
    .with_for_update(skip_locked=True)
)
_CLAIM_NOW = _CLAIM.where(
    sa.or_(_INBOX.c.retry_utc.is_(None), _INBOX.c.retry_utc <= sa.bindparam("now"))
)


class SharedInbox(SqlInbox):
    """The inbox as one of several transactions sees it."""

    def arrive(self) -> bool:
        """Make a query for waiting emails wait for those that are stored from now on."""
        wait_for(self._connection, ARRIVALS, shared=True)
        return False

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Return the emails in state received at or before *until*, oldest first.

        None received by then can appear later: the clock is read after `arrive`.
        """
        if until is not None:
            self._connection.execute(PASS_ARRIVALS, {"key": ARRIVALS})
        return super().waiting(until, limit)

    def claim(self, mail: int, now: datetime | None = None) -> bool:
        """Lock a waiting email against other judges until the transaction ends."""
        mine = _CLAIM_NOW if now else _CLAIM
        return self._connection.execute(mine, {"mail": mail, "now": now}).first() is not None


class SharedOutbox(SqlOutbox):
    """The outbox as one of several transactions sees it; *leases* are this judge's locks."""

    def __init__(self, connection: sa.Connection, leases: AdvisoryLocks) -> None:
        super().__init__(connection)
        self._leases = leases

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Claim the due emails that no other judge holds, oldest first.

        Once claimed, they are read again: another judge may just have sent them.
        """
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value, _OUTBOX.c.due_utc <= now, RENDERED
        oldest = sa.select(_OUTBOX.c.message_id).where(*queued)
        oldest = oldest.order_by(_OUTBOX.c.due_utc, _OUTBOX.c.id).limit(LOOKED_AT_MAX)
        ours = self._leases.take_listed(oldest, min(limit, IN_HAND_MAX))
        mails = self._mails(_OURS_DUE, now=now, most=limit, ours=ours)
        for gone in {*ours} - {mail.message_id for mail in mails}:
            self._leases.leave(gone)
        return mails


class SharedCheckpoints(SqlCheckpoints):
    """The checkpoints as one of several transactions sees them."""

    def make_promised(self) -> None:
        if self._promised:
            wait_for(self._connection, CHECKPOINTS)
        super().make_promised()


class SharedWitnessedCheckpoints(SqlWitnessedCheckpoints):
    """The checkpoints for witnesses, as one of several transactions sees them."""

    def newest(self, log: str, witness: str, state: Witnessed) -> WitnessedCheckpoint | None:
        wait_for(self._connection, WITNESSED)
        return super().newest(log, witness, state)


SNAPSHOT_BEGINS = sa.text("SELECT CAST(pg_snapshot_xmin(pg_current_snapshot()) AS text)")
UNREAD_EVENTS = sa.text("events.writer >= CAST(:read AS xid8)")


class SharedPersonalData(SqlPersonalData):
    """The traces of people as one of several transactions sees them."""

    def _unread_events(self, read: int) -> tuple[sa.ColumnElement[bool] | sa.TextClause, int]:
        """Count events by the transactions that wrote them: positions become visible in any order.

        All up to the oldest that is still under way have ended. Events of later ones are read
        again the next time.
        """
        ended = int(self._connection.execute(SNAPSHOT_BEGINS).scalar_one())
        return UNREAD_EVENTS.bindparams(read=str(read)), ended


STAMPS = sa.text(
    "SELECT CAST(:first AS timestamptz) + sum(beat_utc - :first) FROM pulse "
    "WHERE name LIKE 'stamp%'"
)
ADD_TO_STAMP = sa.text(
    "INSERT INTO pulse AS own (name, beat_utc) "
    "VALUES ('stamp ' || pg_backend_pid() % 64, CAST(:first AS timestamptz) + :more) "
    "ON CONFLICT (name) DO UPDATE SET beat_utc = own.beat_utc + :more "
    "RETURNING (SELECT CAST(:first AS timestamptz) + sum(beat_utc - :first) FROM pulse "
    "WHERE name LIKE 'stamp%')"  # as it was before
)


class SharedStoreStamp(StoreStamp):
    """The sum of what the connections have counted, each in one of 64 rows.

    So two seldom wait for each other's commits.
    """

    def count(self) -> None:
        adding = {"first": FIRST_STAMP, "more": STAMPS_APART}
        found: datetime | None = self._connection.scalar(ADD_TO_STAMP, adding)
        if self.seen and (found is None or found < self.seen):
            raise OlderStoreError
        self.seen = (found or FIRST_STAMP) + STAMPS_APART

    def _found(self) -> datetime | None:
        found: datetime | None = self._connection.scalar(STAMPS, {"first": FIRST_STAMP})
        return found

    def _add(self, found: datetime, more: timedelta) -> None:
        self.seen = found + more
        self._connection.execute(ADD_TO_STAMP, {"first": FIRST_STAMP, "more": more})


class SharedTransaction(SqlTransaction):
    """All stores, bound to one of several transactions."""

    def __init__(
        self,
        connection: sa.Connection,
        seen: datetime | None,
        leases: AdvisoryLocks,
        *,
        writes: bool,
    ) -> None:
        super().__init__(connection, seen)
        self.stamp = SharedStoreStamp(connection, seen)
        self.events: SharedEventStore = SharedEventStore(connection, self.agenda)
        self.checkpoints: SharedCheckpoints = SharedCheckpoints(connection)
        if writes:
            self.witnessed = SharedWitnessedCheckpoints(connection)
        self.inbox = SharedInbox(connection)
        self.outbox = SharedOutbox(connection, leases)
        self.personal_data = SharedPersonalData(connection)


class SharedDatabase(SqlDatabase):
    """Hands out transactions: any number at once, and readers never wait.

    A writer sees what was committed before each of its statements. Where it must not act on data
    that another has changed meanwhile, its own change fails: `StaleStreamError` or
    `OvertakenError`.
    """

    def __init__(self, engine: sa.Engine) -> None:
        self._engine, self._file = engine, None
        steady = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        self._readers = engine.execution_options(**steady)
        self._leases = AdvisoryLocks(engine)
        self.claims = self._leases

    @contextmanager
    def write(self) -> Iterator[SharedTransaction]:
        try:
            with self._engine.begin() as connection:
                transaction = SharedTransaction(connection, self._seen, self._leases, writes=True)
                yield transaction
                transaction.count()
                transaction.checkpoints.make_promised()
            self._note(transaction)
        except DBAPIError as error:
            if getattr(error.orig, "sqlstate", None) in OVERTAKEN:
                raise OvertakenError(str(error.orig)) from error
            raise

    @contextmanager
    def read(self) -> Iterator[SharedTransaction]:
        with self._readers.begin() as connection:
            transaction = SharedTransaction(connection, self._seen, self._leases, writes=False)
            yield transaction
        self._note(transaction)

    def probe(self, *, writes: bool) -> None:
        super().probe(writes=writes)
        with self.read() as transaction:
            if transaction.connection.scalar(IS_READ_ONLY):
                raise ReadOnlyError

    def clock(self) -> SystemClock:
        return ServerClock(self._server_time)

    def _server_time(self) -> datetime:
        with self._engine.connect() as connection:
            now: datetime = connection.scalar(SERVER_TIME)
            return now

    def close(self) -> None:
        self._leases.close()
        super().close()

    def _vacuum(self) -> bool:
        """Rewrite every table but that of the events, which never shrinks.

        The planner's statistics contain the commonest values, so they are made again too. Of an
        empty table they are not, but go when the type of a column is set.
        """
        alone = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        with alone.connect() as connection:
            unlimit(connection)
            for each in TABLES:
                if each.name == "events":
                    continue
                connection.execute(sa.text(f"VACUUM (FULL, ANALYZE) {each.name}"))
                if connection.execute(sa.select(sa.literal(1)).select_from(each)).first() is None:
                    types = (
                        f"ALTER {column.name} TYPE {column.type.compile(connection.dialect)}"
                        for column in each.c
                    )
                    connection.execute(sa.text(f"ALTER TABLE {each.name} {', '.join(types)}"))
            connection.execute(sa.text("VACUUM FULL pg_statistic"))
        return True
