"""How far the mailboxes have been read that mail comes by."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the table; nothing was read by IMAP before."""
    op.create_table(
        "mailboxes",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("uid_validity", sa.BigInteger, nullable=False),
        sa.Column("uid", sa.BigInteger, nullable=False),
        sa.Column("read_utc", sa.DateTime(timezone=True)),
        sa.Column("failing_utc", sa.DateTime(timezone=True)),
        sa.Column("reason", sa.String, nullable=False),
    )


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
