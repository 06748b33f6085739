"""Keep the masked sentences that were not understood as wishes, for the operator."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "missed_sentences",
        sa.Column("text", sa.String, primary_key=True),
        sa.Column("missed_utc", sa.DateTime(timezone=True), nullable=False),
        sqlite_with_rowid=False,
    )
