"""A timer that says "look", never "do": what is due is computed from state and the clock."""

from __future__ import annotations

from collections.abc import Callable

from apscheduler.schedulers.background import BackgroundScheduler


class Pacemaker:
    """Calls *look* every *seconds*, from its own thread.

    Nothing is kept in a job store and no tick is ever "missed" (`misfire_grace_time=None`): a late
    tick looks at the same state as a punctual one.
    """

    def __init__(self, look: Callable[[], None], seconds: float) -> None:
        self._scheduler = BackgroundScheduler(timezone="UTC")
        self._scheduler.add_job(
            look,
            "interval",
            seconds=seconds,
            coalesce=True,
            max_instances=1,
            misfire_grace_time=None,
        )

    def start(self) -> None:
        """Begin to tick."""
        self._scheduler.start()

    def stop(self) -> None:
        """Tick no more; a tick that runs is waited for."""
        self._scheduler.shutdown(wait=True)
