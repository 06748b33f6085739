"""Run the daemon on a clock that runs faster than the machine's.

`python -m tests.faults.racing SPEED SINCE serve`: *SINCE*, in Unix time, is when both showed the
same. The daemon goes by it instead of the clock of its database server. Nothing else differs from
`judge serve`.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime, timedelta

from judge.__main__ import main
from judge.adapters.store.postgresql import SharedDatabase
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
    SharedDatabase.clock = lambda _: racing  # type: ignore[assignment,method-assign]  # the point
    sys.argv[1:] = rest
    main()
