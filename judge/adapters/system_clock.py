"""The system clock, the only place that reads the time, and the timer of the daemon."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

# It continues while the machine sleeps and cannot be set; only Linux has it.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The operating system's clock, in UTC."""

    def now(self) -> datetime:
        """Return the current instant."""
        return datetime.now(UTC)

    def passed(self) -> timedelta:
        """Return the time since the machine started."""
        return timedelta(seconds=time.clock_gettime(STEADY))


class Ticker:
    """Calls *look* every *seconds*, *tidy* at the start, and *tidy* and *check* once a day.

    It has its own threads.

    No tick counts as missed (`misfire_grace_time=None`): a late one does the same work.
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

        # A skipped tick, while another runs, is not worth a log line.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=defaults)
        self._looks = self._scheduler.add_job(look, "interval", seconds=seconds)
        now = SystemClock().now()
        self._scheduler.add_job(tidy, "interval", days=1, next_run_time=now)
        self._scheduler.add_job(check, "interval", days=1)

    def start(self) -> None:
        """Start the timer."""
        self._scheduler.start()

    def change(self, seconds: float) -> None:
        """Call *look* every *seconds* from now on."""
        self._looks.reschedule("interval", seconds=seconds)

    def stop(self) -> None:
        """Stop, and wait for running calls."""
        self._scheduler.shutdown(wait=True)
