"""Days on which no deadline falls: `2026-12-31, 2026-12-24/2027-01-02, 05-01`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date
from functools import cache

SPAN = re.compile(r"(\d{4}-\d\d-\d\d)(?:/(\d{4}-\d\d-\d\d))?")
YEARLY = re.compile(r"(\d\d)-(\d\d)")
YEARLY_MAX = 60  # days; a calendar without open days would have no deadlines
LEAP_YEAR = 2028  # in which there is every day of the calendar


class NoHolidaysError(ValueError):
    """The text names no days."""


@dataclass(frozen=True, slots=True)
class Holidays:
    """Days of certain years, and (month, day) of every year."""

    spans: tuple[tuple[date, date], ...]
    yearly: frozenset[tuple[int, int]]

    def __contains__(self, day: date) -> bool:
        """Say whether no deadline falls on *day*."""
        yearly = (day.month, day.day) in self.yearly
        return yearly or any(first <= day <= last for first, last in self.spans)


@cache
def read_holidays(text: str) -> Holidays:
    """Read the house rule `holidays`. Raises `NoHolidaysError`."""
    spans: list[tuple[date, date]] = []
    yearly: set[tuple[int, int]] = set()
    for part in filter(None, (each.strip() for each in text.split(","))):
        try:
            if found := SPAN.fullmatch(part):
                first = date.fromisoformat(found[1])
                spans.append((first, date.fromisoformat(found[2] or found[1])))
            elif found := YEARLY.fullmatch(part):
                day = date(LEAP_YEAR, int(found[1]), int(found[2]))
                yearly.add((day.month, day.day))
            else:
                raise NoHolidaysError(part)
        except ValueError:
            raise NoHolidaysError(part) from None
    if len(yearly) > YEARLY_MAX:
        raise NoHolidaysError(text)
    return Holidays(tuple(spans), frozenset(yearly))
