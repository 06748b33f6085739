"""The mails that came in, in a database."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import Connection, insert, select, update

from judge.adapters.tables import InboxRow, LetterRow, table
from judge.app.ports import InboxState, IncomingMail

_INBOX = table(InboxRow)
_LETTERS = table(LetterRow)


class SqlInbox:
    """The inbox as one transaction sees it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def keep(
        self, raw: bytes, sender: str, recipient: str, way_in: str, received_utc: datetime
    ) -> bool:
        """Store a mail once; False if these very bytes to this recipient are there already."""
        digest = sha256(raw).hexdigest()
        same = select(_INBOX.c.id).where(
            _INBOX.c.sha256 == digest, _INBOX.c.recipient == recipient
        )
        if self._connection.execute(same).first():
            return False
        row = {
            "sha256": digest,
            "raw": raw,
            "sender": sender,
            "recipient": recipient,
            "way_in": way_in,
            "received_utc": received_utc,
            "state": InboxState.RECEIVED.value,
            "attempts": 0,
            "reason": "",
        }
        self._connection.execute(insert(_INBOX), row)
        return True

    def waiting(self, until: datetime | None = None, limit: int = 100) -> Sequence[int]:
        """Name the mails in state received, oldest first, those received at or before *until*."""
        oldest = (
            select(_INBOX.c.id)
            .where(_INBOX.c.state == InboxState.RECEIVED.value)
            .order_by(_INBOX.c.received_utc, _INBOX.c.id)
            .limit(limit)
        )
        if until is not None:
            oldest = oldest.where(_INBOX.c.received_utc <= until)
        return self._connection.execute(oldest).scalars().all()

    def begin_attempt(self, mail: int) -> IncomingMail:
        """Count one more attempt and return the mail; commit this before trying."""
        self._change(mail, attempts=_INBOX.c.attempts + 1)
        begun = self.get(mail)
        assert begun is not None, "who begins was told of it by `waiting`"
        return begun

    def get(self, mail: int) -> IncomingMail | None:
        """Return a mail, whatever became of it."""
        found = self._connection.execute(select(_INBOX).where(_INBOX.c.id == mail))
        row = found.mappings().one_or_none()
        return IncomingMail(**{**row, "state": InboxState(row["state"])}) if row else None

    def finish(self, mail: int, state: InboxState, reason: str = "") -> None:
        """Say what became of a mail."""
        self._change(mail, state=state.value, reason=reason)

    def release(self, mail: int, person: str) -> None:
        """Put a held mail back to received, confirmed by *person*, with a fresh count of attempts.

        The reason for which it was held stays: it may say what is still to be done.
        """
        state = InboxState.RECEIVED.value
        self._change(mail, state=state, attempts=0, confirmed_person=person)

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
