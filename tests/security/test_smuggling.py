"""S1 and S10: no email becomes two, and plain connections offer no login."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.daemon import ADDRESS, Daemon, copied, wait_until
from tests.support.lmtp import talking
from tests.support.postfix import postfix
from tests.support.servers import free_door

ENDS = {
    "LF.LF": b"\n.\n",
    "LF.CRLF": b"\n.\r\n",
    "CRLF.LF": b"\r\n.\n",
    "CR.CR": b"\r.\r",
    "CR.CRLF": b"\r.\r\n",
    "CRLF.CR": b"\r\n.\r",
    "LF.CR": b"\n.\r",
    "CR.LF": b"\r.\n",
    "NUL": b"\r\n\0.\r\n",
}
SECOND = (
    b"MAIL FROM:<kaiser@players.example>\r\nRCPT TO:<judge@judge.example>\r\nDATA\r\n"
    b"From: kaiser@players.example\r\n\r\nA Mun-Bur\r\n.\r\n"
)


@pytest.fixture(scope="module")
def daemon(begun: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A judge that takes mail by SMTP and LMTP."""
    folder = tmp_path_factory.mktemp("smuggling")
    with copied(begun, folder, JUDGE_LMTP=free_door()) as daemon:
        daemon.start()
        yield daemon
        assert daemon.stop() == 0


def count(daemon: Daemon) -> int:
    [(mails,)] = daemon.ask("SELECT count(*) FROM inbox")
    assert isinstance(mails, int)
    return mails


@pytest.mark.parametrize("end", ENDS)
def test_s1_only_one_end_of_data_ends_an_email(daemon: Daemon, end: str) -> None:
    before = count(daemon)
    lmtp = int(daemon.environment["JUDGE_LMTP"].rpartition(":")[2])
    for port, hello in ((daemon.port, b"EHLO x"), (lmtp, b"LHLO x")):
        with talking(port) as talk:
            talk.offer([ADDRESS], hello)
            talk.say(b"DATA")
            head = b"From: anne@players.example\r\nX-Door: %d\r\n\r\nHELP" % port
            talk.connection.sendall(head + ENDS[end] + SECOND.removesuffix(b"."))
            assert talk.hear().startswith("250")
            assert talk.say(b"NOOP").startswith("250"), "nothing more was answered"

    assert count(daemon) == before + 2
    assert daemon.ask("SELECT count(*) FROM inbox WHERE sender = 'kaiser@players.example'") == [
        (0,)
    ]


def test_s1_nothing_is_smuggled_through_postfix_either(daemon: Daemon) -> None:
    before = count(daemon)
    with postfix(f"lmtp:inet:{daemon.environment['JUDGE_LMTP']}") as mx:
        for end in ENDS.values():
            with talking(mx.port) as talk:
                talk.offer([ADDRESS], b"EHLO x")
                talk.say(b"DATA")
                head = b"From: anne@players.example\r\n\r\nHELP"
                talk.connection.sendall(head + end + b"Subject: %d\r\n" % count(daemon))
                talk.say(b".")
        mx.come_to_rest()
        wait_until(lambda: count(daemon) == before + len(ENDS), f"{count(daemon) - before}")

    assert daemon.ask("SELECT count(*) FROM inbox WHERE sender LIKE 'kaiser%'") == [(0,)]


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"STARTTLS\r\nMAIL FROM:<kaiser@players.example>", ("454", "500", "502")),
        (b"AUTH PLAIN AGthaXNlcgBzZWNyZXQ=", ("500", "502", "503", "538")),
        (b"AUTH LOGIN", ("500", "502", "503", "538")),
    ],
)
def test_s10_a_door_without_tls_takes_no_password_and_no_starttls(
    daemon: Daemon, line: bytes, code: tuple[str, ...]
) -> None:
    with talking(daemon.port) as talk:
        talk.connection.sendall(b"EHLO x\r\n")
        offered = list(iter(talk.stream.readline, b"250 HELP\r\n"))
        assert offered
        assert not any(b"AUTH" in each or b"STARTTLS" in each for each in offered)
        assert talk.say(line).startswith(code)


@pytest.mark.parametrize(
    "recipient",
    [
        "victim@elsewhere.example",
        "judge%elsewhere.example@judge.example",
        "@judge.example:victim@elsewhere.example",
        "judge@judge.example@elsewhere.example",
        '"judge@judge.example"@elsewhere.example',
        "judge@elsewhere.example",
        "judgement@judge.example",
    ],
)
def test_s10_nothing_is_relayed(daemon: Daemon, recipient: str) -> None:
    with talking(daemon.port) as talk:
        [told] = talk.offer([recipient], b"EHLO x")

    assert told.startswith(("550", "553", "501"))
