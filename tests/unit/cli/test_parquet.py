"""`judge archive convert --to parquet`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from time import monotonic, sleep

import duckdb
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from judge.adapters.archive import parquet, shards
from judge.archive.record_tables import TABLES
from judge.cli.archive import convert as convert_
from judge.cli.root import archive
from judge.resources import folder
from tests.support.daemon import PATIENCE_SECONDS

DOCUMENT = (folder("templates").parent / "docs/archive.md").read_text(encoding="utf-8")
GAME = """\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: army tri
Austria: supply bud
ORDERS
bud move ser
tri support bud move ser
"""
MAIL = """\
From: judge@example.net
Subject: TEST:dogger - S1901M Results
Date: Mon, 02 Mar 1998 09:05:00 +0000

The following players are signed up for game 'dogger':
    Austria  Anna   anna@example.net
Movement results for Spring of 1901. (dogger.001)

Austria: Army Budapest -> Serbia.
Austria: Army Trieste SUPPORT Army Budapest -> Serbia.  (*cut*)

The next phase of 'dogger' will be Movement for Fall of 1901.
"""


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Return a folder of three games, one with results, and a file without games."""
    for name, text in {"1": GAME, "2": GAME, "3": MAIL, "README": "Old games."}.items():
        (tmp_path / "games").mkdir(exist_ok=True)
        (tmp_path / "games" / name).write_text(text)
    return tmp_path / "games"


def convert(*arguments: object) -> Result:
    to = ["convert", "--lenient", "--to", "parquet"]
    return CliRunner().invoke(archive, [*to, *(str(each) for each in arguments)])


def rows(tables: Path, name: str) -> list[Mapping[str, object]]:
    told: list[Mapping[str, object]] = pq.read_table(tables / name).to_pylist()
    return told


def leftovers(tables: Path) -> list[str]:
    return [each.name for each in tables.parent.iterdir() if each.name.startswith(".")]


def test_each_table_holds_the_games_in_their_order(games: Path, tmp_path: Path) -> None:
    result = convert(games, "-o", tmp_path / "tables")

    assert (result.exit_code, result.stdout) == (0, "")
    files = [row["file"] for row in rows(tmp_path / "tables", "games")]
    assert files == [f"{games}/{name}" for name in "123"]
    numbers = [row["game"] for row in rows(tmp_path / "tables", "games")]
    assert numbers == sorted(numbers, key=str)
    for table in TABLES:
        assert {row["game"] for row in rows(tmp_path / "tables", table.name)} <= {*numbers}
    assert [row["order"] for row in rows(tmp_path / "tables", "orders")][:2] == [
        "A BUD - SER",
        "A TRI S A BUD - SER",
    ]
    assert leftovers(tmp_path / "tables") == []


def test_the_examples_of_the_documentation_run(
    games: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    convert(games, "-o", "FOLDER")
    (query,) = re.findall(r"```sql\n(.*?)```", DOCUMENT, re.DOTALL)
    (program,) = re.findall(r"```python\n(import pandas.*?)```", DOCUMENT, re.DOTALL)

    assert duckdb.connect().execute(query).fetchall() == [("AUSTRIA", 1, 1.0)]
    exec(program, {})  # noqa: S102 - our own documentation
    owners, _, means = capsys.readouterr().out.splitlines()
    assert owners.split()[:2] == ["owner", "AUSTRIA"]
    assert means.split()[:2] == ["1900", "1.666667"], "one, one, and three at the start of a game"


def test_two_processes_write_what_one_does_part_by_part(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shards, "BATCH_BYTES", 1)
    monkeypatch.setattr(parquet, "GROUP_ROWS", 1)
    for jobs in (1, 2):
        assert convert(games, "-o", tmp_path / str(jobs), "--jobs", jobs).exit_code == 0

    for table in TABLES:
        assert rows(tmp_path / "2", table.name) == rows(tmp_path / "1", table.name)
        assert len([*(tmp_path / "2" / table.name).iterdir()]) == 4


def test_games_after_an_error_in_a_file_are_not_in_the_tables(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runner, saved = CliRunner(), tmp_path / "saved"
    runner.invoke(archive, ["convert", str(games / "1"), "--to", "record", "-o", str(saved)])
    line = saved.read_text()
    saved.write_text(line * 3 + "{]\n" + line * 9)
    monkeypatch.setattr(shards, "SHARD_BYTES", len(line) + 1)
    monkeypatch.setattr(shards, "BATCH_BYTES", 1)

    tables = tmp_path / "tables"
    options = ["--to", "parquet", "--jobs", "2", "-o", str(tables)]
    result = runner.invoke(archive, ["convert", str(saved), *options])

    assert result.stderr.startswith(f"judge: {saved}:4: invalid JSON")
    assert result.exit_code == 65
    assert len(rows(tables, "games")) == 3


def test_addresses_are_kept_only_on_request(games: Path, tmp_path: Path) -> None:
    for name, options in {"without": [], "with": ["--keep-addresses"]}.items():
        record = tmp_path / f"{name}.json"
        CliRunner().invoke(
            archive,
            ["convert", "--lenient", str(games / "3"), "--to", "record", "-o", str(record)],
        )
        told = record.read_text().replace(
            '"phases"',
            '"seats": [{"power": "AUSTRIA", "player": "Anna", "hold": "player",'
            ' "address": "anna@example.net"}], "phases"',
            1,
        )
        record.write_text(told)
        convert(record, "-o", tmp_path / name, *options)

    assert rows(tmp_path / "without", "games")[0]["players"] == ["AUSTRIA: Anna"]
    assert rows(tmp_path / "with", "games")[0]["players"] == ["AUSTRIA: Anna <anna@example.net>"]
    for file in (tmp_path / "without").rglob("*.parquet"):
        assert b"anna@" not in file.read_bytes()


def test_tables_of_no_game_have_their_columns(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("Old games.")

    assert convert(tmp_path / "README", "-o", tmp_path / "tables").exit_code == 65

    for table in TABLES:
        names = pq.read_table(tmp_path / "tables" / table.name).column_names
        assert names == [name for name, _, _ in table.heads()]


def test_tables_are_replaced_but_nothing_else_is(games: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    convert(games, "-o", tables)
    assert convert(games / "1", "-o", tables).exit_code == 0
    assert len(rows(tables, "games")) == 1

    (tables / "thesis.txt").write_text("A year of work.")
    result = convert(games, "-o", tables)

    assert result.exit_code == 64
    assert (
        result.stderr
        == f"judge: {tables} contains other files than tables; choose another folder\n"
    )
    assert (tables / "thesis.txt").exists()
    assert len(rows(tables, "games")) == 1


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_leaves_the_tables_that_were_there(games: Path, tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    convert(games / "1", "-o", tables)
    (games / "4").write_text(GAME * 2_000)

    command = ["convert", "--to", "parquet", "-o", str(tables), "--jobs", "2", "--lenient"]
    with subprocess.Popen(
        [sys.executable, "-m", "judge", "archive", *command, *map(str, sorted(games.iterdir()))],
        start_new_session=True,
        stderr=subprocess.PIPE,
    ) as judge:
        deadline = monotonic() + PATIENCE_SECONDS
        while not [*tmp_path.glob(".tables-*/new/*")] and monotonic() < deadline:
            sleep(0.01)
        os.killpg(judge.pid, signal.SIGINT)
        _, complaint = judge.communicate(timeout=PATIENCE_SECONDS)

    assert (judge.returncode, complaint) == (130, b"\nAborted!\n")
    assert len(rows(tables, "games")) == 1
    assert leftovers(tables) == []


def test_a_folder_must_be_named_and_can_be_no_file(games: Path) -> None:
    assert convert(games).exit_code == 64
    result = convert(games, "-o", games / "1" / "tables")
    assert result.exit_code == 69
    assert "cannot be written: Not a directory" in result.stderr


def test_a_missing_extra_is_named(
    games: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(convert_, "find_spec", lambda _: None)

    result = convert(games, "-o", tmp_path / "tables")

    expected = "judge: --to parquet needs pyarrow: pip install pyarrow\n"
    assert (result.exit_code, result.stderr) == (69, expected)
