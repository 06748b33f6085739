"""Add the checkpoints that witnesses were asked to cosign."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "witnessed_checkpoints",
        sa.Column("log", sa.String, primary_key=True),
        sa.Column("witness", sa.String, primary_key=True),
        sa.Column("size", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("root", sa.LargeBinary, primary_key=True),
        sa.Column("note", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("at_utc", sa.DateTime(timezone=True), nullable=False),
    )
