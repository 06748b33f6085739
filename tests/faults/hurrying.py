"""Runs the daemon with days that last a moment.

`python -m tests.faults.hurrying serve`: what the daemon does once a day it does every moment.
Nothing else differs from `judge serve`.
"""

from __future__ import annotations

from typing import Any

from apscheduler.schedulers.background import BackgroundScheduler

from judge.__main__ import main

A_MOMENT_SECONDS = 0.2


class HurryingScheduler(BackgroundScheduler):  # type: ignore[misc]  # it has no types
    """A scheduler of days that last a moment."""

    def add_job(self, *what: Any, days: int = 0, **when: Any) -> object:  # noqa: ANN401 - as its
        often = {"seconds": days * A_MOMENT_SECONDS} if days else {}
        return super().add_job(*what, **when, **often)


if __name__ == "__main__":
    import apscheduler.schedulers.background

    apscheduler.schedulers.background.BackgroundScheduler = HurryingScheduler
    main()
