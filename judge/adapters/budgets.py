"""How often something may still be done, in a database: one instant a budget says it all."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, Select, select

from judge.adapters.tables import BudgetRow, table, upsert

_BUDGETS = table(BudgetRow)


class SqlBudgets:
    """The budgets as one transaction sees them.

    Each time costs a *pause*, and is put behind what was spent before: who has spent until later
    than *most* pauses from now must wait.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Do it once more: at most so often at once, and then once in each *pause*, or False."""
        spent = _spent(name).with_for_update()  # SQLite has none: its writers take turns
        after = self._after(spent, pause, now)
        if after > now + most * pause:
            return False
        upsert(self._connection, _BUDGETS, {"name": name}, {"spent_until_utc": after})
        return True

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Say whether `spend` would."""
        return self._after(_spent(name), pause, now) <= now + most * pause

    def _after(self, spent: Select[datetime], pause: timedelta, now: datetime) -> datetime:
        """Return until when would be spent after one more."""
        until: datetime | None = self._connection.execute(spent).scalar_one_or_none()
        return max(until or now, now) + pause


def _spent(name: str) -> Select[datetime]:
    return select(_BUDGETS.c.spent_until_utc).where(_BUDGETS.c.name == name)
