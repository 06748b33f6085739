"""Since when a person waits for a place in any game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Add the instant; nobody waits until he says so."""
    since = sa.Column("standby_utc", sa.DateTime(timezone=True), nullable=True)
    op.add_column("people", since)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
