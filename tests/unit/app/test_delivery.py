"""How mails leave: each until it is taken, and none because of another."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from datetime import timedelta

import pytest
from typing_extensions import override

from judge.app.deliver import (
    ATTEMPTS_MAX,
    RETRY_LONGEST,
    Delivery,
    Failed,
    Later,
    Taken,
    deliver_due,
    retry_delay,
)
from judge.app.ports import OutgoingMail
from tests.support.table import MODERATOR, Table, of

BUSY, GONE = Later("451 try again"), Failed("550 no such user")


class ScriptedCarrier:
    """Answers for each recipient what is written down for him, then takes everything."""

    def __init__(self, **answers: Iterable[Delivery]) -> None:
        self.answers = {of(power): iter(said) for power, said in answers.items()}
        self.seen: list[OutgoingMail] = []
        self.taken: list[str] = []

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        self.seen.append(mail)
        answer = next(self.answers.get(mail.recipient, iter(())), Taken())
        if isinstance(answer, Taken):
            self.taken.append(mail.recipient)
        return answer


class SlowCarrier(ScriptedCarrier):
    """Is slow with the mails to Austria: it ends them when all the others are recorded."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    @override
    async def deliver(self, mail: OutgoingMail) -> Delivery:
        others_wait = mail.recipient == of("AUSTRIA")
        while others_wait:
            others_wait = queued(self.table) != {of("AUSTRIA")}
            await asyncio.sleep(0.01)
        return await super().deliver(mail)


def queued(table: Table) -> set[str]:
    """Return to whom mails are still to be sent."""
    rows = table.ask("SELECT recipient FROM outbox WHERE state = 'queued'")
    return {recipient for (recipient,) in rows}


def deliver(table: Table, carrier: ScriptedCarrier) -> int:
    return asyncio.run(deliver_due(table.judge, carrier))


def to_france(carrier: ScriptedCarrier) -> list[OutgoingMail]:
    return [mail for mail in carrier.seen if mail.recipient == of("FRANCE")]


@pytest.fixture
def sent(table: Table) -> Table:
    """Return a table whose mails have all been taken."""
    deliver(table, ScriptedCarrier())
    return table


def test_a_mail_that_was_taken_is_not_sent_again(sent: Table) -> None:
    sent.says("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier()

    assert deliver(sent, carrier) == 1
    assert deliver(sent, carrier) == 0
    assert carrier.taken == [of("FRANCE")]


def test_not_now_is_tried_later_with_the_same_message_id(sent: Table) -> None:
    sent.says("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[BUSY, BUSY])

    waits = []
    while not carrier.taken:
        deliver(sent, carrier)
        if not carrier.taken:
            with sent.database.read() as transaction:
                due = transaction.outbox.next_due()
            assert due
            waits.append(due - sent.clock.time)
            assert deliver(sent, carrier) == 0  # not before
            sent.clock.time = due

    assert waits == [timedelta(minutes=1), timedelta(minutes=2)]
    assert len({mail.message_id for mail in carrier.seen}) == 1
    assert len({mail.raw for mail in carrier.seen}) == 1


def test_waits_double_to_a_limit() -> None:
    waits = [retry_delay(attempts) for attempts in range(ATTEMPTS_MAX)]

    assert waits[:4] == [timedelta(minutes=minutes) for minutes in (1, 2, 4, 8)]
    assert max(waits) == RETRY_LONGEST
    assert sum(waits, timedelta()) > timedelta(days=3)


def test_never_is_given_up_and_the_moderator_is_told(sent: Table) -> None:
    sent.says("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[GONE])

    deliver(sent, carrier)
    sent.pass_time(hours=24)
    deliver(sent, carrier)

    assert len(to_france(carrier)) == 1
    [told] = sent.mails_to(MODERATOR, "undelivered")
    assert "France" in told.text
    assert of("FRANCE") not in told.text


def test_after_too_many_tries_a_mail_is_given_up(sent: Table) -> None:
    sent.says("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[BUSY] * 100)

    for _ in range(ATTEMPTS_MAX + 5):
        deliver(sent, carrier)
        sent.clock.time += RETRY_LONGEST

    assert len(to_france(carrier)) == ATTEMPTS_MAX
    assert sent.mails_to(MODERATOR, "undelivered")


def test_a_mail_to_the_moderator_that_nobody_takes_tells_nobody(sent: Table) -> None:
    sent.reply(sent.mails_to(MODERATOR)[0], "STATUS")
    carrier = ScriptedCarrier()
    carrier.answers[MODERATOR] = iter([GONE])

    deliver(sent, carrier)

    assert not sent.mails_to(MODERATOR, "undelivered")


def test_mails_about_no_game_or_no_player_tell_nobody(judge: Table) -> None:
    judge.open("baltic", moderator=MODERATOR)
    judge.join("baltic", "FRANCE")
    judge.mail("stranger@x.example", "HELP")
    carrier = ScriptedCarrier(FRANCE=[GONE, GONE])
    carrier.answers["stranger@x.example"] = iter([GONE])

    deliver(judge, carrier)

    assert not judge.mails_to(MODERATOR)


def test_one_who_is_refused_holds_up_nobody(sent: Table) -> None:
    sent.play()
    carrier = ScriptedCarrier(AUSTRIA=[GONE] * 9, ENGLAND=[BUSY] * 9)

    deliver(sent, carrier)

    others = {of(power) for power in ("FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")}
    assert set(carrier.taken) == others | {MODERATOR}


def test_one_who_is_slow_holds_up_nobody(sent: Table) -> None:
    sent.play()
    sent.all_say("STATUS")
    carrier = SlowCarrier(sent)

    deliver(sent, carrier)

    assert len(carrier.taken) > 20
    assert carrier.taken[-1] == of("AUSTRIA")
    assert queued(sent) == set()
