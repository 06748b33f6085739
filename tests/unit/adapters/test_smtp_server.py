"""The SMTP server over a real socket."""

from __future__ import annotations

import asyncio
import smtplib
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from threading import Event, Thread

import pytest

from judge.adapters.inputs import smtp_server
from judge.adapters.inputs.smtp_server import CONNECTIONS_MAX, SmtpServer
from judge.app.ports.inbox import Envelope, MailReception
from tests.support.daemon import PATIENCE_SECONDS, wait_until

RECEPTION = MailReception("judge@judge.example", "+")
LETTER = b"From: anna@example.org\r\nSubject: orders\r\n\r\nA Vie-Tri\r\n"


@dataclass
class FakeKeeper:
    """A keeper of emails that fails or waits on demand."""

    kept: list[Envelope] = field(default_factory=list)
    failure: Exception | None = None
    seconds: float = 0.0

    async def keep(self, envelope: Envelope) -> None:
        await asyncio.sleep(self.seconds)
        if self.failure:
            raise self.failure
        self.kept.append(envelope)


@contextmanager
def listening(
    keeper: FakeKeeper, bytes_max: int = 100_000, connections_max: int = CONNECTIONS_MAX
) -> Iterator[tuple[str, int]]:
    ready, stop = Event(), Event()
    where: list[tuple[str, int]] = []

    async def run() -> None:
        limits = {"bytes_max": bytes_max, "connections_max": connections_max}
        server = SmtpServer(keeper, RECEPTION, host="127.0.0.1", port=0, **limits)
        where.append(await server.open())
        ready.set()
        await asyncio.to_thread(stop.wait)
        await server.close()
        await asyncio.sleep(0.05)

    thread = Thread(target=lambda: asyncio.run(run()))
    thread.start()
    assert ready.wait(PATIENCE_SECONDS)
    try:
        yield where[0]
    finally:
        stop.set()
        thread.join()


def send(where: tuple[str, int], *recipients: str, sender: str = "anna@example.org") -> object:
    with smtplib.SMTP(*where) as client:
        return client.sendmail(sender, recipients or ("judge@judge.example",), LETTER)


def test_250_is_sent_after_the_email_is_stored_byte_for_byte() -> None:
    keeper = FakeKeeper()
    with listening(keeper) as where:
        send(where)

        assert keeper.kept == [
            Envelope(LETTER, "anna@example.org", ("judge@judge.example",), "smtp")
        ]


def test_a_bounce_has_an_empty_sender() -> None:
    keeper = FakeKeeper()
    with listening(keeper) as where:
        send(where, sender="")

    assert keeper.kept[0].sender == ""


@pytest.mark.parametrize("recipient", ["judge@judge.example", "judge+abcdef@judge.example"])
def test_our_addresses_exist_with_and_without_a_token(recipient: str) -> None:
    keeper = FakeKeeper()
    with listening(keeper) as where:
        send(where, recipient)

    assert keeper.kept[0].recipients == (recipient,)


def test_an_unknown_recipient_is_refused() -> None:
    with listening(FakeKeeper()) as where, pytest.raises(smtplib.SMTPRecipientsRefused) as refused:
        send(where, "someone@judge.example")

    code, _ = refused.value.recipients["someone@judge.example"]
    assert code == 550


def test_a_failing_store_is_451_without_details() -> None:
    keeper = FakeKeeper(failure=RuntimeError("disk /dev/sda1 is full of secrets"))
    with listening(keeper) as where, pytest.raises(smtplib.SMTPDataError) as refused:
        send(where)

    assert refused.value.smtp_code == 451
    assert b"secrets" not in refused.value.smtp_error


def test_an_email_over_the_limit_is_552() -> None:
    with (
        listening(FakeKeeper(), bytes_max=40) as where,
        pytest.raises(smtplib.SMTPResponseException) as no,
    ):
        send(where)

    assert no.value.smtp_code == 552


def test_an_overlong_line_is_accepted() -> None:
    keeper = FakeKeeper()
    with listening(keeper) as where, smtplib.SMTP(*where) as client:
        client.sendmail(
            "anna@example.org", "judge@judge.example", b"\r\n" + b"x" * 5_000 + b"\r\n"
        )

    assert len(keeper.kept[0].raw) > 5_000


def test_a_client_that_hangs_up_while_we_store_loses_nothing() -> None:
    keeper = FakeKeeper(seconds=0.3)
    with listening(keeper) as where:
        with socket.create_connection(where) as raw:
            say = conversation(raw)
            for line in (
                "HELO x",
                "MAIL FROM:<anna@example.org>",
                "RCPT TO:<judge@judge.example>",
            ):
                assert say(line).startswith("250")
            assert say("DATA").startswith("354")
            raw.sendall(LETTER + b".\r\n")
        wait_until(lambda: bool(keeper.kept), "it was not stored")

    assert keeper.kept[0].raw == LETTER


def conversation(raw: socket.socket) -> Callable[[str], str]:
    stream = raw.makefile("rb")
    stream.readline()

    def say(line: str) -> str:
        raw.sendall(line.encode() + b"\r\n")
        return stream.readline().decode()

    return say


def open_connections(where: tuple[str, int], stack: ExitStack, count: int) -> list[smtplib.SMTP]:
    crowd = [smtplib.SMTP(*where) for _ in range(count)]
    for client in crowd:
        stack.callback(client.close)
        client.ehlo()
    return crowd


def send_idle_commands(client: smtplib.SMTP, how: str) -> None:
    """Send commands that deliver no email, ignoring a closed connection."""
    with suppress(smtplib.SMTPException, OSError):
        match how:
            case "NOOP" | "RSET":
                client.docmd(how)
            case _:
                client.mail("a@b.example")
                client.rcpt("judge@judge.example")
                client.rset()


@pytest.mark.parametrize("how", ["NOOP", "RSET", "mails that are begun and dropped"])
def test_idle_connections_do_not_block_others(monkeypatch: pytest.MonkeyPatch, how: str) -> None:
    monkeypatch.setattr(smtp_server, "IDLE_SECONDS_MIN", 0.2)
    keeper = FakeKeeper()
    with listening(keeper, connections_max=5) as where, ExitStack() as stack:
        crowd = open_connections(where, stack, 5)
        for _ in range(4):  # after the first time, more than IDLE_SECONDS_MIN
            for client in crowd:
                send_idle_commands(client, how)
            time.sleep(0.1)

        send(where)

    assert [envelope.raw for envelope in keeper.kept] == [LETTER]


def test_a_connection_that_delivers_email_is_kept_when_all_are_in_use() -> None:
    keeper = FakeKeeper()
    with listening(keeper, connections_max=2) as where, ExitStack() as stack:
        useful, talking = open_connections(where, stack, 2)
        for _ in range(6):
            useful.sendmail("a@b.example", "judge@judge.example", LETTER)
            send_idle_commands(talking, "NOOP")
            time.sleep(0.25)

        send(where)
        useful.sendmail("a@b.example", "judge@judge.example", LETTER)

    assert len(keeper.kept) == 8


@pytest.mark.parametrize("how", ["NOOP", "RSET"])
def test_a_connection_that_delivers_nothing_is_closed(
    monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    monkeypatch.setattr(smtp_server, "IDLE_SECONDS_MAX", 0.5)
    answers = list[str]()
    with listening(FakeKeeper()) as where, socket.create_connection(where) as raw:
        say = conversation(raw)
        with suppress(OSError):
            for _ in range(30):
                answers.append(say(how))
                time.sleep(0.05)

    assert smtp_server.IDLE.decode() in answers
