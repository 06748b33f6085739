"""Store small rows in the order of their keys, and index only emails that are held for someone.

In SQLite each of these tables was two trees, its rows and an index of nearly the same text, and
an email with orders changed pages of both. On PostgreSQL only the index changes.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"

TABLES = ("budgets", "evidence", "letters", "taking_part", "tokens")


def upgrade() -> None:
    """Copy the tables, and make the index again."""
    if op.get_context().dialect.name == "sqlite":
        for name in TABLES:
            with op.batch_alter_table(
                name, recreate="always", table_kwargs={"sqlite_with_rowid": False}
            ):
                pass
    op.drop_index("inbox_held_for", "inbox")
    held = sa.text("held_for IS NOT NULL")
    op.create_index(
        "inbox_held_for", "inbox", ["held_for"], sqlite_where=held, postgresql_where=held
    )
