"""Add the table of games, which the judge fills from the log when it opens the store."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Create the table, and add the column."""
    moment = sa.DateTime(timezone=True)
    op.create_table(
        "summaries",
        sa.Column("game", sa.String, primary_key=True),
        *(
            sa.Column(name, kind, nullable=nullable)
            for name, kind, nullable in (
                ("stage", sa.String, False),
                ("listed", sa.Boolean, False),
                ("variant", sa.String, False),
                ("board_digest", sa.String, False),
                ("zone", sa.String, False),
                ("comment", sa.String, False),
                ("phase", sa.String, True),
                ("deadline_utc", moment, True),
                ("players", sa.Integer, False),
                ("joined", sa.Integer, False),
                ("places", sa.Integer, False),
                ("vacant", sa.String, False),
                ("standbys_wanted", sa.Integer, False),
                ("moderator", sa.String, True),
                ("result", sa.String, True),
                ("winners", sa.String, False),
                ("origin", sa.String, True),
                ("ended_utc", moment, True),
            )
        ),
        sa.Column("phases_closed", sa.Integer, nullable=False, server_default="0"),
    )
    op.create_index("summaries_stage", "summaries", ["stage", "ended_utc"])
    present = sa.Column("present", sa.Boolean, nullable=False, server_default=sa.false())
    op.add_column("taking_part", present)
