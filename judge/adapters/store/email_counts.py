"""The numbers of emails in each state, which triggers keep: to count all takes ever longer.

On PostgreSQL each connection counts in rows of its own, as two may not change one row at once.
"""

from __future__ import annotations

import sqlalchemy as sa

from judge.adapters.store import tables

BOXES = ("inbox", "outbox")
OWN_CONNECTION = 0  # the slot of the only writer in SQLite, and of what `recount` finds

_COUNTS = tables.table(tables.EmailCountRow)

_ONE_MORE = """
    INSERT OR IGNORE INTO email_counts (box, state, slot, number)
    VALUES ('{box}', NEW.state, 0, 0);
    UPDATE email_counts SET number = number + 1 WHERE box = '{box}' AND state = NEW.state;"""
_ONE_LESS = """
    UPDATE email_counts SET number = number - 1 WHERE box = '{box}' AND state = OLD.state;"""
_TRIGGERS = {
    "came": ("AFTER INSERT ON {box}", _ONE_MORE),
    "changed": (
        "AFTER UPDATE OF state ON {box} WHEN NEW.state <> OLD.state",
        _ONE_MORE + _ONE_LESS,
    ),
    # Finished emails that were removed are still counted.
    "went": (
        "AFTER DELETE ON {box} WHEN OLD.state IN ('received', 'queued', 'held_back')",
        _ONE_LESS,
    ),
}
_ON_SERVER = """
    CREATE OR REPLACE FUNCTION count_emails() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
        IF TG_OP <> 'DELETE' THEN
            INSERT INTO email_counts AS kept (box, state, slot, number)
            VALUES (TG_TABLE_NAME, NEW.state, pg_backend_pid(), 1)
            ON CONFLICT (box, state, slot) DO UPDATE SET number = kept.number + 1;
        END IF;
        -- Finished emails that were removed are still counted.
        IF TG_OP = 'UPDATE'
        OR TG_OP = 'DELETE' AND OLD.state IN ('received', 'queued', 'held_back') THEN
            INSERT INTO email_counts AS kept (box, state, slot, number)
            VALUES (TG_TABLE_NAME, OLD.state, pg_backend_pid(), -1)
            ON CONFLICT (box, state, slot) DO UPDATE SET number = kept.number - 1;
        END IF;
        RETURN NULL;
    END $$"""


def count_from_now_on(connection: sa.Connection) -> None:
    """Create the triggers, unless they exist, or the table does not yet.

    Call it after every migration, as changing a table in batch mode drops its triggers.
    """
    if not sa.inspect(connection).has_table(_COUNTS.name):
        return
    if connection.dialect.name == "sqlite":
        for box in BOXES:
            for name, (when, does) in _TRIGGERS.items():
                connection.exec_driver_sql(
                    f"CREATE TRIGGER IF NOT EXISTS {box}_{name} {when} BEGIN {does} END".format(
                        box=box
                    )
                )
    elif not connection.scalar(
        sa.text("SELECT true FROM pg_trigger WHERE tgname = 'inbox_counted'")
    ):
        connection.exec_driver_sql(_ON_SERVER)
        for box in BOXES:
            connection.exec_driver_sql(
                f"CREATE TRIGGER {box}_counted AFTER INSERT OR DELETE OR UPDATE OF state "
                f"ON {box} FOR EACH ROW EXECUTE FUNCTION count_emails()"
            )


def recount(connection: sa.Connection) -> None:
    """Count all emails again, as in a store that was just filled."""
    connection.execute(sa.delete(_COUNTS))
    for box in BOXES:
        state = sa.column("state", sa.String)
        counted = sa.select(
            sa.literal(box), state, sa.literal(OWN_CONNECTION), sa.func.count()
        ).select_from(sa.table(box))
        names = [column.name for column in _COUNTS.c]
        connection.execute(sa.insert(_COUNTS).from_select(names, counted.group_by(state)))


def counts(connection: sa.Connection, box: str) -> dict[str, int]:
    """Return the number of emails in *box* by state."""
    kept = sa.select(_COUNTS.c.state, sa.func.sum(_COUNTS.c.number)).where(_COUNTS.c.box == box)
    rows = connection.execute(kept.group_by(_COUNTS.c.state)).all()
    return {state: int(number) for state, number in rows}
