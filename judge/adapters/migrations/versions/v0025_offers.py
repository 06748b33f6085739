"""Store what the receipt of an email offers; for earlier ones that is not known."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    """Add the column."""
    op.add_column("inbox", sa.Column("offer", sa.String, nullable=True))
