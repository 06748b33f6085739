"""The main loop: wake up, answer incoming mail, close due phases, sleep.

A phase that was closed cannot be opened again by mail. So when the clock has gone ahead of the
time that went by, nothing closes, and the judge does not say that it is awake: `judge status`
finds that. Mail is answered as ever. All goes on when the clock is back, or when the judge is
restarted by an operator; deadlines then move by the time that the clock jumped over.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Protocol

from judge.app.deadlines import (
    JUMP,
    OUTAGE,
    close_due_games,
    due_games,
    note_wake_up,
    record_heartbeat,
)
from judge.app.inbound.process import process_waiting
from judge.app.inbound.unverified_senders import ask_newcomers, forget_unconfirmed
from judge.app.outbound.digest import send_due_digests
from judge.app.ports.judge import Judge

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NOTHING = timedelta()


class MonotonicClock(Protocol):
    """A clock, and beside it the time that goes by whatever it is set to."""

    def now(self) -> datetime:
        """Return the present instant."""
        ...

    def passed(self) -> timedelta:
        """Return how much time has gone by since some instant, also while the machine slept."""
        ...


class ClockWatch:
    """Watches whether a clock goes as time does."""

    def __init__(self, clock: MonotonicClock) -> None:
        self._clock = clock
        self._difference = self._measure()

    def jump(self) -> timedelta:
        """Return how far the clock has jumped, zero while it runs steadily."""
        difference = self._measure()
        jump = difference - self._difference
        if abs(jump) >= JUMP:
            return jump
        self._difference = difference
        return NOTHING

    def _measure(self) -> timedelta:
        return self._clock.now() - EPOCH - self._clock.passed()


class Loop:
    """What *judge* does whenever it is woken, which is every *tick* or sooner."""

    def __init__(self, judge: Judge, clock: MonotonicClock, tick: timedelta) -> None:
        self._judge = judge
        self._watch = ClockWatch(clock)
        self._rest = max(OUTAGE, 2 * tick)
        self._awake = judge.clock.now()
        self._jump = NOTHING

    def change(self, judge: Judge, tick: timedelta) -> None:
        """Go on as *judge*, which is another on the same store, with another *tick*."""
        self._judge = judge
        self._rest = max(OUTAGE, 2 * tick)

    def look(self, enough: Callable[[], bool] = lambda: False) -> None:
        """Do everything that can be done now, or what is done until it is *enough*."""
        jump = self._watch.jump()
        self._tell(jump)
        self._jump = jump
        if jump > NOTHING:
            answer_all_mail(self._judge)
            return
        now = self._judge.clock.now()
        if now - self._awake >= self._rest and not note_wake_up(self._judge):
            return  # Another judge gives the time back: the next look goes on.
        run_once(self._judge, lambda: enough() or self._watch.jump() > NOTHING)
        self._awake = self._judge.clock.now()

    def _tell(self, jump: timedelta) -> None:
        """Log once that the clock has jumped, or is right again."""
        if jump and not self._jump:
            self._judge.operator_log.warn("clock.jumped", seconds=round(jump.total_seconds()))
        elif self._jump and not jump:
            self._judge.operator_log.note("clock.steady")


ROUNDS_MAX = 100  # then the caller may see to something else


def run_once(judge: Judge, enough: Callable[[], bool] = lambda: False) -> None:
    """Do everything that can be done now, or what is done until it is *enough*."""
    record_heartbeat(judge)
    forget_unconfirmed(judge)
    ask_newcomers(judge)
    for _ in range(ROUNDS_MAX):
        answered = process_waiting(judge)
        for games in due_games(judge):
            if enough():
                return
            close_due_games(judge, games)
            record_heartbeat(judge)  # or what takes long would look like an outage
            answered += process_waiting(judge)
        send_due_digests(judge)
        # What a phase still waits for has just come, or is tried again later.
        if not answered or enough():
            return


def answer_all_mail(judge: Judge) -> None:
    """Answer what has come, and close nothing."""
    for _ in range(ROUNDS_MAX):
        if not process_waiting(judge):
            return
