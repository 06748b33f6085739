"""Add the checkpoints of the Merkle tree, and how much of a receipt a person wants."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Create the table, and add the column."""
    op.create_table(
        "checkpoints",
        sa.Column("size", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("game", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("nodes", sa.LargeBinary, nullable=False),
        sa.Column("note", sa.String, nullable=False),
        sa.UniqueConstraint("game", "version"),
    )
    short = sa.Column("receipts", sa.String, nullable=False, server_default="short")
    op.add_column("people", short)
