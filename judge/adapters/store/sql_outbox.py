"""The outbox in a database."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import fields
from datetime import datetime, timedelta
from enum import Enum
from typing import assert_never

import sqlalchemy as sa

from judge.adapters.store import tables
from judge.app.ports.outbox import NEVER, DeliveryState, Failure, OutgoingMail, SentMail
from judge.mail.headers import folded

DIGITS_MAX = 9  # of the number of an email
_OUTBOX = tables.table(tables.OutboxRow)
_MENTIONS = tables.table(tables.MentionRow)
_MAIL = [_OUTBOX.c[field.name] for field in fields(OutgoingMail)]
_SHOWN = [_OUTBOX.c[field.name] for field in fields(SentMail) if field.name != "way"]


COMES_BACK_WITHIN = timedelta(hours=1)
HELD_BACK_MAX = timedelta(days=1)  # except for ever


class OutboxState(Enum):
    """The state of an outgoing email."""

    QUEUED = "queued"
    SENT = "sent"
    GIVEN_UP = "given_up"
    HELD_BACK = "held_back"  # until it is due: then it is queued, or goes within a digest
    ENCLOSED = "enclosed"  # within the email that *reason* names


TO_GO = (OutboxState.QUEUED.value, OutboxState.HELD_BACK.value)
IS_QUEUED = _OUTBOX.c.state == OutboxState.QUEUED.value
_IS_HELD_BACK = _OUTBOX.c.state == OutboxState.HELD_BACK.value
HAS_TEXT = sa.or_(_OUTBOX.c.raw != b"", _OUTBOX.c.facts.is_not(None))
NO_TEXT = {"raw": b"", "facts": None, "render_utc": None, "offer": None}

# Statements of every email and turn, as for the inbox.
RENDERED = _OUTBOX.c.render_utc.is_(None)
_NEXT_DUE = sa.select(sa.func.min(_OUTBOX.c.due_utc)).where(
    _OUTBOX.c.state == OutboxState.QUEUED.value, RENDERED
)
_NEXT_RENDERED = sa.select(sa.func.min(_OUTBOX.c.render_utc)).where(~RENDERED, IS_QUEUED)
_RENDERED_WITH = sa.func.coalesce(_OUTBOX.c.game, _OUTBOX.c.message_id)
_UNRENDERED_GAMES = (
    sa.select(_RENDERED_WITH)
    .where(_OUTBOX.c.render_utc <= sa.bindparam("now"), IS_QUEUED)
    .order_by(_OUTBOX.c.render_utc, _OUTBOX.c.id)
    .limit(sa.bindparam("most"))
)
_UNRENDERED = _UNRENDERED_GAMES.with_only_columns(*_MAIL).where(
    _RENDERED_WITH.in_(sa.bindparam("names", expanding=True))
)
_RENDERED = (
    sa.update(_OUTBOX)
    .where(_OUTBOX.c.message_id == sa.bindparam("identity"), ~RENDERED)
    .values(
        raw=sa.bindparam("content"),
        template_fault=sa.bindparam("fault"),
        facts=None,
        render_utc=None,
        attempts=0,
        reason="",
        ours=False,
        failing_utc=None,
        tried_utc=None,
    )
)
DUE = (
    sa.select(*_MAIL)
    .where(
        _OUTBOX.c.state == OutboxState.QUEUED.value,
        _OUTBOX.c.due_utc <= sa.bindparam("now"),
        RENDERED,
    )
    .order_by(_OUTBOX.c.due_utc, _OUTBOX.c.id)
    .limit(sa.bindparam("most"))
)
_OF_MESSAGE = _OUTBOX.c.message_id == sa.bindparam("identity")
_MAILS_OF_MESSAGES = sa.select(*_MAIL).where(
    _OUTBOX.c.message_id.in_(sa.bindparam("identities", expanding=True))
)
_SENT = (
    sa.update(_OUTBOX)
    .where(_OF_MESSAGE)
    .values(
        attempts=_OUTBOX.c.attempts + 1,
        state=OutboxState.SENT.value,
        reason="",
        ours=False,
        failing_utc=None,
        tried_utc=sa.bindparam("now"),
        sent_utc=sa.bindparam("now"),
    )
)
_AWAITED = (
    sa.select(_OUTBOX.c.person)
    .where(_IS_HELD_BACK, _OUTBOX.c.due_utc <= sa.bindparam("now"))
    .distinct()
    .order_by(_OUTBOX.c.person)
)


class SqlOutbox:
    """The outbox as one transaction sees it."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection
        self.has_queued = False

    def put(self, *mails: OutgoingMail) -> bool:
        return self._put(mails, OutboxState.QUEUED)

    def mention(self, message_id: str, names: Collection[str]) -> None:
        rows = [{"message_id": message_id, "name": each} for each in names]
        if rows:
            tables.insert_new(self._connection, _MENTIONS, *rows)

    def hold_back(self, *mails: OutgoingMail) -> bool:
        return self._put(mails, OutboxState.HELD_BACK)

    def awaited(self, now: datetime) -> Sequence[str]:
        return self._connection.execute(_AWAITED, {"now": now}).scalars().all()

    def waiting(self, person: str, now: datetime) -> Sequence[OutgoingMail]:
        theirs = sa.select(*_MAIL).where(*_held_back(now), _OUTBOX.c.person == person)
        return self._mails(theirs.order_by(_OUTBOX.c.recipient, _OUTBOX.c.id).with_for_update())

    def release(self, message_id: str, now: datetime) -> None:
        # Judges before 0.3.0 rendered emails when they held them back.
        render = sa.case((_OUTBOX.c.facts.is_(None), None), else_=now)
        self._set(message_id, state=OutboxState.QUEUED.value, render_utc=render)

    def enclose(self, message_id: str, within: str) -> None:
        self._set(message_id, state=OutboxState.ENCLOSED.value, reason=within)

    def enclosed(self, within: str) -> Sequence[OutgoingMail]:
        outer = sa.select(_OUTBOX.c.person).where(_OUTBOX.c.message_id == within).scalar_subquery()
        state = _OUTBOX.c.state == OutboxState.ENCLOSED.value
        inside = _OUTBOX.c.person == outer, state, _OUTBOX.c.reason == within
        return self._mails(sa.select(*_MAIL).where(*inside).order_by(_OUTBOX.c.id))

    def unrendered_games(self, now: datetime, limit: int) -> Sequence[str]:
        found = self._connection.execute(_UNRENDERED_GAMES, {"now": now, "most": limit})
        return [*dict.fromkeys(found.scalars())]

    def unrendered(
        self, now: datetime, limit: int, names: Collection[str]
    ) -> Sequence[OutgoingMail]:
        return self._mails(_UNRENDERED, now=now, most=limit, names=names)

    def rendered(self, message_id: str, raw: bytes, template_fault: str | None = None) -> None:
        made = {"identity": message_id, "content": raw, "fault": template_fault}
        self._connection.execute(_RENDERED, made)

    def renew_token(self, message_id: str, token: str) -> None:
        self._set(message_id, token=token)

    def not_rendered(self, message_id: str, render_utc: datetime, failure: Failure) -> None:
        self._failed(message_id, failure, ~RENDERED, render_utc=render_utc)

    def due(self, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        """Return the emails to try now, oldest first."""
        return self._mails(DUE, now=now, most=limit)

    def sent(self, message_ids: Collection[str], now: datetime) -> None:
        if message_ids:
            rows = [{"identity": each, "now": now} for each in message_ids]
            self._connection.execute(_SENT, rows)

    def postpone(self, message_id: str, due_utc: datetime, failure: Failure) -> None:
        self._failed(message_id, failure, IS_QUEUED, due_utc=due_utc)

    def bring_forward(self, now: datetime) -> None:
        last = sa.func.coalesce(_OUTBOX.c.tried_utc, _OUTBOX.c.render_utc, _OUTBOX.c.due_utc)
        later = sa.and_(IS_QUEUED, last > now)
        gathered = sa.and_(
            _IS_HELD_BACK, _OUTBOX.c.due_utc > now + HELD_BACK_MAX, _OUTBOX.c.due_utc < NEVER
        )
        due = {"due_utc": now, "render_utc": sa.case((RENDERED, None), else_=now)}
        self._connection.execute(sa.update(_OUTBOX).where(later).values(**due))
        self._connection.execute(sa.update(_OUTBOX).where(gathered).values(due_utc=now))

    def requeue(self, message_id: str, due_utc: datetime, failure: Failure) -> None:
        was_sent = sa.update(_OUTBOX).where(
            _OUTBOX.c.message_id == message_id, _OUTBOX.c.state == OutboxState.SENT.value
        )
        self._connection.execute(
            was_sent.values(
                state=OutboxState.QUEUED.value,
                due_utc=due_utc,
                sent_utc=None,
                reason=failure.reason,
                ours=failure.ours,
                failing_utc=failure.at,
                tried_utc=failure.at,
            )
        )

    def give_up(self, message_id: str, failure: Failure) -> None:
        self._failed(message_id, failure, IS_QUEUED, state=OutboxState.GIVEN_UP.value)

    def retry(self, message_id: str, now: datetime) -> None:
        was_given_up = _OUTBOX.c.state == OutboxState.GIVEN_UP.value
        fresh = {"attempts": 0, "reason": "", "failing_utc": None, "ours": False}
        values = {
            name: sa.case((was_given_up, value), else_=_OUTBOX.c[name])
            for name, value in fresh.items()
        }
        again = sa.case((RENDERED, None), else_=now)
        self._set(
            message_id, state=OutboxState.QUEUED.value, due_utc=now, render_utc=again, **values
        )

    def discard(self, message_id: str, reason: str) -> None:
        given_up = OutboxState.GIVEN_UP.value
        self._set(message_id, state=given_up, reason=reason, ours=False)

    def named(self, name: str) -> int | None:
        number = int(name) if name.isdecimal() and len(name) <= DIGITS_MAX else -1
        message_id = f"<{name.strip('<>')}>"
        named = sa.or_(_OUTBOX.c.id == number, _OUTBOX.c.message_id == message_id)
        found: int | None = self._connection.execute(
            sa.select(_OUTBOX.c.id).where(named)
        ).scalar_one_or_none()
        return found

    def get(self, number: int) -> OutgoingMail | None:
        found = self._mails(sa.select(*_MAIL).where(_OUTBOX.c.id == number))
        return next(iter(found), None)

    def entry(self, number: int) -> SentMail | None:
        found = sa.select(*_SHOWN, _OUTBOX.c.state).where(_OUTBOX.c.id == number)
        row = self._connection.execute(found).mappings().one_or_none()
        return _shown(row) if row else None

    def find(self, message_id: str) -> OutgoingMail | None:
        return self.find_each([message_id]).get(message_id)

    def find_each(self, message_ids: Collection[str]) -> Mapping[str, OutgoingMail]:
        found = self._mails(_MAILS_OF_MESSAGES, identities=message_ids) if message_ids else ()
        return {each.message_id: each for each in found}

    def latest_to(self, person: str, before: datetime, limit: int) -> Sequence[OutgoingMail]:
        theirs = (_OUTBOX.c.person == person) & (_OUTBOX.c.due_utc <= before)
        latest = sa.select(*_MAIL).where(theirs).order_by(_OUTBOX.c.id.desc()).limit(limit)
        return self._mails(latest)

    def sent_from(self, sender: str) -> OutgoingMail | None:
        found = sa.select(*_MAIL).where(_OUTBOX.c.sender == folded(sender)).limit(2)
        mails = self._mails(found)
        return mails[0] if len(mails) == 1 else None

    def bounced(self, message_id: str, now: datetime) -> None:
        came_back = sa.update(_OUTBOX).where(_OUTBOX.c.message_id == message_id)
        self._connection.execute(came_back.values(bounced_utc=now))

    def is_unreachable(
        self, person: str, since: datetime, now: datetime, *, bounces: bool
    ) -> bool:
        """Return whether an email to *person* failed *since* then, and none arrived.

        An email counts as arrived if it was accepted and has not bounced within an hour, or at
        all if *bounces* do not count.
        """
        theirs = _OUTBOX.c.person == person
        gave_up = sa.and_(
            _OUTBOX.c.state == OutboxState.GIVEN_UP.value, _OUTBOX.c.due_utc >= since
        )
        came_back = _OUTBOX.c.bounced_utc >= since
        failed = sa.select(_OUTBOX.c.id).where(
            theirs, sa.or_(came_back, gave_up) if bounces else gave_up
        )
        arrived = sa.select(_OUTBOX.c.id).where(
            theirs,
            _OUTBOX.c.state == OutboxState.SENT.value,
            _OUTBOX.c.sent_utc.between(since, now - COMES_BACK_WITHIN),
        )
        arrived = arrived.where(_OUTBOX.c.bounced_utc.is_(None)) if bounces else arrived
        found = [self._connection.execute(each.limit(1)).first() for each in (failed, arrived)]
        return found[0] is not None and found[1] is None

    def reschedule(self, person: str, kinds: Collection[str], due_utc: datetime) -> None:
        theirs = (_IS_HELD_BACK, _OUTBOX.c.person == person, _OUTBOX.c.kind.in_(kinds))
        self._connection.execute(sa.update(_OUTBOX).where(*theirs).values(due_utc=due_utc))

    def last_bounce(self, person: str) -> datetime | None:
        theirs = _OUTBOX.c.person == person
        came_back = sa.select(sa.func.max(_OUTBOX.c.bounced_utc)).where(theirs)
        last: datetime | None = self._connection.execute(came_back).scalar_one()
        if last is None:
            return None
        later = sa.select(_OUTBOX.c.id).where(
            theirs, _OUTBOX.c.bounced_utc.is_(None), _OUTBOX.c.sent_utc > last
        )
        return None if self._connection.execute(later.limit(1)).first() else last

    def entries(
        self, game: str | None = None, way: DeliveryState | None = None, limit: int = 100
    ) -> Sequence[SentMail]:
        latest = sa.select(*_SHOWN, _OUTBOX.c.state).order_by(_OUTBOX.c.id.desc()).limit(limit)
        if game is not None:
            latest = latest.where(_OUTBOX.c.game == game)
        if way is not None:
            latest = latest.where(_condition_of(way))
        return [_shown(row) for row in self._connection.execute(latest).mappings()]

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        done = _OUTBOX.c.id > after, _OUTBOX.c.state.not_in(TO_GO)
        since = sa.func.coalesce(_OUTBOX.c.sent_utc, _OUTBOX.c.due_utc)
        old = sa.select(_OUTBOX.c.id).where(*done, since < before, HAS_TEXT)
        oldest = old.order_by(_OUTBOX.c.id).limit(limit)
        numbers = self._connection.execute(oldest).scalars().all()
        remove_texts(self._connection, numbers)
        return numbers

    def of_ended_games(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        last = sa.select(sa.func.max(_OUTBOX.c.id)).scalar_subquery()  # whose number is not reused
        finished = (
            sa.select(_OUTBOX.c.id)
            .where(
                _OUTBOX.c.id > after,
                _OUTBOX.c.id < last,
                _OUTBOX.c.state.not_in(TO_GO),
                ~_OUTBOX.c.ours,
                _OUTBOX.c.game.in_(tables.ended_games(before)),
            )
            .order_by(_OUTBOX.c.id)
            .limit(limit)
        )
        return self._connection.execute(finished).scalars().all()

    def remove(self, numbers: Collection[int]) -> None:
        finished = _OUTBOX.c.id.in_(numbers), _OUTBOX.c.state.not_in(TO_GO)
        self._connection.execute(sa.delete(_OUTBOX).where(*finished))

    def next_due(self) -> datetime | None:
        asked = (_NEXT_DUE, _NEXT_RENDERED)
        found = [self._connection.execute(each).scalar_one() for each in asked]
        return min((each for each in found if each), default=None)

    def _mails(self, statement: sa.Select[object], **values: object) -> Sequence[OutgoingMail]:
        rows = self._connection.execute(statement, values).mappings()
        return [OutgoingMail(**row) for row in rows]

    def _failed(
        self,
        message_id: str,
        failure: Failure,
        still: sa.ColumnElement[bool],
        **values: object,
    ) -> None:
        """Record a failure, if the email is *still* what it was: it may have been discarded."""
        waits = sa.update(_OUTBOX).where(_OUTBOX.c.message_id == message_id, still)
        failed = waits.values(
            attempts=_OUTBOX.c.attempts + 1,
            reason=failure.reason,
            ours=failure.ours,
            failing_utc=sa.func.coalesce(_OUTBOX.c.failing_utc, failure.at),
            tried_utc=failure.at,
            **values,
        )
        self._connection.execute(failed)

    def _set(self, message_id: str, **values: object) -> None:
        mail = sa.update(_OUTBOX).where(_OUTBOX.c.message_id == message_id)
        self._connection.execute(mail.values(**values))

    def _put(self, mails: Sequence[OutgoingMail], state: OutboxState) -> bool:
        if not mails:
            return False
        rows = [{**tables.cells(each), "state": state.value, "reason": ""} for each in mails]
        self.has_queued = True
        return tables.insert_new(self._connection, _OUTBOX, *rows)


def remove_texts(connection: sa.Connection, numbers: Collection[int]) -> None:
    """Remove the texts of emails, and what they mention."""
    emptied = _OUTBOX.c.id.in_(numbers)
    names = sa.select(_OUTBOX.c.message_id).where(emptied)
    connection.execute(sa.delete(_MENTIONS).where(_MENTIONS.c.message_id.in_(names)))
    connection.execute(sa.update(_OUTBOX).where(emptied).values(**NO_TEXT))


def _held_back(now: datetime) -> tuple[sa.ColumnElement[bool], ...]:
    return _IS_HELD_BACK, _OUTBOX.c.due_utc <= now


def _condition_of(way: DeliveryState) -> sa.ColumnElement[bool]:
    tried, returned = _OUTBOX.c.attempts > 0, _OUTBOX.c.bounced_utc.is_not(None)
    conditions = {
        DeliveryState.HELD_BACK: (OutboxState.HELD_BACK, sa.true()),
        DeliveryState.QUEUED: (OutboxState.QUEUED, ~tried),
        DeliveryState.DEFERRED: (OutboxState.QUEUED, tried),
        DeliveryState.SENT: (OutboxState.SENT, ~returned),
        DeliveryState.ENCLOSED: (OutboxState.ENCLOSED, sa.true()),
        DeliveryState.CAME_BACK: (OutboxState.SENT, returned),
        DeliveryState.GIVEN_UP: (OutboxState.GIVEN_UP, sa.true()),
    }
    state, condition = conditions[way]
    return sa.and_(_OUTBOX.c.state == state.value, condition)


def _shown(row: sa.RowMapping) -> SentMail:
    facts = dict(row)
    return SentMail(way=_way(OutboxState(facts.pop("state")), row), **facts)


def _way(state: OutboxState, row: sa.RowMapping) -> DeliveryState:
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
