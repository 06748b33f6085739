"""Compute deadlines from house rules, and read dates as people write them.

Deadlines are computed here once and stored as instants; nothing is computed again on replay, so a
later change of a zone's rules moves no deadline. The only module that knows of time zones.

A date without a year or month is the next that comes. A text with two meanings is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from judge.game.house_rules import HOUR, MINUTE, HouseRules, unit_of
from judge.rules.types import PhaseKind

CLOSING_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
NAMED_END = re.compile(r"20\d\d-\d\d-\d\d[Tt ]\d\d:\d\d")
LANGUAGE = re.compile(r"[a-z]{2,3}")
DAY = timedelta(days=1)
SLACK = HOUR  # A phase that opens a little after the closing time still gets whole days.
HOURS_MAX = 10_000  # More than a year; a game that is slower than that is over.
LENGTH_MAX = HOURS_MAX * HOUR
ZERO = timedelta()
COMMENT_MAX = 200  # characters
TAKEOVER = DAY  # The least time that a player who takes over has for their first orders.


def is_sound(rules: HouseRules) -> bool:
    """Return whether deadlines can be computed from *rules*."""
    return not unsound_rules(rules)


def unsound_rules(rules: HouseRules) -> tuple[str, ...]:
    """Return those of *rules* from which no deadline can be computed."""
    longer = {
        "movement_hours": rules.movement_hours,
        "retreat_hours": rules.retreat_hours,
        "adjustment_hours": rules.adjustment_hours,
        "first_phase_hours": rules.first_phase_hours,
        "nmr_extension_hours": rules.nmr_extension_hours,
        "claim_hours": rules.claim_hours,
    }
    any_length = {
        "grace_hours": rules.grace_hours,
        "early_wait_minutes": rules.early_wait_minutes,
        "press_closes_before_deadline": rules.press_closes_before_deadline,
        "early_not_before_hours": rules.early_not_before_hours,
        "takeover_hours": rules.takeover_hours,
        "first_spring_extension_hours": rules.first_spring_extension_hours,
        "ends_after_hours": rules.ends_after_hours,
    }
    closing = rules.closing_time
    is_sound = {
        **{name: ZERO < length <= LENGTH_MAX for name, length in longer.items()},
        **{
            name: ZERO <= length <= HOURS_MAX * unit_of(name)
            for name, length in any_length.items()
        },
        "reminder_hours": all(ZERO <= length <= LENGTH_MAX for length in rules.reminder_hours),
        "ends_at": not rules.ends_at or named_end(rules) is not None,
        "closed_weekdays": set(rules.closed_weekdays) < set(range(1, 8)),
        "closing_time": not closing or bool(CLOSING_TIME.fullmatch(closing)),
        "zone": is_zone(rules.zone),
        "comment": len(rules.comment) <= COMMENT_MAX,
        "language": bool(LANGUAGE.fullmatch(rules.language)),
        "holidays": _has_holidays(rules.holidays),
    }
    return tuple(name for name, right in is_sound.items() if not right)


def is_zone(name: str) -> bool:
    """Return whether *name* is a time zone that this machine knows."""
    try:
        ZoneInfo(name)
    except (LookupError, OSError, ValueError):  # unknown, a folder, an absolute path
        return False
    return True


def phase_length(kind: PhaseKind, number: int, rules: HouseRules) -> timedelta:
    """Return how long the phase *number* of a game is meant to be open."""
    if number == 1:
        return rules.first_phase_hours
    return {
        PhaseKind.MOVEMENT: rules.movement_hours,
        PhaseKind.RETREATS: rules.retreat_hours,
        PhaseKind.ADJUSTMENTS: rules.adjustment_hours,
    }[kind]


def is_short(rules: HouseRules) -> bool:
    """Return whether the game is played in one sitting: it knows no closing time and no days."""
    return rules.movement_hours < HOUR


def respite(usual: timedelta, rules: HouseRules) -> timedelta:
    """Return *usual*, the time that players get when something goes wrong, or that of a phase."""
    return min(usual, rules.movement_hours) if is_short(rules) else usual


def deadline(now: datetime, length: timedelta, rules: HouseRules) -> datetime:
    """Return the first instant to close at, about *length* or more after *now*."""
    due = now + length
    if is_short(rules):
        return due
    zone = ZoneInfo(rules.zone)
    if not rules.closing_time:
        while _closed(due.astimezone(zone).date(), rules):
            due += DAY
        return due
    earliest = (due - SLACK).astimezone(zone).replace(tzinfo=None)
    wall = datetime.combine(earliest, time.fromisoformat(rules.closing_time))
    while wall < earliest or _closed(wall.date(), rules):
        wall += DAY
    return _instant_in_zone(wall, zone)


def is_closed(instant: datetime, rules: HouseRules) -> bool:
    """Return whether by *rules* no deadline falls on the day of *instant*."""
    return _closed(instant.astimezone(ZoneInfo(rules.zone)).date(), rules)


def grace_end(deadline: datetime, rules: HouseRules) -> datetime:
    """Return when the grace after *deadline* ends, on whatever day that is."""
    return deadline + rules.grace_hours


def named_end(rules: HouseRules) -> datetime | None:
    """Return the instant that `ends_at` names."""
    if not NAMED_END.fullmatch(rules.ends_at) or not is_zone(rules.zone):
        return None
    try:
        wall = datetime.fromisoformat(rules.ends_at.upper())
    except ValueError:
        return None
    return instant(wall, rules.zone)


def has_ended(rules: HouseRules, now: datetime) -> bool:
    """Return whether the instant that `ends_at` names has gone by."""
    end = named_end(rules)
    return end is not None and end <= now


def clock_end(rules: HouseRules, started: datetime | None) -> datetime | None:
    """Return when the clock ends a game that *started* then: its year is the last."""
    later = started + rules.ends_after_hours if started and rules.ends_after_hours else None
    return min(filter(None, (named_end(rules), later)), default=None)


def local(instant: datetime, zone: str) -> datetime:
    """Return *instant* as the clocks of *zone* show it, to be printed."""
    return instant.astimezone(ZoneInfo(zone))


def instant(wall: datetime, zone: str) -> datetime:
    """Return when the clocks of *zone* show *wall*, as `deadline` has it."""
    return _instant_in_zone(wall, ZoneInfo(zone))


def _closed(day: date, rules: HouseRules) -> bool:
    return day.isoweekday() in rules.closed_weekdays or day in read_holidays(rules.holidays)


def _has_holidays(text: str) -> bool:
    try:
        read_holidays(text)
    except NoHolidaysError:
        return False
    return True


def _instant_in_zone(wall: datetime, zone: ZoneInfo) -> datetime:
    """Return when clocks show *wall*: if twice, the later; if never, the first time after it."""
    while not _exists(wall, zone):
        wall += MINUTE
    return wall.replace(tzinfo=zone, fold=1).astimezone(UTC)


def _exists(wall: datetime, zone: ZoneInfo) -> bool:
    there_and_back = wall.replace(tzinfo=zone).astimezone(UTC).astimezone(zone)
    return there_and_back.replace(tzinfo=None) == wall


HOLIDAY_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)(?:/(\d{4}-\d\d-\d\d))?")
YEARLY_HOLIDAY = re.compile(r"(\d\d)-(\d\d)")
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
        """Return whether no deadline falls on *day*."""
        yearly = (day.month, day.day) in self.yearly
        return yearly or any(first <= day <= last for first, last in self.spans)


@cache
def read_holidays(text: str) -> Holidays:
    """Read the house rule `holidays`. Raises `NoHolidaysError`."""
    spans: list[tuple[date, date]] = []
    yearly: set[tuple[int, int]] = set()
    for part in filter(None, (each.strip() for each in text.split(","))):
        try:
            if found := HOLIDAY_SPAN.fullmatch(part):
                first = date.fromisoformat(found[1])
                spans.append((first, date.fromisoformat(found[2] or found[1])))
            elif found := YEARLY_HOLIDAY.fullmatch(part):
                day = date(LEAP_YEAR, int(found[1]), int(found[2]))
                yearly.add((day.month, day.day))
            else:
                raise NoHolidaysError(part)
        except ValueError:
            raise NoHolidaysError(part) from None
    if len(yearly) > YEARLY_MAX:
        raise NoHolidaysError(text)
    return Holidays(tuple(spans), frozenset(yearly))


MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
DAYS_AHEAD = {"YESTERDAY": -1, "TODAY": 0, "TOMORROW": 1}
WEEKDAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)")
DOTTED = re.compile(r"(\d{1,2})\.(\d{1,2})\.?(\d{4})?")
CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)")
DAY_OF_MONTH = re.compile(r"(\d{1,2})(?:ST|ND|RD|TH|\.)?")
YEAR = re.compile(r"20\d\d")
LATER = re.compile(r"(IN |\+)?(\d{1,3}) ?(D|DAYS?|H|HOURS?|M|MIN|MINUTES?)")
UNITS = {"D": DAY, "H": HOUR, "M": MINUTE}
FILLERS = frozenset({"AT", "ON", "OF", "THE", "FROM", "UNTIL", "TILL", "BY"})
TO = re.compile(r"\s+(?:TO|UNTIL|TILL|-|\.\.)\s+|\.\.\.?", re.IGNORECASE)
BEHIND_MAX = timedelta(days=2)  # A date without a year is that of this year, or of the next.


@dataclass(frozen=True, slots=True)
class DateParts:
    """The parts of a date and time that a text states."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    ahead: int | None = None  # days, from today
    clock: time | None = None


def parse_deadline(
    text: str, rules: HouseRules, now: datetime, running: datetime
) -> datetime | None:
    """Read the instant that *text* names, in the zone of the game.

    `+24h` is after *running*, `in 24h` after *now*.
    """
    if later := LATER.fullmatch(text.strip().upper()):
        begins = now if later[1] == "IN " else running
        return begins + int(later[2]) * UNITS[later[3][0]]
    spoken = _parse_parts(text)
    day = _resolve_date(spoken, local(now, rules.zone).date()) if spoken else None
    if spoken is None or day is None:
        return None
    usual = time.fromisoformat(rules.closing_time) if rules.closing_time else time(23, 59)
    return instant(datetime.combine(day, spoken.clock or usual), rules.zone)


def parse_absence(text: str, rules: HouseRules, now: datetime) -> tuple[datetime, datetime] | None:
    """Read `24 Dec to 2 Jan`, or one day: from its first midnight to the one after the last."""
    first, *last = TO.split(text.strip(), maxsplit=1)
    today = local(now, rules.zone).date()
    begins = parse_day(first, today)
    ends = parse_day(last[0], begins or today) if last else begins
    if begins is None or ends is None:
        return None
    after = ends + timedelta(days=1)
    return _midnight(begins, rules), _midnight(after, rules)


def parse_day(text: str, today: date) -> date | None:
    """Read the day that *text* names without a time, from *today* on if it has no year."""
    spoken = _parse_parts(text)
    return _resolve_date(spoken, today) if spoken and spoken.clock is None else None


def _midnight(day: date, rules: HouseRules) -> datetime:
    return instant(datetime.combine(day, time()), rules.zone)


def _parse_parts(text: str) -> DateParts | None:
    """Read each word of *text*; None if one says nothing, or two say the same thing."""
    parts: dict[str, int | time] = {}
    for word in re.split(r"[\s,]+|(?<=\d)T(?=\d)", text.strip().upper()):
        if word in FILLERS or not word:
            continue
        facts = dict(_parse_word(word))
        if not facts or parts.keys() & facts.keys():
            return None
        parts |= facts
    return replace(DateParts(), **parts) if parts else None  # type: ignore[arg-type] # as named


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
    elif found := DAY_OF_MONTH.fullmatch(word):
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
        others = (spoken.year, spoken.month, spoken.day, spoken.weekday)
        return day if all(each is None for each in others) else None
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
