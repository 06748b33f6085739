"""The mails to be sent, in a database."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from enum import Enum
from typing import assert_never

from sqlalchemy import (
    ColumnElement,
    Connection,
    RowMapping,
    and_,
    func,
    or_,
    select,
    true,
    update,
)

from judge.adapters.tables import OutboxRow, insert_new, table
from judge.app.outgoing import SentMail, Way
from judge.app.ports import OutgoingMail
from judge.mail.identity import folded

_OUTBOX = table(OutboxRow)
_MAIL = [_OUTBOX.c[field.name] for field in fields(OutgoingMail)]
_SHOWN = [_OUTBOX.c[field.name] for field in fields(SentMail) if field.name != "way"]


COMES_BACK_WITHIN = timedelta(hours=1)


class OutboxState(Enum):
    """Where an outgoing mail stands."""

    QUEUED = "queued"
    SENT = "sent"
    GIVEN_UP = "given_up"


class SqlOutbox:
    """The outbox as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, mail: OutgoingMail) -> bool:
        """Queue *mail*; False, and nothing done, if one of that Message-ID was ever queued."""
        row = {**asdict(mail), "state": OutboxState.QUEUED.value, "reason": ""}
        return insert_new(self._connection, _OUTBOX, row)

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Return the mails to be tried now, oldest first."""
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value, _OUTBOX.c.due_utc <= now
        return self._oldest(*queued, limit=limit)

    def sent(self, message_id: str, now: datetime) -> None:
        """Record that the mail was taken."""
        self._attempted(message_id, state=OutboxState.SENT.value, reason="", sent_utc=now)

    def postpone(self, message_id: str, due_utc: datetime, reason: str) -> None:
        """Record a failed attempt; try again at *due_utc*."""
        self._attempted(message_id, due_utc=due_utc, reason=reason)

    def give_up(self, message_id: str, reason: str) -> None:
        """Record that the mail cannot be delivered."""
        self._attempted(message_id, state=OutboxState.GIVEN_UP.value, reason=reason)

    def find(self, message_id: str) -> OutgoingMail | None:
        """Return the mail with this Message-ID, whatever became of it."""
        found = select(*_MAIL).where(_OUTBOX.c.message_id == message_id)
        row = self._connection.execute(found).mappings().one_or_none()
        return OutgoingMail(**row) if row else None

    def sent_from(self, sender: str) -> OutgoingMail | None:
        """Return the mail that went out with the envelope sender *sender*, its own."""
        found = select(*_MAIL).where(_OUTBOX.c.sender == folded(sender)).limit(2)
        rows = self._connection.execute(found).mappings().all()
        return OutgoingMail(**rows[0]) if len(rows) == 1 else None

    def bounced(self, message_id: str, now: datetime) -> None:
        """Record that a mail which was sent came back."""
        came_back = update(_OUTBOX).where(_OUTBOX.c.message_id == message_id)
        self._connection.execute(came_back.values(bounced_utc=now))

    def is_unreachable(self, person: str, since: datetime, now: datetime) -> bool:
        """Say whether a mail to *person* failed *since* then, and none seems to have arrived.

        One that was taken and has not come back within an hour arrived.
        """
        his = _OUTBOX.c.person == person
        failed = select(_OUTBOX.c.id).where(
            his,
            or_(
                _OUTBOX.c.bounced_utc >= since,
                and_(_OUTBOX.c.state == OutboxState.GIVEN_UP.value, _OUTBOX.c.due_utc >= since),
            ),
        )
        arrived = select(_OUTBOX.c.id).where(
            his,
            _OUTBOX.c.state == OutboxState.SENT.value,
            _OUTBOX.c.bounced_utc.is_(None),
            _OUTBOX.c.sent_utc.between(since, now - COMES_BACK_WITHIN),
        )
        found = [self._connection.execute(each.limit(1)).first() for each in (failed, arrived)]
        return found[0] is not None and found[1] is None

    def reschedule(self, person: str, kinds: Collection[str], due_utc: datetime) -> None:
        """Let what waits for *person*, of these *kinds* and not tried yet, be due then."""
        waits = (_OUTBOX.c.state == OutboxState.QUEUED.value, _OUTBOX.c.attempts == 0)
        his = (_OUTBOX.c.person == person, _OUTBOX.c.kind.in_(kinds))
        self._connection.execute(update(_OUTBOX).where(*waits, *his).values(due_utc=due_utc))

    def last_bounce(self, person: str) -> datetime | None:
        """Say when a mail to *person* last came back, None if none after it seems to arrive."""
        his = _OUTBOX.c.person == person
        came_back = select(func.max(_OUTBOX.c.bounced_utc)).where(his)
        last: datetime | None = self._connection.execute(came_back).scalar_one()
        if last is None:
            return None
        later = select(_OUTBOX.c.id).where(
            his, _OUTBOX.c.bounced_utc.is_(None), _OUTBOX.c.sent_utc > last
        )
        return None if self._connection.execute(later.limit(1)).first() else last

    def entries(
        self, game: str | None = None, way: Way | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        """List the latest mails, those about *game* or come so far if asked, the latest first."""
        latest = select(*_SHOWN, _OUTBOX.c.state).order_by(_OUTBOX.c.id.desc()).limit(limit)
        if game is not None:
            latest = latest.where(_OUTBOX.c.game == game)
        if way is not None:
            latest = latest.where(_come(way))
        return [_shown(row) for row in self._connection.execute(latest).mappings()]

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Take the bytes of some mails above number *after* that were sent or given up *before*.

        Returns their numbers, the lowest first.
        """
        done = _OUTBOX.c.id > after, _OUTBOX.c.state != OutboxState.QUEUED.value
        since = func.coalesce(_OUTBOX.c.sent_utc, _OUTBOX.c.due_utc)
        old = select(_OUTBOX.c.id).where(*done, since < before, _OUTBOX.c.raw != b"")
        oldest = old.order_by(_OUTBOX.c.id).limit(limit)
        numbers = self._connection.execute(oldest).scalars().all()
        emptied = update(_OUTBOX).where(_OUTBOX.c.id.in_(numbers)).values(raw=b"")
        self._connection.execute(emptied)
        return numbers

    def next_due(self) -> datetime | None:
        """Say when the next mail is to be tried."""
        earliest = select(func.min(_OUTBOX.c.due_utc)).where(
            _OUTBOX.c.state == OutboxState.QUEUED.value
        )
        due: datetime | None = self._connection.execute(earliest).scalar_one()
        return due

    def _oldest(self, *conditions: ColumnElement[bool], limit: int) -> Sequence[OutgoingMail]:
        oldest = select(*_MAIL).where(*conditions).order_by(_OUTBOX.c.due_utc, _OUTBOX.c.id)
        rows = self._connection.execute(oldest.limit(limit)).mappings()
        return [OutgoingMail(**row) for row in rows]

    def _attempted(self, message_id: str, **values: object) -> None:
        self._connection.execute(
            update(_OUTBOX)
            .where(_OUTBOX.c.message_id == message_id)
            .values(attempts=_OUTBOX.c.attempts + 1, **values)
        )


def _come(way: Way) -> ColumnElement[bool]:
    """Return what holds of the mails that have come as far as *way*."""
    tried, returned = _OUTBOX.c.attempts > 0, _OUTBOX.c.bounced_utc.is_not(None)
    conditions = {
        Way.QUEUED: (OutboxState.QUEUED, ~tried),
        Way.DEFERRED: (OutboxState.QUEUED, tried),
        Way.SENT: (OutboxState.SENT, ~returned),
        Way.CAME_BACK: (OutboxState.SENT, returned),
        Way.GIVEN_UP: (OutboxState.GIVEN_UP, true()),
    }
    state, condition = conditions[way]
    return and_(_OUTBOX.c.state == state.value, condition)


def _shown(row: RowMapping) -> SentMail:
    facts = dict(row)
    return SentMail(way=_way(OutboxState(facts.pop("state")), row), **facts)


def _way(state: OutboxState, row: RowMapping) -> Way:
    match state:
        case OutboxState.QUEUED:
            return Way.DEFERRED if row["attempts"] else Way.QUEUED
        case OutboxState.SENT:
            return Way.CAME_BACK if row["bounced_utc"] else Way.SENT
        case OutboxState.GIVEN_UP:
            return Way.GIVEN_UP
        case _:
            assert_never(state)
