"""Find what is recorded about an email, to remove it with the email."""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Create the indexes."""
    op.create_index("ix_evidence_mail", "evidence", ["mail"])
    op.create_index("ix_letters_mail", "letters", ["mail"])
