"""A deadline as an appointment that calendar programs take over (RFC 5545, RFC 5546)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

METHODS = {False: "PUBLISH", True: "CANCEL"}
STATES = {False: "CONFIRMED", True: "CANCELLED"}
LASTS = timedelta(minutes=15)  # what lasts no time at all is not shown
PRODUCT = "-//judge//deadlines//EN"
COUNTED_FROM = datetime(2026, 1, 1, tzinfo=UTC)  # in seconds, the sequence fits until 2094


@dataclass(frozen=True, slots=True, kw_only=True)
class Appointment:
    """What is due at an instant, or no longer due: *uid* is the same each time that it is told.

    Whoever takes it over asks nobody for an answer, so there is nobody who attends. A later one
    counts: its sequence is higher, since it was *told_at* later.
    """

    uid: str
    organizer: str
    told_at: datetime
    due: datetime | None
    summary: str
    description: str
    cancelled: bool = False

    @property
    def method(self) -> str:
        """Return what a calendar is to do with it."""
        return METHODS[self.cancelled]


def written(appointment: Appointment) -> str:
    """Write *appointment* as a calendar of its own, all instants in UTC."""
    # Loading it takes a fifth of a second, which commands that write no mail are spared.
    from icalendar import Calendar, Event, vCalAddress  # noqa: PLC0415 - see above

    event = Event()
    event.add("uid", appointment.uid)
    event.add("sequence", int((appointment.told_at - COUNTED_FROM).total_seconds()))
    event.add("dtstamp", appointment.told_at.astimezone(UTC))
    event.add("organizer", vCalAddress(f"mailto:{appointment.organizer}"))
    event.add("summary", appointment.summary)
    event.add("description", appointment.description)
    event.add("status", STATES[appointment.cancelled])
    event.add("transp", "TRANSPARENT")
    if appointment.due:
        event.add("dtstart", appointment.due.astimezone(UTC))
        event.add("duration", LASTS)
    calendar = Calendar()
    calendar.add("prodid", PRODUCT)
    calendar.add("version", "2.0")
    calendar.add("method", appointment.method)
    calendar.add_component(event)
    content: bytes = calendar.to_ical()
    return content.decode()
