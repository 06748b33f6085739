"""What a person wants mails to be made of."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the form; with pictures for everybody until he asks for less."""
    form = sa.Column("form", sa.String, nullable=False, server_default="pictures")
    op.add_column("people", form)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
