"""Sending what was committed: each mail until it is taken, or is given up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Protocol, TypeAlias, assert_never

from judge.app.judge import Judge
from judge.app.ports import OutgoingMail
from judge.app.undelivered import tell_moderator

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


async def deliver_due(judge: Judge, carrier: Carrier) -> int:
    """Try every mail that is due, and return how many there were.

    A crash between the other side's "taken" and our commit repeats that mail, with the same
    Message-ID: the only place where something can happen twice.
    """
    due = await asyncio.to_thread(_due, judge)
    slots = asyncio.Semaphore(AT_ONCE)

    async def deliver(mail: OutgoingMail) -> None:
        async with slots:
            delivery = await carrier.deliver(mail)
            await asyncio.to_thread(_record, judge, mail, delivery)

    await asyncio.gather(*(deliver(mail) for mail in due))
    return len(due)


def _due(judge: Judge) -> Sequence[OutgoingMail]:
    with judge.database.read() as transaction:
        return transaction.outbox.due(judge.clock.now(), BATCH)


def _record(judge: Judge, mail: OutgoingMail, delivery: Delivery) -> None:
    now = judge.clock.now()
    with judge.database.write() as transaction:
        match delivery:
            case Taken():
                transaction.outbox.sent(mail.message_id, now)
            case Later(reason) if mail.attempts + 1 < ATTEMPTS_MAX:
                due = now + retry_delay(mail.attempts)
                transaction.outbox.postpone(mail.message_id, due, reason)
                judge.journal.note("delivery.postponed", mail=mail.message_id)
            case Later(reason) | Failed(reason):
                transaction.outbox.give_up(mail.message_id, reason)
                judge.journal.note("delivery.given_up", mail=mail.message_id)
                tell_moderator(judge, transaction, mail, now)
            case _:
                assert_never(delivery)


def retry_delay(attempts: int) -> timedelta:
    """Return how long to wait after so many failed *attempts* before: doubling, to a limit."""
    doubled: int = 1 << min(attempts, 10)
    return min(RETRY_FIRST * doubled, RETRY_LONGEST)
