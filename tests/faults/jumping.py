"""Run the daemon on a clock that the test sets while it runs.

`python -m tests.faults.jumping FILE serve`: the clock is ahead of the machine's by so many seconds
as the file says. Nothing else differs from `judge serve`.
"""

from __future__ import annotations

import sys
from datetime import datetime, timedelta
from pathlib import Path

from judge.__main__ import main
from judge.adapters.store import transactions
from judge.adapters.system_clock import SystemClock


class SetClock(SystemClock):
    """A clock that is ahead by what a *file* says."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def now(self) -> datetime:
        return super().now() + timedelta(seconds=float(self._file.read_text()))


def put_ahead(file: Path, seconds: float) -> None:
    """Set the clock that reads *file* so many *seconds* ahead, while it is being read."""
    new = file.with_suffix(".new")
    new.write_text(str(seconds))
    new.replace(file)


if __name__ == "__main__":
    file, *rest = sys.argv[1:]
    clock = SetClock(Path(file))
    transactions.SystemClock = lambda: clock  # type: ignore[assignment,attr-defined]  # the point of it
    sys.argv[1:] = rest
    main()
