"""How soon a person wants the mails that can wait."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the pace; at once for everybody until he asks for another."""
    pace = sa.Column("pace", sa.String, nullable=False, server_default="at_once")
    op.add_column("people", pace)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
