"""To which games the time of an outage is still to be given back, and since when."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add since when; nothing is to be given back."""
    op.add_column("agenda", sa.Column("away_since_utc", sa.DateTime(timezone=True)))


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
