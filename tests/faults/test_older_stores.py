"""Stores of older judges, and upgrades that are killed: R45, R46, R47."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlmodel import SQLModel

from judge.adapters.migrations import NEWEST
from judge.adapters.store.database import open_database
from judge.adapters.store.tables import AgendaRow, table
from judge.app.admin import game_admin
from judge.app.deadlines import note_wake_up
from judge.app.ports.damaged_logs import find_damage
from judge.cli.operator.log import verify_game
from tests.support.next_migration import add_next_step
from tests.support.table import Table

BEFORE_RELEASE = Path(__file__).with_name("store_before_release.sql")
DIE_WHILE_CREATING = ("judge.adapters.store.sqlite", "-", "guard_events", "before", "1", "serve")


@pytest.fixture
def again(tmp_path: Path) -> Iterator[Table]:
    """Return a judge on a store that was written before the first release."""
    with closing(sqlite3.connect(tmp_path / "judge.db")) as connection:
        connection.executescript(BEFORE_RELEASE.read_text(encoding="utf-8"))
    with closing(Table(tmp_path, "again")) as table_again:
        yield table_again


def test_r46_a_game_that_began_before_the_first_release_goes_on(again: Table) -> None:
    with again.database.read() as transaction:
        verified = verify_game(transaction, "baltic")
        assert (verified.phases, verified.wrong) == (1, None)
    assert again.phase() == "F1901M"

    again.send("FRANCE", "A Bur-Bel")
    game_admin.close_phase_now(again.judge, "baltic", None)

    assert "Belgium" in again.outbox()[-1].text


def test_r46_migrated_tables_are_those_that_the_code_expects(
    again: Table,
) -> None:
    with again.database.read() as transaction:
        context = MigrationContext.configure(transaction.connection)
        assert not compare_metadata(context, SQLModel.metadata)


def test_r46_a_store_is_migrated_to_a_later_step(
    again: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_next_step(monkeypatch, tmp_path)
    with closing(open_database(again.file)) as database, database.read() as transaction:
        assert verify_game(transaction, "baltic").wrong is None
    assert ask(again.file, "SELECT DISTINCT CAST(shoe_size AS TEXT) FROM people") == [("42",)]


def test_r47_a_store_killed_during_its_creation_has_no_tables(tmp_path: Path) -> None:
    file = tmp_path / "judge.db"

    dying = subprocess.run(
        [sys.executable, "-m", "tests.faults.dying", *DIE_WHILE_CREATING, "--database", str(file)],
        check=False,
        capture_output=True,
    )

    assert dying.returncode == -signal.SIGKILL, dying.stderr
    assert ask(file, "SELECT name FROM sqlite_master") == []
    with closing(open_database(file)):
        assert ask(file, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


def ask(file: Path, question: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


def test_r45_derived_tables_are_rebuilt_from_the_logs(again: Table) -> None:
    again.run_once()
    game, looks = again.game(), again.query("SELECT * FROM agenda")

    again.judge.game_cache.kept.clear()
    with again.database.write() as transaction:
        transaction.connection.execute(table(AgendaRow).delete())
    note_wake_up(again.judge)
    again.run_once()

    assert again.game() == game
    assert again.query("SELECT * FROM agenda") == looks
    with again.database.read() as transaction:
        assert find_damage(transaction, "baltic") is None
