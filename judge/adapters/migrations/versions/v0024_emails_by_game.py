"""Find the outgoing emails of a game by an index."""

from __future__ import annotations

from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Create the index."""
    op.create_index("outbox_game", "outbox", ["game"])
