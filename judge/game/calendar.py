"""Compute deadlines from house rules: phase lengths, closing times, holidays, time zones.

Deadlines are computed here once and stored as instants; nothing is computed again on replay, so a
later change of a zone's rules moves no deadline. The only module that knows of time zones.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from judge.game.house_rules import HouseRules
from judge.rules.types import PhaseKind

CLOSING_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d")
DAY = timedelta(days=1)
MINUTE = timedelta(minutes=1)
SLACK = timedelta(
    hours=1
)  # A phase that opens a little after the closing time still gets whole days.
HOURS_MAX = 10_000  # More than a year; a game that is slower than that is over.
COMMENT_MAX = 200  # characters
TAKEOVER_HOURS = 24  # The least that somebody who takes a power over has for his first orders.


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
    }
    closing = rules.closing_time
    is_sound = {
        **{name: 0 < hours <= HOURS_MAX for name, hours in longer.items()},
        **{name: 0 <= length <= HOURS_MAX for name, length in any_length.items()},
        "reminder_hours": all(0 <= hours <= HOURS_MAX for hours in rules.reminder_hours),
        "closed_weekdays": set(rules.closed_weekdays) < set(range(1, 8)),
        "closing_time": not closing or bool(CLOSING_TIME.fullmatch(closing)),
        "zone": is_zone(rules.zone),
        "comment": len(rules.comment) <= COMMENT_MAX,
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


def phase_hours(kind: PhaseKind, number: int, rules: HouseRules) -> int:
    """Return how long the phase *number* of a game is meant to be open."""
    if number == 1:
        return rules.first_phase_hours
    return {
        PhaseKind.MOVEMENT: rules.movement_hours,
        PhaseKind.RETREATS: rules.retreat_hours,
        PhaseKind.ADJUSTMENTS: rules.adjustment_hours,
    }[kind]


def deadline(now: datetime, hours: int, rules: HouseRules) -> datetime:
    """Return the first instant to close at, about *hours* or more after *now*."""
    due = now + timedelta(hours=hours)
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
    return deadline + timedelta(hours=rules.grace_hours)


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


_SPAN = re.compile(r"(\d{4}-\d\d-\d\d)(?:/(\d{4}-\d\d-\d\d))?")
_YEARLY = re.compile(r"(\d\d)-(\d\d)")
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
            if found := _SPAN.fullmatch(part):
                first = date.fromisoformat(found[1])
                spans.append((first, date.fromisoformat(found[2] or found[1])))
            elif found := _YEARLY.fullmatch(part):
                day = date(LEAP_YEAR, int(found[1]), int(found[2]))
                yearly.add((day.month, day.day))
            else:
                raise NoHolidaysError(part)
        except ValueError:
            raise NoHolidaysError(part) from None
    if len(yearly) > YEARLY_MAX:
        raise NoHolidaysError(text)
    return Holidays(tuple(spans), frozenset(yearly))
