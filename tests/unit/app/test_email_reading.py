"""Reading emails: before the transaction that answers them, and within a limit of time."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from threading import Thread

import pytest

from judge.adapters.reading_process import ReadingProcess
from judge.app.game.apply import apply_command
from judge.app.inbound.process import STRANGERS_CHARACTERS_MAX
from judge.app.ports.judge import Call, TooMuchToReadError
from judge.game.payloads import orders_from_texts
from judge.game.submission import SubmitOrders
from judge.rules.types import Power
from tests.support.selection import one_in
from tests.support.table import Mail, Table

PATIENCE_SECONDS = 20


class ReaderThatFirst:
    """Reads in this process, after it has done something else at its first call."""

    def __init__(self, do: Callable[[], object] = lambda: None) -> None:
        self._do = do
        self.calls: list[Call] = []

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        del seconds
        self.calls.append(call)
        if len(self.calls) == 1:
            self._do()
        return call.function(*call.arguments, **call.keywords), 0.0


class SlowReader:
    """Finds that everything takes too long."""

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        raise TooMuchToReadError(call.name, seconds)


def answers(table: Table, sender: str, text: str, to: str = "judge@judge.example") -> list[Mail]:
    """Send an email, and return what its sender gets."""
    return [mail for mail in table.mail(sender, text, to) if mail.recipient == sender]


def test_no_lock_is_held_while_an_email_is_read(table: Table) -> None:
    written = []

    def write() -> None:
        with table.database.write() as transaction:
            transaction.agenda.record_backup(table.clock.now())
        written.append(True)

    def write_meanwhile() -> None:
        writer = Thread(target=write, daemon=True)
        writer.start()
        writer.join(PATIENCE_SECONDS)

    reader = ReaderThatFirst(write_meanwhile)
    table.judge = replace(table.judge, reader=reader)
    table.send("FRANCE", "A Par-Bur")

    assert written
    assert table.current_orders("FRANCE") == ("A PAR - BUR",)


def test_an_email_with_orders_is_read_once(table: Table) -> None:
    reader = ReaderThatFirst()
    table.judge = replace(table.judge, reader=reader)

    table.send("FRANCE", "A Par-Bur\nF Bre-Mao\nREADY\nA Mar S A Par-Bur")

    assert len(table.current_orders("FRANCE")) == 3
    assert len(reader.calls) == 1


def test_an_email_is_read_again_if_the_game_has_changed_meanwhile(table: Table) -> None:
    def order_brest() -> None:
        person = table.game("baltic").seats[Power("FRANCE")].person
        command = SubmitOrders(
            power=Power("FRANCE"),
            person=person or "",
            orders=orders_from_texts(("F BRE - MAO",)),
            received=table.clock.now(),
            mail="",
            nonce="0" * 32,
            evidence="",
        )
        with table.database.write() as transaction:
            apply_command(table.judge, transaction, "baltic", command, table.clock.now())

    table.judge = replace(table.judge, reader=ReaderThatFirst(order_brest))
    receipt = table.send("FRANCE", "A Par-Bur\nall others hold")

    orders = ("A PAR - BUR", "F BRE - MAO", "A MAR H")
    assert set(table.current_orders("FRANCE")) == set(orders), "Brest keeps its new order"
    assert "Brest" in receipt.words or "Bre" in receipt.words


def test_an_email_that_takes_too_long_is_answered_and_nothing_of_it_carried_out(
    table: Table,
) -> None:
    table.send("FRANCE", "F Bre-Mao")
    healthy = table.judge
    table.judge = replace(healthy, reader=SlowReader())
    receipt = table.send("FRANCE", "A Par-Bur")
    table.judge = healthy

    assert "send your orders alone" in receipt.text
    assert table.current_orders("FRANCE") == ("F BRE - MAO",)
    assert table.inbox()[-1] == "ignored"
    assert "A Par" in table.send("FRANCE", "A Par-Gas").text, "others are read"


def test_a_stranger_whose_email_takes_too_long_is_answered_a_few_times_a_day(
    judge: Table,
) -> None:
    judge.judge = replace(judge.judge, reader=SlowReader())

    told = [answers(judge, "newcomer@x.example", f"HELP {number}") for number in range(5)]

    assert [len(each) for each in told] == [1, 1, 1, 0, 0]


def test_a_strangers_email_is_read_only_as_far_as_their_commands_need(judge: Table) -> None:
    reader = ReaderThatFirst()
    judge.judge = replace(judge.judge, reader=reader)
    talk = ("Word upon word. " * 4 + "\n") * (STRANGERS_CHARACTERS_MAX // 60)

    [first] = answers(judge, "early@x.example", f"HELP JOIN\n{talk}")
    assert first.kind == "help"
    [late] = answers(judge, "late@x.example", f"{talk}\nHELP JOIN")
    assert "Help on JOIN" not in late.subject


@pytest.fixture(scope="module")
def process() -> Iterator[ReadingProcess]:
    reader = ReadingProcess(idle_seconds_max=PATIENCE_SECONDS)
    yield reader
    reader.close()


EMAILS = (
    "A Par-Bur\nF Bre-Mao\nA Mar S A Par-Bur",
    "Hello judge,\n\nI'd like A Par to go to Burgundy.\nall others hold\n\nBob",
    "PHASE FALL 1901 MOVEMENT\nA Par-Gas",
    "A Prais-Bur\nF Bre mao\nVOTE DRAW",
    "PRESS TO ENGLAND\nShall we?\nENDPRESS\nA Par H",
    "CLEAR A Par\nPREVIEW\nA Par-Bur\nEND PREVIEW",
    "Dear England,\nlet us be friends. A Par-Pic is a lie.",
    "HELP\nWHO\nSTATUS\nSET HANDLE Bob",
    "> A Par-Bur\n\nwhat does that mean?",
)


class ReaderThatCompares:
    """Reads in the process and here, and finds the same."""

    def __init__(self, process: ReadingProcess) -> None:
        self._process = process

    def read(self, call: Call, seconds: float) -> tuple[object, float]:
        del seconds  # the machine may be slow
        result, spent = self._process.read(call, PATIENCE_SECONDS)
        assert result == call.function(*call.arguments, **call.keywords)
        return result, spent


@pytest.mark.parametrize("text", one_in(3, EMAILS))
def test_the_process_reads_like_the_judge_itself(
    table: Table, process: ReadingProcess, text: str
) -> None:
    table.judge = replace(table.judge, reader=ReaderThatCompares(process))

    assert table.send("FRANCE", text).text
