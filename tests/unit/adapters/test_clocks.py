"""The clock of a database server, and the timer of the daemon."""

from __future__ import annotations

from contextlib import closing
from datetime import UTC, datetime, timedelta
from threading import Event

import pytest

from judge.adapters.store.database import open_database
from judge.adapters.system_clock import ServerClock, SystemClock, Ticker
from tests.support.postgres import Postgres

NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)
SECOND, MINUTE, HOUR = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1)


class Machine:
    """A machine on which so much time has *passed*, and a server that shows *there*."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.elapsed, self.there, self.slow = HOUR, NOON, timedelta()
        monkeypatch.setattr(SystemClock, "passed", lambda _: self.elapsed)
        monkeypatch.setattr(SystemClock, "now", lambda _: NOON + 2 * MINUTE)

    def ask(self) -> datetime:
        self.elapsed += self.slow
        return self.there

    def wait(self, time: timedelta) -> None:
        self.elapsed += time
        self.there += time


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(monkeypatch)


def test_judges_on_a_server_go_by_its_clock_and_by_the_time_that_passes(machine: Machine) -> None:
    clock = ServerClock(machine.ask)

    assert clock.now() == NOON
    machine.wait(5 * SECOND)
    assert clock.now() == NOON + 5 * SECOND


def test_the_server_is_asked_again_after_a_while(machine: Machine) -> None:
    clock = ServerClock(machine.ask)
    machine.there += SECOND

    clock.synchronize()
    assert clock.now() == NOON
    machine.wait(MINUTE)
    clock.synchronize()

    assert clock.now() == NOON + SECOND + MINUTE


def test_a_time_of_this_machine_is_translated_to_the_clock_of_the_server(
    machine: Machine,
) -> None:
    """The machine shows two minutes more, as a mail server on it then writes."""
    clock = ServerClock(machine.ask)

    assert clock.translated(NOON + 2 * MINUTE) == NOON
    assert SystemClock().translated(NOON) == NOON


def test_a_slow_answer_does_not_move_the_clock(machine: Machine) -> None:
    clock = ServerClock(machine.ask)
    machine.wait(MINUTE)
    machine.slow = 20 * SECOND

    clock.synchronize()

    assert clock.now() == NOON + MINUTE + 20 * SECOND


def test_the_time_on_a_server_does_not_depend_on_the_clock_of_the_machine(
    postgres: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    true = SystemClock().now()
    monkeypatch.setattr(SystemClock, "now", lambda _: true - 2 * MINUTE)

    with closing(open_database(postgres.new())) as database:
        assert abs(database.clock().now() - true) < 30 * SECOND


def test_ticks_come_whatever_the_clock_is_set_to(monkeypatch: pytest.MonkeyPatch) -> None:
    time, ticked = [NOON], Event()
    monkeypatch.setattr(SystemClock, "now", lambda _: time[0])

    def look() -> None:
        time[0] -= HOUR
        if time[0] < NOON - 3 * HOUR:
            ticked.set()

    ticker = Ticker(look, 0.01, lambda: None, lambda: None)
    ticker.start()

    assert ticked.wait(30)
    ticker.stop()
