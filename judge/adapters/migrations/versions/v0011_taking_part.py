"""Which games the logs name a person in."""

from __future__ import annotations

import json

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"

FIELDS = ("person", "moderator")
ROWS_A_FETCH = 500


def upgrade() -> None:
    """Add the table, and fill it from all logs."""
    into = op.create_table(
        "taking_part",
        sa.Column("person", sa.String, primary_key=True),
        sa.Column("game", sa.String, primary_key=True),
    )
    events = sa.table("events", sa.column("game"), sa.column("payload"))
    named = sa.or_(*(events.c.payload.contains(f'"{field}":') for field in FIELDS))
    found = set[tuple[str, str]]()
    naming = sa.select(events.c.game, events.c.payload).where(named)
    some = naming.execution_options(yield_per=ROWS_A_FETCH)
    for game, payload in op.get_bind().execute(some):
        told = json.loads(payload)
        found.update((told[field], game) for field in FIELDS if told.get(field))
    op.bulk_insert(into, [{"person": person, "game": game} for person, game in sorted(found)])


def downgrade() -> None:
    """Refuse: there is only forward."""
    raise NotImplementedError("there is no way back: use the copy made before the upgrade")
