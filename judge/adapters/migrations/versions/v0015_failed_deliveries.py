"""Add the first failure and the last try of a delivery, and whether the fault is ours."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Add the columns; emails that failed before have no times."""
    for name in ("failing_utc", "tried_utc"):
        op.add_column("outbox", sa.Column(name, sa.DateTime(timezone=True)))
    ours = sa.Column("ours", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("outbox", ours)
