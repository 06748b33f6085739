"""`judge outbox`: the state of each email, without secrets, and lasting changes."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import time_machine
from click.testing import CliRunner, Result

from judge.app.admin import health
from judge.app.admin.inbox_admin import DISCARDED
from judge.app.outbound.delivery import ATTEMPTS_MAX, Blocked, Delivery, Failed, Taken
from judge.app.ports.outbox import DeliveryState, Failure, OutgoingMail
from judge.cli.operator.outbox_command import STATES, outbox
from judge.cli.terminal import UNAVAILABLE, USAGE
from tests.support.carriers import deliver_due
from tests.support.table import MODERATOR, Table, address_of

DENIED = Blocked("mx.example:25: 550 5.7.1 relaying denied")


class RefusingCarrier:
    """A carrier that gives *answer* for France and accepts everything else."""

    def __init__(self, answer: Delivery) -> None:
        self.answer = answer
        self.taken: list[str] = []

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        if mail.recipient == address_of("FRANCE") and not isinstance(self.answer, Taken):
            return self.answer
        self.taken.append(mail.recipient)
        return Taken()

    async def rest(self) -> None:
        """Ignore the pause."""


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the database of a judge that has sent all emails except France's receipt."""
    with closing(Table(tmp_path_factory.mktemp("played"))) as table:
        table.start("baltic", moderator=MODERATOR)
        deliver(table, Taken())
        table.send("FRANCE", "A Par-Bur\nSET PASSWORD swordfish")
    return table.file


@pytest.fixture
def table(played: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    """Return a judge that has sent all its emails except the receipt for France's orders."""
    monkeypatch.setenv("JUDGE_ADDRESS", "judge@judge.example")
    shutil.copy(played, tmp_path)
    with closing(Table(tmp_path, "copy")) as table:
        yield table


def deliver(table: Table, answer: Delivery) -> list[str]:
    carrier = RefusingCarrier(answer)
    asyncio.run(deliver_due(table.judge, carrier))
    return carrier.taken


def run(table: Table, *arguments: str) -> Result:
    with time_machine.travel(table.clock.time, tick=False):
        return CliRunner().invoke(outbox, [*arguments, "--database", str(table.file)])


def number(table: Table) -> str:
    """Return the number of the receipt."""
    [(found,)] = table.query("SELECT max(id) FROM outbox WHERE kind = 'receipt'")
    return str(found)


def test_each_email_is_one_line_of_json_oldest_first(table: Table) -> None:
    deliver(table, DENIED)

    rows = [json.loads(line) for line in run(table, "list", "--json").stdout.splitlines()]

    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)
    assert {row["state"] for row in rows} == {"sent", "deferred"}
    assert (rows[-1]["reason"], rows[-1]["attempts"], rows[-1]["ours"]) == (DENIED.reason, 1, True)
    assert "recipient" not in rows[-1]


def test_emails_in_one_state_are_listed(table: Table) -> None:
    assert set(STATES) == {state.value for state in DeliveryState}
    deliver(table, Failed("550 5.1.1 unknown"))

    [line] = run(table, "list", "--state", "given_up").stdout.splitlines()

    assert line.split()[0] == number(table)
    assert line.endswith("550 5.1.1 unknown")


def test_s6_neither_contents_nor_tokens_are_shown(table: Table) -> None:
    token = table.latest("FRANCE").token
    name = number(table)

    shown = "".join(
        run(table, *command).stdout
        for command in (("list",), ("list", "--json"), ("show", name), ("show", name, "--json"))
    )

    assert address_of("FRANCE") in shown
    for secret in ("swordfish", "Bur", token):
        assert secret not in shown


def test_an_email_is_described_in_words(table: Table) -> None:
    deliver(table, DENIED)

    shown = run(table, "show", number(table)).stdout

    assert "\nfault of     the judge or its mail server\n" in shown
    assert "_utc" not in shown
    assert "fault" not in run(table, "show", "1").stdout


def test_an_email_is_named_by_its_message_id_too(table: Table) -> None:
    row = json.loads(run(table, "show", number(table), "--json").stdout)

    for name in (row["message_id"], row["message_id"].strip("<>")):
        assert json.loads(run(table, "show", name, "--json").stdout) == row
    assert row["subject"].startswith("JUDGE:baltic - ")


def test_a_retry_makes_a_postponed_email_due_now(table: Table) -> None:
    deliver(table, DENIED)
    assert deliver(table, Taken()) == []

    assert run(table, "retry", number(table)).stdout == f"{number(table)}: deferred\n"

    assert deliver(table, Taken()) == [address_of("FRANCE")]
    late = run(table, "retry", number(table))
    assert (late.exit_code, late.stdout) == (UNAVAILABLE, "")


def test_a_retry_makes_a_given_up_email_new(table: Table) -> None:
    for _ in range(ATTEMPTS_MAX):
        run(table, "retry", number(table))
        deliver(table, DENIED)
    assert health.examine(table.judge).tally.given_up == 1

    assert run(table, "retry", number(table)).stdout == f"{number(table)}: queued\n"

    assert health.examine(table.judge).tally.given_up == 0
    assert json.loads(run(table, "show", number(table), "--json").stdout)["attempts"] == 0

    assert deliver(table, Taken())[0] == address_of("FRANCE")


def test_a_discarded_email_is_never_sent_and_not_reported(table: Table) -> None:
    deliver(table, DENIED)
    with table.database.write() as transaction:
        [(message_id,)] = table.query("SELECT message_id FROM outbox WHERE state = 'queued'")
        transaction.outbox.give_up(message_id, Failure(DENIED.reason, table.clock.time, ours=True))
    assert "mail_given_up" in health.examine(table.judge).troubles

    assert run(table, "discard", number(table)).stdout == f"{number(table)}: given_up\n"

    assert "mail_given_up" not in health.examine(table.judge).troubles
    assert deliver(table, Taken()) == []
    assert json.loads(run(table, "show", number(table), "--json").stdout)["reason"] == DISCARDED


def test_changing_a_sent_or_unknown_email_is_refused(table: Table) -> None:
    assert run(table, "discard", "1").exit_code == UNAVAILABLE
    assert run(table, "retry", "1").exit_code == UNAVAILABLE
    for command in ("show", "retry", "discard"):
        assert run(table, command, "7777").exit_code == UNAVAILABLE
        assert run(table, command, "<nothing@x>").exit_code == UNAVAILABLE
    for command in ("show", "discard"):
        assert run(table, command).exit_code in (2, USAGE)


def test_an_email_whose_text_was_deleted_is_not_sent_again(table: Table) -> None:
    deliver(table, Failed("550 5.1.1 unknown"))
    table.pass_time(hours=24)
    with table.database.write() as transaction:
        transaction.outbox.empty(table.clock.time, 0, 1_000)

    refused = run(table, "retry", number(table))

    assert refused.exit_code == UNAVAILABLE
    assert "deleted" in refused.stderr
