"""What proved who wrote a mail, what may still be tried and answered, which mails came back."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Add what the judge needs to be neither fooled nor made to fool others."""
    instant = sa.DateTime(timezone=True)
    op.add_column("evidence", sa.Column("proof", sa.String, nullable=False, server_default=""))
    op.create_table(
        "budgets",
        sa.Column("name", sa.String, primary_key=True),
        sa.Column("spent_until_utc", instant, nullable=False),
    )
    op.create_table(
        "signatures",
        sa.Column("digest", sa.String, primary_key=True),
        sa.Column("sha256", sa.String, nullable=False),
    )
    op.add_column("outbox", sa.Column("bounced_utc", instant))
    op.create_index("outbox_sender", "outbox", ["sender"])
    op.create_index("outbox_person", "outbox", ["person"])


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
