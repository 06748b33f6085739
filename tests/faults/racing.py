"""Run the daemon on a clock that runs faster than the machine's.

`python -m tests.faults.racing SPEED SINCE serve`: *SINCE*, in Unix time, is when both showed the
same. Nothing else differs from `judge serve`.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from judge.__main__ import main
from judge.adapters.store import transactions
from judge.adapters.system_clock import SystemClock


class RacingClock(SystemClock):
    """A clock that is *speed* times as fast as the machine's."""

    def __init__(self, speed: float, since: float) -> None:
        self.speed = speed
        self.since = since

    def now(self) -> datetime:
        passed = super().now().timestamp() - self.since
        return datetime.fromtimestamp(self.since + self.speed * passed, UTC)

    def passed(self) -> timedelta:
        return super().passed() * self.speed


if __name__ == "__main__":
    speed, since, *rest = sys.argv[1:]
    racing = RacingClock(float(speed), float(since))
    transactions.SystemClock = lambda: racing  # type: ignore[assignment,attr-defined]  # the point of it
    sys.argv[1:] = rest
    main()
