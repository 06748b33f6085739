"""`judge dkim`: keys, DNS records and rotation."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner, Result
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from judge.cli.operator.check import check, doctor
from judge.cli.operator.dkim import dkim
from judge.cli.terminal import CONFIGURATION
from tests.support.dns_server import dns_server
from tests.support.selection import one_in

TODAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
FIRST, SECOND, THIRD = "judge20261123", "judge20261123b", "judge20261123c"


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


def test_a_rotation_passes_over_a_key_that_never_signed() -> None:
    for _ in range(3):
        run("new")
    never_used = f"{SECOND}: never used, as {THIRD} is newer; delete its record and key\n"
    assert f"; {never_used}" in run("show").stdout

    told = run("rotate", "--unchecked").stdout

    assert told.startswith(f"{THIRD} signs from now on\n{FIRST}: retired; keep its record until")
    assert told.endswith(never_used)


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


def key_with_a_passphrase() -> bytes:
    return Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"passphrase"),
    )


BROKEN = {
    "no key": (f"{FIRST}.pem", b"no key"),
    "an empty key": (f"{FIRST}.pem", b""),
    "a key with a passphrase": (f"{FIRST}.pem", key_with_a_passphrase()),
    "a folder for a key": (f"{FIRST}.pem", None),
    "no text for a name": ("selector", b"\xff\xfe"),
    "a path for a name": ("selector", b"../judge"),
    "an empty name": ("selector", b""),
    "a folder for a name": ("selector", None),
}


@pytest.mark.parametrize("how", one_in(4, BROKEN))
def test_a_broken_key_is_named_in_one_line_by_every_command(how: str) -> None:
    name, content = BROKEN[how]
    run("new")
    file = Path("dkim", name)
    file.unlink()
    if content is None:
        file.mkdir()
    else:
        file.write_bytes(content)

    found = [run(*each) for each in (("show",), ("rotate", "--unchecked"))]
    with dns_server() as server:
        asked = CliRunner().invoke(doctor, ["--dns", "--resolver", server.endpoint])
    checked = CliRunner().invoke(check)

    assert (found[0].exit_code, found[0].stderr.count("\n")) == (CONFIGURATION, 1)
    assert str(file) in found[0].stderr
    for each in (*found, asked, checked):
        assert isinstance(each.exception, SystemExit), each.exception
    assert f"fail  DKIM: dkim_keys: {file}" in asked.stdout
    assert f"error    dkim_keys: {file}: " in checked.stdout


def test_a_folder_in_which_no_key_can_be_made_is_named() -> None:
    Path("dkim").write_text("no folder")

    for each in ("new", "show"):
        refused = run(each)
        assert (refused.exit_code, refused.stderr.count("\n")) == (CONFIGURATION, 1)
        assert refused.stderr.startswith("judge: dkim_keys: dkim")


def test_a_key_that_was_made_elsewhere_signs_under_its_own_name() -> None:
    run("new")
    Path("dkim", f"{FIRST}.pem").rename(Path("dkim", "mail.pem"))
    Path("dkim", "selector").write_text("mail\n")
    with dns_server() as server:
        asked = CliRunner().invoke(doctor, ["--dns", "--resolver", server.endpoint])

    assert "there is no record mail._domainkey.judge.example" in asked.stdout
