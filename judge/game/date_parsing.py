"""Read dates and times as people write them: `Fri 27 Nov 20:00`, `24.12.`, `+24h`.

What is not said of a date is the next that comes. A text that may be read in two ways is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta

from judge.game import calendar
from judge.game.house_rules import HouseRules

MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS_AHEAD = {"YESTERDAY": -1, "TODAY": 0, "TOMORROW": 1}
WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.?(\d{4})?")
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
DAY = re.compile(r"(\d{1,2})(?:ST|ND|RD|TH|\.)?")
YEAR = re.compile(r"20\d\d")
LATER = re.compile(r"\+?(\d{1,3}) ?(H|HOURS?|D|DAYS?)")
FILLERS = frozenset({"AT", "ON", "OF", "THE", "FROM", "UNTIL", "TILL", "BY"})
TO = re.compile(r"\s+(?:TO|UNTIL|TILL|-|\.\.)\s+|\.\.\.?", re.IGNORECASE)
BEHIND_MAX = timedelta(days=2)  # A date without a year is that of this year, or of the next.


@dataclass(frozen=True, slots=True)
class DateParts:
    """What a text says of a moment."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    ahead: int | None = None  # days, from today
    clock: time | None = None


def parse_deadline(
    text: str, rules: HouseRules, now: datetime, running: datetime
) -> datetime | None:
    """Read the instant that *text* names, in the zone of the game; `+24h` is after *running*."""
    if later := LATER.fullmatch(text.strip().upper()):
        days = later[2].startswith("D")
        return running + timedelta(days=int(later[1]) if days else int(later[1]) / 24)
    spoken = _parse_parts(text)
    day = _resolve_date(spoken, calendar.local(now, rules.zone).date()) if spoken else None
    if spoken is None or day is None:
        return None
    usual = time.fromisoformat(rules.closing_time) if rules.closing_time else time(23, 59)
    return calendar.instant(datetime.combine(day, spoken.clock or usual), rules.zone)


def parse_absence(text: str, rules: HouseRules, now: datetime) -> tuple[datetime, datetime] | None:
    """Read `24 Dec to 2 Jan`, or one day: from its first midnight to the one after the last."""
    first, *last = TO.split(text.strip(), maxsplit=1)
    today = calendar.local(now, rules.zone).date()
    begins = _parse_day(first, today)
    ends = _parse_day(last[0], begins or today) if last else begins
    if begins is None or ends is None:
        return None
    after = ends + timedelta(days=1)
    return _midnight(begins, rules), _midnight(after, rules)


def _parse_day(text: str, today: date) -> date | None:
    spoken = _parse_parts(text)
    return _resolve_date(spoken, today) if spoken and spoken.clock is None else None


def _midnight(day: date, rules: HouseRules) -> datetime:
    return calendar.instant(datetime.combine(day, time()), rules.zone)


def _parse_parts(text: str) -> DateParts | None:
    """Read each word of *text*; None if one says nothing, or two say the same thing."""
    said: dict[str, int | time] = {}
    for word in re.split(r"[\s,]+|(?<=\d)T(?=\d)", text.strip().upper()):
        if word in FILLERS or not word:
            continue
        facts = dict(_parse_word(word))
        if not facts or said.keys() & facts.keys():
            return None
        said |= facts
    return replace(DateParts(), **said) if said else None  # type: ignore[arg-type] # as named


def _parse_word(word: str) -> Iterator[tuple[str, int | time]]:
    if found := ISO.fullmatch(word):
        yield from zip(("year", "month", "day"), map(int, found.groups()), strict=True)
    elif found := CLOCK.fullmatch(word):
        yield "clock", time(int(found[1]), int(found[2]))
    elif found := DOTTED.fullmatch(word):
        yield from (("day", int(found[1])), ("month", int(found[2])))
        if found[3]:
            yield "year", int(found[3])
    elif YEAR.fullmatch(word):
        yield "year", int(word)
    elif found := DAY.fullmatch(word):
        yield "day", int(found[1])
    elif word in DAYS_AHEAD:
        yield "ahead", DAYS_AHEAD[word]
    elif word[:3] in MONTHS and word.isalpha():
        yield "month", MONTHS.index(word[:3]) + 1
    elif word[:3] in WEEKDAYS and word.isalpha():
        yield "weekday", WEEKDAYS.index(word[:3])


def _resolve_date(spoken: DateParts, today: date) -> date | None:
    """Return the day that is meant; None if there is no such day, or its weekday is another."""
    if spoken.ahead is not None:
        day = today + timedelta(days=spoken.ahead)
        said = (spoken.year, spoken.month, spoken.day, spoken.weekday)
        return day if all(each is None for each in said) else None
    if spoken.day is None and spoken.month is None and spoken.year is None:
        if spoken.weekday is None:
            return today
        return today + timedelta(days=(spoken.weekday - today.weekday() - 1) % 7 + 1)
    if spoken.day is None:
        return None
    month, year = spoken.month or today.month, spoken.year or today.year
    try:
        day = date(year, month, spoken.day)
        if spoken.year is None and day < today - BEHIND_MAX:
            day = _next_occurrence(day, monthly=spoken.month is None)
    except ValueError:
        return None
    return day if spoken.weekday in (None, day.weekday()) else None


def _next_occurrence(day: date, *, monthly: bool) -> date:
    if monthly and day.month < len(MONTHS):
        return day.replace(month=day.month + 1)
    return day.replace(year=day.year + 1, month=1 if monthly else day.month)
