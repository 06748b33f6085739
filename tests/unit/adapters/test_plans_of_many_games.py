"""The daemon's work on a store of 10,000 games scans no table that grows."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from judge.adapters.store import tables
from judge.app.admin.health import examine
from judge.app.deadlines import note_wake_up
from judge.daemon import DailyCleaner, TroubleWatch
from tests.support.table import Table, address_of

GAMES = 10_000
LONG_AGO, FAR_AWAY = datetime(2020, 1, 1, tzinfo=UTC), datetime(2100, 1, 1, tzinfo=UTC)
# These have a row for each judge, mailbox or state.
SMALL = {
    "CONSTANT",
    "pulse",
    "mailboxes",
    "withheld_emails",
    "secrets",
    "email_counts",
    "alembic_version",
}
OF_THE_TEST = "SELECT id, raw FROM outbox ORDER BY id"
SCAN = re.compile(r"SCAN (\w+)")


def add_games(table: Table) -> None:
    """Add so many games, of which nine in ten are over, with their people and emails."""
    with table.database.write() as transaction:
        connection, numbers = transaction.connection, range(GAMES)
        rows: dict[type[tables.Row], list[dict[str, object]]] = {
            tables.GameRow: [
                {"name": f"old{n}", "version": 1, "hash": "", "created_utc": LONG_AGO}
                for n in numbers
            ],
            tables.EventRow: [
                {"game": f"old{n}", "version": 1, "type": "game_ended", "schema": 1}
                | {"recorded_utc": "", "payload": "{}", "hash": ""}
                for n in numbers
            ],
            tables.AgendaRow: [
                {"game": f"old{n}", "due_utc": FAR_AWAY} for n in numbers if n % 10 == 0
            ],
            tables.GamePersonRow: [
                {"person": f"p{n}", "game": f"old{n}", "present": n % 10 == 0} for n in numbers
            ],
            tables.BudgetRow: [{"name": f"b{n}", "spent_until_utc": FAR_AWAY} for n in numbers],
            tables.MissedSentenceRow: [{"text": f"{n}", "missed_utc": FAR_AWAY} for n in numbers],
        }
        for kind, made in rows.items():
            connection.execute(sa.insert(tables.table(kind)), made)


@contextmanager
def scans_of(table: Table) -> Iterator[set[str]]:
    """Collect the statements that scan a table, and how."""
    found, engine, writing = set[str](), table.database._engine, False

    def explain(
        connection: sa.Connection,
        cursor: Any,  # noqa: ANN401 - of the driver
        statement: str,
        parameters: Any,  # noqa: ANN401 - of the driver
        context: object,
        executemany: bool,  # noqa: FBT001 - as SQLAlchemy calls it
    ) -> None:
        nonlocal writing
        del connection, context
        if statement.startswith("BEGIN"):
            writing = "IMMEDIATE" in statement
        if not statement.startswith(("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")):
            return
        values = parameters[0] if executemany else parameters
        if "WHERE" not in statement and "LIMIT" in statement:
            return  # It ends after the first rows.
        for row in cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall():
            scan = SCAN.match(row[3])
            at_start = scan and scan[1] == "games" and not writing  # which games are not due
            if scan and not at_start and scan[1] not in SMALL and statement != OF_THE_TEST:
                found.add(f"{row[3]}: {' '.join(statement.split())}")

    sa.event.listen(engine, "before_cursor_execute", explain)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", explain)


@pytest.mark.gate
def test_no_work_of_the_daemon_scans_a_table_that_grows(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic", moderator="gm@players.example")
        table.run_once()
        add_games(table)
        with scans_of(table) as scans:
            table.send("FRANCE", "A Par-Bur")
            table.reply(table.latest("ITALY"), "PRESS TO FRANCE\nHello.\nENDPRESS")
            table.mail("stranger@example.org", "LIST")
            table.mail(address_of("TURKEY"), "STATUS baltic")
            table.wait_until(table.deadline() - timedelta(hours=23))
            table.wait_until(table.deadline() + timedelta(hours=25))
            table.render()
            examine(table.judge)
            TroubleWatch(table.judge, lambda: None).look()
            DailyCleaner(table.judge, 30).tidy()
            note_wake_up(table.judge)

        assert scans == set()
