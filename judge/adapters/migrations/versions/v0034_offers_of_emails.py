"""Keep the commands that the door offers, which were read from the email itself."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"


def upgrade() -> None:
    """Add the column."""
    op.add_column("outbox", sa.Column("offer", sa.String))
