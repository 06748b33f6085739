"""Delivery of outgoing emails: each is sent exactly once, retried, or given up and reported."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from errno import EIO, ENOSPC
from itertools import count
from time import sleep
from typing import NoReturn

import pytest

from judge.adapters.store.sql_outbox import SqlOutbox
from judge.adapters.store.sqlite import newest_library
from judge.adapters.store.transactions import SqlDatabase
from judge.app.admin import health
from judge.app.admin.inbox_admin import DISCARDED
from judge.app.admin.outbox_admin import discard_email
from judge.app.outbound.delivery import (
    AT_ONCE,
    ATTEMPTS_MAX,
    IN_HAND_MAX,
    JITTER,
    RETRY_FIRST,
    RETRY_LONGEST,
    Blocked,
    Delivery,
    DeliveryQueue,
    Failed,
    Later,
    Taken,
    Unreachable,
    retry_delay,
)
from judge.app.ports.judge import GameCache
from judge.app.ports.outbox import OutgoingMail
from judge.game.deadlines import PowerProtected
from tests.support.carriers import deliver_due
from tests.support.table import (
    FIRST_DEADLINE,
    JUDGE,
    MODERATOR,
    MONDAY,
    POWERS,
    Mail,
    Table,
    address_of,
)

BUSY, GONE = Later("451 try again"), Failed("550 no such user")


class ScriptedCarrier:
    """A carrier that returns the given answers for each recipient, then accepts everything."""

    def __init__(self, **answers: Iterable[Delivery]) -> None:
        self.answers = {address_of(power): iter(said) for power, said in answers.items()}
        self.seen: list[OutgoingMail] = []
        self.taken: list[str] = []

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        self.seen.append(mail)
        answer = next(self.answers.get(mail.recipient, iter(())), Taken())
        if isinstance(answer, Taken):
            self.taken.append(mail.recipient)
        return answer

    async def rest(self) -> None:
        """Ignore the pause."""


class SlowCarrier(ScriptedCarrier):
    """A carrier that delivers the emails to Austria only after all others are recorded."""

    def __init__(self, table: Table) -> None:
        super().__init__()
        self.table = table

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        others_wait = mail.recipient == address_of("AUSTRIA")
        while others_wait:
            others_wait = queued(self.table) != {address_of("AUSTRIA")}
            await asyncio.sleep(0.01)
        return await super().deliver(mail)


def queued(table: Table) -> set[str]:
    """Return the recipients of the emails in the queue."""
    rows = table.query("SELECT recipient FROM outbox WHERE state = 'queued'")
    return {recipient for (recipient,) in rows}


def queued_mails(table: Table) -> list[str]:
    return [
        name for (name,) in table.query("SELECT message_id FROM outbox WHERE state = 'queued'")
    ]


def deliver(table: Table, carrier: ScriptedCarrier) -> int:
    return asyncio.run(deliver_due(table.judge, carrier))


def to_france(carrier: ScriptedCarrier) -> list[OutgoingMail]:
    return [mail for mail in carrier.seen if mail.recipient == address_of("FRANCE")]


@pytest.fixture
def sent(table: Table) -> Table:
    """Return a table whose emails have all been delivered."""
    deliver(table, ScriptedCarrier())
    return table


def test_an_email_that_was_taken_is_not_sent_again(sent: Table) -> None:
    sent.send("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier()

    assert deliver(sent, carrier) == 1
    assert deliver(sent, carrier) == 0
    assert carrier.taken == [address_of("FRANCE")]


def test_a_temporary_failure_is_retried_with_the_same_message_id(sent: Table) -> None:
    sent.send("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[BUSY, BUSY])

    waits = []
    while not carrier.taken:
        deliver(sent, carrier)
        if not carrier.taken:
            with sent.database.read() as transaction:
                due = transaction.outbox.next_due()
            assert due
            waits.append(due - sent.clock.time)
            assert deliver(sent, carrier) == 0  # not due yet
            sent.clock.time = due

    first, second = waits
    assert timedelta(minutes=1) <= first <= timedelta(minutes=1.25)
    assert timedelta(minutes=2) <= second <= timedelta(minutes=2.5)
    assert len({mail.message_id for mail in carrier.seen}) == 1
    assert len({mail.raw for mail in carrier.seen}) == 1


def failed_before(attempts: int, number: int = 0) -> OutgoingMail:
    """Return an email that has failed *failures* times."""
    name = f"<{number}@judge.example>"
    return OutgoingMail(name, "j@j.example", "r@r.example", b"", MONDAY, "x", attempts=attempts)


def test_r31_retry_delays_double_up_to_a_limit_with_jitter() -> None:
    waits = [retry_delay(failed_before(attempts)) for attempts in range(ATTEMPTS_MAX)]

    for wait, minutes in zip(waits, (1, 2, 4, 8), strict=False):
        assert timedelta(minutes=minutes) <= wait <= timedelta(minutes=minutes) * (1 + JITTER)
    assert RETRY_LONGEST < max(waits) <= RETRY_LONGEST * (1 + JITTER)
    assert timedelta(days=3) < sum(waits, timedelta()) < timedelta(days=6)


def test_r31_emails_that_failed_together_are_retried_at_different_times() -> None:
    waits = [retry_delay(failed_before(0, number)) for number in range(1_000)]

    assert len(set(waits)) > 200
    assert max(waits) - min(waits) > timedelta(seconds=14)


class AbsentCarrier(ScriptedCarrier):
    """A carrier that reaches no server."""

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        await super().deliver(mail)
        return Unreachable("ConnectionRefusedError")


def test_r31_few_emails_are_tried_while_no_server_listens_and_all_soon_after(
    sent: Table,
) -> None:
    sent.play()
    waiting = len(queued_mails(sent))
    absent, present = AbsentCarrier(), ScriptedCarrier()

    tried = deliver(sent, absent)
    carried = deliver(sent, present)

    assert tried <= AT_ONCE < waiting
    assert carried == waiting - tried
    sent.clock.time += RETRY_FIRST * (1 + JITTER)
    assert deliver(sent, present) == tried
    assert not queued_mails(sent)


def test_r6_no_email_is_sent_twice_while_the_store_cannot_be_written(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine is so busy that the second look for due emails sees what failed meanwhile."""
    assert table.outbox()  # they are rendered
    carrier = ScriptedCarrier()
    courier = DeliveryQueue(table.judge, carrier)
    start, looks = asyncio.to_thread, count()

    async def start_late(work: Callable[..., object], *arguments: object) -> object:
        is_second_look = work == courier._due_mails and next(looks) == 1
        await asyncio.sleep(0.3 if is_second_look else 0)
        return await start(work, *arguments)

    monkeypatch.setattr(asyncio, "to_thread", start_late)

    def no_room(_: SqlDatabase) -> NoReturn:
        sleep(0.02)
        raise OSError(ENOSPC, "no room")

    async def send() -> None:
        with monkeypatch.context() as full:
            full.setattr(SqlDatabase, "write", no_room)
            for _ in range(3):
                await courier.deliver_due()
        assert 0 < len(carrier.seen) <= IN_HAND_MAX
        await courier.deliver_due()

    asyncio.run(send())

    went = [mail.message_id for mail in carrier.seen]
    assert len(went) == len(set(went)) == len(table.outbox())
    assert table.query("SELECT DISTINCT state FROM outbox") == [("sent",)]


@dataclass
class FailingClock:
    """A clock that fails so many *times* when the outcome of a delivery is recorded."""

    table: Table
    times: int = 0

    def now(self) -> datetime:
        asks = sys._getframe(1).f_code.co_name
        if self.times and asks in {"record", "_put_off"}:
            self.times -= 1
            raise OSError(EIO, "no time")
        return self.table.clock.now()


@pytest.mark.parametrize("times", [1, 2, 3, 4])
def test_an_outcome_that_cannot_be_recorded_loses_no_other(table: Table, times: int) -> None:
    assert table.outbox()  # they are rendered
    clock = FailingClock(table)
    judge = replace(table.judge, clock=clock)

    class Striking(ScriptedCarrier):
        async def deliver(self, mail: OutgoingMail) -> Delivery:
            clock.times = clock.times if self.seen else times
            return await super().deliver(mail)

    carrier = Striking()
    courier = DeliveryQueue(judge, carrier)

    async def send() -> None:
        for _ in range(3):
            await courier.deliver_due()

    asyncio.run(send())

    went = [mail.message_id for mail in carrier.seen]
    assert len(went) == len(set(went)) == len(table.outbox())
    put_off = queued_mails(table)
    assert len(put_off) <= 1, "that one is sent again later"


def test_an_email_of_an_unreadable_game_does_not_hold_up_others(sent: Table) -> None:
    sent.play()
    with closing(newest_library().connect(sent.file)) as store, store:
        store.execute("DROP TRIGGER events_never_change")
        store.execute("UPDATE events SET payload = '{}'")
    carrier = ScriptedCarrier(FRANCE=[GONE] * 9)
    judge = replace(sent.judge, game_cache=GameCache())

    tried = asyncio.run(deliver_due(judge, carrier))
    assert tried > len(POWERS)
    assert asyncio.run(deliver_due(judge, carrier)) == 0  # not due yet

    assert queued(sent) == {address_of("FRANCE")}
    assert sent.operator_log.failures


def test_a_permanent_failure_is_given_up_and_the_moderator_told(sent: Table) -> None:
    sent.send("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[GONE])

    deliver(sent, carrier)
    assert MODERATOR in carrier.taken, "the notice goes out at once"
    sent.pass_time(hours=24)
    deliver(sent, carrier)

    assert len(to_france(carrier)) == 1
    [told] = sent.emails_to(MODERATOR, "undelivered")
    assert "France" in told.text
    assert address_of("FRANCE") not in told.text


def test_an_email_is_given_up_after_too_many_tries(sent: Table) -> None:
    sent.send("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[BUSY] * 100)

    for _ in range(ATTEMPTS_MAX + 5):
        deliver(sent, carrier)
        sent.clock.time += RETRY_LONGEST * (1 + JITTER)

    assert len(to_france(carrier)) == ATTEMPTS_MAX
    assert sent.emails_to(MODERATOR, "undelivered")


def test_an_undeliverable_email_to_the_moderator_is_reported_to_nobody(sent: Table) -> None:
    sent.reply(sent.emails_to(MODERATOR)[0], "STATUS")
    carrier = ScriptedCarrier()
    carrier.answers[MODERATOR] = iter([GONE])

    deliver(sent, carrier)

    assert not sent.emails_to(MODERATOR, "undelivered")


def test_undeliverable_emails_without_game_or_player_are_reported_to_nobody(judge: Table) -> None:
    judge.open("baltic", moderator=MODERATOR)
    judge.join("baltic", "FRANCE")
    judge.mail("stranger@x.example", "HELP")
    carrier = ScriptedCarrier(FRANCE=[GONE, GONE])
    carrier.answers["stranger@x.example"] = iter([GONE])

    deliver(judge, carrier)

    assert [mail.kind for mail in judge.emails_to(MODERATOR)] == ["moderator_welcome"]


def test_a_refused_recipient_does_not_hold_up_others(sent: Table) -> None:
    sent.play()
    carrier = ScriptedCarrier(AUSTRIA=[GONE] * 9, ENGLAND=[BUSY] * 9)

    deliver(sent, carrier)

    others = {address_of(power) for power in ("FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")}
    assert set(carrier.taken) == others | {MODERATOR}


def test_a_slow_recipient_does_not_hold_up_others(sent: Table) -> None:
    sent.play()
    sent.all_send("STATUS")
    carrier = SlowCarrier(sent)

    deliver(sent, carrier)

    assert len(carrier.taken) > 20
    assert carrier.taken[-1] == address_of("AUSTRIA")
    assert queued(sent) == set()


class DiscardingCarrier(ScriptedCarrier):
    """Takes a minute for the first email; meanwhile the operator discards all that wait."""

    def __init__(self, table: Table, answer: Delivery) -> None:
        super().__init__()
        self.table, self.answer = table, answer
        self.discarded: set[int] = set()

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        if not self.discarded:
            waiting = self.table.query("SELECT id FROM outbox WHERE state = 'queued'")
            self.discarded = {number for (number,) in waiting}
            for number in self.discarded:
                discard_email(self.table.judge, number)
            self.table.clock.time += timedelta(minutes=1)
        await super().deliver(mail)
        return self.answer


def test_of_what_the_operator_discards_only_what_is_in_hand_is_sent(sent: Table) -> None:
    sent.play()
    sent.all_send("STATUS")
    carrier = DiscardingCarrier(sent, Taken())

    deliver(sent, carrier)

    assert len(carrier.seen) <= AT_ONCE < len(carrier.discarded)


def test_an_email_that_is_discarded_while_it_fails_stays_discarded(sent: Table) -> None:
    sent.play()
    carrier = DiscardingCarrier(sent, Blocked("550 5.7.1 denied"))

    deliver(sent, carrier)

    reasons = sent.query("SELECT DISTINCT reason FROM outbox WHERE state = 'given_up'")
    assert carrier.seen
    assert reasons == [(DISCARDED,)]
    assert "mail_given_up" not in health.examine(sent.judge).troubles


class ForgetfulCarrier(ScriptedCarrier):
    """A carrier that ignores one cancellation per email, as `wait_for` may in Python 3.11."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = asyncio.Event()

    async def deliver(self, mail: OutgoingMail) -> Delivery:  # noqa: ARG002 - an override
        self.begun.set()
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.Event().wait()
        return Taken()


def test_one_query_finds_the_emails_for_all_deliveries(
    sent: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent.play()
    queries, due = list[int](), SqlOutbox.due

    def counted(self: SqlOutbox, now: datetime, limit: int = 50) -> Sequence[OutgoingMail]:
        queries.append(limit)
        return due(self, now, limit)

    monkeypatch.setattr(SqlOutbox, "due", counted)

    assert deliver(sent, ScriptedCarrier()) >= len(POWERS)
    assert len(queries) == 2, "and another, that there are no more"


def test_delivery_stops_although_a_carrier_ignores_the_cancellation(sent: Table) -> None:
    sent.play()
    carrier = ForgetfulCarrier()

    async def stop() -> None:
        woken = asyncio.Event()
        woken.set()
        sending = asyncio.create_task(DeliveryQueue(sent.judge, carrier).run(woken))
        await carrier.begun.wait()
        sending.cancel()
        await asyncio.wait({sending}, timeout=60)
        assert sending.cancelled()
        assert asyncio.all_tasks() == {asyncio.current_task()}, "they would hold up the stop"

    asyncio.run(stop())


class HastyCarrier(ScriptedCarrier):
    """A carrier that accepts everything and records when it accepted the first email."""

    def __init__(self) -> None:
        super().__init__()
        self.first = asyncio.Event()

    async def deliver(self, mail: OutgoingMail) -> Delivery:
        delivery = await super().deliver(mail)
        self.first.set()
        return delivery


def test_delivery_that_is_stopped_records_what_was_accepted(sent: Table) -> None:
    sent.play()
    carrier = HastyCarrier()

    async def stop() -> list[str]:
        woken = asyncio.Event()
        woken.set()
        sending = asyncio.create_task(DeliveryQueue(sent.judge, carrier).run(woken))
        await carrier.first.wait()
        sending.cancel()
        await asyncio.wait({sending}, timeout=60)
        return queued_mails(sent)

    left = asyncio.run(stop())

    assert carrier.seen
    assert not {mail.message_id for mail in carrier.seen} & set(left)


DENIED = Blocked("mx.example:25: 550 5.7.1 relaying denied")


def test_a_refusal_of_the_judge_is_retried_and_not_held_against_the_recipient(
    sent: Table,
) -> None:
    sent.send("FRANCE", "A Par-Bur")
    carrier = ScriptedCarrier(FRANCE=[DENIED, DENIED])

    deliver(sent, carrier)
    sent.pass_time(minutes=20)
    deliver(sent, carrier)

    assert health.examine(sent.judge).troubles == ("mail_refused",)
    assert not sent.emails_to(MODERATOR, "undelivered")
    with sent.database.read() as transaction:
        (person,) = sent.query("SELECT DISTINCT person FROM outbox WHERE state = 'queued'")[0]
        assert not transaction.outbox.is_unreachable(person, MONDAY, sent.clock.time, bounces=True)
    sent.pass_time(hours=1)
    deliver(sent, carrier)
    assert carrier.taken == [address_of("FRANCE")]
    assert health.examine(sent.judge).troubles == ()


def test_the_operator_sees_why_since_when_and_how_many_emails_wait(sent: Table) -> None:
    sent.all_send("STATUS")
    waiting = len(queued_mails(sent))
    deliver(sent, ScriptedCarrier(FRANCE=[DENIED], ITALY=[DENIED], TURKEY=[BUSY]))
    began = sent.clock.time
    sent.pass_time(minutes=2)
    deliver(sent, ScriptedCarrier(FRANCE=[DENIED], ITALY=[DENIED]))

    tally = health.examine(sent.judge).tally

    assert waiting == len(POWERS)
    assert (tally.retried, tally.unsent) == (2, 2)
    [failure] = tally.failures
    assert (failure.reason, failure.ours, failure.mails) == (DENIED.reason, True, 2)
    assert (failure.since, failure.last) == (began, sent.clock.time)
    postponed = [each for each in sent.operator_log.lines if each.startswith("delivery.postponed")]
    assert len(postponed) == 5
    assert sum(DENIED.reason in each for each in postponed) == 4


def test_emails_given_up_by_the_judges_own_fault_are_reported_to_the_operator(sent: Table) -> None:
    sent.send("FRANCE", "A Par-Bur")
    sent.send("ITALY", "A Ven H")
    carrier = ScriptedCarrier(FRANCE=[DENIED] * 100, ITALY=[GONE])

    deliver(sent, carrier)
    assert health.examine(sent.judge).troubles == ()
    for _ in range(ATTEMPTS_MAX + 5):
        deliver(sent, carrier)
        sent.clock.time += RETRY_LONGEST * (1 + JITTER)

    assert "mail_given_up" in health.examine(sent.judge).troubles
    assert health.examine(sent.judge).tally.given_up == 1


BOUNCE = """\
From: MAILER-DAEMON@mx.example
To: {judge}
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example

Final-Recipient: rfc822; {recipient}
Action: failed
Status: {status}
Diagnostic-Code: smtp; {reply}

--b
Content-Type: message/rfc822

Message-ID: {message_id}

x
--b--
"""


def return_path(table: Table, mail: Mail) -> str:
    sent = dict(table.query("SELECT message_id, sender FROM outbox"))
    return str(sent[mail.message_id])


def bounce_of(mail: Mail, status: str = "5.1.1", reply: str = "550 5.1.1 No such user") -> bytes:
    facts = {"judge": JUDGE, "recipient": mail.recipient, "message_id": mail.message_id}
    return BOUNCE.format(**facts, status=status, reply=reply.format(**facts)).encode()


def bounced(table: Table) -> list[str]:
    rows = table.query("SELECT message_id FROM outbox WHERE bounced_utc IS NOT NULL")
    return [name for (name,) in rows]


@pytest.mark.parametrize(
    ("status", "reply", "is_retried"),
    [
        ("5.7.26", "550-5.7.26 Unauthenticated email is not accepted", True),
        ("5.0.0", "550 relaying denied for {recipient}", True),
        ("5.1.1", "550 5.1.1 No such user", False),
        ("5.7.1", "550 5.7.1 Relaying denied", False),
        ("5.0.0", "554 5.7.1 Message refused by policy", False),
    ],
)
def test_a_refusal_of_the_judge_that_our_mail_server_returns_is_retried(
    sent: Table, status: str, reply: str, *, is_retried: bool
) -> None:
    """The judge's own mail server takes everything, and returns later what others refuse.

    A 5.7.1 may come from behind a mailbox that has the email: a second copy is no help.
    """
    receipt = sent.send("FRANCE", "A Par-Bur")
    deliver(sent, ScriptedCarrier())
    raw = bounce_of(receipt, status, reply)
    sent.store_email(raw, "", return_path(sent, receipt))
    sent.run_once()

    again = [receipt.message_id] if is_retried else []
    assert (receipt.message_id in queued_mails(sent)) == is_retried
    assert (receipt.message_id in bounced(sent)) == (not is_retried)
    for failure in health.examine(sent.judge).tally.failures:
        assert failure.ours
        assert "returned by a mail server" in failure.reason
        assert receipt.recipient not in failure.reason
    sent.pass_time(hours=1)
    carrier = ScriptedCarrier()
    deliver(sent, carrier)
    assert [mail.message_id for mail in to_france(carrier)] == again


def test_a_bounce_that_only_knows_the_message_id_is_not_believed(sent: Table) -> None:
    receipt = sent.send("FRANCE", "A Par-Bur")
    deliver(sent, ScriptedCarrier())
    for reply in ("550 5.1.1 No such user", "550 relaying denied"):
        for recipient in (JUDGE, receipt.reply_to):
            sent.store_email(bounce_of(receipt, reply[4:9], reply), "", recipient)
    sent.run_once()

    assert bounced(sent) == []
    assert queued_mails(sent) == []
    assert not sent.emails_to(MODERATOR, "undelivered")


@pytest.mark.parametrize("delimiter", ["+", ""])
def test_only_bounces_to_the_return_address_protect_a_late_player(
    judge: Table, delimiter: str
) -> None:
    judge.start("baltic", "first_spring_extension_hours=0", moderator=MODERATOR)
    judge.judge = replace(judge.judge, delimiter=delimiter)
    judge.all_hold(but=["FRANCE"])
    judge.wait_until(FIRST_DEADLINE)
    deliver(judge, ScriptedCarrier())
    told = judge.emails_to(address_of("FRANCE"))
    for mail in told:
        judge.store_email(bounce_of(mail), "", return_path(judge, mail) if delimiter else JUDGE)

    judge.wait_until(FIRST_DEADLINE + timedelta(hours=24))

    assert len(bounced(judge)) == len(told), "the operator sees them in any case"
    assert (judge.count_events(PowerProtected) == 1) == bool(delimiter)
    assert bool(judge.emails_to(MODERATOR, "undelivered")) == bool(delimiter)
