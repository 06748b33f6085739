"""When a mail that failed is tried again: the second time seconds later, the third a minute."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Add the instant before which a mail is not tried again; none for the first time."""
    op.add_column("inbox", sa.Column("retry_utc", sa.DateTime(timezone=True)))


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
