"""The plans by which the store executes statements."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import sqlalchemy as sa

from judge.adapters.store.transactions import SqlDatabase

PLANNED = ("SELECT", "UPDATE", "INSERT", "DELETE", "WITH")
SCAN = re.compile(r"(?:SCAN|Seq Scan on) (\w+)")  # as SQLite and PostgreSQL say it


@contextmanager
def scans_in(database: SqlDatabase) -> Iterator[list[tuple[str, str, bool]]]:
    """Collect the tables that are scanned, by which statement, and whether it may write.

    PostgreSQL scans a small table whatever its indexes. So here it does only if none would do.
    """
    found, engine, writing = list[tuple[str, str, bool]](), database._engine, False
    is_sqlite = engine.dialect.name == "sqlite"
    explaining = "EXPLAIN QUERY PLAN " if is_sqlite else "EXPLAIN "

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
        if not statement.startswith(PLANNED):
            return
        if not is_sqlite:
            cursor.execute("SET enable_seqscan = off")
        values = parameters[0] if executemany else parameters
        rows = cursor.execute(explaining + statement, values).fetchall()
        scans = filter(None, (SCAN.search(str(row[-1 if is_sqlite else 0])) for row in rows))
        found.extend((scan[1], " ".join(statement.split()), writing) for scan in scans)

    sa.event.listen(engine, "before_cursor_execute", explain)
    try:
        yield found
    finally:
        sa.event.remove(engine, "before_cursor_execute", explain)
