"""Emails that the judge fails to read or answer: the queue moves on and nothing is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import timedelta
from typing import NoReturn

import pytest
from sqlalchemy.exc import OperationalError

from judge.app.inbound.process import ATTEMPTS_MAX, BATCH, DEATHS_MAX, RETRY_AFTER, TOLD_A_DAY_MAX
from judge.app.loop import run_once
from judge.app.ports.database import OvertakenError
from judge.app.store_trouble import PROBE
from judge.mail.envelope import OpenedEmail, UnopenedError, Unreadable, open_mail
from tests.support.table import FIRST_DEADLINE, MODERATOR, Table, address_of

RECEIVED, PROCESSED = "received", "processed"
QUARANTINED, IGNORED = "quarantined", "ignored"


class BrokenDiceError(Exception):
    """Raised by `BrokenDice`."""


@dataclass(frozen=True)
class BrokenDice:
    """A source of nonces and keys that always fails."""

    def nonce(self) -> str:
        raise BrokenDiceError

    def key(self) -> bytes:
        raise BrokenDiceError


class DyingReader:
    """A reader process that dies of every email, but not of the probe: then the machine fails."""

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        if raw == PROBE:
            return open_mail(raw, envelope_sender)
        raise UnopenedError("it died")


def test_an_email_that_makes_us_fail_is_tried_three_times_and_the_queue_moves(
    table: Table,
) -> None:
    healthy = table.judge
    start = table.latest("FRANCE")
    before = len(table.inbox())
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    table.deliver(table.compose("stranger@x.example", "HELP"), None, "judge@judge.example")

    broken = replace(healthy, random=BrokenDice())
    run_once(broken)
    assert table.inbox()[before:] == [RECEIVED, PROCESSED], "nobody waits for what failed"
    for pause in RETRY_AFTER:
        run_once(broken)
        assert table.inbox()[before:] == [RECEIVED, PROCESSED], "it is tried again later"
        table.clock.time += pause
        run_once(broken)

    assert table.inbox()[before:] == [QUARANTINED, PROCESSED]
    assert [type(each) for each in table.operator_log.failures] == [BrokenDiceError] * ATTEMPTS_MAX
    assert table.current_orders("FRANCE") == ()
    assert table.emails_to("stranger@x.example", "help")


class ServerError(Exception):
    """An error of a database server, as its driver raises it."""

    def __init__(self, sqlstate: str) -> None:
        super().__init__(sqlstate)
        self.sqlstate = None if sqlstate == "refused" else sqlstate


LOST = OperationalError("SELECT 1", {}, ServerError(""), connection_invalidated=True)
REFUSED = OperationalError(None, None, ServerError("refused"))


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("SELECT 1", {}, ServerError("55P03")),  # a lock was waited for too long
        OperationalError("SELECT 1", {}, ServerError("57P01")),  # the server ends the connection
        OperationalError("SELECT 1", {}, ServerError("53100")),  # the server's disk is full
        LOST,
        REFUSED,
        OvertakenError(),
    ],
    ids=repr,
)
def test_no_failure_of_a_lock_a_connection_or_another_judge_counts_as_an_attempt(
    table: Table, error: Exception
) -> None:
    @dataclass(frozen=True)
    class HeldUpDice(BrokenDice):
        def nonce(self) -> str:
            raise error

    answered = table.latest("FRANCE")
    message = table.compose(answered.recipient, "A Par-Bur", answered.reply_to)
    table.deliver(message, None, answered.reply_to)

    for _ in range(ATTEMPTS_MAX + 3):
        run_once(replace(table.judge, random=HeldUpDice()))
        assert table.inbox()[-1] == RECEIVED
        table.clock.time += RETRY_AFTER[0]
    run_once(table.judge)

    assert table.inbox()[-1] == PROCESSED
    assert "A PAR - BUR" in table.current_orders("FRANCE")


def test_connections_refused_while_an_email_is_in_hand_do_not_count_as_crashes(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered = table.latest("FRANCE")
    message = table.compose(answered.recipient, "A Par-Bur", answered.reply_to)
    table.deliver(message, None, answered.reply_to)

    def refuse(*_: object) -> NoReturn:
        raise REFUSED

    with monkeypatch.context() as unreachable:

        @dataclass(frozen=True)
        class UnreachableDice(BrokenDice):
            def nonce(self) -> str:
                unreachable.setattr(type(table.database), "write", refuse)
                raise REFUSED

        for _ in range(DEATHS_MAX + 2):
            run_once(replace(table.judge, random=UnreachableDice()))
            unreachable.undo()
            assert table.inbox()[-1] == RECEIVED
            table.clock.time += RETRY_AFTER[1]
    run_once(table.judge)

    assert table.query("SELECT state, deaths FROM inbox ORDER BY id DESC LIMIT 1") == [
        (PROCESSED, 0)
    ]
    assert "A PAR - BUR" in table.current_orders("FRANCE")


def test_an_email_that_failed_once_is_answered_when_it_can_be(table: Table) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    with table.database.write() as transaction:
        [number] = transaction.inbox.waiting()
        transaction.inbox.begin_attempt(number)  # The process died here.

    table.run_once()

    assert table.inbox()[-1] == PROCESSED
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_a_phase_waits_for_an_email_that_failed_until_it_is_tried_again(table: Table) -> None:
    table.wait_until(FIRST_DEADLINE - timedelta(seconds=1))
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    run_once(replace(table.judge, opener=DyingReader()))
    table.operator_log.failures.clear()

    table.wait_until(FIRST_DEADLINE)
    assert table.current_orders("FRANCE") == ()
    table.pass_time(minutes=1)

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_player_and_moderator_are_told_of_an_email_that_killed_its_reader(
    table: Table,
) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    before = len(table.outbox())
    for pause in (*RETRY_AFTER, timedelta()):
        run_once(replace(table.judge, opener=DyingReader()))
        table.clock.time += pause

    told = {mail.recipient: mail.subject for mail in table.outbox()[before:]}
    assert told == {
        address_of("FRANCE"): "JUDGE - Your email could not be read",
        MODERATOR: "JUDGE:baltic - An email from France could not be read",
    }
    assert table.query("SELECT reason FROM inbox WHERE state = 'quarantined'") == [("it died",)]


def test_a_player_is_told_of_emails_beyond_the_limits_a_few_times_a_day(table: Table) -> None:
    before = len(table.outbox())
    for number in range(TOLD_A_DAY_MAX + 2):
        head = b"From: %s\nX-Number: %d\n\n" % (address_of("FRANCE").encode(), number)
        table.store_email(head + b"HELP\n" * 60_000, address_of("FRANCE"))
    table.run_once()

    assert [mail.kind for mail in table.outbox()[before:]] == ["unreadable"] * TOLD_A_DAY_MAX
    assert {mail.recipient for mail in table.outbox()[before:]} == {address_of("FRANCE")}


def test_an_auto_reply_over_the_limits_gets_no_answer(table: Table) -> None:
    before = len(table.outbox())
    for field, envelope in (
        (b"X-A: b", ""),
        (b"Auto-Submitted: auto-replied", address_of("FRANCE")),
    ):
        head = b"From: %s\n%s\n\n" % (address_of("FRANCE").encode(), field)
        table.store_email(head + b"HELP\n" * 60_000, envelope)
    table.run_once()

    assert table.outbox()[before:] == ()
    assert table.inbox()[-2:] == [QUARANTINED] * 2


def test_an_unconfirmed_email_expires_after_two_weeks(judge: Table) -> None:
    judge.open("baltic")
    judge.mail("anna@x.example", "JOIN baltic")
    judge.wait_until(judge.clock.time + timedelta(days=14))
    assert judge.inbox() == ["held"]

    judge.pass_time(minutes=1)

    assert judge.inbox() == [IGNORED]


@pytest.mark.parametrize(
    ("begun", "state", "standing"),
    [
        pytest.param(DEATHS_MAX, PROCESSED, ("A PAR - BUR",), id="retried once alone"),
        pytest.param(DEATHS_MAX + 1, QUARANTINED, (), id="quarantined after that"),
    ],
)
def test_crashes_count_against_an_email_only_if_it_was_processed_alone(
    table: Table, begun: int, state: str, standing: tuple[str, ...]
) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    with table.database.write() as transaction:
        [number] = transaction.inbox.waiting()
        for _ in range(begun):
            transaction.inbox.begin_attempt(number)  # The process died here.

    table.run_once()

    assert table.inbox()[-1] == state
    assert table.current_orders("FRANCE") == standing


def test_crashes_and_failures_are_counted_separately(table: Table) -> None:
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )
    with table.database.write() as transaction:
        [number] = transaction.inbox.waiting()
        for _ in range(ATTEMPTS_MAX + 1):
            transaction.inbox.begin_attempt(number)  # The process died here.

    run_once(replace(table.judge, opener=DyingReader()))
    table.operator_log.failures.clear()
    counts = table.query("SELECT attempts, deaths, in_hand FROM inbox ORDER BY id DESC LIMIT 1")
    table.pass_time(minutes=1)

    assert counts == [(1, ATTEMPTS_MAX + 1, False)], "it failed once, and is in nobody's hand"
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


@dataclass
class TrackingReader:
    """A reader that fails on emails that end in `slow` and records what it opened, in order."""

    opened: list[bytes]

    def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
        if raw != PROBE:
            self.opened.append(raw.rpartition(b"\n")[2])
        if raw.endswith(b"slow"):
            raise UnopenedError("reading it took too long")
        return open_mail(raw, envelope_sender)


def test_an_email_that_exceeded_its_limits_is_tried_again_only_after_all_first_attempts(
    table: Table,
) -> None:
    tracking = TrackingReader([])
    judge = replace(table.judge, opener=tracking)
    table.store_email(b"From: a@x.example\n\n1slow")
    table.store_email(b"From: a@x.example\n\n2slow")
    run_once(judge)
    for number in range(BATCH + 5):
        table.store_email(b"From: a@x.example\nAuto-Submitted: auto-replied\n\n%d" % number)

    table.clock.time += RETRY_AFTER[0]
    run_once(judge)

    first = [b"%d" % number for number in range(BATCH + 5)]
    assert tracking.opened == [b"1slow", b"2slow", *first, b"1slow", b"2slow"]
    table.operator_log.failures.clear()


def test_an_email_that_waits_to_be_tried_again_does_not_go_before_one_that_comes_meanwhile(
    table: Table,
) -> None:
    class Receiving:
        def open(self, raw: bytes, envelope_sender: str | None) -> OpenedEmail | Unreadable:
            if raw != PROBE and len(tracking.opened) == 2:
                table.store_email(b"From: a@x.example\nAuto-Submitted: auto-replied\n\nnew")
            return tracking.open(raw, envelope_sender)

    tracking = TrackingReader([])
    judge = replace(table.judge, opener=Receiving())
    table.store_email(b"From: a@x.example\n\n1slow")
    table.store_email(b"From: a@x.example\n\n2slow")
    run_once(judge)

    table.clock.time += RETRY_AFTER[0]
    run_once(judge)

    assert tracking.opened == [b"1slow", b"2slow", b"1slow", b"new", b"2slow"]
    table.operator_log.failures.clear()


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"From: a@x.example\n" + b"X: y\n" * 2000 + b"\nHELP\n", id="headers"),
        pytest.param(b"From: a@x.example\n\n" + b"HELP\n" * 60_000, id="lines"),
    ],
)
def test_an_email_over_the_limits_is_quarantined(judge: Table, raw: bytes) -> None:
    judge.store_email(raw, "a@x.example")

    judge.run_once()

    assert judge.inbox() == [QUARANTINED]
    assert judge.outbox() == ()


@pytest.mark.parametrize("raw", [b"", b"\x00\xff", b"no header at all", b"From: a\n\n"])
def test_an_email_without_content_gets_no_answer(judge: Table, raw: bytes) -> None:
    judge.store_email(raw, "a@x.example")

    judge.run_once()

    assert judge.inbox() == [IGNORED]
    assert judge.outbox() == ()


@pytest.mark.parametrize(
    ("envelope", "headers"),
    [
        pytest.param("", {}, id="bounce"),
        pytest.param(None, {"Auto_Submitted": "auto-replied"}, id="vacation"),
        pytest.param(None, {"X_Judge_Loop": "1"}, id="our own mail"),
        pytest.param(
            None, {"Content_Type": "multipart/report; boundary=x"}, id="report of a mail server"
        ),
    ],
)
def test_auto_replies_are_not_read(
    table: Table, envelope: str | None, headers: dict[str, str]
) -> None:
    start = table.latest("FRANCE")
    mail = table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to)
    for name, value in headers.items():
        del mail[name.replace("_", "-")]
        mail[name.replace("_", "-")] = value
    before = len(table.outbox())

    table.deliver(mail, envelope, start.reply_to)
    table.run_once()

    assert table.inbox()[-1] == IGNORED
    assert table.current_orders("FRANCE") == ()
    assert table.outbox()[before:] == ()


def test_an_email_of_a_player_marked_as_bulk_is_read(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "A Par-Bur", Precedence="bulk")

    assert "A Par-Bur" in receipt.text


def test_an_email_behind_a_full_batch_is_answered_in_the_same_turn(
    table: Table,
) -> None:
    for number in range(BATCH + 1):
        table.store_email(b"From: a@x.example\nAuto-Submitted: auto-replied\n\n%d" % number)
    start = table.latest("FRANCE")
    table.deliver(
        table.compose(address_of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to
    )

    table.run_once()

    assert table.current_orders("FRANCE") == ("A PAR - BUR",)
