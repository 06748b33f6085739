"""What people's own emails call them, and which pictures they want in results."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Add both; nobody has a name yet, and everybody gets both pictures."""
    op.add_column("people", sa.Column("name", sa.String, nullable=False, server_default=""))
    pictures = sa.Column("pictures", sa.String, nullable=False, server_default="both")
    op.add_column("people", pictures)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
