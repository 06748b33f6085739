"""The one place where the clock is read."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """The machine's clock, in UTC."""

    def now(self) -> datetime:
        """Return the present instant."""
        return datetime.now(UTC)
