"""A timer that says "look", never "do": what is due is computed from state and the clock."""

from __future__ import annotations

import logging
from collections.abc import Callable

from apscheduler.schedulers.background import BackgroundScheduler

from judge.adapters.clock import SystemClock


class Pacemaker:
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
