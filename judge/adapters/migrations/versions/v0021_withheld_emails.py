"""Set aside emails that the server of a mailbox lists but does not hand over."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "withheld_emails",
        sa.Column("mailbox", sa.String, primary_key=True),
        sa.Column("uid_validity", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("uid", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("since_utc", sa.DateTime(timezone=True), nullable=False),
        sa.Column("tried_utc", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
