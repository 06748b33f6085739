"""Find what the daily cleaner removes by an index."""

from __future__ import annotations

from alembic import op

revision = "0031"
down_revision = "0030"


def upgrade() -> None:
    """Create the indexes."""
    op.create_index("ix_budgets_spent_until_utc", "budgets", ["spent_until_utc"])
    op.create_index("ix_missed_sentences_missed_utc", "missed_sentences", ["missed_utc"])
