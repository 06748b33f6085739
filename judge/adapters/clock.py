"""The one place where the clock is read."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

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
