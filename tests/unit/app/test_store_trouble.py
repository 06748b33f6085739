"""The store fails: no email pays for it, nothing is decided, and all goes on when it works."""

from __future__ import annotations

import asyncio
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import cast

import pytest

from judge.adapters.inputs.group_commit import GroupCommit
from judge.app.admin.health import examine
from judge.app.inbound.process import RETRY_AFTER
from judge.app.loop import run_once
from judge.app.outbound.delivery import Carrier, DeliveryQueue
from judge.app.outbound.rendering import render_waiting
from judge.app.ports.inbox import Envelope, InboxState
from judge.app.ports.judge import Call, StoreFaultError, UnreadError
from judge.reports.render import trouble_texts
from tests.support.table import FIRST_DEADLINE, POWERS, Table, address_of

AWAY = "ALTER TABLE outbox RENAME TO outbox_away"
BACK = "ALTER TABLE outbox_away RENAME TO outbox"


def change(table: Table, statement: str) -> None:
    with table.database._engine.begin() as connection:
        connection.exec_driver_sql("PRAGMA legacy_alter_table = ON")
        connection.exec_driver_sql(statement)


def deliver_orders(table: Table) -> None:
    for power in POWERS:
        start = table.latest(power)
        units = table.game().position
        assert units
        text = "\n".join(f"{unit} H" for unit in units.units_of(power))
        table.deliver(table.compose(address_of(power), text, start.reply_to), None, start.reply_to)


def test_a_table_out_of_reach_costs_no_email_and_no_phase(table: Table) -> None:
    deliver_orders(table)
    change(table, AWAY)
    table.clock.time = FIRST_DEADLINE + timedelta(minutes=1)
    for pause in (*RETRY_AFTER, timedelta(hours=1)):
        run_once(table.judge)
        table.clock.time += pause

    [told] = [line for line in table.operator_log.lines if line.startswith("store.fails")]
    assert "no such table" in told
    assert "outbox" in told
    assert set(table.inbox()[-7:]) == {"received"}
    assert table.phase() == "S1901M"

    change(table, BACK)
    table.run_once()

    assert set(table.inbox()[-7:]) == {"processed"}
    assert table.phase() == "F1901M"
    assert not [mail for mail in table.outbox() if mail.kind == "late_notice"]
    assert "store_fails" not in examine(table.judge).troubles
    assert [attempts for (attempts,) in table.query("SELECT attempts FROM inbox")][-7:] == [1] * 7


def test_sending_that_the_store_hinders_is_logged_in_the_words_of_status(table: Table) -> None:
    change(table, AWAY)

    async def deliver() -> None:
        woken = asyncio.Event()
        woken.set()
        queue = DeliveryQueue(table.judge, cast("Carrier", None))  # It gets no email.
        sending = asyncio.create_task(queue.run(woken))
        while not any("delivery.failed" in line for line in table.operator_log.lines):  # noqa: ASYNC110 - a log sets no event
            await asyncio.sleep(0.01)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)

    asyncio.run(deliver())

    for event in ("rendering.failed", "delivery.failed"):
        [told, *_] = [line for line in table.operator_log.lines if line.startswith(event)]
        assert trouble_texts()["store_fails"] in told
        assert "no such table" in told


def test_results_that_the_store_hinders_are_no_failure_of_their_template(table: Table) -> None:
    deliver_orders(table)
    table.clock.time = FIRST_DEADLINE + timedelta(minutes=1)
    run_once(table.judge)
    change(table, "ALTER TABLE checkpoints RENAME TO checkpoints_away")
    with pytest.raises(Exception, match="no such table"):
        render_waiting(table.judge)
    change(table, "ALTER TABLE checkpoints_away RENAME TO checkpoints")

    assert not any(line.startswith("template") for line in table.operator_log.lines)
    assert render_waiting(table.judge), "they need not wait"


def test_the_doors_answer_later_while_the_store_fails(table: Table) -> None:
    deliver_orders(table)
    change(table, AWAY)
    run_once(table.judge)
    envelope = Envelope(b"A Par-Bur", "x@x.example", ("judge@judge.example",), "smtp")

    async def knock() -> None:
        with closing(
            GroupCommit(table.database, table.clock, lambda: None, table.judge.trouble)
        ) as keeper:
            await keeper.keep(envelope)

    with pytest.raises(StoreFaultError, match="no such table"):
        asyncio.run(knock())
    change(table, BACK)
    run_once(table.judge)
    asyncio.run(knock())


def test_status_names_a_table_that_cannot_be_used(table: Table) -> None:
    change(table, "ALTER TABLE budgets RENAME TO budgets_away")

    assert "store_fails" in examine(table.judge).troubles


class ReaderThatDies:
    """A process that reads nothing any more."""

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        raise UnreadError(f"it could not be started for {call.name} and {seconds} s")


def test_a_machine_that_can_start_no_process_costs_no_email(table: Table) -> None:
    deliver_orders(table)
    for pause in (*RETRY_AFTER, timedelta(hours=1)):
        run_once(replace(table.judge, reader=ReaderThatDies()))
        table.clock.time += pause
    table.run_once()

    assert set(table.inbox()[-7:]) == {"processed"}


@pytest.mark.parametrize("reason", ["OperationalError", "while the store worked: OSError"])
def test_emails_that_were_quarantined_because_the_store_failed_are_taken_again(
    table: Table, reason: str
) -> None:
    start = table.latest("FRANCE")
    for text in ("A Par-Bur", "A Par-Gas"):
        table.deliver(
            table.compose(address_of("FRANCE"), text, start.reply_to), None, start.reply_to
        )
    with table.database.write() as transaction:
        first, second = transaction.inbox.waiting()
        transaction.inbox.finish(first, InboxState.QUARANTINED, reason)
        transaction.inbox.finish(second, InboxState.QUARANTINED, "it died")
    table.run_once()

    assert table.inbox()[-2:] == ["processed", "quarantined"]
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_that_fails_while_the_store_works_is_quarantined_and_stops_no_other(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )

    def fail(*_: object, **__: object) -> None:
        raise OSError("as if it wanted all memory")

    with monkeypatch.context() as broken:
        broken.setattr("judge.app.inbound.process._finish", fail)
        for pause in (*RETRY_AFTER, timedelta()):
            run_once(table.judge)
            table.clock.time += pause

    assert table.inbox()[-1] == "quarantined"
    assert table.judge.trouble.since is None
