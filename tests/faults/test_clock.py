"""A daemon whose machine's clock is changed while it runs: R61."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from judge.reports.render import trouble_texts
from tests.bench.answering import cpu_seconds
from tests.bench.growth import resident_megabytes
from tests.faults.conftest import ORDERS
from tests.faults.jumping import put_ahead
from tests.support.daemon import POWERS, Daemon, copied, seated, wait_until
from tests.support.final_count import (
    emails_are_answered_once,
    everything_counts_once,
    results_came_once,
    status_names,
)
from tests.support.set_clock import ProcessClock

CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"


def test_r61_a_daemon_closes_no_phase_while_the_clock_is_ahead_and_continues_afterwards(
    begun: Path, tmp_path: Path
) -> None:
    ahead = tmp_path / "ahead"
    put_ahead(ahead, 0)
    with copied(begun, tmp_path) as daemon:
        daemon.start("tests.faults.jumping", str(ahead))
        deadline = datetime.now(UTC) + timedelta(hours=1)
        daemon.judge("game", "extend", "baltic", deadline.isoformat(), "--reason", "a test")
        daemon.come_to_rest()

        put_ahead(ahead, 7200)
        wait_until(lambda: "clock.jumped" in daemon.log(), "nobody noticed")
        player, start = seated(daemon, "FRANCE")
        assert daemon.offer(player.answering(start, "A Par-Bur\n"))
        player.wait_for("receipt")
        assert daemon.ask(CLOSED) == [(0,)]
        put_ahead(ahead, 0)
        wait_until(lambda: "clock.steady" in daemon.log(), "it does not go on")

        assert daemon.ask(CLOSED) == [(0,)]
        everything_counts_once(daemon, "Army Paris -> Burgundy")
        assert daemon.stop() == 0


HOUR, YEAR = 3_600, 365 * 86_400
CORRECTION = 540  # seconds: less than a jump


@pytest.mark.gate
@pytest.mark.parametrize("back", [HOUR, pytest.param(YEAR, marks=pytest.mark.slow)])
def test_a_clock_that_is_set_back_does_not_stop_the_ticks(
    begun: Path, tmp_path: Path, back: int
) -> None:
    clock = ProcessClock(tmp_path)
    with copied(begun, tmp_path, JUDGE_TICK_SECONDS="1", **clock.environment) as daemon:
        daemon.forked = False
        daemon.start()
        daemon.come_to_rest()

        clock.put_ahead(-back)
        wait_until(lambda: "clock.behind" in daemon.log(), "no tick came")
        pass_deadline(daemon, clock, -back)

        assert "clock.jumped" in daemon.log()
        status = json.loads(daemon.judge("status", "--json", code=1))
        assert "clock_behind" in status["troubles"]
        status_names(daemon, trouble_texts()["clock_behind"])
        assert daemon.stop() == 0


@pytest.mark.gate
def test_a_clock_that_jumps_ahead_by_a_year_costs_neither_time_nor_memory(
    begun: Path, tmp_path: Path
) -> None:
    clock = ProcessClock(tmp_path)
    with copied(begun, tmp_path, JUDGE_TICK_SECONDS="1", **clock.environment) as daemon:
        daemon.forked = False
        daemon.start()
        daemon.come_to_rest()
        assert daemon.process
        before = resident_megabytes(daemon.process.pid), cpu_seconds(daemon.process.pid)

        clock.put_ahead(YEAR)
        wait_until(lambda: "clock.jumped" in daemon.log(), "no tick came")
        player, start = seated(daemon, "FRANCE")
        assert daemon.offer(player.answering(start, "A Par-Bur\n"))
        player.wait_for("receipt")
        assert daemon.ask(CLOSED) == [(0,)]
        clock.put_ahead(0)
        wait_until(lambda: "clock.steady" in daemon.log(), "it does not go on")

        after = resident_megabytes(daemon.process.pid), cpu_seconds(daemon.process.pid)
        assert after[0] - before[0] < 30
        assert after[1] - before[1] < 4  # with an email
        assert daemon.ask(CLOSED) == [(0,)]
        pass_deadline(daemon, clock, 0)
        assert daemon.stop() == 0


def pass_deadline(daemon: Daemon, clock: ProcessClock, ahead: int) -> None:
    """Send the orders of all powers, and set the clock a little ahead, past their deadline.

    It is *ahead* of the machine's by so many seconds already.
    """
    for power in POWERS:
        player, start = seated(daemon, power)
        assert daemon.offer(player.answering(start, f"{ORDERS[power]}\nSET WAIT\n"))
    daemon.come_to_rest()
    deadline = datetime.now(UTC) + timedelta(seconds=ahead + CORRECTION / 2)
    daemon.judge("game", "extend", "baltic", deadline.isoformat(), "--reason", "a test")
    assert daemon.ask(CLOSED) == [(0,)]
    clock.put_ahead(ahead + CORRECTION)
    wait_until(lambda: daemon.ask(CLOSED) != [(0,)], daemon.log)
    daemon.come_to_rest()
    emails_are_answered_once(daemon)
    results_came_once(daemon, "Army Paris -> Burgundy.  (*bounce*)")
