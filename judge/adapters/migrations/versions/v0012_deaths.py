"""How often the judge ended while it had an email in hand, apart from what the email failed at."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Add both; what an email failed at so far is taken for its own fault, as before."""
    deaths = sa.Column("deaths", sa.Integer, nullable=False, server_default="0")
    op.add_column("inbox", deaths)
    in_hand = sa.Column("in_hand", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("inbox", in_hand)


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
