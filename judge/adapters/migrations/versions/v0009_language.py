"""In which language a person is written to."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Add the language; English for everybody until he asks for another."""
    language = sa.Column("language", sa.String, nullable=False, server_default="en")
    op.add_column("people", language)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
