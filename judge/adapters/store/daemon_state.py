"""The daemon's own records: agenda, rate limits, mailbox positions, secrets and counts."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Any

import sqlalchemy as sa

from judge.adapters.store import email_counts, tables
from judge.adapters.store.sql_outbox import RENDERED, TO_GO, OutboxState
from judge.app.ports.database import Budget, DeliveryFailure, OlderStoreError, Tally
from judge.app.ports.inbox import InboxState, Mailbox, WithheldEmail

# Rows of the pulse table: the last heartbeat, since when that was in the future, the last backup,
# since when the store is known to be damaged.
JUDGE, DOUBT, BACKUP, DAMAGE = "judge", "doubt", "backup", "damage"
STAMP = "stamp"  # and a row that only counts up: see `StoreStamp`
ENDED = "game_ended"
FAILURES_SHOWN = 5  # reasons for which emails wait

_AGENDA = tables.table(tables.AgendaRow)
_PULSE = tables.table(tables.HeartbeatRow)
_GAMES = tables.table(tables.GameRow)
_EVENTS = tables.table(tables.EventRow)

# Statements of every email and turn, built once: to build one takes longer than to execute it.
_DUE_GAMES = (
    sa.select(_AGENDA.c.game)
    .where(_AGENDA.c.due_utc <= sa.bindparam("now"))
    .order_by(_AGENDA.c.away_since_utc.is_not(None), _AGENDA.c.due_utc, _AGENDA.c.game)
    .limit(sa.bindparam("most"))
)
_ENTRY_OF_GAME = sa.select(_AGENDA.c.due_utc, _AGENDA.c.away_since_utc).where(
    _AGENDA.c.game == sa.bindparam("game")
)
_BEAT_OF_NAME = sa.select(_PULSE.c.beat_utc).where(_PULSE.c.name == sa.bindparam("beat"))
_MOVE_STAMP = (
    sa.update(_PULSE)
    .where(_PULSE.c.name == STAMP, _PULSE.c.beat_utc == sa.bindparam("seen"))
    .values(beat_utc=sa.bindparam("more"))
)
FIRST_STAMP = datetime(2000, 1, 1, tzinfo=UTC)
STAMPS_APART, EPOCHS_APART = timedelta(microseconds=1), timedelta(seconds=1)


class StoreStamp:
    """The count, as a time, of the transactions that queued an email or recorded a heartbeat.

    So it tells whether the store is older than this process has *seen* it. A new epoch counts a
    million at once: then no other judge has seen a later stamp in the store that was lost.
    """

    def __init__(self, connection: sa.Connection, seen: datetime | None) -> None:
        self._connection = connection
        self.seen = seen

    def is_older(self) -> bool:
        """Return whether the stamp is older than the one seen, or has gone."""
        found = self._found()
        if self.seen and (found is None or found < self.seen):
            return True
        self.seen = found
        return False

    def count(self) -> None:
        """Count this transaction; raises `OlderStoreError`."""
        if self.seen and self._move(self.seen):
            return
        found = self._found()
        if self.seen and (found is None or found < self.seen):
            raise OlderStoreError
        self._add(found or FIRST_STAMP, STAMPS_APART)

    def begin_epoch(self) -> None:
        """Count on from the later of the stamps found and seen."""
        found = self._found() or FIRST_STAMP
        self._add(found, max(found, self.seen or found) - found + EPOCHS_APART)

    def _move(self, seen: datetime) -> bool:
        """Count this transaction if the stamp is the one *seen*, as no other judge has counted."""
        more = seen + STAMPS_APART
        moved = self._connection.execute(_MOVE_STAMP, {"seen": seen, "more": more}).rowcount > 0
        self.seen = more if moved else seen
        return moved

    def _found(self) -> datetime | None:
        found: datetime | None = self._connection.execute(
            _BEAT_OF_NAME, {"beat": STAMP}
        ).scalar_one_or_none()
        return found

    def _add(self, found: datetime, more: timedelta) -> None:
        self.seen = found + more
        tables.upsert(self._connection, _PULSE, {"name": STAMP}, {"beat_utc": self.seen})


class SqlAgenda:
    """The agenda as one transaction sees it, the entry of a game read once unless it changes."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._read: dict[str, tuple[datetime | None, datetime | None]] = {}
        self.has_beaten = False

    def record_heartbeat(self, now: datetime) -> None:
        self.has_beaten = True
        tables.upsert(self._connection, _PULSE, {"name": JUDGE}, {"beat_utc": now})

    def last_heartbeat(self) -> datetime | None:
        return self._beat(JUDGE)

    def record_backup(self, now: datetime) -> None:
        tables.upsert(self._connection, _PULSE, {"name": BACKUP}, {"beat_utc": now})

    def last_backup(self) -> datetime | None:
        return self._beat(BACKUP)

    def set_store_damaged(self, since: datetime | None) -> None:
        self._mark(DAMAGE, since)

    def store_damaged_since(self) -> datetime | None:
        return self._beat(DAMAGE)

    def set_clock_behind(self, since: datetime | None) -> None:
        self._mark(DOUBT, since)

    def clock_behind_since(self) -> datetime | None:
        return self._beat(DOUBT)

    def set(self, game: str, due_utc: datetime | None) -> None:
        due, _ = self._entry(game)
        if due == due_utc:
            return
        self._read.pop(game)
        if due_utc is None:
            self._connection.execute(sa.delete(_AGENDA).where(_AGENDA.c.game == game))
        else:
            tables.upsert(self._connection, _AGENDA, {"game": game}, {"due_utc": due_utc})

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        found = self._connection.execute(_DUE_GAMES, {"now": now, "most": limit})
        return found.scalars().all()

    def begin_outage(self, began: datetime, now: datetime, game: str | None = None) -> None:
        since = sa.func.coalesce(_AGENDA.c.away_since_utc, began)
        missed = sa.update(_AGENDA).values(due_utc=now, away_since_utc=since)
        self._read.clear()
        self._connection.execute(missed if game is None else missed.where(_AGENDA.c.game == game))

    def outage_since(self, game: str) -> datetime | None:
        _, since = self._entry(game)
        return since

    def end_outage(self, game: str) -> None:
        mine = sa.update(_AGENDA).where(_AGENDA.c.game == game)
        self._connection.execute(mine.values(away_since_utc=None))
        self._read.pop(game, None)

    def unscheduled_games(self) -> Sequence[str]:
        last = (_EVENTS.c.game == _GAMES.c.name) & (_EVENTS.c.version == _GAMES.c.version)
        # As a join, SQLite would read every event of every game.
        last_type = sa.select(_EVENTS.c.type).where(last).scalar_subquery()
        unknown = sa.select(_GAMES.c.name).where(
            _GAMES.c.name.not_in(sa.select(_AGENDA.c.game)), last_type != ENDED
        )
        return self._connection.execute(unknown).scalars().all()

    def is_due(self, game: str, now: datetime) -> bool:
        due, _ = self._entry(game)
        return due is not None and due <= now

    def next_due(self) -> datetime | None:
        earliest = sa.select(sa.func.min(_AGENDA.c.due_utc))
        due: datetime | None = self._connection.execute(earliest).scalar_one()
        return due

    def _entry(self, game: str) -> tuple[datetime | None, datetime | None]:
        """Return when *game* is due, and since when it is to be credited for an outage."""
        if game not in self._read:
            self.note(game, self._connection.execute(_ENTRY_OF_GAME, {"game": game}).one_or_none())
        return self._read[game]

    def note(self, game: str, row: sa.Row[*tuple[Any, ...]] | None) -> None:
        """Remember the *row* with the entry of *game*, unless it is known."""
        self._read.setdefault(game, (row.due_utc, row.away_since_utc) if row else (None, None))

    def _mark(self, name: str, since: datetime | None) -> None:
        if since is None:
            self._connection.execute(sa.delete(_PULSE).where(_PULSE.c.name == name))
        else:
            tables.upsert(self._connection, _PULSE, {"name": name}, {"beat_utc": since})

    def _beat(self, name: str) -> datetime | None:
        found = self._connection.execute(_BEAT_OF_NAME, {"beat": name})
        beat: datetime | None = found.scalar_one_or_none()
        return beat


SET_BACK = timedelta(minutes=10)  # of a clock; less is a correction

_BUDGETS = tables.table(tables.BudgetRow)
_SPENT = sa.select(_BUDGETS.c.name, _BUDGETS.c.spent_until_utc).where(
    _BUDGETS.c.name.in_(sa.bindparam("budgets", expanding=True))
)
_SPENT_AND_LOCKED = _SPENT.with_for_update()  # SQLite has none: its writers take turns


class SqlBudgets(tables.Bound):
    """The budgets as one transaction sees them.

    Each unit costs a *pause*, added to the time up to which the budget is spent; that may be at
    most *most* pauses ahead of now.
    """

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        return self.spend_each([(name, most, pause)], now)

    def spend_each(self, budgets: Sequence[Budget], now: datetime) -> bool:
        rows = self._with_one_spent(_SPENT_AND_LOCKED, budgets, now)
        if rows:
            tables.upsert_all(self._connection, _BUDGETS, ("name",), rows)
        return bool(rows)

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        return bool(self._with_one_spent(_SPENT, [(name, most, pause)], now))

    def forget_unspent(self, now: datetime) -> None:
        self._connection.execute(sa.delete(_BUDGETS).where(_BUDGETS.c.spent_until_utc <= now))

    def _with_one_spent(
        self, spent: sa.Select[tuple[str, datetime]], budgets: Sequence[Budget], now: datetime
    ) -> list[dict[str, object]]:
        """Return *budgets* with one unit more spent of each; none if one has none left.

        A budget that is spent until well past its limit shows that the clock has been set back;
        then nothing is spent.
        """
        named = {"budgets": [name for name, _, _ in budgets]}
        until = {row.name: row.spent_until_utc for row in self._connection.execute(spent, named)}
        rows = list[dict[str, object]]()
        for name, most, pause in budgets:
            full, since = now + most * pause, max(until.get(name, now), now)
            after = pause + (now if since > full + SET_BACK else since)
            if after > full:
                return []
            rows.append({"name": name, "spent_until_utc": after})
        return rows


_MISSED = tables.table(tables.MissedSentenceRow)


class SqlMissedSentences(tables.Bound):
    """The sentences that were not understood, as one transaction sees them."""

    def note(self, text: str, now: datetime) -> None:
        tables.upsert(self._connection, _MISSED, {"text": text}, {"missed_utc": now})

    def latest(self, limit: int) -> Sequence[tuple[str, datetime]]:
        newest = (
            sa.select(_MISSED.c.text, _MISSED.c.missed_utc)
            .order_by(_MISSED.c.missed_utc.desc(), _MISSED.c.text)
            .limit(limit)
        )
        return [(row.text, row.missed_utc) for row in self._connection.execute(newest)]

    def forget(self, before: datetime) -> None:
        self._connection.execute(sa.delete(_MISSED).where(_MISSED.c.missed_utc < before))


_MAILBOXES = tables.table(tables.MailboxRow)
_WITHHELD = tables.table(tables.WithheldRow)


class SqlMailboxes(tables.Bound):
    """The mailboxes as one transaction sees them."""

    def get(self, name: str) -> Mailbox:
        known = self._connection.execute(sa.select(_MAILBOXES).filter_by(name=name)).mappings()
        row = known.one_or_none()
        return Mailbox(**row) if row else Mailbox(name)

    def put(self, mailbox: Mailbox) -> None:
        values = tables.cells(mailbox)
        tables.upsert(self._connection, _MAILBOXES, {"name": values.pop("name")}, values)

    def all(self) -> Sequence[Mailbox]:
        every = self._connection.execute(sa.select(_MAILBOXES).order_by(_MAILBOXES.c.name))
        return [Mailbox(**row) for row in every.mappings()]

    def set_aside(self, email: WithheldEmail) -> None:
        values = tables.cells(email)
        key = {name: values.pop(name) for name in ("mailbox", "uid_validity", "uid")}
        tables.upsert(self._connection, _WITHHELD, key, values)

    def settle(self, email: WithheldEmail) -> None:
        row = (_WITHHELD.c.mailbox == email.mailbox) & (_WITHHELD.c.uid == email.uid)
        self._connection.execute(sa.delete(_WITHHELD).where(row))

    def withheld(self, mailbox: str | None = None) -> Sequence[WithheldEmail]:
        found = sa.select(_WITHHELD).order_by(_WITHHELD.c.mailbox, _WITHHELD.c.uid)
        if mailbox is not None:
            found = found.where(_WITHHELD.c.mailbox == mailbox)
        return [WithheldEmail(**row) for row in self._connection.execute(found).mappings()]


TOKEN_KEY_BYTES = 32  # RFC 2104: as long as the output of SHA-256.
EPOCH_BYTES = 8  # so two restores of one backup differ

_SECRETS = tables.table(tables.SecretRow)
_ALL_SECRETS = sa.select(_SECRETS.c.name, _SECRETS.c.value)


class SqlSecrets:
    """The secrets as one transaction sees them."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self._known: dict[str, bytes] = {}  # they are few: one statement reads them all
        self.has_begun_epoch = False

    def token_key(self) -> bytes:
        return self._made("token_key")

    def log_key(self) -> bytes:
        return self._made("log_key")

    def leaf_key(self) -> bytes:
        return self._made("leaf_key")

    def epoch(self) -> str:
        return (self._value("epoch") or b"").decode("ascii")

    def begin_epoch(self) -> str:
        number = int(self.epoch().partition("-")[0] or 0) + 1
        epoch = f"{number}-{secrets.token_hex(EPOCH_BYTES)}"
        self.has_begun_epoch = True
        self._known.clear()
        tables.upsert(
            self._connection, _SECRETS, {"name": "epoch"}, {"value": epoch.encode("ascii")}
        )
        return epoch

    def id_key(self) -> bytes:
        epoch = self.epoch()
        if not epoch:
            return self.token_key()
        return hmac.digest(self.token_key(), f"epoch {epoch}".encode("ascii"), "sha256")

    def _value(self, name: str) -> bytes | None:
        if not self._known:
            self._known = {row.name: row.value for row in self._connection.execute(_ALL_SECRETS)}
        return self._known.get(name)

    def _made(self, name: str) -> bytes:
        found = self._value(name)
        if found is not None:
            return found
        made = {"name": name, "value": secrets.token_bytes(TOKEN_KEY_BYTES)}
        tables.insert_new(self._connection, _SECRETS, made)
        self._known.clear()
        return self._made(name)  # another judge may have made it at the same moment


_INBOX = tables.table(tables.InboxRow)
_OUTBOX = tables.table(tables.OutboxRow)


_FILE_BYTES = sa.text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
_SERVER_BYTES = sa.text("SELECT pg_database_size(current_database())")


class SqlTallies(tables.Bound):
    """The counts as one transaction sees them."""

    def count(self, now: datetime, failures_since: datetime, games: int) -> Tally:
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value
        to_go = _OUTBOX.c.state.in_(TO_GO)
        waits = _INBOX.c.state == InboxState.RECEIVED.value
        refused = _OUTBOX.c.state == OutboxState.GIVEN_UP.value
        tried = _OUTBOX.c.attempts > 0
        looks = (
            sa.select(_AGENDA.c.game, _AGENDA.c.due_utc).order_by(_AGENDA.c.due_utc).limit(games)
        )
        return Tally(
            inbox=self._by_state("inbox", InboxState),
            outbox=self._by_state("outbox", OutboxState),
            oldest_waiting=self._one(sa.select(sa.func.min(_INBOX.c.received_utc)).where(waits)),
            oldest_queued=self._one(sa.select(sa.func.min(_OUTBOX.c.due_utc)).where(to_go)),
            retried=self._count(queued, tried),
            refused=self._count(refused, _OUTBOX.c.due_utc >= failures_since),
            given_up=self._count(refused, _OUTBOX.c.ours),
            unsent=self._count(queued, sa.or_(tried, _OUTBOX.c.due_utc <= now)),
            failures=self._failures(queued, RENDERED, _OUTBOX.c.failing_utc.is_not(None)),
            unrendered=self._failures(~RENDERED, _OUTBOX.c.failing_utc.is_not(None)),
            replaced=self._replaced(failures_since),
            games=[(row.game, row.due_utc) for row in self._connection.execute(looks)],
        )

    def stored_bytes(self) -> int:
        is_file = self._connection.dialect.name == "sqlite"
        size: int = self._connection.execute(
            _FILE_BYTES if is_file else _SERVER_BYTES
        ).scalar_one()
        return size

    def _by_state(self, box: str, states: type[Enum]) -> dict[str, int]:
        counted = email_counts.counts(self._connection, box)
        return dict.fromkeys(sorted(each.value for each in states), 0) | counted

    def _failures(self, *conditions: sa.ColumnElement[bool]) -> Sequence[DeliveryFailure]:
        last = sa.func.max(_OUTBOX.c.tried_utc)
        reason = _OUTBOX.c.reason, _OUTBOX.c.ours
        found = (
            sa.select(*reason, sa.func.count(), sa.func.min(_OUTBOX.c.failing_utc), last)
            .where(*conditions)
            .group_by(*reason)
            .order_by(last.desc())
            .limit(FAILURES_SHOWN)
        )
        return [DeliveryFailure(*row) for row in self._connection.execute(found)]

    def _replaced(self, since: datetime) -> Sequence[DeliveryFailure]:
        fault, due = _OUTBOX.c.template_fault, _OUTBOX.c.due_utc
        last = sa.func.max(due)
        found = (
            sa.select(fault, sa.true(), sa.func.count(), sa.func.min(due), last)
            .where(fault.is_not(None), due >= since)
            .group_by(fault)
            .order_by(last.desc())
            .limit(FAILURES_SHOWN)
        )
        return [DeliveryFailure(*row) for row in self._connection.execute(found)]

    def _count(self, *conditions: sa.ColumnElement[bool]) -> int:
        found = sa.select(sa.func.count()).select_from(_OUTBOX).where(*conditions)
        return self._connection.execute(found).scalar_one()

    def _one(self, question: sa.Select[datetime]) -> datetime | None:
        instant: datetime | None = self._connection.execute(question).scalar_one()
        return instant
