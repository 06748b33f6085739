"""`judge desk`: starting the desk."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.operator.serve import desk
from judge.cli.terminal import CONFIGURATION, UNAVAILABLE
from tests.support.table import MODERATOR, Table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.start("baltic", moderator=MODERATOR)
    yield table
    table.close()


def run(table: Table, *arguments: str) -> Result:
    return CliRunner().invoke(desk, [*arguments, "--database", str(table.file)])


@pytest.mark.parametrize("where", ["0.0.0.0:8026", "192.0.2.1:8026", "localhost:8026", ""])
def test_it_opens_on_loopback_only(table: Table, where: str) -> None:
    result = run(table, "--desk", where)

    assert result.exit_code == CONFIGURATION
    assert "expected 127.0.0.1:PORT or [::1]:PORT" in result.stderr


def test_a_stranger_has_no_desk(table: Table) -> None:
    result = run(table, "--moderator", "nobody@players.example", "--desk", "127.0.0.1:0")

    assert result.exit_code == UNAVAILABLE
    assert "'nobody@players.example' is not registered" in result.stderr


def test_an_address_that_is_taken_is_named(table: Table) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        where = f"127.0.0.1:{taken.getsockname()[1]}"
        result = run(table, "--desk", where)

    assert result.exit_code == UNAVAILABLE
    assert f"listens on {where}: " in result.stderr
    assert "another port with --desk" in result.stderr


def test_without_a_judge_there_is_no_desk(tmp_path: Path) -> None:
    result = CliRunner().invoke(desk, ["--database", str(tmp_path / "none.db")])

    assert result.exit_code == UNAVAILABLE
    assert "no database" in result.stderr
