"""The calendar event of a deadline: the same event each time, at an instant in UTC."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from icalendar import Component

from judge.mail.compose import Appointment, calendar_text

BERLIN = ZoneInfo("Europe/Berlin")
SPRING = Appointment(
    uid="S1901M.dogger@judge.example",
    organizer="judge@judge.example",
    sent_at=datetime(2026, 11, 21, 12, tzinfo=UTC),
    due=datetime(2026, 11, 27, 20, tzinfo=BERLIN),
    summary="dogger: orders for S1901M are due",
    description="Reply to the latest mail of the game.",
)


def event_of(appointment: Appointment) -> tuple[dict[str, object], dict[str, object]]:
    """Return the properties of the calendar and of its event, as another program reads them."""
    calendar = Component.from_ical(calendar_text(appointment))
    [event] = calendar.subcomponents
    return dict(calendar), dict(event)


def test_a_published_deadline_is_in_utc() -> None:
    calendar, event = event_of(SPRING)

    assert calendar["METHOD"] == "PUBLISH"
    assert "DTSTART:20261127T190000Z\r\n" in calendar_text(SPRING)
    assert event["UID"] == SPRING.uid
    assert event["STATUS"] == "CONFIRMED"
    assert event["ORGANIZER"] == "mailto:judge@judge.example"
    assert "ATTENDEE" not in event


def test_one_that_is_told_later_takes_the_place_of_the_one_before() -> None:
    later = replace(SPRING, sent_at=SPRING.sent_at + timedelta(seconds=1))

    assert int(str(event_of(later)[1]["SEQUENCE"])) > int(str(event_of(SPRING)[1]["SEQUENCE"]))
    assert event_of(later)[1]["UID"] == event_of(SPRING)[1]["UID"]


@pytest.mark.parametrize("due", [SPRING.due, None])
def test_a_deadline_that_is_gone_is_cancelled(due: datetime | None) -> None:
    calendar, event = event_of(replace(SPRING, due=due, cancelled=True))

    assert calendar["METHOD"] == "CANCEL"
    assert event["STATUS"] == "CANCELLED"
    assert ("DTSTART" in event) is (due is not None)


def test_no_text_adds_a_property_or_a_long_line() -> None:
    text = "x\r\nATTENDEE:mailto:evil@x.test\n;,:" + "\u00fc" * 100
    content = calendar_text(replace(SPRING, summary=text, description=text))

    assert "\nATTENDEE" not in content
    assert max(len(line.encode()) for line in content.split("\r\n")) <= 75
