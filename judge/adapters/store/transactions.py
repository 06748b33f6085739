"""Transactions, and the event log within them: all is committed together or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import datetime
from pathlib import Path
from threading import Lock

import sqlalchemy as sa
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    InterfaceError,
    OperationalError,
    ProgrammingError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from judge import event_log
from judge.adapters import migrations
from judge.adapters.store import daemon_state, sqlite, tables
from judge.adapters.store.sql_games import SqlGameSummaries
from judge.adapters.store.sql_inbox import SqlInbox
from judge.adapters.store.sql_outbox import SqlOutbox
from judge.adapters.store.sql_people import SqlPeople, SqlPersonalData
from judge.adapters.system_clock import SystemClock
from judge.app.ports.database import (
    Blame,
    Claims,
    DiskRoom,
    OlderStoreError,
    OvertakenError,
)
from judge.checkpoints import (
    Checkpoint,
    StoredCheckpoint,
    Witnessed,
    WitnessedCheckpoint,
    unpacked_tree,
)
from judge.errors import JudgeError
from judge.game.events import CODEC

ROWS_A_FETCH = 500

_GAMES = tables.table(tables.GameRow)
_EVENTS = tables.table(tables.EventRow)
_VOUCHED = tables.table(tables.VouchedRow)
_AGENDA = tables.table(tables.AgendaRow)
_TAKING_PART = tables.table(tables.GamePersonRow)

# Statements of every email, built once: to build one takes longer than to execute it.
_HEAD_OF_GAME = (
    sa.select(_GAMES.c.version, _GAMES.c.hash, _AGENDA.c.due_utc, _AGENDA.c.away_since_utc)
    .join_from(_GAMES, _AGENDA, _AGENDA.c.game == _GAMES.c.name, isouter=True)
    .where(_GAMES.c.name == sa.bindparam("game"))
)
_MOVE_HEAD = (
    sa.update(_GAMES)
    .where(_GAMES.c.name == sa.bindparam("game"), _GAMES.c.version == sa.bindparam("expected"))
    .values(version=sa.bindparam("new_version"), hash=sa.bindparam("new_hash"))
)
_EVENTS_BETWEEN = (
    sa.select(*(each for each in _EVENTS.c if each is not _EVENTS.c.position))
    .where(
        _EVENTS.c.game == sa.bindparam("game"),
        _EVENTS.c.version > sa.bindparam("after"),
        _EVENTS.c.version <= sa.bindparam("until"),
    )
    .order_by(_EVENTS.c.version)
)
_INSERT_EVENTS = sa.insert(_EVENTS)
_CHECKPOINTS = tables.table(tables.CheckpointRow)
_NEWEST_CHECKPOINT = sa.select(_CHECKPOINTS).order_by(_CHECKPOINTS.c.size.desc()).limit(1)
_LAST_IN_TREE = sa.select(sa.func.max(_CHECKPOINTS.c.version)).where(
    _CHECKPOINTS.c.game == sa.bindparam("game"), _CHECKPOINTS.c.version < sa.bindparam("before")
)
_LATER_CHECKPOINTS = (
    sa.select(_CHECKPOINTS)
    .where(_CHECKPOINTS.c.size > sa.bindparam("after"))
    .order_by(_CHECKPOINTS.c.size)
    .limit(ROWS_A_FETCH)
)
_INSERT_CHECKPOINT = sa.insert(_CHECKPOINTS)
_WITNESSED = tables.table(tables.WitnessedCheckpointRow)
_STEP = sa.text("SELECT version_num FROM alembic_version")


class SqlEventStore:
    """The event log as one transaction sees it.

    The heads that it has read are remembered: if another transaction moves one meanwhile, an
    append fails.
    """

    def __init__(self, connection: sa.Connection, agenda: daemon_state.SqlAgenda) -> None:
        self._connection, self._agenda = connection, agenda
        self._heads: dict[str, event_log.Head] = {}
        self.has_appended = False

    def games(self) -> Sequence[str]:
        """Return every game that has events, in order of creation.

        A game whose log was taken away still has its head, and is named last.
        """
        first = (_EVENTS.c.game == _GAMES.c.name) & (_EVENTS.c.version == 1)
        began = (
            sa.select(_GAMES.c.name)
            .join_from(_GAMES, _EVENTS, first, isouter=True)
            .order_by(_EVENTS.c.position.nulls_last(), _GAMES.c.name)
        )
        return self._connection.execute(began).scalars().all()

    def head(self, game: str) -> event_log.Head:
        if game not in self._heads:
            row = self._connection.execute(_HEAD_OF_GAME, {"game": game}).one_or_none()
            self._heads[game] = event_log.Head(row.version, row.hash) if row else event_log.Head()
            self._agenda.note(game, row)
        return self._heads[game]

    def read(
        self, game: str, after: int = 0, until: int = event_log.VERSION_MAX
    ) -> Sequence[event_log.Recorded]:
        return tuple(event_log.unseal(CODEC, row) for row in self._rows(game, after, until))

    def rows(
        self, game: str, after: int = 0, until: int = event_log.VERSION_MAX
    ) -> Sequence[event_log.Row]:
        return tuple(self._rows(game, after, until))

    def guards(self) -> str:
        return sqlite.guards_in_force(self._connection)

    def vouched(self, game: str) -> event_log.Vouched | None:
        row = self._connection.execute(sa.select(_VOUCHED).where(_VOUCHED.c.game == game)).first()
        if row is None:
            return None
        return event_log.Vouched(
            event_log.Head(row.version, row.hash), row.digest, row.reason, row.vouched_utc
        )

    def vouch(self, game: str, vouched: event_log.Vouched) -> None:
        accepted = tables.cells(vouched.head) | {
            "digest": vouched.digest,
            "reason": vouched.reason,
        }
        tables.upsert(
            self._connection, _VOUCHED, {"game": game}, accepted | {"vouched_utc": vouched.at}
        )

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[event_log.Event],
        now: datetime,
        *,
        known: Collection[str] = (),
    ) -> Sequence[event_log.Recorded]:
        head = self.head(game)
        if head.version != expected:
            raise event_log.StaleStreamError(game, expected)
        rows = tuple(event_log.seal(CODEC, game, head, events, now))
        recorded = tuple(event_log.unseal(CODEC, row) for row in rows)
        if rows:
            self.has_appended = True
            self._move_head(game, expected, event_log.Head(rows[-1].version, rows[-1].hash), now)
            self._connection.execute(_INSERT_EVENTS, [tables.cells(row) for row in rows])
        if new := sorted(event_log.persons_in(events).difference(known)):
            named = [{"person": each, "game": game, "present": False} for each in new]
            tables.insert_new(self._connection, _TAKING_PART, *named)
        return recorded

    def _rows(
        self, game: str, after: int, until: int = event_log.VERSION_MAX
    ) -> Iterator[event_log.Row]:
        wanted = {"game": game, "after": after, "until": until}
        # All at once: Python's own sqlite3, unlike pysqlite3, goes on reading after a rollback, so
        # after an event that cannot be read this connection would find the database locked.
        later = self._connection.execute(_EVENTS_BETWEEN, wanted).mappings().all()
        return (event_log.Row(**row) for row in later)

    def _move_head(self, game: str, expected: int, head: event_log.Head, now: datetime) -> None:
        if expected:
            moving = {"game": game, "expected": expected}
            moving |= {"new_version": head.version, "new_hash": head.hash}
            moved = self._connection.execute(_MOVE_HEAD, moving).rowcount > 0
        else:
            row = {"name": game, "created_utc": now, **tables.cells(head)}
            moved = tables.insert_new(self._connection, _GAMES, row)
        if not moved:
            raise event_log.StaleStreamError(game, expected)
        self._heads[game] = head


class SqlCheckpoints:
    """The checkpoints as one transaction sees them."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._promised: list[tuple[str, int, Callable[[], None]]] = []

    def newest(self) -> StoredCheckpoint | None:
        return _checkpoint(self._connection.execute(_NEWEST_CHECKPOINT))

    def version(self, game: str, before: int = event_log.VERSION_MAX) -> int:
        asked = {"game": game, "before": before}
        made: int | None = self._connection.execute(_LAST_IN_TREE, asked).scalar_one()
        promised = (each for name, each, _ in self._promised if name == game and each < before)
        return max(made or 0, *promised, 0)

    def of(self, game: str, version: int) -> StoredCheckpoint | None:
        made = sa.select(_CHECKPOINTS).filter_by(game=game, version=version)
        return _checkpoint(self._connection.execute(made))

    def at(self, size: int) -> StoredCheckpoint | None:
        return _checkpoint(self._connection.execute(sa.select(_CHECKPOINTS).filter_by(size=size)))

    def all(self, after: int = 0) -> Iterator[StoredCheckpoint]:
        while some := self._connection.execute(_LATER_CHECKPOINTS, {"after": after}).all():
            yield from map(_stored, some)
            after = some[-1].size

    def promise(self, game: str, version: int, make: Callable[[], None]) -> None:
        self._promised.append((game, version, make))

    def make_promised(self) -> None:
        """Make the promised checkpoints; the commit must follow."""
        promised, self._promised = self._promised, []
        for _, _, make in promised:
            make()

    def add(self, checkpoint: StoredCheckpoint) -> None:
        tree = checkpoint.tree
        row = {"size": tree.size, "nodes": tree.packed(), "note": checkpoint.note}
        row |= {"game": checkpoint.game, "version": checkpoint.version}
        self._connection.execute(_INSERT_CHECKPOINT, row)


def _checkpoint(found: sa.CursorResult[object]) -> StoredCheckpoint | None:
    row = found.one_or_none()
    return _stored(row) if row else None


def _stored(row: sa.Row[object]) -> StoredCheckpoint:
    return StoredCheckpoint(row.game, row.version, unpacked_tree(row.size, row.nodes), row.note)


class SqlWitnessedCheckpoints(tables.Bound):
    """The checkpoints for witnesses, as one transaction sees them."""

    def put(self, witnessed: WitnessedCheckpoint) -> None:
        values = {
            "note": witnessed.note,
            "state": witnessed.state.value,
            "at_utc": witnessed.at,
        }
        key = _witnessed_key(witnessed.checkpoint, witnessed.witness)
        tables.upsert(self._connection, _WITNESSED, key, values)

    def get(self, checkpoint: Checkpoint, witness: str) -> WitnessedCheckpoint | None:
        wanted = sa.select(_WITNESSED).filter_by(**_witnessed_key(checkpoint, witness))
        return self._first(wanted)

    def newest(self, log: str, witness: str, state: Witnessed) -> WitnessedCheckpoint | None:
        wanted = sa.select(_WITNESSED).filter_by(log=log, witness=witness, state=state.value)
        return self._first(wanted.order_by(_WITNESSED.c.size.desc()).limit(1))

    def of(self, log: str, witness: str, state: Witnessed) -> Sequence[WitnessedCheckpoint]:
        return self._all(log=log, witness=witness, state=state.value)

    def all(self, state: Witnessed) -> Sequence[WitnessedCheckpoint]:
        return self._all(state=state.value)

    def _all(self, **wanted: str) -> Sequence[WitnessedCheckpoint]:
        order = _WITNESSED.c.log, _WITNESSED.c.size, _WITNESSED.c.at_utc
        found = sa.select(_WITNESSED).filter_by(**wanted).order_by(*order)
        return [_witnessed(row) for row in self._connection.execute(found)]

    def _first(self, wanted: sa.Select[object]) -> WitnessedCheckpoint | None:
        row = self._connection.execute(wanted).one_or_none()
        return _witnessed(row) if row else None


def _witnessed_key(checkpoint: Checkpoint, witness: str) -> dict[str, object]:
    tree = {"size": checkpoint.size, "root": checkpoint.root}
    return {"log": checkpoint.origin, "witness": witness, **tree}


def _witnessed(row: sa.Row[object]) -> WitnessedCheckpoint:
    checkpoint = Checkpoint(row.log, row.size, row.root)
    state = Witnessed(row.state)
    return WitnessedCheckpoint(checkpoint, row.witness, row.note, state, row.at_utc)


class SqlTransaction:
    """All stores, bound to one transaction."""

    def __init__(self, connection: sa.Connection, seen: datetime | None = None) -> None:
        self.connection = connection
        self.stamp = daemon_state.StoreStamp(connection, seen)
        self.agenda = daemon_state.SqlAgenda(connection)
        self.events = SqlEventStore(connection, self.agenda)
        self.summaries = SqlGameSummaries(connection)
        self.checkpoints = SqlCheckpoints(connection)
        self.witnessed = SqlWitnessedCheckpoints(connection)
        self.inbox = SqlInbox(connection)
        self.outbox = SqlOutbox(connection)
        self.people = SqlPeople(connection)
        self.budgets = daemon_state.SqlBudgets(connection)
        self.missed = daemon_state.SqlMissedSentences(connection)
        self.secrets = daemon_state.SqlSecrets(connection)
        self.mailboxes = daemon_state.SqlMailboxes(connection)
        self.tallies = daemon_state.SqlTallies(connection)
        self.personal_data = SqlPersonalData(connection)

    def is_older(self) -> bool:
        return self.stamp.is_older()

    def count(self) -> None:
        """Count this transaction in the store, if that is needed; raises `OlderStoreError`."""
        if self.secrets.has_begun_epoch:
            self.stamp.begin_epoch()
        elif self.outbox.has_queued or self.agenda.has_beaten:
            self.stamp.count()

    @property
    def has_appended(self) -> bool:
        return self.events.has_appended


class SoleJudgeClaims:
    """The claims of the only judge on its store."""

    def take(self, name: str) -> bool:
        """Return True: there is no other judge."""
        del name
        return True

    def take_next(self, names: Sequence[str]) -> Sequence[str]:
        """Return *names*."""
        return names

    def leave(self, name: str) -> None:
        """Do nothing."""


class SqlDatabase:
    """Hands out transactions: many that read, one at a time that writes.

    A writer must not begin another write inside its own: it would wait for itself.
    """

    claims: Claims = SoleJudgeClaims()
    _seen: datetime | None = None  # the newest stamp of the store

    def __init__(self, engine: sa.Engine, file: sqlite.StoreFile | None = None) -> None:
        self._engine, self._file = engine, file
        self._readers = engine.execution_options(**{sqlite.READS: True})
        self._next = Lock()  # waiting writers precede the one that has just finished
        self._writing = Lock()

    @contextmanager
    def write(self) -> Iterator[SqlTransaction]:
        with self._next:
            self._writing.acquire()
        try:
            with self._engine.begin() as connection:
                transaction = SqlTransaction(connection, self._seen)
                yield transaction
                transaction.count()
                transaction.checkpoints.make_promised()
            self._note(transaction)
        finally:
            self._writing.release()

    @contextmanager
    def read(self) -> Iterator[SqlTransaction]:
        with self._readers.begin() as connection:
            transaction = SqlTransaction(connection, self._seen)
            yield transaction
        self._note(transaction)

    def _note(self, transaction: SqlTransaction) -> None:
        """Note the stamp that *transaction* has seen; others may have seen a later one."""
        if transaction.stamp.seen:
            self._seen = max(transaction.stamp.seen, self._seen or transaction.stamp.seen)

    def clock(self) -> SystemClock:
        """Return the clock that all judges on this store go by."""
        return SystemClock()

    def blame(self, error: Exception) -> Blame:
        return blame(error)

    def probe(self, *, writes: bool) -> None:
        with self.read() as transaction:
            step = transaction.connection.scalar(_STEP)
            if step != migrations.NEWEST:
                raise ChangedTablesError(str(step))
            for each in tables.TABLES:
                transaction.connection.execute(sa.select(each).limit(1)).all()
        if not writes:
            return
        with self.write() as transaction:
            for each in tables.TABLES:
                nothing = sa.select(each).where(sa.false())
                insert = sa.insert(each).from_select(each.columns.keys(), nothing)
                transaction.connection.execute(insert)

    def settle(self) -> None:
        if self._file:
            self._file.settle(self._engine)

    def guard(self) -> None:
        """End this process as soon as the file is found damaged, or its journal removed."""
        if self._file:
            self._file.is_guarded = True

    def is_damage(self, error: Exception) -> bool:
        code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0)
        return code & 0xFF in sqlite.DAMAGE

    def compact(self) -> bool:
        try:
            return self._vacuum()
        except DBAPIError:
            return False

    def _vacuum(self) -> bool:
        return _vacuum_file(self._engine)

    def disk_room(self) -> DiskRoom | None:
        file = self._engine.url.database
        return room_of(Path(file)) if self._engine.dialect.name == "sqlite" and file else None

    def close(self) -> None:
        self._engine.dispose()


class ChangedStoreError(JudgeError):
    """The store was changed under this judge."""


class ChangedTablesError(ChangedStoreError):
    """The tables are now at the migration *step* of another version."""

    def __init__(self, step: str) -> None:
        super().__init__(
            f"the tables are now those of another version of the judge (step {step}; this one has "
            f"{migrations.NEWEST}): restart this judge, or install the other version"
        )


# PERM, NOMEM, READONLY, IOERR, CORRUPT, FULL, CANTOPEN, NOTADB: https://sqlite.org/rescode.html
SQLITE_FAULTS = frozenset({3, 7, 8, 10, 11, 13, 14, 26})
SQLITE_LOCKED = frozenset({5, 6})
# SQLSTATE of a lock that was waited for too long, of a deadlock, of a connection that ended or is
# one too many, of a full disk, and of a file that the server cannot read or write.
HELD_UP = ("55P03", "40001", "40P01", "25P03", "57P0", "08", "53300", "53100", "58")
SYSTEM_ERRORS = (OSError, MemoryError, ImportError)


def blame(error: Exception) -> Blame:
    """Return the cause of *error*: an email cannot cause what SQLite calls a broken file."""
    if isinstance(error, OvertakenError | event_log.StaleStreamError):
        return Blame.OTHERS
    if isinstance(error, (*SYSTEM_ERRORS, PoolTimeoutError, ChangedStoreError, OlderStoreError)):
        return Blame.UNCLEAR
    if not isinstance(error, DBAPIError) or isinstance(error, DataError | IntegrityError):
        return Blame.DATA
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is None:
        return _blame_of_server(error)
    if code & 0xFF in SQLITE_LOCKED:
        return Blame.OTHERS
    return Blame.STORE if code & 0xFF in SQLITE_FAULTS else Blame.UNCLEAR


def _blame_of_server(error: DBAPIError) -> Blame:
    """Return the cause of an *error* without a code of SQLite."""
    state = getattr(error.orig, "sqlstate", None) or ""
    is_refused = isinstance(error, OperationalError) and not (state or error.statement)
    if error.connection_invalidated or is_refused or state.startswith(HELD_UP):
        return Blame.OTHERS
    of_sqlite = type(error.orig).__module__.startswith(("sqlite3", "pysqlite3"))
    is_value = of_sqlite and isinstance(error, ProgrammingError | InterfaceError)
    return Blame.DATA if is_value else Blame.UNCLEAR  # SQLite: a value it cannot take


def room_of(file: Path) -> DiskRoom:
    """Return the room on the disk for *file*, as `df` counts it; none if a quota is used up."""
    if not sqlite.can_grow(file):
        return DiskRoom(free=0, used=1.0)
    disk = shutil.disk_usage(file.parent)
    return DiskRoom(disk.free, disk.used / max(1, disk.used + disk.free))


def _vacuum_file(engine: sa.Engine) -> bool:
    """Rewrite the file, and empty its journal, which still has the old content."""
    with closing(engine.raw_connection()) as connection, closing(connection.cursor()) as cursor:
        try:
            cursor.execute("VACUUM")
            cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            [(busy, *_)] = cursor.fetchall()
        except engine.dialect.loaded_dbapi.OperationalError:
            return False
    return not busy
