"""Keep the error of an operator's template for which an email got the shipped words."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    """Add the column and its index."""
    op.add_column("outbox", sa.Column("template_fault", sa.String))
    failed = sa.text("template_fault IS NOT NULL")
    op.create_index(
        "outbox_template_fault",
        "outbox",
        ["due_utc"],
        sqlite_where=failed,
        postgresql_where=failed,
    )
