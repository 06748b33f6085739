"""The tables of the store, with insert and upsert helpers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import cache, partial
from importlib import import_module

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite


class Instant(sa.types.TypeDecorator[datetime]):
    """A `timestamp with time zone`: a naive datetime is refused, UTC is returned."""

    impl = sa.DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, _dialect: sa.Dialect) -> datetime | None:
        if value is None:
            return None
        if value.utcoffset() is None:
            raise ValueError("an instant without a timezone")
        return value.astimezone(UTC)

    def process_result_value(
        self, value: datetime | None, _dialect: sa.Dialect
    ) -> datetime | None:
        if value is None:
            return None
        # SQLite stores no offset.
        return value.astimezone(UTC) if value.tzinfo else value.replace(tzinfo=UTC)


_text = partial(sa.Column[str], type_=sa.String(), nullable=False)
_number = partial(sa.Column[int], type_=sa.Integer(), nullable=False)
_large_number = partial(sa.Column[int], type_=sa.BigInteger(), nullable=False)
_bytes = partial(sa.Column[bytes], type_=sa.LargeBinary(), nullable=False)
_flag = partial(sa.Column[bool], type_=sa.Boolean(), nullable=False)
_instant = partial(sa.Column[datetime], type_=Instant(), nullable=False)

METADATA = sa.MetaData()

# The head of a game's log; it changes in the transaction that appends.
GAMES = sa.Table(
    "games",
    METADATA,
    _text("name", primary_key=True),
    _number("version"),
    _text("hash"),
    _instant("created_utc"),
)

# An event; triggers keep rows from being changed or removed.
EVENTS = sa.Table(
    "events",
    METADATA,
    _number("position", primary_key=True, autoincrement=False),
    _text("game", sa.ForeignKey("games.name")),
    _number("version"),
    _text("type"),
    _number("schema"),
    _text("recorded_utc"),
    _text("payload"),
    _text("hash"),
    sa.UniqueConstraint("game", "version"),
)

# The games whose logs name a person.
TAKING_PART = sa.Table(
    "taking_part",
    METADATA,
    _text("person", primary_key=True),
    _text("game", primary_key=True),
)

# The end of a game's damaged log that the operator has accepted.
VOUCHED = sa.Table(
    "vouched",
    METADATA,
    _text("game", primary_key=True),
    _number("version"),
    _text("hash"),
    _text("digest"),
    _text("reason"),
    _instant("vouched_utc"),
)

# A signed checkpoint of the Merkle tree, made when a phase of a game closed.
CHECKPOINTS = sa.Table(
    "checkpoints",
    METADATA,
    _number("size", primary_key=True, autoincrement=False),
    _text("game"),
    _number("version"),
    _bytes("nodes"),
    _text("note"),
    sa.UniqueConstraint("game", "version"),
)

# A checkpoint, ours or another judge's, that a witness was asked to cosign.
WITNESSED_CHECKPOINTS = sa.Table(
    "witnessed_checkpoints",
    METADATA,
    _text("log", primary_key=True),
    _text("witness", primary_key=True),
    _large_number("size", primary_key=True, autoincrement=False),
    _bytes("root", primary_key=True),
    _text("note"),
    _text("state"),
    _instant("at_utc"),
)

# An incoming email; ids are never reused, since replies refer to them.
INBOX = sa.Table(
    "inbox",
    METADATA,
    _number("id", primary_key=True),
    _text("sha256"),
    _bytes("raw"),
    _text("sender"),
    _text("recipient"),
    _text("way_in"),
    _instant("received_utc"),
    _text("state"),
    _number("attempts"),
    _text("reason"),
    _text("confirmed_person", nullable=True),
    _instant("retry_utc", nullable=True),
    _number("deaths", default=0),
    _flag("in_hand", default=False),
    _text("held_for", nullable=True),
    _text("held_game", nullable=True),
    sa.UniqueConstraint("sha256", "recipient"),
    sa.Index("inbox_waiting", "state", "received_utc"),
    sa.Index("inbox_held_for", "held_for", "state"),
    sqlite_autoincrement=True,
)

# An email that a person sent: one that arrives twice takes effect once.
LETTERS = sa.Table(
    "letters",
    METADATA,
    _text("person", primary_key=True),
    _text("message_id", primary_key=True),
    _text("digest", primary_key=True),
    _number("mail"),
)

# An outgoing email: to be sent, sent or given up.
#
# The last attempt was at *tried_utc*, the first of those that failed at *failing_utc*; it failed
# because of the judge or its mail server if *ours*.
OUTBOX = sa.Table(
    "outbox",
    METADATA,
    _number("id", primary_key=True),
    _text("message_id", unique=True),
    _text("sender"),
    _text("recipient"),
    _bytes("raw"),
    _instant("due_utc"),
    _text("kind"),
    _text("game", nullable=True),
    _text("person", nullable=True),
    _text("token", nullable=True),
    _number("attempts"),
    _text("state"),
    _text("reason"),
    _instant("sent_utc", nullable=True),
    _instant("bounced_utc", nullable=True),
    _instant("failing_utc", nullable=True),
    _instant("tried_utc", nullable=True),
    _flag("ours", default=False),
    sa.Index("outbox_due", "state", "due_utc"),
    sa.Index("outbox_sender", "sender"),
    sa.Index("outbox_person", "person"),
)

# A registered person.
PEOPLE = sa.Table(
    "people",
    METADATA,
    _text("id", primary_key=True),
    _text("handle"),
    _text("zone", nullable=True),
    _number("key_version"),
    _instant("created_utc"),
    _text("pace"),
    _text("form"),
    _text("language"),
    _instant("standby_utc", nullable=True),
    _text("name", default=""),
    _text("pictures", default="both"),
    _text("receipts", default="short"),
)

# A registered address: *folded* for comparing, *address* for writing to.
ADDRESSES = sa.Table(
    "addresses",
    METADATA,
    _text("folded", primary_key=True),
    _text("address"),
    _text("person", sa.ForeignKey("people.id"), index=True),
    _flag("is_primary"),
)

# The key of a person's encrypted press; a forgotten person has none.
PERSON_KEYS = sa.Table(
    "person_keys",
    METADATA,
    _text("person", sa.ForeignKey("people.id"), primary_key=True),
    _bytes("key"),
)

# The slow hash of the password that signs a person on to a game.
PASSWORDS = sa.Table(
    "passwords",
    METADATA,
    _text("game", primary_key=True),
    _text("person", sa.ForeignKey("people.id"), primary_key=True),
    _text("hash"),
)

# The meaning of a token, found by the digest of its folded text.
TOKENS = sa.Table(
    "tokens",
    METADATA,
    _text("digest", primary_key=True),
    _text("text"),
    _text("purpose"),
    _text("person"),
    _number("key_version"),
    _text("game", nullable=True),
    _text("power", nullable=True),
    _text("phase", nullable=True),
    _text("subject", nullable=True),
)

# The evidence for the sender of an email; events refer to it by id.
EVIDENCE = sa.Table(
    "evidence",
    METADATA,
    _text("id", primary_key=True),
    _number("mail", sa.ForeignKey("inbox.id")),
    _text("how"),
    _text("proof"),
    _instant("recorded_utc"),
)

# The last reply to a stranger.
ANSWERS = sa.Table(
    "answers",
    METADATA,
    _text("address", primary_key=True),
    _text("kind", primary_key=True),
    _instant("answered_utc"),
)

# The time up to which a budget is spent.
BUDGETS = sa.Table(
    "budgets",
    METADATA,
    _text("name", primary_key=True),
    _instant("spent_until_utc"),
)

# A DKIM signature that proved the sender of one email; it proves no other.
SIGNATURES = sa.Table(
    "signatures",
    METADATA,
    _text("digest", primary_key=True),
    _text("sha256"),
)

# The time at which a game is next due, and since when it is owed time after an outage.
AGENDA = sa.Table(
    "agenda",
    METADATA,
    _text("game", primary_key=True),
    _instant("due_utc", index=True),
    _instant("away_since_utc", nullable=True),
)

# The last heartbeat of the judge, and since when it was in the future.
PULSE = sa.Table(
    "pulse",
    METADATA,
    _text("name", primary_key=True),
    _instant("beat_utc"),
)

# The position up to which a mailbox has been read, and since when it cannot be.
MAILBOXES = sa.Table(
    "mailboxes",
    METADATA,
    _text("name", primary_key=True),
    _large_number("uid_validity"),
    _large_number("uid"),
    _instant("read_utc", nullable=True),
    _instant("failing_utc", nullable=True),
    _text("reason"),
)

# A secret of this judge, made once and kept.
SECRETS = sa.Table(
    "secrets",
    METADATA,
    _text("name", primary_key=True),
    _bytes("value"),
)

TABLES: Sequence[sa.Table] = METADATA.sorted_tables


def insert_new(connection: sa.Connection, into: sa.Table, row: Mapping[str, object]) -> bool:
    """Insert *row*; return False, without an error, if its key exists."""
    return connection.execute(_insertion(connection.dialect.name, into), row).rowcount > 0


def upsert(
    connection: sa.Connection,
    into: sa.Table,
    key: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write *values* to the row of *key*, inserting it if needed."""
    statement = _upsertion(connection.dialect.name, into, tuple(key), tuple(values))
    connection.execute(statement, {**key, **values})


# To build a statement takes five times as long as to execute it.
@cache
def _insertion(dialect: str, into: sa.Table) -> sa.Insert:
    return inserting(dialect, into).on_conflict_do_nothing()


@cache
def _upsertion(
    dialect: str, into: sa.Table, key: tuple[str, ...], values: tuple[str, ...]
) -> sa.Insert:
    statement = inserting(dialect, into)
    written = {name: statement.excluded[name] for name in values}
    return statement.on_conflict_do_update(index_elements=key, set_=written)


def inserting(dialect: str, into: sa.Table) -> sqlite.Insert:
    """Return the INSERT of *dialect*, which has ON CONFLICT.

    SQLite and PostgreSQL mean the same by ON CONFLICT; no other SQL here is specific to them.
    """
    insert: Callable[[sa.Table], sqlite.Insert]
    insert = import_module(f"sqlalchemy.dialects.{dialect}").insert
    return insert(into).inline().execution_options(preserve_rowcount=True)
