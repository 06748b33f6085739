"""The inbox in a database: received emails, their state and their attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from hashlib import sha256

from sqlalchemy import Connection, Insert, Select, bindparam, case, insert, or_, select, update

from judge.adapters.store.tables import InboxRow, LetterRow, inserting, table
from judge.app.ports.inbox import InboxEntry, InboxState, IncomingMail

_INBOX = table(InboxRow)
_LETTERS = table(LetterRow)
DONE = (InboxState.PROCESSED, InboxState.IGNORED)  # nobody will read such a mail again
DIGITS_MIN = 8  # of a SHA-256, to name a mail; fewer are its number


@cache
def _keeping(dialect: str) -> Insert:
    """Make one statement of looking and inserting, once: it is what every email waits for."""
    names = ("sha256", "raw", "sender", "recipient", "way_in", "received_utc", "state")
    columns = [_INBOX.c[name] for name in (*names, "attempts", "reason", "deaths", "in_hand")]
    row = {column.name: bindparam(column.name, type_=column.type) for column in columns}
    same = select(_INBOX.c.id).where(
        _INBOX.c.sha256 == row["sha256"], _INBOX.c.recipient == row["recipient"]
    )
    unless_there = select(*row.values()).where(~same.exists())
    return inserting(dialect, _INBOX).from_select(columns, unless_there).on_conflict_do_nothing()


class SqlInbox:
    """The inbox as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def keep(
        self, raw: bytes, sender: str, recipient: str, way_in: str, received_utc: datetime
    ) -> bool:
        """Store an email; False if the same bytes to this recipient are stored already."""
        row = {
            "sha256": sha256(raw).hexdigest(),
            "raw": raw,
            "sender": sender,
            "recipient": recipient,
            "way_in": way_in,
            "received_utc": received_utc,
            "state": InboxState.RECEIVED.value,
            "attempts": 0,
            "reason": "",
            "deaths": 0,
            "in_hand": False,
        }
        return self._connection.execute(_keeping(self._connection.dialect.name), row).rowcount > 0

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Return the emails in state received at or before *until*, oldest first."""
        oldest = _waiting(limit)
        if until is not None:
            oldest = oldest.where(_INBOX.c.received_utc <= until)
        return self._connection.execute(oldest).scalars().all()

    def ready(self, now: datetime, limit: int = 100) -> Sequence[tuple[int, str]]:
        """Name, with their senders, emails that wait and may be tried *now*, oldest first.

        Those are *limit* emails that were never tried or, if there are none, a single other one:
        last an email of which the judge may have died.
        """
        due = or_(_INBOX.c.retry_utc.is_(None), _INBOX.c.retry_utc <= now)
        ready = _waiting(limit).add_columns(_INBOX.c.sender).where(due)
        untried = ready.where(_INBOX.c.attempts == 0)
        retried = ready.order_by(None).order_by(
            _INBOX.c.deaths, _INBOX.c.received_utc, _INBOX.c.id
        )
        rows = self._connection.execute(untried).all()
        rows = rows or self._connection.execute(retried.limit(1)).all()
        return [(row.id, row.sender) for row in rows]

    def arrive(self) -> None:
        """Be about to read the clock and keep mails: nobody else writes meanwhile."""

    def claim(self, mail: int) -> bool:
        """Claim an email, which always succeeds: there is no other judge."""
        del mail
        return True

    def begin_attempt(self, mail: int, retry_utc: datetime | None = None) -> IncomingMail:
        """Count one more attempt and return the email; commit this before trying.

        If nothing is heard of it any more, it is tried again at *retry_utc*. An attempt that was
        begun before and has not ended is counted as a death of the judge instead.
        """
        died = case((_INBOX.c.in_hand, 1), else_=0)
        self._change(
            mail,
            attempts=_INBOX.c.attempts + 1 - died,
            deaths=_INBOX.c.deaths + died,
            in_hand=True,
            retry_utc=retry_utc,
        )
        begun = self.get(mail)
        assert begun is not None, "who begins was told of it by `waiting`"
        return begun

    def end_attempt(self, mail: int) -> None:
        """Record that the judge has survived the attempt that it began."""
        self._change(mail, in_hand=False)

    def get(self, mail: int) -> IncomingMail | None:
        """Return an email in any state."""
        found = self._connection.execute(select(_INBOX).where(_INBOX.c.id == mail))
        row = found.mappings().one_or_none()
        return IncomingMail(**{**row, "state": InboxState(row["state"])}) if row else None

    def finish(self, mail: int, state: InboxState, reason: str = "") -> None:
        """Record the outcome of an email."""
        self._change(mail, state=state.value, reason=reason, in_hand=False)

    def restart(self, mail: int) -> None:
        """Put an email back to received, with a fresh count of attempts and deaths."""
        state = InboxState.RECEIVED.value
        self._change(mail, state=state, attempts=0, deaths=0, in_hand=False, retry_utc=None)

    def rewrite(self, mail: int, raw: bytes) -> None:
        """Replace the bytes of an email; its digest stays that of the original."""
        self._change(mail, raw=raw)

    def wrote(self, person: str, since: datetime) -> bool:
        """Return whether an email of *person* came *since* then."""
        his = (
            select(_INBOX.c.id)
            .join_from(_LETTERS, _INBOX, _LETTERS.c.mail == _INBOX.c.id)
            .where(_LETTERS.c.person == person, _INBOX.c.received_utc >= since)
            .limit(1)
        )
        return self._connection.execute(his).first() is not None

    def held(self, before: datetime, limit: int) -> Sequence[int]:
        """Return some emails that have been held since *before*."""
        is_held = _INBOX.c.state == InboxState.HELD.value, _INBOX.c.received_utc < before
        found = select(_INBOX.c.id).where(*is_held).order_by(_INBOX.c.id).limit(limit)
        return self._connection.execute(found).scalars().all()

    def hold_for(self, mail: int, person: str, game: str | None) -> None:
        """Record who an email to be held claims to be from, and its game."""
        self._change(mail, held_for=person, held_game=game)

    def held_for(self, person: str, limit: int) -> Sequence[IncomingMail]:
        """Return the held emails that claim to be from *person*, oldest first."""
        found = select(_INBOX).where(
            _INBOX.c.held_for == person, _INBOX.c.state == InboxState.HELD.value
        )
        rows = self._connection.execute(found.order_by(_INBOX.c.id).limit(limit)).mappings()
        return [IncomingMail(**{**row, "state": InboxState(row["state"])}) for row in rows]

    def held_because(self, reason: str, limit: int) -> Sequence[int]:
        """Return the oldest emails without a claimed sender that are held for *reason*."""
        found = select(_INBOX.c.id).where(
            _INBOX.c.state == InboxState.HELD.value,
            _INBOX.c.reason == reason,
            _INBOX.c.held_for.is_(None),
        )
        return self._connection.execute(found.order_by(_INBOX.c.id).limit(limit)).scalars().all()

    def empty(self, before: datetime, after: int, limit: int) -> Sequence[int]:
        """Empty some finished emails above number *after* that were received *before*.

        Each is still known by the digest of what came. Returns their numbers, the lowest first.
        """
        old = (
            select(_INBOX.c.id)
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
        emptied = update(_INBOX).where(_INBOX.c.id.in_(numbers)).values(raw=b"")
        self._connection.execute(emptied)
        return numbers

    def entries(self, state: InboxState | None = None, limit: int = 100) -> Sequence[InboxEntry]:
        """Return the latest emails, in *state* if given, oldest first."""
        shown = (_INBOX.c[field.name] for field in fields(InboxEntry))
        latest = select(*shown).order_by(_INBOX.c.id.desc()).limit(limit)
        if state is not None:
            latest = latest.where(_INBOX.c.state == state.value)
        rows = self._connection.execute(latest).mappings().all()
        return [InboxEntry(**{**row, "state": InboxState(row["state"])}) for row in reversed(rows)]

    def named(self, name: str) -> Sequence[int]:
        """Return at most two emails whose number is *name* or whose SHA-256 begins with it."""
        if name.isdecimal() and len(name) < DIGITS_MIN:
            found = select(_INBOX.c.id).where(_INBOX.c.id == int(name))
        else:
            found = select(_INBOX.c.id).where(_INBOX.c.sha256.startswith(name, autoescape=True))
        return self._connection.execute(found.limit(2)).scalars().all()

    def release(self, mail: int, person: str) -> None:
        """Put a held mail back to received, confirmed by *person*, with a fresh count of attempts.

        The reason for which it was held stays: it may say what is still to be done.
        """
        self.restart(mail)
        self._change(mail, confirmed_person=person)

    def seen_before(self, person: str, message_id: str, digest: str, mail: int) -> datetime | None:
        """Remember what *person* sent in *mail*, and return when another such mail arrived."""
        letter = {"person": person, "message_id": message_id, "digest": digest}
        first = (
            select(_LETTERS.c.mail, _INBOX.c.received_utc)
            .join_from(_LETTERS, _INBOX, _LETTERS.c.mail == _INBOX.c.id)
            .filter_by(**letter)
        )
        seen = self._connection.execute(first).one_or_none()
        if seen is None:
            self._connection.execute(insert(_LETTERS).values(**letter, mail=mail))
            return None
        return None if seen.mail == mail else seen.received_utc

    def _change(self, mail: int, **values: object) -> None:
        self._connection.execute(update(_INBOX).where(_INBOX.c.id == mail).values(**values))


def _waiting(limit: int) -> Select[int]:
    return (
        select(_INBOX.c.id)
        .where(_INBOX.c.state == InboxState.RECEIVED.value)
        .order_by(_INBOX.c.received_utc, _INBOX.c.id)
        .limit(limit)
    )
