"""The tables of the store as typed SQLModel classes, with insert and upsert helpers.

Statements use `table(...)`, without an ORM. Instants are `timestamp with time zone`: SQLModel
refuses naive ones and returns UTC.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from functools import cache
from importlib import import_module
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import sqlite
from sqlmodel import Field, SQLModel

BY_KEY = {"sqlite_with_rowid": False}  # for small rows: one tree instead of two


class Row(SQLModel):
    """A row of a table; as no object of it is ever made, no validator is built at the start."""

    model_config = {"defer_build": True}


class GameRow(Row, table=True):
    """The head of a game's log; it changes in the transaction that appends."""

    __tablename__ = "games"

    name: str = Field(primary_key=True)
    version: int
    hash: str
    created_utc: datetime


class EventRow(Row, table=True):
    """An event; triggers keep rows from being changed or removed.

    The database gives each the next *position*. On PostgreSQL several transactions get theirs at
    once, and a column *writer* that is not listed here names the transaction.
    """

    __tablename__ = "events"
    __table_args__ = (sa.UniqueConstraint("game", "version"),)

    position: int = Field(primary_key=True)
    game: str = Field(foreign_key="games.name")
    version: int
    type: str
    schema_version: int = Field(sa_column_kwargs={"name": "schema"})
    recorded_utc: str  # text, because the hash covers its characters
    payload: str
    hash: str


class GamePersonRow(Row, table=True):
    """The games whose logs name a person; those that know them now are *present* to them."""

    __tablename__ = "taking_part"
    __table_args__ = BY_KEY

    person: str = Field(primary_key=True)
    game: str = Field(primary_key=True)
    present: bool = False


class GameSummaryRow(Row, table=True):
    """The summary of a game for lists: derived from its log, written together with its events."""

    __tablename__ = "summaries"
    __table_args__ = (sa.Index("summaries_stage", "stage", "ended_utc"),)

    game: str = Field(primary_key=True)
    stage: str
    listed: bool
    variant: str
    board_digest: str
    zone: str
    comment: str
    phase: str | None
    deadline_utc: datetime | None
    players: int
    joined: int
    places: int
    vacant: str  # separated by spaces, as are the winners
    standbys_wanted: int
    moderator: str | None
    result: str | None
    winners: str
    origin: str | None  # JSON
    ended_utc: datetime | None
    phases_closed: int = 0


class VouchedRow(Row, table=True):
    """The end of a game's damaged log that the operator has accepted."""

    __tablename__ = "vouched"

    game: str = Field(primary_key=True)
    version: int
    hash: str
    digest: str
    reason: str
    vouched_utc: datetime


class CheckpointRow(Row, table=True):
    """A signed checkpoint of the Merkle tree, made when a phase of a game closed."""

    __tablename__ = "checkpoints"
    __table_args__ = (sa.UniqueConstraint("game", "version"),)

    size: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    game: str
    version: int
    nodes: bytes
    note: str


class WitnessedCheckpointRow(Row, table=True):
    """A checkpoint, ours or another judge's, that a witness was asked to cosign."""

    __tablename__ = "witnessed_checkpoints"

    log: str = Field(primary_key=True)
    witness: str = Field(primary_key=True)
    size: int = Field(
        primary_key=True, sa_type=sa.BigInteger, sa_column_kwargs={"autoincrement": False}
    )
    root: bytes = Field(primary_key=True)
    note: str
    state: str
    at_utc: datetime


class InboxRow(Row, table=True):
    """An incoming email; ids are never reused, since replies refer to them.

    Its receipt offers what *offer* has: orders, lines, press or commands, as JSON. It is empty
    without any, and None in emails of before 0.3.0.
    """

    __tablename__ = "inbox"
    __table_args__ = (
        sa.UniqueConstraint("sha256", "recipient"),
        sa.Index("inbox_waiting", "state", "received_utc"),
        sa.Index("inbox_held_for", "held_for", sqlite_where=sa.text("held_for IS NOT NULL")),
        {"sqlite_autoincrement": True},
    )

    id: int = Field(primary_key=True)
    sha256: str
    raw: bytes
    sender: str
    recipient: str
    way_in: str
    received_utc: datetime
    state: str
    attempts: int
    reason: str
    confirmed_person: str | None
    retry_utc: datetime | None
    deaths: int = 0
    in_hand: bool = False
    held_for: str | None
    game: str | None
    offer: str | None


class UniqueEmailRow(Row, table=True):
    """An email that a person sent: one that arrives twice takes effect once."""

    __tablename__ = "letters"
    __table_args__ = BY_KEY

    person: str = Field(primary_key=True)
    message_id: str = Field(primary_key=True)
    digest: str = Field(primary_key=True)
    mail: int = Field(index=True)


class OutboxRow(Row, table=True):
    """An outgoing email: to be sent, sent or given up.

    It is rendered from its *facts* at *render_utc*; after that it has neither. With a
    *template_fault* it has the shipped words, as the operator's template failed. *offer* has the
    commands that the first answer to a stranger shows, as JSON: what they mean, and ways in.
    The last attempt was at *tried_utc*, the first of those that failed at *failing_utc*; it failed
    because of the judge or its mail server if *ours*.
    """

    __tablename__ = "outbox"
    __table_args__ = (
        sa.Index("outbox_due", "state", "due_utc"),
        sa.Index("outbox_sender", "sender"),
        sa.Index("outbox_person", "person"),
        sa.Index("outbox_game", "game"),
        sa.Index("outbox_ours", "state", sqlite_where=sa.text("ours = 1")),
        sa.Index(
            "outbox_unrendered",
            "render_utc",
            sqlite_where=sa.text("render_utc IS NOT NULL"),
            postgresql_where=sa.text("render_utc IS NOT NULL"),
        ),
        sa.Index(
            "outbox_template_fault",
            "due_utc",
            sqlite_where=sa.text("template_fault IS NOT NULL"),
            postgresql_where=sa.text("template_fault IS NOT NULL"),
        ),
    )

    id: int = Field(primary_key=True)
    message_id: str = Field(unique=True)
    sender: str
    recipient: str
    raw: bytes
    due_utc: datetime
    kind: str
    game: str | None
    person: str | None
    token: str | None
    attempts: int
    state: str
    reason: str
    sent_utc: datetime | None
    bounced_utc: datetime | None
    failing_utc: datetime | None
    tried_utc: datetime | None
    ours: bool = False
    facts: str | None = None
    render_utc: datetime | None = None
    template_fault: str | None = None
    offer: str | None = None


class MentionRow(Row, table=True):
    """A name in an outgoing email, beside that of its game, whose log says who is in it.

    *name* is the id of a person, an address, or another game.
    """

    __tablename__ = "mentions"
    __table_args__ = BY_KEY

    message_id: str = Field(primary_key=True, foreign_key="outbox.message_id", ondelete="CASCADE")
    name: str = Field(primary_key=True, index=True)


class IncomingMentionRow(Row, table=True):
    """An address in an incoming email, or the id of its owner then.

    Neither the address of the envelope nor the judge's own is among them; `*` stands for more.
    """

    __tablename__ = "incoming_mentions"
    __table_args__ = BY_KEY

    mail: int = Field(primary_key=True, foreign_key="inbox.id", ondelete="CASCADE")
    name: str = Field(primary_key=True, index=True)


class EmailCountRow(Row, table=True):
    """The number of emails in a state; a connection to a server counts in a *slot* of its own."""

    __tablename__ = "email_counts"
    __table_args__ = BY_KEY

    box: str = Field(primary_key=True)
    state: str = Field(primary_key=True)
    slot: int = Field(primary_key=True, sa_column_kwargs={"autoincrement": False})
    number: int


class PersonRow(Row, table=True):
    """A registered person."""

    __tablename__ = "people"

    id: str = Field(primary_key=True)
    handle: str
    zone: str | None
    key_version: int
    created_utc: datetime
    pace: str
    form: str
    language: str
    standby_utc: datetime | None = None
    name: str = ""
    pictures: str = "both"
    receipts: str = "short"


class AddressRow(Row, table=True):
    """A registered address: *folded* for comparing, *address* for writing to."""

    __tablename__ = "addresses"

    folded: str = Field(primary_key=True)
    address: str
    person: str = Field(foreign_key="people.id", index=True)
    is_primary: bool


class PersonKeyRow(Row, table=True):
    """The key of a person's encrypted press; a forgotten person has none."""

    __tablename__ = "person_keys"

    person: str = Field(primary_key=True, foreign_key="people.id")
    key: bytes


class PasswordRow(Row, table=True):
    """The slow hash of the password that signs a person on to a game."""

    __tablename__ = "passwords"

    game: str = Field(primary_key=True)
    person: str = Field(primary_key=True, foreign_key="people.id")
    hash: str


class TokenRow(Row, table=True):
    """The meaning of a token, found by the digest of its folded text."""

    __tablename__ = "tokens"
    __table_args__ = BY_KEY

    digest: str = Field(primary_key=True)
    text: str
    purpose: str
    person: str
    key_version: int
    game: str | None
    power: str | None
    phase: str | None
    subject: str | None


class EvidenceRow(Row, table=True):
    """The evidence for the sender of an email; events refer to it by id."""

    __tablename__ = "evidence"
    __table_args__ = BY_KEY

    id: str = Field(primary_key=True)
    mail: int = Field(foreign_key="inbox.id", index=True)
    how: str
    proof: str
    recorded_utc: datetime
    game: str | None = Field(default=None, index=True)


class AnswerRow(Row, table=True):
    """The last reply to a stranger."""

    __tablename__ = "answers"

    address: str = Field(primary_key=True)
    kind: str = Field(primary_key=True)
    answered_utc: datetime


class BudgetRow(Row, table=True):
    """The time up to which a budget is spent."""

    __tablename__ = "budgets"
    __table_args__ = BY_KEY

    name: str = Field(primary_key=True)
    spent_until_utc: datetime = Field(index=True)


class MissedSentenceRow(Row, table=True):
    """A sentence that was not understood as a wish, with its names masked."""

    __tablename__ = "missed_sentences"
    __table_args__ = BY_KEY

    text: str = Field(primary_key=True)
    missed_utc: datetime = Field(index=True)


class SignatureRow(Row, table=True):
    """A DKIM signature that proved the sender of one email; it proves no other."""

    __tablename__ = "signatures"

    digest: str = Field(primary_key=True)
    sha256: str


class AgendaRow(Row, table=True):
    """The time at which a game is next due, and since when it is owed time after an outage."""

    __tablename__ = "agenda"

    game: str = Field(primary_key=True)
    due_utc: datetime = Field(index=True)
    away_since_utc: datetime | None


class HeartbeatRow(Row, table=True):
    """The last heartbeat of the judge, and since when it was in the future."""

    __tablename__ = "pulse"

    name: str = Field(primary_key=True)
    beat_utc: datetime


class MailboxRow(Row, table=True):
    """The position up to which a mailbox has been read, and since when it cannot be."""

    __tablename__ = "mailboxes"

    name: str = Field(primary_key=True)
    uid_validity: int = Field(sa_type=sa.BigInteger)
    uid: int = Field(sa_type=sa.BigInteger)
    read_utc: datetime | None
    failing_utc: datetime | None
    reason: str


class WithheldRow(Row, table=True):
    """An email that the server of a mailbox lists but does not hand over."""

    __tablename__ = "withheld_emails"

    mailbox: str = Field(primary_key=True)
    uid_validity: int = Field(primary_key=True, sa_type=sa.BigInteger)
    uid: int = Field(primary_key=True, sa_type=sa.BigInteger)
    reason: str
    since_utc: datetime
    tried_utc: datetime


class SecretRow(Row, table=True):
    """A secret of this judge, made once and kept."""

    __tablename__ = "secrets"

    name: str = Field(primary_key=True)
    value: bytes


class Bound:
    """A part of the store as one transaction sees it, by its *connection*."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection


TABLES: Sequence[sa.Table] = SQLModel.metadata.sorted_tables


def table(row: type[SQLModel]) -> sa.Table:
    """Return the table of *row*."""
    return SQLModel.metadata.tables[str(row.__tablename__)]


def ended_games(before: datetime) -> sa.Select[str]:
    """Return the question for the games that ended *before*."""
    summaries = table(GameSummaryRow)
    over = summaries.c.stage == "ended", summaries.c.ended_utc < before
    return sa.select(summaries.c.game).where(*over)


def cells(row: Any) -> dict[str, object]:  # noqa: ANN401 - any dataclass
    """Return the fields of *row* as they are; `asdict` would copy each value."""
    return {each.name: getattr(row, each.name) for each in fields(row)}


def insert_new(connection: sa.Connection, into: sa.Table, *rows: Mapping[str, object]) -> bool:
    """Insert *rows*; return False, without an error, if the key of each exists."""
    return connection.execute(_insertion(connection.dialect.name, into), rows).rowcount > 0


def upsert(
    connection: sa.Connection,
    into: sa.Table,
    key: Mapping[str, object],
    values: Mapping[str, object],
) -> None:
    """Write *values* to the row of *key*, inserting it if needed."""
    upsert_all(connection, into, tuple(key), [{**key, **values}])


def upsert_all(
    connection: sa.Connection,
    into: sa.Table,
    key: tuple[str, ...],
    rows: Sequence[Mapping[str, object]],
) -> None:
    """Write *rows*, each over the one with its *key* if there is one."""
    values = tuple(name for name in rows[0] if name not in key)
    connection.execute(_upsertion(connection.dialect.name, into, key, values), rows)


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
