"""When a mail goes out: critical ones at once, the rest at the pace that its reader asked for.

And what he asked for to be in it.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import assert_never

from judge.app.ports import Person, Transaction
from judge.mail.language.profile_commands import MailForm, MailPace, ResultPictures

CAN_WAIT = frozenset({"letter", "vacancy", "civil_disorder"})  # the kinds; others are critical
DAILY_HOUR = 18  # in UTC, some time before the deadline of most games
UNASKED = datetime(9999, 1, 1, tzinfo=UTC)  # until its reader asks for another pace


def due(kind: str, pace: MailPace, now: datetime) -> datetime:
    """Say when a mail of *kind* that is queued *now* goes to a reader of that *pace*."""
    return _next(pace, now) if kind in CAN_WAIT else now


def change_mails(
    transaction: Transaction,
    person: Person,
    wish: MailPace | MailForm | ResultPictures,
    now: datetime,
) -> None:
    """Let mails go to *person* from now on as he has a *wish* for."""
    match wish:
        case MailPace():
            change_pace(transaction, person, wish, now)
        case MailForm():
            transaction.people.set_form(person.id, wish)
        case ResultPictures():
            transaction.people.set_form(person.id, MailForm.PICTURES)
            transaction.people.set_pictures(person.id, wish)
        case _:
            assert_never(wish)


def change_pace(transaction: Transaction, person: Person, pace: MailPace, now: datetime) -> None:
    """Let mails go to *person* at that *pace* from now on, those that wait for it among them."""
    transaction.people.set_pace(person.id, pace)
    transaction.outbox.reschedule(person.id, CAN_WAIT, _next(pace, now))


def next_daily(now: datetime) -> datetime:
    """Return when the next mails go out that are sent once a day."""
    return _next(MailPace.DAILY, now)


def _next(pace: MailPace, now: datetime) -> datetime:
    hour = now.replace(minute=0, second=0, microsecond=0)
    match pace:
        case MailPace.AT_ONCE:
            return now
        case MailPace.HOURLY:
            return hour + timedelta(hours=1)
        case MailPace.DAILY:
            return hour + timedelta(hours=(DAILY_HOUR - hour.hour - 1) % 24 + 1)
        case MailPace.CRITICAL:
            return UNASKED
        case _:
            assert_never(pace)
