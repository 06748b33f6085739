"""The daemon's work on a store of 10,000 games scans no table that grows."""

from __future__ import annotations

from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from judge.adapters.store import tables
from judge.adapters.store.sql_games import SqlGameSummaries
from judge.app.admin.health import examine
from judge.app.deadlines import note_wake_up
from judge.checkpoints import HASH_BYTES, Verifier, Witness
from judge.daemon import DailyCleaner, TroubleWatch
from tests.support.plans import scans_in
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
WITNESS = Witness(Verifier("other.example/judge", bytes(HASH_BYTES)), "judge@other.example")


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


@pytest.mark.gate
def test_no_work_of_the_daemon_scans_a_table_that_grows(tmp_path: Path) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic", moderator="gm@players.example")
        table.run_once()
        add_games(table)
        table.judge = replace(table.judge, witnesses=(WITNESS,))
        with scans_in(table.database) as scans:
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

    assert {each for each in scans if is_costly(*each)} == set()


@pytest.mark.parametrize("text", ["A Par-Bur\n\nCheers to Anna in garnet", "I want to play"])
def test_words_beside_orders_are_not_compared_with_the_names_of_all_games(
    tmp_path: Path, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with closing(Table(tmp_path)) as table:
        table.start("baltic")
        table.open("garnet")
        monkeypatch.delattr(SqlGameSummaries, "current")
        receipt = table.send("FRANCE", text)
        stranger = table.mail("stranger@example.org", "I want to play in garnet, please")

    assert "baltic" in receipt.text
    assert "garnet" in stranger[0].text


def is_costly(scanned: str, statement: str, writing: bool) -> bool:  # noqa: FBT001 - of a scan
    """Return whether a statement reads all of a table that grows."""
    ends_early = "WHERE" not in statement and "LIMIT" in statement
    at_start = scanned == "games" and not writing  # which games are not due
    return not (ends_early or at_start or scanned in SMALL or statement == OF_THE_TEST)
