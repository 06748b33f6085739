"""`judge inbox`: the state of each email, without secrets, and lasting changes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.cli.operator.inbox_command import inbox
from judge.cli.terminal import UNAVAILABLE, USAGE
from tests.support.table import MODERATOR, Table, address_of

HOSTILE = "\x1b[2J\x1b]0;owned\x07\u202e\u2028Subject: \x9b31m"
TOO_LARGE = b"From: a@x.example\n\n" + b"HELP\n" * 60_000


@pytest.fixture
def table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setenv("JUDGE_ADDRESS", "judge@judge.example")
    table = Table(tmp_path)
    table.start("baltic", moderator=MODERATOR)
    yield table
    table.close()


def run(table: Table, *arguments: str) -> Result:
    return CliRunner().invoke(inbox, [*arguments, "--database", str(table.file)])


def test_each_email_is_one_line_of_json(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.store_email(TOO_LARGE)
    table.run_once()

    rows = [json.loads(line) for line in run(table, "list", "--json").stdout.splitlines()]

    assert [(row["id"], row["state"], row["reason"], row["attempts"]) for row in rows] == [
        (1, "processed", "", 1),
        (2, "quarantined", "too many lines", 1),
    ]
    assert set(rows[0]) == {
        *("id", "sha256", "way_in", "received_utc", "state", "reason", "attempts")
    }


def test_emails_in_one_state_are_listed(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.store_email(TOO_LARGE)
    table.run_once()

    [line] = run(table, "list", "--state", "quarantined").stdout.splitlines()

    assert line.split()[0] == "2"
    assert line.endswith("quarantined 1 too many lines")


def test_a_processed_email_is_not_due_again(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    shown = run(table, "show", "1").stdout

    assert "state        processed, after 1 attempt\n" in shown
    assert "\nretry " not in shown


@pytest.mark.parametrize("last", ["0", "-1"])
def test_at_least_one_email_is_listed(table: Table, last: str) -> None:
    assert run(table, "list", "--last", last).exit_code == USAGE


def test_one_email_is_one_object_of_json(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    table.store_email(TOO_LARGE)

    told = json.loads(run(table, "show", "1", "--json").stdout)
    with_text = json.loads(run(table, "show", "1", "--text", "--json").stdout)

    assert (told["id"], told["state"], told["sender"]) == (1, "processed", address_of("FRANCE"))
    assert told["lines"]["new"] == len(with_text["lines"]["new"])
    assert "A Par-Bur" in with_text["lines"]["new"]
    assert json.loads(run(table, "show", "2", "--json").stdout)["unreadable"] == "too many lines"


def test_s6_no_token_and_no_password_is_shown(table: Table) -> None:
    start = table.latest("FRANCE")
    text = f"SET PASSWORD swordfish\nWrite to {start.reply_to}\n\n> SIGNON Fbaltic marlin\n"
    table.reply(start, text, Message_ID=f"<{start.reply_to}>")

    shown = "".join(
        run(table, *command).stdout
        for command in (
            ("list",),
            ("list", "--json"),
            ("show", "1"),
            ("show", "1", "--text"),
            ("show", "1", "--text", "--json"),
        )
    )

    assert "SET PASSWORD ***" in shown
    for secret in ("swordfish", "marlin", start.token):
        assert secret not in shown


def test_an_email_is_named_by_as_much_of_its_hash_as_no_other_has(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")
    digest = json.loads(run(table, "list", "--json").stdout)["sha256"]
    with_letter = next(n for n in range(1, 65) if not digest[:n].isdecimal())

    for name in (digest[:with_letter], digest[:12].upper(), digest):
        assert f"sha256       {digest}\n" in run(table, "show", name).stdout
    assert run(table, "show", "2").exit_code == UNAVAILABLE, "a number, not digits of a hash"


def test_orders_are_not_shown_unless_asked_for(table: Table) -> None:
    table.send("FRANCE", "A Par-Bur")

    assert "Par" not in run(table, "show", "1").stdout
    assert "| A Par-Bur" in run(table, "show", "1", "--text").stdout


def test_s8_nothing_in_an_email_reaches_the_terminal_as_a_command(table: Table) -> None:
    head = f"From: a@x.example\nSubject: {HOSTILE}\nMessage-ID: <{HOSTILE[:4]}>\n\n"
    table.store_email(f"{head}{HOSTILE}\n> {HOSTILE}\n".encode())
    table.run_once()

    for arguments in (("list",), ("show", "1", "--text")):
        shown = run(table, *arguments).stdout
        assert all(line.isprintable() for line in shown.split("\n")), shown


def test_an_unreadable_email_is_shown_without_its_reading(table: Table) -> None:
    table.store_email(TOO_LARGE)

    shown = run(table, "show", "1").stdout

    assert "state        received, after 0 attempts" in shown
    assert "unreadable   too many lines" in shown


def test_r12_a_retry_lets_an_email_be_answered_and_a_second_does_nothing(table: Table) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    assert run(table, "discard", "1").stdout == "1: ignored\n"
    table.run_once()
    assert table.current_orders("FRANCE") == ()

    assert [run(table, "retry", "1").stdout for _ in range(2)] == ["1: received\n"] * 2
    table.run_once()
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
    table.send("FRANCE", "A Par-Pic")

    assert run(table, "retry", "1").exit_code == UNAVAILABLE
    table.run_once()
    assert table.current_orders("FRANCE") == ("A PAR - PIC",)
    assert run(table, "discard", "1").exit_code == UNAVAILABLE


def test_the_bytes_are_exported_as_they_came(table: Table, tmp_path: Path) -> None:
    table.store_email(TOO_LARGE)
    file = tmp_path / "mail.eml"

    assert run(table, "export", "1", str(file)).exit_code == 0

    assert file.read_bytes() == TOO_LARGE
    assert file.stat().st_mode & 0o777 == 0o600
    assert run(table, "export", "1", "-").stdout_bytes == TOO_LARGE
    assert run(table, "export", "1", str(file)).exit_code == UNAVAILABLE, "nothing is overwritten"


def test_an_email_can_be_named_by_its_digest(table: Table) -> None:
    table.store_email(TOO_LARGE)
    table.store_email(TOO_LARGE, to="judge+x@judge.example")
    [(digest,)] = table.query("SELECT DISTINCT sha256 FROM inbox")

    assert run(table, "show", digest[:10]).exit_code == USAGE, "two have it"
    assert run(table, "show", "77").exit_code == UNAVAILABLE
    assert run(table, "show", "0" * 64).exit_code == UNAVAILABLE
