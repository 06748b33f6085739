"""Note the game of every incoming email, not only of those that are held."""

from __future__ import annotations

from alembic import op

revision = "0030"
down_revision = "0029"


def upgrade() -> None:
    """Rename the column."""
    op.execute("ALTER TABLE inbox RENAME COLUMN held_game TO game")
