"""A phase does not close while mail sent before the deadline may be unread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from threading import Event

import pytest

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.inputs.listeners import Inputs
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.database import Transaction
from judge.app.ports.inbox import Envelope
from judge.game.phases import PhaseClosed
from judge.rules.types import Power
from judge.settings import Settings
from tests.support.table import FIRST_DEADLINE, MODERATOR, Table, address_of

MINUTE = timedelta(minutes=1)
PATIENCE_SECONDS = 30


@dataclass
class FakeInput:
    """A mail input, read when a test says so."""

    read_utc: datetime

    def unread(self, since: datetime, now: datetime) -> Sequence[str]:
        assert now >= since
        return () if self.read_utc > since else ("the mailbox",)


@pytest.fixture
def mail_input(table: Table) -> FakeInput:
    """The input of *table*, last read an hour before the deadline, with all orders in."""
    mail_input = FakeInput(FIRST_DEADLINE - timedelta(hours=1))
    table.all_hold()
    for power in ("AUSTRIA", "ENGLAND"):
        table.send(power, "SET WAIT")  # keep the phase from closing early
    table.judge = replace(table.judge, inputs=mail_input)
    return mail_input


def test_a_phase_does_not_close_before_every_input_has_been_read(
    table: Table, mail_input: FakeInput
) -> None:
    table.wait_until(FIRST_DEADLINE + MINUTE)
    assert table.count_events(PhaseClosed) == 0

    mail_input.read_utc = FIRST_DEADLINE + MINUTE
    table.pass_time(minutes=1)
    assert table.count_events(PhaseClosed) == 1


def test_the_moderator_is_told_once_when_it_takes_a_quarter_of_an_hour(
    table: Table, mail_input: FakeInput
) -> None:
    assert mail_input.read_utc < FIRST_DEADLINE
    before = table.wait_until(FIRST_DEADLINE + 14 * MINUTE)
    after = table.wait_until(FIRST_DEADLINE + 16 * MINUTE)
    later = table.wait_until(FIRST_DEADLINE + 60 * MINUTE)

    assert [mail.kind for mail in before + later] == []
    [told] = after
    assert (told.kind, told.recipient) == ("held", MODERATOR)
    assert table.count_events(PhaseClosed) == 0


def test_in_a_short_game_the_moderator_is_told_after_a_movement_phase(
    table: Table, mail_input: FakeInput
) -> None:
    assert mail_input.read_utc < FIRST_DEADLINE
    table.reply(table.emails_to(MODERATOR)[-1], "SET RULE movement_hours=5m")
    before = table.wait_until(FIRST_DEADLINE + 4 * MINUTE)
    after = table.wait_until(FIRST_DEADLINE + 5 * MINUTE)

    assert [mail.kind for mail in (*before, *after)] == ["held"]


def test_r63_an_email_that_was_in_time_but_read_late_counts(
    table: Table, mail_input: FakeInput
) -> None:
    start = table.latest("FRANCE")
    table.wait_until(FIRST_DEADLINE + 5 * MINUTE)
    mail = table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to)
    raw, in_time = mail.as_bytes(), FIRST_DEADLINE - MINUTE
    with table.database.write() as transaction:
        transaction.inbox.keep(
            [(Envelope(raw, address_of("FRANCE"), (start.reply_to,), "imap"), in_time)]
        )
    mail_input.read_utc = FIRST_DEADLINE + 5 * MINUTE
    table.run_once()

    assert table.count_events(PhaseClosed) == 1
    results = table.emails_to(address_of("FRANCE"), "phase_results")[-1]
    assert "Army Paris -> Burgundy" in results.text


@dataclass
class StoreThatWaits:
    """A database whose writers wait until it is *free*."""

    database: SqlDatabase
    free: Event

    @contextmanager
    def write(self) -> Iterator[Transaction]:
        assert self.free.wait(PATIENCE_SECONDS)
        with self.database.write() as transaction:
            yield transaction


def test_a_phase_waits_for_an_email_that_came_in_time_and_is_still_to_be_stored(
    table: Table,
) -> None:
    table.all_hold(but=["FRANCE"])
    start = table.latest("FRANCE")
    letter = table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to)
    envelope = Envelope(bytes(letter), address_of("FRANCE"), (start.reply_to,), "smtp")
    store = StoreThatWaits(table.database, Event())
    keeper = GroupCommit(store, table.clock, lambda: None)  # type: ignore[arg-type]  # it only writes
    inputs = Inputs()
    inputs.watch(Settings(), table.database, table.clock, keeper)
    table.judge = replace(table.judge, inputs=inputs)

    table.clock.time = FIRST_DEADLINE
    storing = keeper.submit(envelope)
    table.wait_until(FIRST_DEADLINE + timedelta(seconds=1))
    assert table.phase() == "S1901M"
    store.free.set()
    storing.result(PATIENCE_SECONDS)
    table.run_once()
    keeper.close()

    assert table.phase() == "F1901M"
    position = table.game().position
    assert position
    assert "A BUR" in map(str, position.units_of(Power("FRANCE")))
