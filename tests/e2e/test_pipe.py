"""`judge receive` from a shell and a real Postfix: it stores the email or asks for a retry."""

from __future__ import annotations

import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from tests.support.daemon import (
    ADDRESS,
    PATIENCE_SECONDS,
    Daemon,
    copied,
    new_email,
    seated,
    text_of,
    wait_until,
)
from tests.support.postfix import postfix
from tests.support.servers import need, open_folder

ROOT = Path(__file__).parents[2]
PARTS = (
    "__init__.py",
    "__main__.py",
    "adapters/__init__.py",
    "adapters/inputs/__init__.py",
    "adapters/inputs/pipe.py",
)
KEPT = "SELECT sender, recipient, raw FROM inbox WHERE way_in = 'pipe'"
HELP = b"From: anne@players.example\n\nHELP\n.\n..\n"
OK, USAGE, BAD_MAIL, NO_USER, TRY_LATER = 0, 64, 65, 67, 75


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder that every user can enter."""
    with open_folder() as folder:
        yield folder


@pytest.fixture
def judge(begun: Path, tmp_path: Path, folder: Path) -> Iterator[Daemon]:
    """A judge with a socket in *folder*; the test starts it."""
    path = str(folder / "mail")
    limit = {"JUDGE_MESSAGE_BYTES_MAX": "10000"}
    with copied(begun, tmp_path, JUDGE_SOCKET=path, **limit) as daemon:
        yield daemon


def sample(start: str) -> str:
    """Return the line of the operator's samples that starts so."""
    lines = (ROOT / "deploy" / "README.md").read_text().splitlines()
    return next(line for line in lines if line.startswith(start))


def receive(path: Path | str, *words: str, mail: bytes = HELP) -> int:
    """Run the command as a mail server does; return its exit code."""
    done = subprocess.run(
        [sys.executable, "-m", "judge", "receive", "--socket", str(path), *words],
        input=mail,
        cwd=ROOT,
        capture_output=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert b"Traceback" not in done.stderr
    return done.returncode


def test_an_email_from_a_pipe_is_stored_as_it_came_with_the_line_ends_of_mail(
    judge: Daemon, folder: Path
) -> None:
    judge.start()
    assert receive(folder / "mail", "--sender", "anne@players.example", ADDRESS) == OK
    assert judge.ask(KEPT) == [("anne@players.example", ADDRESS, HELP.replace(b"\n", b"\r\n"))]
    assert receive(folder / "mail", "--sender", "", "--", ADDRESS) == OK
    assert judge.stop() == 0
    assert not (folder / "mail").exists()


def test_a_refused_email_gets_the_exit_code_that_mail_servers_expect(
    judge: Daemon, folder: Path
) -> None:
    judge.start()
    path = folder / "mail"
    assert receive(path, "nobody@judge.example") == NO_USER
    assert receive(path, ADDRESS, mail=b"x" * 20_000) == BAD_MAIL
    assert receive(path, ADDRESS, mail=b"x" * 51_000_000) == BAD_MAIL
    assert receive(path) == USAGE
    assert receive(path, "--what", "x", ADDRESS) == USAGE
    assert receive(path, "a@b\r\nDATA") == USAGE
    assert receive(path, "--help") == OK
    assert judge.ask(KEPT) == []


def test_without_a_running_judge_the_mail_server_is_asked_to_retry(
    judge: Daemon, folder: Path
) -> None:
    assert receive(folder / "mail", ADDRESS) == TRY_LATER
    judge.start()
    judge.kill()
    assert (folder / "mail").exists(), "a socket that nobody serves any more"
    assert receive(folder / "mail", ADDRESS) == TRY_LATER
    judge.start()
    assert receive(folder / "mail", ADDRESS) == OK


def test_if_the_judge_hangs_up_or_cannot_store_the_mail_server_is_asked_to_retry(
    folder: Path,
) -> None:
    answers = (b"", b"220 x\r\n", b"220 x\r\n250 x\r\n451 not now\r\n")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(str(folder / "mail"))
        listener.listen()

        def serve() -> None:
            for answer in answers:
                connection, _ = listener.accept()
                with connection:
                    connection.sendall(answer)

        thread = Thread(target=serve)
        thread.start()
        assert [receive(folder / "mail", ADDRESS) for _ in answers] == [TRY_LATER] * 3
        thread.join()


def test_a_second_judge_does_not_take_the_socket_of_the_first(
    judge: Daemon, begun: Path, tmp_path: Path, folder: Path
) -> None:
    judge.start()
    other = copied(begun, tmp_path / "other", JUDGE_SOCKET=str(folder / "mail"))

    assert str(folder / "mail") in other.judge("serve", code=69)
    assert receive(folder / "mail", ADDRESS) == OK


def test_orders_come_through_the_pipe_of_postfix_also_when_the_judge_was_away(
    judge: Daemon, folder: Path
) -> None:
    need("a Python that every user may run", "/usr/bin/python3")
    for part in PARTS:  # all that it takes
        (folder / "judge" / part).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "judge" / part, folder / "judge" / part)
    service = sample("judge unix - n n - 10 pipe ")
    service = service.replace("/opt/judge/bin/judge", "/usr/bin/python3 -m judge")
    service = service.replace("/run/judge", str(folder))
    name, _, limit = sample("judge_destination_recipient_limit").partition(" = ")
    player, start = seated(judge, "FRANCE")
    with postfix("judge:", {name: limit}, f"{service}\n") as mx:
        with mx.smtp() as client:
            client.send_message(player.answering(start, "A Par-Bur\n"))
            client.send_message(
                new_email("anne@players.example", "HELP\n", "judge+x@judge.example")
            )
        wait_until(
            lambda: mx.log().count("status=deferred") >= 2, lambda: f"not deferred: {mx.log()}"
        )
        judge.start()
        mx.come_to_rest()

    assert "A Par-Bur" in text_of(player.wait_for("receipt"))
    recipients = {recipient for _, recipient, _ in judge.ask(KEPT)}
    assert recipients == {str(start["Reply-To"]), "judge+x@judge.example"}
