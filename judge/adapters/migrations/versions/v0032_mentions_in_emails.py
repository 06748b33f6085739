"""Record whom outgoing emails name, so that forgetting a person searches no texts."""

from __future__ import annotations

import quopri
import re

import sqlalchemy as sa
from alembic import op

from judge.mail.headers import addresses_in

revision = "0032"
down_revision = "0031"

WORD = re.compile(r"[a-z][a-z0-9_-]+")  # as handles are

WITH_TEXT = sa.text(
    "SELECT id, message_id, game, raw, facts FROM outbox WHERE id > :after"
    " AND (length(raw) > 0 OR facts IS NOT NULL) ORDER BY id LIMIT 500"
)


def upgrade() -> None:
    """Create the table, and fill it from the texts of the emails there are."""
    op.create_table(
        "mentions",
        sa.Column(
            "message_id",
            sa.String,
            sa.ForeignKey("outbox.message_id", ondelete="CASCADE"),
            primary_key=True,
        ),
        sa.Column("name", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_mentions_name", "mentions", ["name"])
    connection = op.get_bind()
    people_at = sa.text("SELECT folded, person FROM addresses")
    owners = {row.folded: row.person for row in connection.execute(people_at)}
    handles = {
        handle.lower(): person
        for person, handle in connection.execute(sa.text("SELECT id, handle FROM people"))
    }
    mentions = sa.table("mentions", sa.column("message_id"), sa.column("name"))
    after = 0
    while emails := connection.execute(WITH_TEXT, {"after": after}).all():
        for after, identity, game, raw, facts in emails:  # noqa: B007 - where the next ones begin
            text = facts or quopri.decodestring(raw).decode(errors="replace")
            names = addresses_in(text.replace("\\n", " "))
            people = {owners[each] for each in names if each in owners}
            if game is None:
                people |= {handles[each] for each in WORD.findall(text.lower()) if each in handles}
            rows = [{"message_id": identity, "name": each} for each in names | people]
            if rows:
                connection.execute(sa.insert(mentions), rows)
