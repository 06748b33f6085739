"""The main loop when the clock jumps or the machine sleeps: R61."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import count
from threading import Event

import pytest

from judge.adapters.system_clock import SystemClock
from judge.app import loop
from judge.app.admin.health import examine
from judge.app.inbound import process
from judge.app.loop import Loop
from judge.app.outbound.delivery import Blocked, Delivery, Taken
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.daemon import TurnRunner
from judge.game.phases import PhaseClosed
from judge.reports.render import trouble_texts
from tests.support.carriers import deliver_due
from tests.support.daemon import PATIENCE_SECONDS
from tests.support.table import FIRST_DEADLINE, Table

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
TICK = 5 * timedelta(seconds=1)
RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold")


@dataclass
class Machine:
    """The clock of a table, and the monotonic time that passes."""

    table: Table
    gone: timedelta = field(default_factory=timedelta)

    def now(self) -> datetime:
        return self.table.clock.now()

    def passed(self) -> timedelta:
        return self.gone

    def wait(self, time: timedelta) -> None:
        """Advance both the monotonic time and the clock."""
        self.gone += time
        self.table.clock.time += time


@pytest.fixture
def machine(judge: Table) -> Machine:
    """Return a machine whose judge has a game with a phase that closes in an hour."""
    judge.start("baltic", *RULES)
    judge.wait_until(FIRST_DEADLINE - HOUR)
    return Machine(judge)


@pytest.fixture
def main_loop(machine: Machine) -> Loop:
    return Loop(machine.table.judge, machine, TICK)


def closed(machine: Machine) -> int:
    assert machine.table.operator_log.failures == []
    return machine.table.count_events(PhaseClosed)


def test_r61_nothing_closes_on_a_clock_that_jumps_ahead_and_the_operator_is_told_once(
    machine: Machine, main_loop: Loop
) -> None:
    machine.table.clock.time += 2 * HOUR
    for _ in range(3):
        machine.wait(MINUTE)
        main_loop.run()

    assert closed(machine) == 0
    assert machine.table.operator_log.lines.count("clock.jumped {'seconds': 7200}") == 1
    assert "not_running" in examine(machine.table.judge).troubles


def test_r61_mail_is_answered_while_the_clock_is_off(machine: Machine, main_loop: Loop) -> None:
    machine.table.clock.time += 2 * HOUR
    start = machine.table.latest("FRANCE")
    machine.table.deliver(
        machine.table.compose(start.recipient, "HELP", start.reply_to), None, start.reply_to
    )

    main_loop.run()

    assert machine.table.inbox()[-1] == "processed"
    assert closed(machine) == 0


def test_r61_everything_continues_when_the_clock_is_set_back(
    machine: Machine, main_loop: Loop
) -> None:
    machine.table.clock.time += 2 * HOUR
    main_loop.run()
    machine.table.clock.time -= 2 * HOUR
    for _ in range(13):
        machine.wait(5 * MINUTE)
        main_loop.run()

    assert closed(machine) == 1
    assert "clock.steady {}" in machine.table.operator_log.lines


def test_r61_a_clock_that_is_set_back_closes_nothing_twice(
    machine: Machine, main_loop: Loop
) -> None:
    for _ in range(13):
        machine.wait(5 * MINUTE)
        main_loop.run()
    machine.table.clock.time -= HOUR
    for _ in range(20):
        machine.wait(5 * MINUTE)
        main_loop.run()

    assert closed(machine) == 1
    assert len(machine.table.emails_to("france@players.example", "phase_results")) == 1
    assert "clock.jumped {'seconds': -3600}" in machine.table.operator_log.lines


def test_r61_a_clock_that_jumps_in_the_middle_of_a_turn_closes_nothing(
    machine: Machine, main_loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def jump(_judge: Judge) -> int:
        machine.table.clock.time += 2 * HOUR
        monkeypatch.undo()
        return 0

    monkeypatch.setattr(loop, "process_waiting", jump)
    main_loop.run()

    assert machine.now() == FIRST_DEADLINE + HOUR
    assert closed(machine) == 0


def test_r61_a_turn_that_takes_long_is_no_outage(
    machine: Machine, main_loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    def take_long(_judge: Judge) -> int:
        machine.wait(20 * MINUTE)
        monkeypatch.undo()
        return 0

    monkeypatch.setattr(loop, "process_waiting", take_long)
    main_loop.run()
    machine.wait(MINUTE)
    main_loop.run()

    phase = machine.table.game().phase
    assert phase
    assert phase.deadline == FIRST_DEADLINE


def test_r61_a_clock_that_is_put_right_by_minutes_is_no_jump(
    machine: Machine, main_loop: Loop
) -> None:
    for _ in range(10):
        machine.wait(5 * MINUTE)
        main_loop.run()
    machine.table.clock.time += 9 * MINUTE
    main_loop.run()
    machine.wait(2 * MINUTE)
    main_loop.run()

    assert closed(machine) == 1
    assert not [line for line in machine.table.operator_log.lines if line.startswith("clock")]


def test_r61_a_machine_that_slept_over_a_deadline_gives_the_time_back(
    machine: Machine, main_loop: Loop
) -> None:
    main_loop.run()
    machine.wait(3 * HOUR)

    main_loop.run()

    assert closed(machine) == 0
    phase = machine.table.game().phase
    assert phase
    assert phase.deadline == FIRST_DEADLINE + 3 * HOUR


def test_r61_nothing_closes_while_another_process_gives_the_time_back(
    machine: Machine, main_loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    main_loop.run()
    machine.wait(3 * HOUR)
    monkeypatch.setattr(machine.table.database.claims, "take", lambda _name: False)

    main_loop.run()

    assert closed(machine) == 0


def test_ticks_keep_up_with_phases_of_minutes(machine: Machine, main_loop: Loop) -> None:
    assert main_loop.time_to_next() == HOUR

    machine.wait(HOUR)
    assert main_loop.time_to_next() is None
    main_loop.run()
    left = main_loop.time_to_next()
    assert left
    assert left > TICK


def test_a_deadline_wakes_the_judge_however_seldom_it_ticks(machine: Machine) -> None:
    machine.table.wait_until(FIRST_DEADLINE - timedelta(milliseconds=300))
    turns, second = count(1), Event()

    def done() -> None:
        if next(turns) == 2:
            second.set()

    runner = TurnRunner(machine.table.judge, SystemClock(), done, tick_seconds=3_600)
    runner.start()
    try:
        assert second.wait(PATIENCE_SECONDS)
    finally:
        runner.stop()


def test_a_judge_is_alive_only_after_turns_that_succeed(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A watchdog that hears nothing starts it again."""
    said: list[str] = []
    turns, ended = count(1), Event()

    def work(_: Judge, enough: Callable[[], bool]) -> bool:
        turn = next(turns)
        if turn > 5:
            ended.set()
            return True
        enough()  # between two parts of a turn
        said.append(f"turn {turn}")
        if turn == 2:
            raise OSError(errno.EIO, "Input/output error")
        return turn != 3  # False: the store fails

    monkeypatch.setattr(loop, "run_once", work)
    runner = TurnRunner(
        machine.table.judge, SystemClock(), lambda: None, 3_600, lambda: said.append("alive")
    )
    runner.start()
    try:
        while not ended.wait(0.01):
            runner.wake()
    finally:
        runner.stop()

    one, two, three, four, five = (said.index(f"turn {number}") for number in range(1, 6))
    assert said[:one] == ["alive"], "in the first turn"
    assert said[one:two] == ["turn 1", "alive", "alive"], "after it, and in the next"
    assert said[two:four] == ["turn 2", "turn 3"], "not after a turn that fails, nor in the next"
    assert said[four : five + 1] == ["turn 4", "alive", "alive", "turn 5"]
    [failed] = [
        line for line in machine.table.operator_log.lines if line.startswith("turn.failed")
    ]
    assert three
    assert trouble_texts()["store_fails"] in failed
    assert "Input/output error" in failed


def test_orders_count_though_the_clock_has_been_set_back_before_their_phase(
    machine: Machine,
) -> None:
    table = machine.table
    table.send("FRANCE", "A Par-Pic")
    machine.table.clock.time -= timedelta(days=365)

    for text in ("A Par-Gas", "A Par-Bur"):
        receipt = table.send("FRANCE", text)
        assert "refused" not in receipt.text
    table.send("TURKEY", "A Con-Bul")

    assert "A PAR - BUR" in table.current_orders("FRANCE")
    assert "A CON - BUL" in table.current_orders("TURKEY")


@dataclass
class ClosedServer:
    """A mail server that does not respond, or takes everything once it is *open*."""

    open: bool = False

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        del mail
        return Taken() if self.open else Blocked("no server listens")

    async def rest(self) -> None:
        """Ignore the pause."""


def waiting(table: Table) -> int:
    [(count,)] = table.query("SELECT count(*) FROM outbox WHERE state IN ('queued', 'held_back')")
    return int(str(count))


@pytest.mark.parametrize("back", [HOUR, timedelta(days=365)])
def test_emails_that_wait_do_not_wait_for_a_time_before_the_clock_was_set_back(
    machine: Machine, main_loop: Loop, back: timedelta
) -> None:
    table, server = machine.table, ClosedServer()
    table.send("GERMANY", "SET MAILS DAILY")
    table.send("FRANCE", "PRESS TO G\nLet us share Belgium\nENDPRESS")
    asyncio.run(deliver_due(table.judge, server))  # they are put off
    table.send("FRANCE", "A Par-Bur")  # and its receipt is not tried yet
    main_loop.run()

    table.clock.time -= back
    server.open = True
    machine.wait(TICK)
    main_loop.run()
    asyncio.run(deliver_due(table.judge, server))

    assert waiting(table) == (0 if back > HOUR else 1), "a digest comes at its hour"


def test_emails_that_failed_while_the_clock_was_ahead_are_sent_once_it_is_right(
    machine: Machine, main_loop: Loop
) -> None:
    table, server = machine.table, ClosedServer()
    main_loop.run()
    table.clock.time += 2 * HOUR
    main_loop.run()
    asyncio.run(deliver_due(table.judge, server))

    table.clock.time -= 2 * HOUR
    server.open = True
    machine.wait(TICK)
    Loop(table.judge, machine, TICK).run()  # restarted meanwhile
    asyncio.run(deliver_due(table.judge, server))

    assert waiting(table) == 0


def test_an_email_that_failed_to_be_answered_is_tried_again_after_the_clock_was_set_back(
    machine: Machine, main_loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = machine.table
    with monkeypatch.context() as fails:
        fails.setattr(process, "answer_email", lambda *_: 1 / 0)
        start = table.latest("FRANCE")
        mail = table.compose(start.recipient, "A Par-Bur", start.reply_to)
        table.deliver(mail, None, start.reply_to)
        main_loop.run()
    assert table.inbox()[-1] == "received"

    table.clock.time -= HOUR
    for _ in range(2):
        machine.wait(max(process.RETRY_AFTER))
        main_loop.run()

    assert table.inbox()[-1] == "processed"
