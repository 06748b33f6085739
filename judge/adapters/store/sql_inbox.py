"""The inbox in a database."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from hashlib import sha256
from typing import Any

import sqlalchemy as sa

from judge.adapters.store import tables
from judge.app.ports.inbox import (
    IN_MAILBOX,
    Envelope,
    InboxEntry,
    InboxState,
    IncomingMail,
    WaitingMail,
)
from judge.mail.headers import game_named, token_digest, token_named

_INBOX = tables.table(tables.InboxRow)
_LETTERS = tables.table(tables.UniqueEmailRow)
_EVIDENCE = tables.table(tables.EvidenceRow)
_GAMES = tables.table(tables.GameRow)
_TOKENS = tables.table(tables.TokenRow)
_ADDRESSES = tables.table(tables.AddressRow)
_MENTIONS = tables.table(tables.IncomingMentionRow)
DONE = (InboxState.PROCESSED, InboxState.IGNORED)  # such an email is not read again
DIGITS_MIN = 8  # of a SHA-256 that names an email; fewer digits are its number

# Statements of every email and turn, built once: to build one takes longer than to execute it.
_MAIL_OF_ID = sa.select(_INBOX).where(_INBOX.c.id == sa.bindparam("mail"))
_WAITING = (
    sa.select(_INBOX.c.id)
    .where(_INBOX.c.state == InboxState.RECEIVED.value)
    .order_by(_INBOX.c.received_utc, _INBOX.c.id)
    .limit(sa.bindparam("most"))
)
_WAITING_UNTIL = _WAITING.where(_INBOX.c.received_utc <= sa.bindparam("now"))
_DIED = sa.case((_INBOX.c.in_hand, 1), else_=0)
_ATTEMPTS_BEFORE = sa.case(
    (sa.and_(_INBOX.c.in_hand, _INBOX.c.attempts > 0), _INBOX.c.attempts - 1),
    else_=_INBOX.c.attempts,
)
_READY = _WAITING.add_columns(_INBOX.c.sender, _INBOX.c.game, _ATTEMPTS_BEFORE).where(
    sa.or_(_INBOX.c.retry_utc.is_(None), _INBOX.c.retry_utc <= sa.bindparam("now"))
)
_UNTRIED = _READY.where(_INBOX.c.attempts == 0)
_RETRIED = _READY.order_by(None).order_by(_INBOX.c.deaths, _INBOX.c.received_utc, _INBOX.c.id)
_HELD = (
    sa.select(_INBOX.c.id)
    .where(_INBOX.c.state == InboxState.HELD.value)
    .order_by(_INBOX.c.id)
    .limit(sa.bindparam("most"))
)
_HELD_BEFORE = _HELD.where(_INBOX.c.received_utc < sa.bindparam("now"))
_HELD_BECAUSE = _HELD.where(_INBOX.c.reason == sa.bindparam("why"), _INBOX.c.held_for.is_(None))
_HELD_FOR = _HELD.with_only_columns(*_INBOX.c).where(_INBOX.c.held_for == sa.bindparam("person"))
_SEEN_BEFORE = (
    sa.select(_LETTERS.c.mail, _INBOX.c.received_utc)
    .join_from(_LETTERS, _INBOX, _LETTERS.c.mail == _INBOX.c.id)
    .where(
        *(_LETTERS.c[name] == sa.bindparam(name) for name in ("person", "message_id", "digest"))
    )
)
_OF_MAIL = _INBOX.c.id == sa.bindparam("mail")
_CHANGE = sa.update(_INBOX).where(_OF_MAIL)
_TAKE_BACK = _CHANGE.values(attempts=_ATTEMPTS_BEFORE)
_BEGIN_ATTEMPT = _CHANGE.values(
    attempts=_INBOX.c.attempts + 1 - _DIED, deaths=_INBOX.c.deaths + _DIED
).returning(_INBOX)


@cache
def _insertion(dialect: str) -> sa.Insert:
    """Compile the look-up and the insert into one statement, once: every email waits for it."""
    names = ("sha256", "raw", "sender", "recipient", "way_in", "received_utc", "state")
    counted = ("attempts", "reason", "deaths", "in_hand", "offer")
    columns = [_INBOX.c[name] for name in (*names, *counted)]
    row = {column.name: sa.bindparam(column.name, type_=column.type) for column in columns}
    game = sa.select(_TOKENS.c.game).where(_TOKENS.c.digest == sa.bindparam("token"))
    about = sa.func.coalesce(game.scalar_subquery(), sa.bindparam("named", type_=sa.String))
    same = sa.select(_INBOX.c.id).where(
        _INBOX.c.sha256 == row["sha256"], _INBOX.c.recipient == row["recipient"]
    )
    unless_there = sa.select(*row.values(), about).where(~same.exists())
    return (
        tables.inserting(dialect, _INBOX)
        .from_select([*columns, _INBOX.c.game], unless_there)
        .on_conflict_do_nothing()
    )


def _new_rows(envelope: Envelope, received_utc: datetime) -> list[dict[str, object]]:
    row: dict[str, object] = {
        "named": game_named(envelope.raw),
        "sha256": sha256(envelope.raw).hexdigest(),
        "raw": envelope.raw,
        "sender": envelope.sender,
        "way_in": envelope.way_in,
        "received_utc": received_utc,
        "state": InboxState.RECEIVED.value,
        "attempts": 0,
        "reason": "",
        "deaths": 0,
        "in_hand": False,
        "offer": "",
    }
    return [
        row | {"recipient": each, "token": token_digest(token_named(envelope.raw, each))}
        for each in envelope.recipients
    ]


class SqlInbox(tables.Bound):
    """The inbox as one transaction sees it."""

    def keep(self, mails: Iterable[tuple[Envelope, datetime]]) -> int:
        rows = [row for envelope, received in mails for row in _new_rows(envelope, received)]
        insertion = _insertion(self._connection.dialect.name)
        counted = {"preserve_rowcount": True}
        return self._connection.execute(insertion, rows, execution_options=counted).rowcount

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        if until is None:
            found = self._connection.execute(_WAITING, {"most": limit})
        else:
            found = self._connection.execute(_WAITING_UNTIL, {"now": until, "most": limit})
        return found.scalars().all()

    def ready(self, now: datetime, limit: int = 100) -> Sequence[WaitingMail]:
        rows = self._connection.execute(_UNTRIED, {"now": now, "most": limit}).all()
        rows = rows or self._connection.execute(_RETRIED, {"now": now, "most": 1}).all()
        return [WaitingMail(*row) for row in rows]

    def arrive(self) -> bool:
        """Return True: there is no other judge, and other writers are kept out already."""
        return True

    def claim(self, mail: int, now: datetime | None = None) -> bool:
        """Return True: there is no other judge."""
        del mail, now
        return True

    def begin_attempt(self, mail: int, retry_utc: datetime | None = None) -> IncomingMail:
        begun = self._change(mail, _BEGIN_ATTEMPT, in_hand=True, retry_utc=retry_utc)
        return _mail(begun.mappings().one())

    def end_attempt(self, mail: int) -> None:
        self._change(mail, in_hand=False)

    def take_back(
        self, mail: int, retry_utc: datetime | None = None, game: str | None = None
    ) -> None:
        about = {"game": game} if game else {}
        self._change(mail, _TAKE_BACK, in_hand=False, retry_utc=retry_utc, **about)

    def retry_by(self, latest: datetime) -> None:
        waits = _INBOX.c.state == InboxState.RECEIVED.value, _INBOX.c.retry_utc > latest
        self._connection.execute(sa.update(_INBOX).where(*waits).values(retry_utc=latest))

    def get(self, mail: int) -> IncomingMail | None:
        row = self._connection.execute(_MAIL_OF_ID, {"mail": mail}).mappings().one_or_none()
        return _mail(row) if row else None

    def mention(self, mail: int, addresses: Collection[str]) -> None:
        if not addresses:
            return
        owners = sa.select(_ADDRESSES.c.person).where(_ADDRESSES.c.folded.in_(addresses))
        names = {*addresses, *self._connection.execute(owners).scalars()}
        tables.insert_new(
            self._connection, _MENTIONS, *({"mail": mail, "name": each} for each in names)
        )

    def finish(self, mail: int, state: InboxState, reason: str = "") -> None:
        self._change(mail, state=state.value, reason=reason, in_hand=False)

    def restart(self, mail: int) -> None:
        state = InboxState.RECEIVED.value
        self._change(mail, state=state, attempts=0, deaths=0, in_hand=False, retry_utc=None)

    def rewrite(self, mail: int, raw: bytes) -> None:
        self._change(mail, raw=raw)

    def wrote(self, person: str, since: datetime) -> bool:
        return bool(self.of_person(person, since, 1))

    def of_person(self, person: str, since: datetime, limit: int) -> Sequence[int]:
        theirs = (
            sa.select(_INBOX.c.id)
            .join_from(_LETTERS, _INBOX, _LETTERS.c.mail == _INBOX.c.id)
            .where(_LETTERS.c.person == person, _INBOX.c.received_utc >= since)
            .order_by(_INBOX.c.id.desc())
            .limit(limit)
        )
        return self._connection.execute(theirs).scalars().all()

    def held(self, before: datetime, limit: int) -> Sequence[int]:
        found = self._connection.execute(_HELD_BEFORE, {"now": before, "most": limit})
        return found.scalars().all()

    def hold_for(self, mail: int, person: str, game: str | None) -> None:
        self._change(mail, held_for=person, game=game)

    def held_for(self, person: str, limit: int) -> Sequence[IncomingMail]:
        found = self._connection.execute(_HELD_FOR, {"person": person, "most": limit})
        return [_mail(row) for row in found.mappings()]

    def held_because(self, reason: str, limit: int) -> Sequence[int]:
        found = self._connection.execute(_HELD_BECAUSE, {"why": reason, "most": limit})
        return found.scalars().all()

    def note_offer(self, mail: int, offer: str) -> None:
        self._change(mail, offer=offer)

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        old = (
            sa.select(_INBOX.c.id)
            .where(
                _INBOX.c.id > after,
                _INBOX.c.state.in_([state.value for state in DONE]),
                _INBOX.c.received_utc < before,
                _INBOX.c.raw != b"",
            )
            .order_by(_INBOX.c.id)
            .limit(limit)
        )
        numbers = self._connection.execute(old).scalars().all()
        empty_emails(self._connection, numbers)
        return numbers

    def of_ended_games(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        over = _EVIDENCE.c.game.in_(tables.ended_games(before))
        about = _EVIDENCE.c.mail == _INBOX.c.id
        needed = about & _EVIDENCE.c.game.in_(sa.select(_GAMES.c.name)) & ~over
        finished = (
            sa.select(_INBOX.c.id)
            .where(
                _INBOX.c.id > after,
                _INBOX.c.id.in_(sa.select(_EVIDENCE.c.mail).where(over)),
                _INBOX.c.state.in_([state.value for state in DONE]),
                _INBOX.c.raw == b"",
                _INBOX.c.way_in != IN_MAILBOX,
                ~sa.exists().where(needed),
            )
            .order_by(_INBOX.c.id)
            .limit(limit)
        )
        return self._connection.execute(finished).scalars().all()

    def remove(self, numbers: Collection[int]) -> None:
        for rows in (_EVIDENCE.c.mail, _LETTERS.c.mail, _INBOX.c.id):
            self._connection.execute(sa.delete(rows.table).where(rows.in_(numbers)))

    def entries(self, state: InboxState | None = None, limit: int = 100) -> Sequence[InboxEntry]:
        shown = (_INBOX.c[field.name] for field in fields(InboxEntry))
        latest = sa.select(*shown).order_by(_INBOX.c.id.desc()).limit(limit)
        if state is not None:
            latest = latest.where(_INBOX.c.state == state.value)
        rows = self._connection.execute(latest).mappings().all()
        return [InboxEntry(**{**row, "state": InboxState(row["state"])}) for row in reversed(rows)]

    def named(self, name: str) -> Sequence[int]:
        if name.isdecimal() and len(name) < DIGITS_MIN:
            found = sa.select(_INBOX.c.id).where(_INBOX.c.id == int(name))
        else:
            found = sa.select(_INBOX.c.id).where(_INBOX.c.sha256.startswith(name, autoescape=True))
        return self._connection.execute(found.limit(2)).scalars().all()

    def release(self, mail: int, person: str) -> None:
        """Put a held email back to received, confirmed by *person*, with no attempts counted.

        The reason for holding it stays: it may name work that remains.
        """
        self.restart(mail)
        self._change(mail, confirmed_person=person)

    def seen_before(self, person: str, message_id: str, digest: str, mail: int) -> datetime | None:
        """Remember what *person* sent in *mail*, and return when they sent the same before."""
        letter = {"person": person, "message_id": message_id, "digest": digest}
        if tables.insert_new(self._connection, _LETTERS, {**letter, "mail": mail}):
            return None
        seen = self._connection.execute(_SEEN_BEFORE, letter).one()
        return None if seen.mail == mail else seen.received_utc

    def _change(
        self, mail: int, statement: sa.UpdateBase = _CHANGE, **values: object
    ) -> sa.CursorResult[Any]:
        return self._connection.execute(statement, {"mail": mail, **values})


def _mail(row: sa.RowMapping) -> IncomingMail:
    return IncomingMail(**{**row, "state": InboxState(row["state"])})


def empty_emails(connection: sa.Connection, numbers: Sequence[int], **values: str) -> int:
    """Remove the texts of emails, and what they mention, and set *values*; return their number."""
    connection.execute(sa.delete(_MENTIONS).where(_MENTIONS.c.mail.in_(numbers)))
    which = sa.update(_INBOX).where(_INBOX.c.id.in_(numbers))
    return connection.execute(which.values(raw=b"", offer="", **values)).rowcount
