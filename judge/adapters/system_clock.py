"""The system clock, the only place that reads the time, and the timer of the daemon."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

from apscheduler.schedulers.background import BackgroundScheduler

# Goes on while the machine sleeps, and has never been set; what is not Linux may lack it.
STEADY = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        return datetime.now(UTC)

    def passed(self) -> timedelta:
        """Return how much time has gone by since the machine was started."""
        return timedelta(seconds=time.clock_gettime(STEADY))


class Ticker:
    """Calls *look* every *seconds*, and *tidy* at the start and once a day, from its own threads.

    Nothing is kept in a job store and no tick is ever "missed" (`misfire_grace_time=None`): a late
    tick looks at the same state as a punctual one.
    """

    def __init__(
        self, look: Callable[[], None], seconds: float, tidy: Callable[[], object]
    ) -> None:
        # A tick that comes while another is under way is no news, and no line for the log.
        logging.getLogger("apscheduler").setLevel(logging.ERROR)
        defaults = {"coalesce": True, "max_instances": 1, "misfire_grace_time": None}
        self._scheduler = BackgroundScheduler(timezone="UTC", job_defaults=defaults)
        self._looks = self._scheduler.add_job(look, "interval", seconds=seconds)
        now = SystemClock().now()
        self._scheduler.add_job(tidy, "interval", days=1, next_run_time=now)

    def start(self) -> None:
        """Begin to tick."""
        self._scheduler.start()

    def change(self, seconds: float) -> None:
        """Look every *seconds* from now on."""
        self._looks.reschedule("interval", seconds=seconds)

    def stop(self) -> None:
        """Tick no more; what runs is waited for."""
        self._scheduler.shutdown(wait=True)
