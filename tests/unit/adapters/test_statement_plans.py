"""The daemon finds emails of the outbox by an index, however many it has sent."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from judge.app.ports.outbox import Failure, Outbox
from tests.support.table import Table

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)
QUESTIONS: dict[str, Callable[[Outbox], object]] = {
    "due": lambda outbox: outbox.due(NOW),
    "unrendered": lambda outbox: outbox.unrendered(NOW, 40, ["baltic", "<1@judge>"]),
    "unrendered_games": lambda outbox: outbox.unrendered_games(NOW, 200),
    "awaited": lambda outbox: outbox.awaited(NOW),
    "waiting": lambda outbox: outbox.waiting("anna", NOW),
    "next_due": lambda outbox: outbox.next_due(),
    "enclosed": lambda outbox: outbox.enclosed("<1@judge>"),
    "find": lambda outbox: outbox.find("<1@judge>"),
    "latest_to": lambda outbox: outbox.latest_to("anna", NOW, 30),
    "sent_from": lambda outbox: outbox.sent_from("judge+1@judge"),
    "entries of a game": lambda outbox: outbox.entries("baltic"),
    "emails of ended games": lambda outbox: outbox.of_ended_games(NOW, 0, 100),
    "is_unreachable": lambda outbox: outbox.is_unreachable("anna", NOW, NOW, bounces=True),
    "last_bounce": lambda outbox: outbox.last_bounce("anna"),
    "sent": lambda outbox: outbox.sent(["<1@judge>"], NOW),
    "rendered": lambda outbox: outbox.rendered("<1@judge>", b"bytes"),
    "not_rendered": lambda outbox: outbox.not_rendered("<1@judge>", NOW, Failure("why", NOW)),
    "postpone": lambda outbox: outbox.postpone("<1@judge>", NOW, Failure("why", NOW)),
    "bring_forward": lambda outbox: outbox.bring_forward(NOW),
    "reschedule": lambda outbox: outbox.reschedule("anna", ["letter"], NOW),
}


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Table]:
    with closing(Table(tmp_path)) as table:
        yield table


@pytest.mark.parametrize("name", QUESTIONS)
def test_no_statement_reads_all_emails(judge: Table, name: str) -> None:
    plans: list[str] = []

    def explain(
        connection: sa.Connection,
        cursor: Any,  # noqa: ANN401 - of the driver
        statement: str,
        parameters: Any,  # noqa: ANN401 - of the driver
        context: object,
        executemany: bool,  # noqa: FBT001 - as SQLAlchemy calls it
    ) -> None:
        del connection, context
        if "outbox" in statement and not statement.startswith(("EXPLAIN", "PRAGMA")):
            values = parameters[0] if executemany else parameters
            rows = cursor.execute(f"EXPLAIN QUERY PLAN {statement}", values).fetchall()
            plans.extend(row[3] for row in rows)

    engine = judge.database._engine
    sa.event.listen(engine, "before_cursor_execute", explain)
    try:
        with judge.database.write() as transaction:
            QUESTIONS[name](transaction.outbox)
    finally:
        sa.event.remove(engine, "before_cursor_execute", explain)

    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN outbox")]
