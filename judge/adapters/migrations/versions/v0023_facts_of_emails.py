"""Keep the facts of outgoing emails until their words are rendered."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the columns and their index; emails from before are rendered already."""
    op.add_column("outbox", sa.Column("facts", sa.String))
    op.add_column("outbox", sa.Column("render_utc", sa.DateTime(timezone=True)))
    waits = sa.text("render_utc IS NOT NULL")
    op.create_index(
        "outbox_unrendered",
        "outbox",
        ["render_utc"],
        sqlite_where=waits,
        postgresql_where=waits,
    )
