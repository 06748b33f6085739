"""Which logs that are not as they were written a person has looked at, and lets stand."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the table; nobody has vouched for anything."""
    op.create_table(
        "vouched",
        sa.Column("game", sa.String, primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("hash", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("reason", sa.String, nullable=False),
        sa.Column("vouched_utc", sa.DateTime(timezone=True), nullable=False),
    )


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
