"""How often something may still be done that others could make us do without end."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Protocol


class Budgets(Protocol):
    """How often something may still be done: what is spent is paid back as time goes by."""

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Do it once more: at most so often at once, and then once in each *pause*, or False."""
        ...

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Say whether `spend` would."""
        ...
