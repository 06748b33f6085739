"""Dates and times as moderators and players write them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from judge.game.calendar import parse_absence, parse_deadline
from judge.game.house_rules import HouseRules

NOW = datetime(2026, 11, 23, 12, tzinfo=UTC)  # a Monday
RUNNING = datetime(2026, 11, 30, 20, tzinfo=UTC)
BERLIN = HouseRules(zone="Europe/Berlin")


@pytest.mark.parametrize(
    ("text", "instant"),
    [
        ("2026-12-04T18:30", "2026-12-04T17:30"),
        ("2026-12-04 18:30", "2026-12-04T17:30"),
        ("Fri 4 Dec 2026 18:30", "2026-12-04T17:30"),
        ("18:30 on December 4th", "2026-12-04T17:30"),
        ("Friday, 4. Dec at 18:30", "2026-12-04T17:30"),
        ("4.12. 18:30", "2026-12-04T17:30"),
        ("4.12.2026", "2026-12-04T19:00"),
        ("4 Dec", "2026-12-04T19:00"),
        ("Friday", "2026-11-27T19:00"),
        ("Monday 18:30", "2026-11-30T17:30"),
        ("23:00", "2026-11-23T22:00"),
        ("28", "2026-11-28T19:00"),
        ("3", "2026-12-03T19:00"),
        ("2 Jan", "2027-01-02T19:00"),
        ("tomorrow 18:30", "2026-11-24T17:30"),
        ("today", "2026-11-23T19:00"),
        ("yesterday", "2026-11-22T19:00"),
        ("+24h", "2026-12-01T20:00"),
        ("2 days", "2026-12-02T20:00"),
    ],
)
def test_a_moment_is_read(text: str, instant: str) -> None:
    expected = datetime.fromisoformat(instant).replace(tzinfo=UTC)

    assert parse_deadline(text, BERLIN, NOW, RUNNING) == expected


@pytest.mark.parametrize(
    "text",
    [
        "soon",
        "31 Feb",
        "Sat 4 Dec 2026",
        "Dec",
        "4 Dec 5 Dec",
        "12/4",
        "",
        "Fri Sat",
        "Dec 2026",
        "tomorrow 4 Dec",
    ],
)
def test_an_unclear_moment_is_not_read(text: str) -> None:
    assert parse_deadline(text, BERLIN, NOW, RUNNING) is None


def test_a_day_number_that_has_gone_by_is_of_the_next_month_also_over_new_year() -> None:
    december = datetime(2026, 12, 28, 12, tzinfo=UTC)

    assert parse_deadline("5", BERLIN, december, RUNNING) == datetime(2027, 1, 5, 19, tzinfo=UTC)


def test_without_a_closing_time_a_day_ends_at_its_end() -> None:
    rules = HouseRules(closing_time="")

    assert parse_deadline("4 Dec", rules, NOW, RUNNING) == datetime(
        2026, 12, 4, 23, 59, tzinfo=UTC
    )


@pytest.mark.parametrize(
    "text",
    ["24 Dec to 2 Jan", "2026-12-24 - 2027-01-02", "24.12. .. 2.1.", "24 Dec until 2 Jan 2027"],
)
def test_an_absence_is_read_with_its_last_day(text: str) -> None:
    assert parse_absence(text, BERLIN, NOW) == (
        datetime(2026, 12, 23, 23, tzinfo=UTC),
        datetime(2027, 1, 2, 23, tzinfo=UTC),
    )


def test_an_absence_may_be_of_one_day() -> None:
    assert parse_absence("24 Dec", HouseRules(), NOW) == (
        datetime(2026, 12, 24, tzinfo=UTC),
        datetime(2026, 12, 25, tzinfo=UTC),
    )


@pytest.mark.parametrize("text", ["soon", "24 Dec to whenever", "24 Dec 20:00 to 25 Dec"])
def test_a_text_without_days_is_no_absence(text: str) -> None:
    assert parse_absence(text, BERLIN, NOW) is None
