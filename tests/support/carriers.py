"""Delivery of the emails that wait, to a mail server that only remembers them."""

from __future__ import annotations

import asyncio

from judge.app.outbound.delivery import Carrier, Delivery, DeliveryQueue, Taken
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from tests.support.table import Table


class KeepingCarrier:
    """Keeps what it takes; *answers* come first."""

    def __init__(self, *answers: Delivery) -> None:
        self.answers = list(answers)
        self.seen: list[OutgoingMail] = []

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        self.seen.append(mail)
        return self.answers.pop(0) if self.answers else Taken()

    async def rest(self) -> None:
        """Ignore the pause."""


async def deliver_due(judge: Judge, carrier: Carrier) -> int:
    """Try every email that is due, and return their number."""
    return await DeliveryQueue(judge, carrier).deliver_due()


def deliver(table: Table, *answers: Delivery) -> list[OutgoingMail]:
    """Deliver the emails that are due, and return them."""
    carrier = KeepingCarrier(*answers)
    asyncio.run(deliver_due(table.judge, carrier))
    return carrier.seen
