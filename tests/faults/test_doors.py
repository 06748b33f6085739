"""SMTP and LMTP under bad clients and a store that fails: requirements R4, R5, R9 and R14.

A bad client is no trouble of the judge's, and `judge status`, another process, cannot see a limit
for the daemon's own process.
"""

from __future__ import annotations

import os
import resource
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from email.message import EmailMessage
from email.policy import SMTP
from itertools import product
from pathlib import Path

import pytest

from judge.adapters.inputs.smtp_server import IDLE_SECONDS_MAX
from tests.support.daemon import (
    ADDRESS,
    PATIENCE_SECONDS,
    Daemon,
    copied,
    seated,
    text_of,
    wait_until,
)
from tests.support.final_count import everything_counts_once, status_names
from tests.support.lmtp import Talk, talking
from tests.support.postfix import postfix
from tests.support.servers import free_door

HELLO = b"EHLO tests"
KEPT = "SELECT count(*) FROM inbox"
SILENT = 1_000


@pytest.fixture
def daemon(begun: Path, tmp_path: Path) -> Iterator[Daemon]:
    """A judge that takes mail by SMTP and LMTP."""
    with copied(begun, tmp_path, JUDGE_LMTP=free_door()) as daemon:
        daemon.start()
        yield daemon
        assert daemon.stop() == 0


def ports(daemon: Daemon) -> tuple[tuple[int, bytes], ...]:
    """Return each door, and how it is greeted."""
    lmtp = int(daemon.environment["JUDGE_LMTP"].rpartition(":")[2])
    return (daemon.port, b"EHLO tests"), (lmtp, b"LHLO tests")


def mails(daemon: Daemon) -> int:
    [(count,)] = daemon.ask(KEPT)
    assert isinstance(count, int)
    return count


def memory(daemon: Daemon) -> int:
    """Return the bytes that the daemon has in memory."""
    assert daemon.process
    pages = Path(f"/proc/{daemon.process.pid}/statm").read_text().split()[1]
    return int(pages) * resource.getpagesize()


def order(daemon: Daemon, number: int = 1) -> EmailMessage:
    player, start = seated(daemon, "FRANCE")
    return player.answering(start, f"A Par-Bur\n\nFor the {number}th time.\n")


def offer(daemon: Daemon, mail: EmailMessage, port: int = 0, hello: bytes = HELLO) -> str:
    """Offer *mail* by SMTP, or at another *port*, and return the answer."""
    with talking(port or daemon.port) as talk:
        talk.offer([str(mail["To"])], hello)
        talk.say(b"DATA")
        answer = talk.say(mail.as_bytes(policy=SMTP) + b".")
    if answer.startswith("250"):
        daemon.promised.append(str(mail["Message-ID"]))
    return answer


def test_r4_a_client_that_disconnects_during_storing_leaves_a_whole_email_or_none(
    daemon: Daemon,
) -> None:
    ends = ("half-closes", "resets", "closes")
    for number, (end, (port, hello)) in enumerate(product(ends, ports(daemon))):
        before, mail = mails(daemon), order(daemon, number)
        with talking(port) as talk:
            talk.offer([str(mail["To"])], hello)
            talk.say(b"DATA")
            talk.connection.sendall(mail.as_bytes(policy=SMTP) + b".\r\n")
            leave(talk, end)
        time.sleep(0.5)
        assert mails(daemon) - before in (0, 1)
        # as a mail server does that has heard no 250
        assert offer(daemon, mail, port, hello).startswith("250")
        assert mails(daemon) == before + 1
        raws = [raw for (raw,) in daemon.ask("SELECT raw FROM inbox ORDER BY id DESC LIMIT 1")]
        assert raws == [mail.as_bytes(policy=SMTP)]
    everything_counts_once(daemon, "Army Paris -> Burgundy")
    assert "Traceback" not in daemon.log()


def leave(talk: Talk, end: str) -> None:
    if end == "half-closes":
        talk.connection.shutdown(socket.SHUT_WR)
    elif end == "resets":
        linger = b"\x01\x00\x00\x00\x00\x00\x00\x00"
        talk.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)


def test_r5_a_locked_store_causes_a_451_in_time_that_reveals_nothing(
    daemon: Daemon,
) -> None:
    with closing(sqlite3.connect(daemon.folder / "judge.db", isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        # by LMTP see the next test
        mail = order(daemon)
        assert offer(daemon, mail) == "451 4.3.0 Not stored, please try again later"
        status_names(daemon, "database is locked", code=os.EX_UNAVAILABLE)
        [said, *_] = [line for line in daemon.log().splitlines() if "mail.not_stored" in line]
        assert "database is locked" in said
        other.execute("ROLLBACK")

    offer_until_taken(daemon, mail)
    everything_counts_once(daemon, "Army Paris -> Burgundy")


def offer_until_taken(daemon: Daemon, mail: EmailMessage) -> None:
    """Offer *mail* as mail servers do: the judge may notice at its next tick that all is well."""
    wait_until(lambda: offer(daemon, mail).startswith("250"), lambda: daemon.log()[-2000:])


def test_r5_the_email_stays_with_postfix_until_the_store_is_free(daemon: Daemon) -> None:
    player, start = seated(daemon, "FRANCE")
    with (
        postfix(f"lmtp:inet:{daemon.environment['JUDGE_LMTP']}") as mx,
        closing(sqlite3.connect(daemon.folder / "judge.db", isolation_level=None)) as other,
    ):
        other.execute("BEGIN EXCLUSIVE")
        mail = player.answering(start, "A Par-Bur\n")
        with mx.smtp() as client:
            client.send_message(mail)
        daemon.promised.append(str(mail["Message-ID"]))  # by the mail server before the judge
        wait_until(lambda: "451 4.3.0" in mx.log(), "Postfix has not heard of it")
        other.execute("ROLLBACK")
        assert "A Par-Bur" in text_of(player.wait_for("receipt"))
        mx.come_to_rest()
        assert "status=bounced" not in mx.log()
        everything_counts_once(daemon, "Army Paris -> Burgundy")


def test_r9_an_email_over_the_limit_gets_a_552_and_costs_no_memory(daemon: Daemon) -> None:
    for port, hello in ports(daemon):
        with talking(port) as talk:
            talk.say(hello)
            assert talk.say(b"MAIL FROM:<a@players.example> SIZE=50000000").startswith("552")
        before = memory(daemon)
        with talking(port) as talk:
            talk.offer([ADDRESS], hello)
            talk.say(b"DATA")
            for _ in range(500):
                talk.connection.sendall((b"x" * 998 + b"\r\n") * 100)
            assert talk.say(b".").startswith("552")
            assert talk.say(b"NOOP").startswith("250")
        assert memory(daemon) - before < 20_000_000
    assert daemon.offer(order(daemon))
    everything_counts_once(daemon, "Army Paris -> Burgundy")


def test_r14_silent_connections_delay_no_other(daemon: Daemon) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 4_096), hard))
    try:
        with ExitStack() as stack:
            where = ("127.0.0.1", daemon.port)
            crowd = [
                stack.enter_context(socket.create_connection(where, PATIENCE_SECONDS))
                for _ in range(SILENT)
            ]
            wait_until(lambda: is_taken(daemon), "no mail comes through", IDLE_SECONDS_MAX / 2)
            told = [connection.recv(200) for connection in crowd[-1:] + crowd[:1]]
            assert any(each.startswith(b"421") or b"421" in each for each in told)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    everything_counts_once(daemon, "Army Paris -> Burgundy")


def is_taken(daemon: Daemon) -> bool:
    """Offer an email, and return whether there was room for it."""
    with suppress(ConnectionError):
        return offer(daemon, order(daemon)).startswith("250")
    return False


def test_r14_a_client_that_sends_single_bytes_delays_no_other(daemon: Daemon) -> None:
    with talking(daemon.port) as slow:
        for letter_ in b"EHL":
            slow.connection.sendall(bytes([letter_]))
            assert daemon.offer(order(daemon))
    everything_counts_once(daemon, "Army Paris -> Burgundy")


def test_r14_an_email_to_five_thousand_recipients_is_accepted_for_a_hundred(
    daemon: Daemon,
) -> None:
    with talking(daemon.port) as talk:
        told = talk.offer([f"judge+{number}@judge.example" for number in range(5_000)], b"EHLO x")

    assert {each[:3] for each in told[:100]} == {"250"}
    assert {each[:3] for each in told[100:]} == {"452"}
    assert daemon.offer(order(daemon))
    everything_counts_once(daemon, "Army Paris -> Burgundy")


def test_r6_a_store_that_cannot_grow_refuses_mail_until_it_can(
    daemon: Daemon,
) -> None:
    assert daemon.process
    limit = resource.RLIMIT_FSIZE
    unlimited = resource.prlimit(daemon.process.pid, limit)
    before, mail = mails(daemon), order(daemon)
    resource.prlimit(daemon.process.pid, limit, (4_096, unlimited[1]))
    assert offer(daemon, mail)[:3] in {"451", "452"}
    assert mails(daemon) == before

    resource.prlimit(daemon.process.pid, limit, unlimited)
    offer_until_taken(daemon, mail)
    everything_counts_once(daemon, "Army Paris -> Burgundy")
    assert daemon.ask("PRAGMA integrity_check") == [("ok",)]
