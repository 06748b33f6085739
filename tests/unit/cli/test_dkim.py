"""`judge dkim`: keys, the records to publish, and their rotation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner, Result

from judge.cli.operator.dkim import dkim
from tests.support.dns_server import dns_server

TODAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
FIRST, SECOND = "judge20261123", "judge20261123b"


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("JUDGE_ADDRESS", "judge@judge.example")
    monkeypatch.setenv("JUDGE_DKIM_KEYS", "dkim")
    with time_machine.travel(TODAY):
        yield


def run(*arguments: str) -> Result:
    return CliRunner().invoke(dkim, arguments)


def test_a_new_key_comes_with_its_record_ready_to_paste_and_signs() -> None:
    record = run("new").stdout

    assert re.fullmatch(
        rf'{FIRST}\._domainkey\.judge\.example\. IN TXT \( "v=DKIM1; k=rsa; p=[^"]+" "[^"]+" \)\n',
        record,
    )
    assert all(len(each) <= 255 for each in re.findall(r'"([^"]*)"', record))
    assert f"; {FIRST}: signs" in run("show").stdout
    told = json.loads(run("show", "--json").stdout)
    assert (told["selector"], told["state"]) == (FIRST, "signs")
    assert told["record"] in run("show").stdout
    with dns_server(record) as server:
        assert server.rrsets, "a zone file takes it"


def test_a_second_key_signs_only_after_its_record_is_in_the_dns() -> None:
    run("new")
    made = run("new")
    assert "judge dkim rotate" in made.stderr
    assert f"; {SECOND}: not in use yet" in run("show").stdout
    with dns_server() as server:
        refused = run("rotate", "--resolver", server.endpoint)
        assert refused.exit_code == 69
        assert made.stdout.strip() in refused.stderr
        assert f"; {FIRST}: signs" in run("show").stdout

        server.publish(made.stdout)
        assert f"{SECOND} signs from now on" in run("rotate", "--resolver", server.endpoint).stdout

    shown = run("show").stdout
    assert f"; {SECOND}: signs" in shown
    assert f"; {FIRST}: retired; keep its record until" in shown


def test_a_rotation_can_go_ahead_where_the_dns_cannot_be_asked() -> None:
    run("new")
    run("new")

    assert f"{SECOND} signs from now on" in run("rotate", "--unchecked").stdout


def test_a_rotation_needs_a_newer_key() -> None:
    run("new")

    refused = run("rotate")

    assert refused.exit_code == 69
    assert "judge dkim new" in refused.stderr


def test_a_resolver_is_an_address_with_a_port() -> None:
    assert run("rotate", "--resolver", "dns.example:53").exit_code == 64


def test_the_folder_of_the_keys_must_be_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("JUDGE_DKIM_KEYS")

    refused = run("show")

    assert refused.exit_code == 78
    assert "dkim_keys" in refused.stderr
