"""Mails that cannot be answered: none of them holds up the others, and none is lost."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from judge.app.answer_mail import ATTEMPTS_MAX, BATCH
from judge.app.turn import take_turn
from tests.support.table import Table, of

RECEIVED, PROCESSED = "received", "processed"
QUARANTINED, IGNORED = "quarantined", "ignored"


class BrokenDiceError(Exception):
    """The dice have fallen off the table."""


@dataclass(frozen=True)
class BrokenDice:
    """Fail whenever they are rolled."""

    def nonce(self) -> str:
        raise BrokenDiceError

    def key(self) -> bytes:
        raise BrokenDiceError


def test_a_mail_that_makes_us_fail_is_tried_three_times_and_the_queue_moves(
    table: Table,
) -> None:
    healthy = table.judge
    start = table.latest("FRANCE")
    before = len(table.inbox())
    table.post(table.written(of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to)
    table.post(table.written("stranger@x.example", "HELP"), None, "judge@judge.example")

    take_turn(replace(healthy, chance=BrokenDice()))

    assert table.inbox()[before:] == [QUARANTINED, PROCESSED]
    assert [type(each) for each in table.journal.failures] == [BrokenDiceError] * ATTEMPTS_MAX
    assert table.standing("FRANCE") == ()
    assert table.mails_to("stranger@x.example", "help")


def test_a_mail_that_failed_once_is_answered_when_it_can_be(table: Table) -> None:
    start = table.latest("FRANCE")
    table.post(table.written(of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to)
    with table.database.write() as transaction:
        [number] = transaction.inbox.waiting()
        transaction.inbox.begin_attempt(number)  # and the lights went out

    table.turn()

    assert table.inbox()[-1] == PROCESSED
    assert table.standing("FRANCE") == ("A PAR - BUR",)


def test_a_mail_that_kills_us_each_time_is_set_aside(table: Table) -> None:
    start = table.latest("FRANCE")
    table.post(table.written(of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to)
    with table.database.write() as transaction:
        [number] = transaction.inbox.waiting()
        for _ in range(ATTEMPTS_MAX):
            transaction.inbox.begin_attempt(number)

    table.turn()

    assert table.inbox()[-1] == QUARANTINED
    assert table.standing("FRANCE") == ()


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"From: a@x.example\n" + b"X: y\n" * 2000 + b"\nHELP\n", id="headers"),
        pytest.param(b"From: a@x.example\n\n" + b"HELP\n" * 60_000, id="lines"),
    ],
)
def test_bytes_beyond_the_limits_are_set_aside(judge: Table, raw: bytes) -> None:
    judge.keep(raw, "a@x.example")

    judge.turn()

    assert judge.inbox() == [QUARANTINED]
    assert judge.outbox() == ()


@pytest.mark.parametrize("raw", [b"", b"\x00\xff", b"\r\r\r", b"no header at all", b"From: a\n\n"])
def test_bytes_that_say_nothing_are_answered_to_nobody(judge: Table, raw: bytes) -> None:
    judge.keep(raw, "a@x.example")

    judge.turn()

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
def test_what_a_machine_wrote_is_not_read(
    table: Table, envelope: str | None, headers: dict[str, str]
) -> None:
    start = table.latest("FRANCE")
    mail = table.written(of("FRANCE"), "A Par-Bur", start.reply_to)
    for name, value in headers.items():
        del mail[name.replace("_", "-")]
        mail[name.replace("_", "-")] = value
    before = len(table.outbox())

    table.post(mail, envelope, start.reply_to)
    table.turn()

    assert table.inbox()[-1] == IGNORED
    assert table.standing("FRANCE") == ()
    assert table.outbox()[before:] == ()


def test_a_player_whose_mail_says_bulk_is_heard(table: Table) -> None:
    [receipt] = table.reply(table.latest("FRANCE"), "A Par-Bur", Precedence="bulk")

    assert "Army Paris -> Burgundy" in receipt.text


def test_a_mail_behind_more_than_a_batch_of_others_is_answered_in_the_same_turn(
    table: Table,
) -> None:
    for number in range(BATCH + 1):
        table.keep(b"From: a@x.example\nAuto-Submitted: auto-replied\n\n%d" % number)
    start = table.latest("FRANCE")
    table.post(table.written(of("FRANCE"), "A Par-Bur", start.reply_to), None, start.reply_to)

    table.turn()

    assert table.standing("FRANCE") == ("A PAR - BUR",)
