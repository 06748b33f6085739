"""The sandboxed reader process: an email that crashes or hangs it harms nothing else."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from judge.adapters.mail_sandbox import CPU_SECONDS_MAX, PROGRAM, REQUEST, MailSandbox
from judge.mail.envelope import BYTES_MAX, OpenedEmail, UnopenedError, Unreadable, open_mail
from tests.support.daemon import PATIENCE_SECONDS
from tests.unit.mail.clients import CLIENTS, NEW, OLD, letter

MAIL = letter("A PAR - BUR\n")
DEADLY = ("-m", "tests.support.deadly_reader")


@pytest.fixture
def reader() -> Iterator[MailSandbox]:
    process = MailSandbox(idle_seconds_max=PATIENCE_SECONDS)
    yield process
    process.close()


@pytest.fixture
def deadly_reader() -> Iterator[MailSandbox]:
    """Return a reader that obeys emails that begin with `DO`."""
    process = MailSandbox(DEADLY, PATIENCE_SECONDS)
    yield process
    process.close()


@pytest.mark.parametrize("sender", ["france@player.test", "", None])
def test_the_sandbox_reads_like_the_judge_itself(reader: MailSandbox, sender: str | None) -> None:
    mails = [client(OLD) for client in CLIENTS] + [b"", b"\xff\x00", b"X: y\n" * 2_000]

    assert [reader.open(mail, sender) for mail in mails] == [
        open_mail(mail, sender) for mail in mails
    ]


def test_an_email_that_is_too_large_is_not_passed_to_the_reader(reader: MailSandbox) -> None:
    assert reader.open(b" " * (BYTES_MAX + 1), "") == Unreadable("too many bytes")


@pytest.mark.parametrize(
    ("does", "why"),
    [
        pytest.param(b"DO exit", "the reader crashed (3)", id="ends the process"),
        pytest.param(b"DO abort", f"the reader crashed ({signal.SIGABRT})", id="crashes C"),
        pytest.param(b"DO spin", f"the reader crashed ({signal.SIGPROF})", id="takes the CPU"),
        pytest.param(b"DO raise", "the reader crashed (1)", id="raises"),
        pytest.param(b"DO lie", "the reader gave a malformed reply", id="is taken over"),
        pytest.param(b"DO shout", "the reader gave a malformed reply", id="too much output"),
    ],
)
def test_r12_an_email_that_ends_its_reader_is_reported_and_the_next_one_read(
    deadly_reader: MailSandbox, does: bytes, why: str
) -> None:
    with pytest.raises(UnopenedError, match=f"^{re.escape(why)}$"):
        deadly_reader.open(does, "")

    opened = deadly_reader.open(MAIL, "france@player.test")

    assert isinstance(opened, OpenedEmail)
    assert opened.text.fresh[0].text == NEW[0]


def test_r12_an_email_that_hangs_its_reader_is_reported_after_a_time_limit() -> None:
    process = MailSandbox(DEADLY, idle_seconds_max=2)

    with pytest.raises(UnopenedError, match="too long"):
        process.open(b"DO sleep", "")

    process.close()


def test_r13_an_email_that_wants_all_memory_is_refused(deadly_reader: MailSandbox) -> None:
    assert deadly_reader.open(b"DO eat", "") == Unreadable("MemoryError")


BOMBS = {
    "2,000 nested parts": b"".join(
        b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n" % (n, n) for n in range(2_000)
    ),
    "100,000 parts": b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\n\n" * 100_000,
    "20,000 parameters": b"Content-Type: text/plain" + b"; a=b" * 20_000 + b"\n\nx",
    "a header of semicolons": b"Content-Type: text/plain" + b";" * 24_000 + b"\n\nx",
    "a From of encoded words": b"From: " + b"=?utf-8?q?a?= " * 19_600 + b"\n\nx",
    "a From of quotes": b"From: " + b'"' * 20_000 + b"\n\nx",
    "50,000 tags": letter("<div>" * 49_000, "text/html"),
    "two megabytes of a line": letter("> " * 1_000_000),
    "two megabytes of encoded text": letter(
        "QUFB" * 500_000, "text/plain", "Content-Transfer-Encoding: base64"
    ),
}


@pytest.mark.parametrize("bomb", BOMBS.values(), ids=BOMBS)
def test_r13_a_bomb_is_read_or_refused_within_the_limits(bomb: bytes) -> None:
    limit = str(
        3 * CPU_SECONDS_MAX
    )  # a bomb takes 0.6 seconds, and more on a machine that is slow
    patient = MailSandbox((*DEADLY, limit), PATIENCE_SECONDS)

    assert getattr(patient.open(bomb, ""), "reason", "too many ").startswith("too many ")

    patient.close()


def test_a_reader_that_died_by_itself_is_replaced(reader: MailSandbox) -> None:
    reader.open(MAIL, "")
    assert reader._child.process
    os.kill(reader._child.process.pid, signal.SIGKILL)
    reader._child.process.wait()

    assert isinstance(reader.open(MAIL, "france@player.test"), OpenedEmail)


def test_each_email_has_its_own_time_limit() -> None:
    process = MailSandbox((*DEADLY, "1"), PATIENCE_SECONDS)
    for _ in range(2):
        assert process.open(b"DO work", "") == open_mail(b"DO work", "")

    process.close()


def test_the_reader_gets_no_settings(
    monkeypatch: pytest.MonkeyPatch, deadly_reader: MailSandbox
) -> None:
    for name in ("JUDGE_IMAP_PASSWORD", "PGPASSWORD", "PGSERVICEFILE", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "swordfish")

    assert deadly_reader.open(b"DO tell", "") == Unreadable("")


def test_the_reader_can_open_neither_the_store_nor_the_network(
    deadly_reader: MailSandbox, tmp_path: Path
) -> None:
    store = tmp_path / "judge.db"
    store.write_bytes(b"secret")
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        refused = {
            "read": deadly_reader.open(b"DO read %b" % bytes(store), ""),
            "write": deadly_reader.open(b"DO write", ""),
            "connect": deadly_reader.open(b"DO connect %d" % port, ""),
            "run": deadly_reader.open(b"DO run", ""),
        }

    assert {name for name, found in refused.items() if found == Unreadable("it could")} == set()
    assert refused["connect"] == Unreadable("PermissionError")


@pytest.mark.parametrize("act", ["pidfd", "signal", "limit", "slow", "pin", "bare"])
def test_the_reader_can_act_neither_upon_the_judge_nor_upon_its_files(
    deadly_reader: MailSandbox, tmp_path: Path, act: str
) -> None:
    """It could end the judge, let it write no more, or open the store to everybody."""
    store = tmp_path / "judge.db"
    store.touch(0o600)

    found = deadly_reader.open(b"DO %b %b" % (act.encode(), bytes(store)), "")

    assert found == Unreadable("PermissionError")
    assert store.stat().st_mode & 0o777 == 0o600


def test_a_system_that_refuses_a_limit_of_memory_stops_no_email(tmp_path: Path) -> None:
    refusing = tmp_path / "sitecustomize.py"
    refusing.write_text(
        "import resource\n"
        "def refuse(*_): raise OSError(1, 'refused')\n"
        "resource.setrlimit = refuse\n"
    )
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); import sitecustomize; "
    program = ("-c", f"{code}from judge.adapters.mail_sandbox import main; main()")
    process = MailSandbox(program, PATIENCE_SECONDS)

    assert isinstance(process.open(MAIL, "france@player.test"), OpenedEmail)
    process.close()


def test_a_reader_that_gets_little_of_the_processor_is_waited_for() -> None:
    process = MailSandbox(DEADLY, idle_seconds_max=0.2)  # it works for 0.6 seconds, and starts

    assert process.open(b"DO work", "") == open_mail(b"DO work", "")
    process.close()


def test_the_reader_ends_silently_when_the_judge_is_killed() -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        command = [sys.executable, *PROGRAM]
        with subprocess.Popen(command, stdin=theirs.fileno(), stderr=subprocess.PIPE) as child:
            theirs.close()
            ours.sendall(REQUEST.pack(-1, len(MAIL)) + MAIL)
            ours.close()
            _, told = child.communicate(timeout=PATIENCE_SECONDS)

    assert (child.returncode, told) == (0, b"")
