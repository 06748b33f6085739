"""Runs the daemon with a reader that a mail can kill: `python -m tests.faults.deadly_mail serve`.

Nothing else differs from `judge serve`, but that little is enough to kill it, and that a mail that
failed is tried again soon.
"""

from __future__ import annotations

from datetime import timedelta

from judge.__main__ import main
from judge.adapters import reading
from judge.app.inbound import process

CPU_SECONDS = "0.5"
PAUSES = (timedelta(seconds=0.1), timedelta(seconds=0.3))


if __name__ == "__main__":
    setattr(process, "RETRY_AFTER", PAUSES)  # noqa: B010 - it is final for everybody else
    reading.ReadingProcess.__init__.__defaults__ = (
        ("-m", "tests.support.deadly_reader", CPU_SECONDS),
        reading.WALL_SECONDS_MAX,
    )
    main()
