"""The outbox in a database: emails to be sent, their state and their retries."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from enum import Enum
from typing import assert_never

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, func, or_, select, true, update

from judge.adapters.store.tables import OutboxRow, insert_new, table
from judge.app.ports.outbox import DeliveryState, OutgoingMail, SentMail
from judge.mail.mail_addresses import folded

_OUTBOX = table(OutboxRow)
_MAIL = [_OUTBOX.c[field.name] for field in fields(OutgoingMail)]
_SHOWN = [_OUTBOX.c[field.name] for field in fields(SentMail) if field.name != "way"]


COMES_BACK_WITHIN = timedelta(hours=1)


class OutboxState(Enum):
    """The state of an outgoing email."""

    QUEUED = "queued"
    SENT = "sent"
    GIVEN_UP = "given_up"
    HELD_BACK = "held_back"  # until it is due: then it is queued, or goes within another
    ENCLOSED = "enclosed"  # within the mail that *reason* names


TO_GO = (OutboxState.QUEUED.value, OutboxState.HELD_BACK.value)


class SqlOutbox:
    """The outbox as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def put(self, mail: OutgoingMail) -> bool:
        """Queue *mail*; False, and nothing done, if one of that Message-ID was ever queued."""
        return self._put(mail, OutboxState.QUEUED)

    def hold_back(self, mail: OutgoingMail) -> bool:
        """Hold *mail* back for a digest until it is due; otherwise as `put`."""
        return self._put(mail, OutboxState.HELD_BACK)

    def awaited(self, now: datetime) -> Sequence[str]:
        """Return the persons for whom a digest is due."""
        persons = select(_OUTBOX.c.person).where(*_held_back(now)).distinct()
        return self._connection.execute(persons.order_by(_OUTBOX.c.person)).scalars().all()

    def waiting(self, person: str, now: datetime) -> Sequence[OutgoingMail]:
        """Return the emails held back for *person* that are due, by address, oldest first."""
        his = select(*_MAIL).where(*_held_back(now), _OUTBOX.c.person == person)
        held = his.order_by(_OUTBOX.c.recipient, _OUTBOX.c.id).with_for_update()
        rows = self._connection.execute(held).mappings()
        return [OutgoingMail(**row) for row in rows]

    def release(self, message_id: str) -> None:
        """Send an email that was held back by itself."""
        self._set(message_id, state=OutboxState.QUEUED.value)

    def enclose(self, message_id: str, within: str) -> None:
        """Record that an email held back goes out *within* another."""
        self._set(message_id, state=OutboxState.ENCLOSED.value, reason=within)

    def enclosed(self, within: str) -> Sequence[OutgoingMail]:
        """Return the emails that went *within* another."""
        outer = select(_OUTBOX.c.person).where(_OUTBOX.c.message_id == within).scalar_subquery()
        state = _OUTBOX.c.state == OutboxState.ENCLOSED.value
        rows = select(*_MAIL).where(_OUTBOX.c.person == outer, state, _OUTBOX.c.reason == within)
        ordered = rows.order_by(_OUTBOX.c.id)
        return [OutgoingMail(**row) for row in self._connection.execute(ordered).mappings()]

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Return the emails to be tried now, oldest first."""
        queued = _OUTBOX.c.state == OutboxState.QUEUED.value, _OUTBOX.c.due_utc <= now
        return self._oldest(*queued, limit=limit)

    def sent(self, message_id: str, now: datetime) -> None:
        """Record that the email was taken."""
        self._attempted(message_id, state=OutboxState.SENT.value, reason="", sent_utc=now)

    def postpone(self, message_id: str, due_utc: datetime, reason: str) -> None:
        """Record a failed attempt; try again at *due_utc*."""
        self._attempted(message_id, due_utc=due_utc, reason=reason)

    def give_up(self, message_id: str, reason: str) -> None:
        """Record that the email cannot be delivered."""
        self._attempted(message_id, state=OutboxState.GIVEN_UP.value, reason=reason)

    def find(self, message_id: str) -> OutgoingMail | None:
        """Return the email with this Message-ID, whatever became of it."""
        found = select(*_MAIL).where(_OUTBOX.c.message_id == message_id)
        row = self._connection.execute(found).mappings().one_or_none()
        return OutgoingMail(**row) if row else None

    def sent_from(self, sender: str) -> OutgoingMail | None:
        """Return the email that went out with the envelope sender *sender*, its own."""
        found = select(*_MAIL).where(_OUTBOX.c.sender == folded(sender)).limit(2)
        rows = self._connection.execute(found).mappings().all()
        return OutgoingMail(**rows[0]) if len(rows) == 1 else None

    def bounced(self, message_id: str, now: datetime) -> None:
        """Record a bounce of an email."""
        came_back = update(_OUTBOX).where(_OUTBOX.c.message_id == message_id)
        self._connection.execute(came_back.values(bounced_utc=now))

    def is_unreachable(self, person: str, since: datetime, now: datetime) -> bool:
        """Return whether an email to *person* failed *since* then, and none seems to have arrived.

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
        waits = (_OUTBOX.c.state.in_(TO_GO), _OUTBOX.c.attempts == 0)
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
        self, game: str | None = None, way: DeliveryState | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        """List the latest emails, those about *game* or come so far if asked, the latest first."""
        latest = select(*_SHOWN, _OUTBOX.c.state).order_by(_OUTBOX.c.id.desc()).limit(limit)
        if game is not None:
            latest = latest.where(_OUTBOX.c.game == game)
        if way is not None:
            latest = latest.where(_come(way))
        return [_shown(row) for row in self._connection.execute(latest).mappings()]

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Empty some emails above number *after* that were sent or given up *before*.

        Returns their numbers, the lowest first.
        """
        done = _OUTBOX.c.id > after, _OUTBOX.c.state.not_in(TO_GO)
        since = func.coalesce(_OUTBOX.c.sent_utc, _OUTBOX.c.due_utc)
        old = select(_OUTBOX.c.id).where(*done, since < before, _OUTBOX.c.raw != b"")
        oldest = old.order_by(_OUTBOX.c.id).limit(limit)
        numbers = self._connection.execute(oldest).scalars().all()
        emptied = update(_OUTBOX).where(_OUTBOX.c.id.in_(numbers)).values(raw=b"")
        self._connection.execute(emptied)
        return numbers

    def next_due(self) -> datetime | None:
        """Return when the next mail is to be tried."""
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
        self._set(message_id, attempts=_OUTBOX.c.attempts + 1, **values)

    def _set(self, message_id: str, **values: object) -> None:
        mail = update(_OUTBOX).where(_OUTBOX.c.message_id == message_id)
        self._connection.execute(mail.values(**values))

    def _put(self, mail: OutgoingMail, state: OutboxState) -> bool:
        row = {**asdict(mail), "state": state.value, "reason": ""}
        return insert_new(self._connection, _OUTBOX, row)


def _held_back(now: datetime) -> tuple[ColumnElement[bool], ...]:
    """Return the condition for emails that have been held back long enough."""
    return _OUTBOX.c.state == OutboxState.HELD_BACK.value, _OUTBOX.c.due_utc <= now


def _come(way: DeliveryState) -> ColumnElement[bool]:
    """Return what holds of the emails that have come as far as *way*."""
    tried, returned = _OUTBOX.c.attempts > 0, _OUTBOX.c.bounced_utc.is_not(None)
    conditions = {
        DeliveryState.HELD_BACK: (OutboxState.HELD_BACK, true()),
        DeliveryState.QUEUED: (OutboxState.QUEUED, ~tried),
        DeliveryState.DEFERRED: (OutboxState.QUEUED, tried),
        DeliveryState.SENT: (OutboxState.SENT, ~returned),
        DeliveryState.ENCLOSED: (OutboxState.ENCLOSED, true()),
        DeliveryState.CAME_BACK: (OutboxState.SENT, returned),
        DeliveryState.GIVEN_UP: (OutboxState.GIVEN_UP, true()),
    }
    state, condition = conditions[way]
    return and_(_OUTBOX.c.state == state.value, condition)


def _shown(row: RowMapping) -> SentMail:
    facts = dict(row)
    return SentMail(way=_way(OutboxState(facts.pop("state")), row), **facts)


def _way(state: OutboxState, row: RowMapping) -> DeliveryState:
    match state:
        case OutboxState.QUEUED:
            return DeliveryState.DEFERRED if row["attempts"] else DeliveryState.QUEUED
        case OutboxState.SENT:
            return DeliveryState.CAME_BACK if row["bounced_utc"] else DeliveryState.SENT
        case OutboxState.GIVEN_UP:
            return DeliveryState.GIVEN_UP
        case OutboxState.HELD_BACK:
            return DeliveryState.HELD_BACK
        case OutboxState.ENCLOSED:
            return DeliveryState.ENCLOSED
        case _:
            assert_never(state)
