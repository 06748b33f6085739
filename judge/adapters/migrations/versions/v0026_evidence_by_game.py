"""Keep the evidence for the sender of an email as long as its game."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    """Add the column, and fill it with the game of the receipt."""
    op.add_column("evidence", sa.Column("game", sa.String))
    op.create_index("ix_evidence_game", "evidence", ["game"])
    op.execute(
        "UPDATE evidence SET game = (SELECT min(tokens.game) FROM tokens"
        " WHERE tokens.purpose = 'orders' AND tokens.subject = CAST(evidence.mail AS VARCHAR))"
    )
