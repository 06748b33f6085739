"""The clocks: the system's, the only place that reads it, a server's, and the daemon's timer."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

# It continues while the machine sleeps and cannot be set; only Linux has it.
BOOT_TIME = getattr(time, "CLOCK_BOOTTIME", None)


class SystemClock:
    """The operating system's clock, in UTC."""

    def now(self) -> datetime:
        """Return the current instant."""
        return datetime.now(UTC)

    def passed(self) -> timedelta:
        """Return the time since the machine started."""
        seconds = time.monotonic() if BOOT_TIME is None else time.clock_gettime(BOOT_TIME)
        return timedelta(seconds=seconds)

    def synchronize(self) -> None:
        """Do nothing: the system sets its clock."""

    def translated(self, instant: datetime) -> datetime:
        """Return *instant*, as the clock of this machine shows it, by this clock."""
        return instant


SYNCHRONIZED_FOR = timedelta(seconds=10)
ANSWER_MAX = timedelta(seconds=1)  # a slower answer does not tell the time


class ServerClock(SystemClock):
    """The clock of a database server, by which all judges on it go, in UTC.

    *ask* returns its time. Between two questions the elapsed time counts, so it does not matter
    what the clock of this machine shows.
    """

    def __init__(self, ask: Callable[[], datetime]) -> None:
        self._ask = ask
        self._asked, self._start = self._measure()

    def now(self) -> datetime:
        """Return the current instant."""
        return self._start + self.passed()

    def synchronize(self) -> None:
        """Ask the server again, unless it was asked a moment ago."""
        if self.passed() - self._asked < SYNCHRONIZED_FOR:
            return
        before = self.passed()
        asked, start = self._measure()
        if asked - before <= ANSWER_MAX:
            self._asked, self._start = asked, start

    def translated(self, instant: datetime) -> datetime:
        return instant + (self.now() - super().now())

    def _measure(self) -> tuple[timedelta, datetime]:
        """Return when the server answered, and its time when this machine started.

        The answer may have been on its way: so this clock is late by as much, and never early.
        """
        now, answered = self._ask(), self.passed()
        return answered, now.astimezone(UTC) - answered


STEP = timedelta(minutes=1)  # of a clock that was set; a smaller one is a correction


class Ticker:
    """Calls *look* every *seconds*, *tidy* at the start, and *tidy* and *check* once a day.

    It has its own threads. The ticks go by the time that has passed, whatever the clock is set to.
    A scheduler knows when the daily calls are next by the clock, so a tick that finds it set
    begins their day anew. No call counts as missed (`misfire_grace_time=None`): a late one does
    the same work.
    """

    def __init__(
        self,
        look: Callable[[], None],
        seconds: float,
        tidy: Callable[[], object],
        check: Callable[[], object],
    ) -> None:
        from apscheduler.schedulers.background import (  # noqa: PLC0415 - only the daemon has a timer
            BackgroundScheduler,
        )

        # A call skipped, while another runs, is not worth a log line.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=defaults)
        self._clock = SystemClock()
        self._difference = self._measure()
        now = self._clock.now()
        self._daily = (
            self._scheduler.add_job(tidy, "interval", days=1, next_run_time=now),
            self._scheduler.add_job(check, "interval", days=1),
        )
        self._look, self._seconds = look, seconds
        self._changed, self._stopping = threading.Event(), False
        self._thread = threading.Thread(target=self._tick, name="ticker", daemon=True)

    def start(self) -> None:
        """Start the timer."""
        self._scheduler.start()
        self._thread.start()

    def change(self, seconds: float) -> None:
        """Call *look* every *seconds* from now on."""
        self._seconds = seconds
        self._changed.set()

    def stop(self) -> None:
        """Stop, and wait for running calls."""
        self._stopping = True
        self._changed.set()
        self._thread.join()
        self._scheduler.shutdown(wait=True)

    def _tick(self) -> None:
        while not self._stopping:
            if self._changed.wait(self._seconds):
                self._changed.clear()
                continue
            difference = self._measure()
            if abs(difference - self._difference) >= STEP:
                for job in self._daily:
                    job.reschedule("interval", days=1)
            self._difference = difference
            self._look()

    def _measure(self) -> timedelta:
        return self._clock.now() - datetime.min.replace(tzinfo=UTC) - self._clock.passed()
