"""The tables of the first release; the steps before 0014 were never released."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = None


def upgrade() -> None:
    """Create every table."""
    _create_log()
    _create_inbox()
    _create_outbox()
    _create_people()
    _create_tokens()
    _create_daemon_state()


def _create_log() -> None:
    op.create_table(
        "games", _key("name"), _number("version"), _text("hash"), _instant("created_utc")
    )
    op.create_table(
        "events",
        sa.Column("position", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String, sa.ForeignKey("games.name"), nullable=False),
        _number("version"),
        _text("type"),
        _number("schema"),
        _text("recorded_utc"),
        _text("payload"),
        _text("hash"),
        sa.UniqueConstraint("game", "version"),
    )
    op.create_table("taking_part", _key("person"), _key("game"))
    op.create_table(
        "vouched",
        _key("game"),
        _number("version"),
        _text("hash"),
        _text("digest"),
        _text("reason"),
        _instant("vouched_utc"),
    )


def _create_inbox() -> None:
    op.create_table(
        "inbox",
        sa.Column("id", sa.Integer, primary_key=True),
        _text("sha256"),
        _bytes("raw"),
        _text("sender"),
        _text("recipient"),
        _text("way_in"),
        _instant("received_utc"),
        _text("state"),
        _number("attempts"),
        _text("reason"),
        _optional_text("confirmed_person"),
        _optional_instant("retry_utc"),
        sa.Column("deaths", sa.Integer, nullable=False, server_default="0"),
        sa.Column("in_hand", sa.Boolean, nullable=False, server_default=sa.false()),
        _optional_text("held_for"),
        _optional_text("held_game"),
        sa.UniqueConstraint("sha256", "recipient"),
        sqlite_autoincrement=True,
    )
    op.create_index("inbox_waiting", "inbox", ["state", "received_utc"])
    op.create_index("inbox_held_for", "inbox", ["held_for", "state"])
    op.create_table("letters", _key("person"), _key("message_id"), _key("digest"), _number("mail"))
    op.create_table(
        "evidence",
        _key("id"),
        sa.Column("mail", sa.Integer, sa.ForeignKey("inbox.id"), nullable=False),
        _text("how"),
        _instant("recorded_utc"),
        _text("proof", default=""),
    )
    op.create_table("signatures", _key("digest"), _text("sha256"))


def _create_outbox() -> None:
    op.create_table(
        "outbox",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("message_id", sa.String, nullable=False, unique=True),
        _text("sender"),
        _text("recipient"),
        _bytes("raw"),
        _instant("due_utc"),
        _text("kind"),
        _optional_text("game"),
        _optional_text("person"),
        _optional_text("token"),
        _number("attempts"),
        _text("state"),
        _text("reason"),
        _optional_instant("sent_utc"),
        _optional_instant("bounced_utc"),
    )
    op.create_index("outbox_due", "outbox", ["state", "due_utc"])
    op.create_index("outbox_sender", "outbox", ["sender"])
    op.create_index("outbox_person", "outbox", ["person"])


def _create_people() -> None:
    op.create_table(
        "people",
        _key("id"),
        _text("handle"),
        _optional_text("zone"),
        _number("key_version"),
        _instant("created_utc"),
        _text("pace", default="at_once"),
        _text("form", default="pictures"),
        _optional_instant("standby_utc"),
        _text("language", default="en"),
        _text("name", default=""),
        _text("pictures", default="both"),
    )
    op.create_table(
        "addresses",
        _key("folded"),
        _text("address"),
        sa.Column("person", sa.String, sa.ForeignKey("people.id"), nullable=False),
        sa.Column("is_primary", sa.Boolean, nullable=False),
    )
    op.create_index("ix_addresses_person", "addresses", ["person"])
    op.create_table("person_keys", _person_key(), _bytes("key"))
    op.create_table("passwords", _key("game"), _person_key(), _text("hash"))


def _create_tokens() -> None:
    op.create_table(
        "tokens",
        _key("digest"),
        _text("text"),
        _text("purpose"),
        _text("person"),
        _number("key_version"),
        _optional_text("game"),
        _optional_text("power"),
        _optional_text("phase"),
        _optional_text("subject"),
    )


def _create_daemon_state() -> None:
    op.create_table(
        "agenda", _key("game"), _instant("due_utc"), _optional_instant("away_since_utc")
    )
    op.create_index("ix_agenda_due_utc", "agenda", ["due_utc"])
    op.create_table("answers", _key("address"), _key("kind"), _instant("answered_utc"))
    op.create_table("budgets", _key("name"), _instant("spent_until_utc"))
    op.create_table("pulse", _key("name"), _instant("beat_utc"))
    op.create_table("secrets", _key("name"), _bytes("value"))
    op.create_table(
        "mailboxes",
        _key("name"),
        sa.Column("uid_validity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.BigInteger, nullable=False),
        _optional_instant("read_utc"),
        _optional_instant("failing_utc"),
        _text("reason"),
    )


def _key(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String, primary_key=True)


def _person_key() -> sa.Column[str]:
    return sa.Column("person", sa.String, sa.ForeignKey("people.id"), primary_key=True)


def _text(name: str, *, default: str | None = None) -> sa.Column[str]:
    return sa.Column(name, sa.String, nullable=False, server_default=default)


def _optional_text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.String)


def _number(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.Integer, nullable=False)


def _bytes(name: str) -> sa.Column[bytes]:
    return sa.Column(name, sa.LargeBinary, nullable=False)


def _instant(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True), nullable=False)


def _optional_instant(name: str) -> sa.Column[object]:
    return sa.Column(name, sa.DateTime(timezone=True))
