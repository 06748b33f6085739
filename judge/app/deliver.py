"""Sending what was committed: each mail until somebody took it, refused it for good, or too many tries have failed."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias, assert_never

from judge.app.ports import Clock, Database, OutgoingMail

RETRY_FIRST = timedelta(minutes=1)
RETRY_LONGEST = timedelta(hours=4)
ATTEMPTS_MAX = 30  # about four days, as RFC 5321 4.5.4.1 asks
AT_ONCE = 10  # deliveries that run beside each other, so that a slow one holds up nobody
BATCH = 200


@dataclass(frozen=True, slots=True)
class Taken:
    """The other side has the mail."""


@dataclass(frozen=True, slots=True)
class Later:
    """Not now, for *reason*."""

    reason: str


@dataclass(frozen=True, slots=True)
class Failed:
    """Never, for *reason*."""

    reason: str


Delivery: TypeAlias = Taken | Later | Failed


class Carrier(Protocol):
    """A way out."""

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        """Hand over one mail."""
        ...


async def deliver_due(database: Database, carrier: Carrier, clock: Clock) -> int:
    """Try every mail that is due, and return how many there were.

    A crash between the other side's "taken" and our commit repeats that mail, with the same Message-ID: the only place
    where something can happen twice.
    """
    due = await asyncio.to_thread(_due, database, clock.now())
    slots = asyncio.Semaphore(AT_ONCE)

    async def one(mail: OutgoingMail) -> tuple[OutgoingMail, Delivery]:
        async with slots:
            return mail, await carrier.deliver(mail)

    for start in range(0, len(due), AT_ONCE):
        done = await asyncio.gather(*(one(mail) for mail in due[start : start + AT_ONCE]))
        await asyncio.to_thread(_record, database, done, clock.now())
    return len(due)


def _due(database: Database, now: datetime) -> Sequence[OutgoingMail]:
    with database.read() as transaction:
        return transaction.outbox.due(now, BATCH)


def _record(
    database: Database, done: Sequence[tuple[OutgoingMail, Delivery]], now: datetime
) -> None:
    with database.write() as transaction:
        for mail, delivery in done:
            match delivery:
                case Taken():
                    transaction.outbox.sent(mail.message_id, now)
                case Failed(reason):
                    transaction.outbox.give_up(mail.message_id, reason)
                case Later(reason) if mail.attempts + 1 >= ATTEMPTS_MAX:
                    transaction.outbox.give_up(mail.message_id, reason)
                case Later(reason):
                    due = now + retry_delay(mail.attempts)
                    transaction.outbox.postpone(mail.message_id, due, reason)
                case _:
                    assert_never(delivery)


def retry_delay(attempts: int) -> timedelta:
    """Return how long to wait after so many failed *attempts* before: doubling, to a limit."""
    doubled: int = 1 << min(attempts, 10)
    return min(RETRY_FIRST * doubled, RETRY_LONGEST)
