"""Deadlines by the calendar: closing times, zones, holidays, daylight saving."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.game import calendar
from judge.game.house_rules import HOUR, HouseRules
from judge.rules.types import PhaseKind

EXACT = HouseRules(closing_time="")
BERLIN = HouseRules(zone="Europe/Berlin")
ALL_WEEK = HouseRules(closed_weekdays=())


def at(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "hours", "rules", "deadline"),
    [
        pytest.param(
            "2026-11-23T12:00", 72, HouseRules(), "2026-11-26T20:00", id="the closing time after"
        ),
        pytest.param(
            "2026-11-23T20:00", 24, HouseRules(), "2026-11-24T20:00", id="from close to close"
        ),
        pytest.param(
            "2026-11-23T20:14", 24, HouseRules(), "2026-11-24T20:00", id="a little late is no day"
        ),
        pytest.param(
            "2026-11-23T21:30", 24, HouseRules(), "2026-11-25T20:00", id="much too late is a day"
        ),
        pytest.param(
            "2026-11-26T20:00", 24, HouseRules(), "2026-11-27T20:00", id="Friday is a weekday"
        ),
        pytest.param(
            "2026-11-27T20:00", 24, HouseRules(), "2026-11-30T20:00", id="not on the weekend"
        ),
        pytest.param(
            "2026-11-27T20:00", 24, ALL_WEEK, "2026-11-28T20:00", id="on Saturday if that is open"
        ),
        pytest.param("2026-11-23T12:34", 24, EXACT, "2026-11-24T12:34", id="to the minute"),
        pytest.param(
            "2026-11-27T12:34", 24, EXACT, "2026-11-30T12:34", id="to the minute, Monday"
        ),
        pytest.param("2026-11-23T12:00", 24, BERLIN, "2026-11-24T19:00", id="in winter time"),
        pytest.param("2026-07-06T12:00", 24, BERLIN, "2026-07-07T18:00", id="in summer time"),
        pytest.param(
            "2026-11-27T18:30",
            1,
            HouseRules(zone="Pacific/Auckland", closing_time="08:00"),
            "2026-11-29T19:00",
            id="the weekday is that of the zone",
        ),
        pytest.param(
            "2026-03-28T12:00",
            1,
            HouseRules(zone="Europe/Berlin", closing_time="02:30", closed_weekdays=()),
            "2026-03-29T01:00",
            id="a skipped hour becomes the first instant after",
        ),
        pytest.param(
            "2026-10-24T12:00",
            1,
            HouseRules(zone="Europe/Berlin", closing_time="02:30", closed_weekdays=()),
            "2026-10-25T01:30",
            id="a repeated hour is the later one",
        ),
    ],
)
def test_a_deadline_is_at(now: str, hours: int, rules: HouseRules, deadline: str) -> None:
    assert calendar.deadline(at(now), hours * HOUR, rules) == at(deadline)


# Both clock changes of 2026: the day before, the day itself, and times that the clocks skip
# or repeat. London and New York are in the northern hemisphere, Lord Howe changes by half an hour,
# Santiago changes at midnight.
CHANGES = [
    ("Europe/London", "20:00", "2026-03-27T21:30", "2026-03-28T20:00"),
    ("Europe/London", "20:00", "2026-03-28T21:30", "2026-03-29T19:00"),
    ("Europe/London", "01:30", "2026-03-28T12:00", "2026-03-29T01:00"),
    ("Europe/London", "20:00", "2026-10-23T21:30", "2026-10-24T19:00"),
    ("Europe/London", "20:00", "2026-10-24T21:30", "2026-10-25T20:00"),
    ("Europe/London", "01:30", "2026-10-24T12:00", "2026-10-25T01:30"),
    ("America/New_York", "20:00", "2026-03-07T12:00", "2026-03-08T01:00"),
    ("America/New_York", "20:00", "2026-03-08T12:00", "2026-03-09T00:00"),
    ("America/New_York", "02:30", "2026-03-07T12:00", "2026-03-08T07:00"),
    ("America/New_York", "20:00", "2026-10-31T12:00", "2026-11-01T00:00"),
    ("America/New_York", "20:00", "2026-11-01T12:00", "2026-11-02T01:00"),
    ("America/New_York", "01:30", "2026-10-31T12:00", "2026-11-01T06:30"),
    ("Australia/Lord_Howe", "20:00", "2026-04-04T00:00", "2026-04-04T09:00"),
    ("Australia/Lord_Howe", "20:00", "2026-04-05T00:00", "2026-04-05T09:30"),
    ("Australia/Lord_Howe", "01:45", "2026-04-04T00:00", "2026-04-04T15:15"),
    ("Australia/Lord_Howe", "20:00", "2026-10-03T00:00", "2026-10-03T09:30"),
    ("Australia/Lord_Howe", "20:00", "2026-10-04T00:00", "2026-10-04T09:00"),
    ("Australia/Lord_Howe", "02:15", "2026-10-03T00:00", "2026-10-03T15:30"),
    ("America/Santiago", "20:00", "2026-04-04T12:00", "2026-04-04T23:00"),
    ("America/Santiago", "20:00", "2026-04-05T12:00", "2026-04-06T00:00"),
    ("America/Santiago", "23:30", "2026-04-04T12:00", "2026-04-05T03:30"),
    ("America/Santiago", "20:00", "2026-09-05T12:00", "2026-09-06T00:00"),
    ("America/Santiago", "20:00", "2026-09-06T12:00", "2026-09-06T23:00"),
    ("America/Santiago", "00:30", "2026-09-05T12:00", "2026-09-06T04:00"),
    ("Europe/London", "20:00", "2028-02-28T21:30", "2028-02-29T20:00"),
    ("Europe/London", "20:00", "2028-02-29T21:30", "2028-03-01T20:00"),
]


@pytest.mark.parametrize(("zone", "closing", "now", "deadline"), CHANGES)
def test_r62_a_deadline_over_a_change_of_the_clocks(
    zone: str, closing: str, now: str, deadline: str
) -> None:
    rules = HouseRules(zone=zone, closing_time=closing, closed_weekdays=())

    assert calendar.deadline(at(now), HOUR, rules) == at(deadline)


HOLIDAYS = HouseRules(holidays="2026-12-24/2027-01-03, 05-01, 2026-11-25")


@pytest.mark.parametrize(
    ("now", "deadline"),
    [
        pytest.param("2026-11-24T20:00", "2026-11-26T20:00", id="a day"),
        pytest.param("2026-12-23T20:00", "2027-01-04T20:00", id="a span, over a weekend"),
        pytest.param("2027-04-30T20:00", "2027-05-03T20:00", id="every year"),
        pytest.param("2027-11-24T20:00", "2027-11-25T20:00", id="but a day of one year only then"),
    ],
)
def test_no_deadline_falls_on_a_holiday(now: str, deadline: str) -> None:
    assert calendar.is_sound(HOLIDAYS)
    assert calendar.deadline(at(now), 24 * HOUR, HOLIDAYS) == at(deadline)


def test_no_deadline_in_minutes_falls_on_a_holiday() -> None:
    rules = HouseRules(closing_time="", holidays="2026-11-24")

    assert calendar.deadline(at("2026-11-23T12:34"), 24 * HOUR, rules) == at("2026-11-25T12:34")


def test_grace_is_a_day_whatever_day_that_is() -> None:
    friday = at("2026-11-27T20:00")

    assert calendar.grace_end(friday, HouseRules()) == at("2026-11-28T20:00")


def test_each_kind_of_phase_has_its_length_and_so_has_the_first() -> None:
    rules = HouseRules()

    assert calendar.phase_length(PhaseKind.MOVEMENT, 1, rules) == 168 * HOUR
    assert calendar.phase_length(PhaseKind.MOVEMENT, 2, rules) == 72 * HOUR
    assert calendar.phase_length(PhaseKind.RETREATS, 3, rules) == 24 * HOUR
    assert calendar.phase_length(PhaseKind.ADJUSTMENTS, 4, rules) == 24 * HOUR


def test_an_instant_is_printed_as_the_clocks_of_a_zone_show_it() -> None:
    assert calendar.local(at("2026-11-27T20:00"), "Europe/Berlin").isoformat() == (
        "2026-11-27T21:00:00+01:00"
    )


@pytest.mark.parametrize(
    "rules",
    [
        pytest.param(HouseRules(zone="Mars/Olympus"), id="no such zone"),
        pytest.param(HouseRules(zone="/etc/passwd"), id="a path for a zone"),
        pytest.param(HouseRules(zone="Europe"), id="a folder for a zone"),
        pytest.param(HouseRules(closing_time="25:00"), id="no such hour"),
        pytest.param(HouseRules(closing_time="noon"), id="no time"),
        pytest.param(HouseRules(closed_weekdays=(1, 2, 3, 4, 5, 6, 7)), id="closed all week"),
        pytest.param(HouseRules(closed_weekdays=(8,)), id="no such weekday"),
        pytest.param(HouseRules(holidays="Christmas"), id="no date"),
        pytest.param(HouseRules(holidays="02-30"), id="no such date"),
        pytest.param(
            HouseRules(
                holidays=",".join(f"{m:02}-{d:02}" for m in (1, 3, 5) for d in range(1, 30))
            ),
            id="more holidays than workdays",
        ),
        pytest.param(HouseRules(movement_hours=0 * HOUR), id="no time to order"),
        pytest.param(HouseRules(grace_hours=-1 * HOUR), id="less than no grace"),
        pytest.param(HouseRules(reminder_hours=(-4 * HOUR,)), id="a reminder after the deadline"),
        pytest.param(HouseRules(movement_hours=10**6 * HOUR), id="longer than a life"),
    ],
)
def test_these_rules_are_unsound(rules: HouseRules) -> None:
    assert not calendar.is_sound(rules)


@pytest.mark.parametrize("rules", [HouseRules(), EXACT, BERLIN, HouseRules(grace_hours=0 * HOUR)])
def test_these_rules_are_sound(rules: HouseRules) -> None:
    assert calendar.is_sound(rules)


def test_a_day_is_closed_where_the_rules_are_at_home() -> None:
    friday_night = at("2026-11-27T23:30")

    assert not calendar.is_closed(friday_night, HouseRules())
    assert calendar.is_closed(friday_night, BERLIN)  # already Saturday there
