"""Record whom incoming emails name, so that forgetting a person searches no texts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

from judge.mail.headers import addresses_in_email, folded, is_ours

revision = "0033"
down_revision = "0032"

WITH_TEXT = sa.text(
    "SELECT id, sender, recipient, raw FROM inbox WHERE id > :after AND length(raw) > 0"
    " AND state <> 'received' ORDER BY id LIMIT 500"
)


def upgrade() -> None:
    """Create the table, and fill it from the texts of the emails there are."""
    mentions = op.create_table(
        "incoming_mentions",
        sa.Column(
            "mail", sa.Integer, sa.ForeignKey("inbox.id", ondelete="CASCADE"), primary_key=True
        ),
        sa.Column("name", sa.String, primary_key=True),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_incoming_mentions_name", "incoming_mentions", ["name"])
    connection = op.get_bind()
    people_at = sa.text("SELECT folded, person FROM addresses")
    owners = {row.folded: row.person for row in connection.execute(people_at)}
    after = 0
    while emails := connection.execute(WITH_TEXT, {"after": after}).all():
        for after, sender, recipient, raw in emails:
            local, _, domain = recipient.partition("@")
            ours = f"{local.partition('+')[0]}@{domain}"
            names = {each for each in addresses_in_email(raw) if not is_ours(each, ours)}
            names -= {folded(sender)}
            names |= {owners[each] for each in names if each in owners}
            rows = [{"mail": after, "name": each} for each in names]
            if rows:
                connection.execute(sa.insert(mentions), rows)
