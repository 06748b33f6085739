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
from sqlalchemy import Connection, Engine, select

from judge.adapters.migrations import NEWEST
from judge.adapters.store import database as database_module
from judge.adapters.store import sqlite
from judge.adapters.store.database import open_database
from judge.adapters.store.tables import AgendaRow, EventRow, GameRow, TakingPartRow, table
from judge.app.admin import game_admin
from judge.app.deadlines.close import note_wake_up
from judge.app.game.apply import find_damage
from judge.cli.operator.log import verify_game
from judge.game.players.joining import PlayerJoined
from judge.settings import DatabaseServer
from tests.support.postgres import Postgres
from tests.support.table import Table

STEPS = [f"{number:04}" for number in range(1, int(NEWEST))]
NAMED_SINCE = "0011"  # the step that fills `taking_part` from the log
KILLED_STEP = (
    "judge.adapters.store.sqlite",
    "-",
    "guard_events",
    "before",
    "1",
    "serve",
)  # all taken


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a judge with a game in Fall 1901."""
    folder = tmp_path_factory.mktemp("played")
    with closing(Table(folder)) as laid:
        laid.start("baltic", "first_spring_extension_hours=0")
        laid.says("FRANCE", "A Par-Bur")
        game_admin.close_phase_now(laid.judge, "baltic", None)
        assert laid.phase() == "F1901M"
    return folder


@pytest.fixture(params=["sqlite", "postgresql"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Path | DatabaseServer:
    """Return an empty database."""
    if request.param == "sqlite":
        return tmp_path / "judge.db"
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.empty()


def engine_of(where: Path | DatabaseServer) -> Engine:
    if isinstance(where, Path):
        return sqlite.open_engine(where, sqlite.newest_library())
    from judge.adapters.store import postgresql  # noqa: PLC0415 - as the judge does

    return postgresql.open_engine(where)


@pytest.mark.parametrize("step", STEPS)
def test_r46_a_store_of_every_step_is_brought_up_to_date_and_its_game_goes_on(
    played: Path, where: Path | DatabaseServer, step: str
) -> None:
    old = engine_of(where)
    with old.begin() as connection:
        database_module.migrate(connection, step)
        copy_log(played, connection, step)
    old.dispose()

    with closing(open_database(where)) as database, database.read() as transaction:
        verified = verify_game(transaction, "baltic")
        assert (verified.phases, verified.wrong) == (1, None)
        joined = [
            each.event.person
            for each in transaction.events.read("baltic")
            if isinstance(each.event, PlayerJoined)
        ]
        assert len(joined) == 7
        assert all(transaction.events.games_of(person) == ["baltic"] for person in joined)


def copy_log(played: Path, into: Connection, step: str) -> None:
    """Copy the log, whose tables are as they were from the first, and who is named there."""
    named = (TakingPartRow,) if step >= NAMED_SINCE else ()
    with closing(open_database(played / "judge.db")) as database, database.read() as source:
        for name in (GameRow, EventRow, *named):
            rows = source.connection.execute(select(table(name))).mappings().all()
            into.execute(table(name).insert(), [dict(row) for row in rows])


def test_r47_an_upgrade_of_a_file_that_is_killed_half_way_leaves_it_as_it_was(
    tmp_path: Path,
) -> None:
    file = tmp_path / "judge.db"
    old = engine_of(file)
    with old.begin() as connection:
        database_module.migrate(connection, STEPS[0])
    old.dispose()
    before = tables(file)

    dying = subprocess.run(
        [sys.executable, "-m", "tests.faults.dying", *KILLED_STEP, "--database", str(file)],
        check=False,
        capture_output=True,
    )

    assert dying.returncode == -signal.SIGKILL, dying.stderr
    assert tables(file) == before
    with closing(open_database(file)):
        assert ask(file, "SELECT version_num FROM alembic_version") == [(NEWEST,)]


def tables(file: Path) -> list[tuple[str, ...]]:
    """Return how the tables are, and at which step."""
    return [
        *ask(file, "SELECT name, sql FROM sqlite_master ORDER BY name"),
        *ask(file, "SELECT version_num FROM alembic_version"),
    ]


def ask(file: Path, question: str) -> list[tuple[str, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(question).fetchall()


@pytest.fixture
def again(played: Path, tmp_path: Path) -> Iterator[Table]:
    """Return the played judge in a folder of its own."""
    (tmp_path / "judge.db").write_bytes((played / "judge.db").read_bytes())
    with closing(Table(tmp_path, "again")) as table_again:
        yield table_again


def test_r45_whatever_is_not_the_log_of_a_game_is_made_anew_from_it(again: Table) -> None:
    again.turn()
    game, looks = again.game(), again.ask("SELECT * FROM agenda")

    again.judge.histories.kept.clear()
    with again.database.write() as transaction:
        transaction.connection.execute(table(AgendaRow).delete())
    note_wake_up(again.judge)
    again.turn()

    assert again.game() == game
    assert again.ask("SELECT * FROM agenda") == looks
    with again.database.read() as transaction:
        assert find_damage(transaction, "baltic") is None
