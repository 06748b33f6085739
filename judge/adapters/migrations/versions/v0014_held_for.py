"""For whom a held email waits: the player whom it names, and the game it is about."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Add both columns; what is held already is found by its confirmation alone."""
    op.add_column("inbox", sa.Column("held_for", sa.String))
    op.add_column("inbox", sa.Column("held_game", sa.String))
    op.create_index("inbox_held_for", "inbox", ["held_for", "state"])


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
