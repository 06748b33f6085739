"""Keep the numbers of emails in each state, and index those given up by our fault."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Create table and index, and count the emails."""
    op.create_table(
        "email_counts",
        sa.Column("box", sa.String, primary_key=True),
        sa.Column("state", sa.String, primary_key=True),
        sa.Column("slot", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("number", sa.Integer, nullable=False),
        sqlite_with_rowid=False,
    )
    counted = "INSERT INTO email_counts (box, state, slot, number) SELECT {}, state, 0, count(*)"
    op.execute(counted.format("'inbox'") + " FROM inbox GROUP BY state")
    op.execute(counted.format("'outbox'") + " FROM outbox GROUP BY state")
    op.create_index(
        "outbox_ours",
        "outbox",
        ["state"],
        sqlite_where=sa.text("ours = 1"),
        postgresql_where=sa.text("ours"),
    )
