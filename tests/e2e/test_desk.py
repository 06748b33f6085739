"""`judge desk` beside a running daemon: the daemon continues from what is done there."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

from judge.settings import Endpoint
from tests.support.daemon import PATIENCE_SECONDS, Daemon, wait_until
from tests.support.desk_client import Visitor

OPEN = "judge: the desk is open at "


@contextmanager
def opened(daemon: Daemon) -> Iterator[tuple[Visitor, subprocess.Popen[str]]]:
    """Open the desk as an operator does."""
    process = subprocess.Popen(
        [sys.executable, "-m", "judge", "desk", "--desk", "127.0.0.1:0"],
        cwd=daemon.folder,
        env=daemon._environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout
        line = process.stdout.readline().strip()
        assert line.startswith(OPEN), process.communicate()
        link = line.removeprefix(OPEN)
        visitor = Visitor(Endpoint("127.0.0.1", urlsplit(link).port or 0), link)
        visitor.enter()
        yield visitor, process
    finally:
        process.kill()
        process.communicate()


def test_the_desk_works_beside_a_running_daemon(daemon: Daemon) -> None:
    with opened(daemon) as (visitor, process):
        assert "0 of 7 have ordered" in visitor.get("/").words

        done = visitor.do("process", game="baltic")

        assert "Phase closed" in done.words
        wait_until(
            lambda: sum("Results" in str(mail["Subject"]) for mail in daemon.mails()) == 7,
            "the daemon did not send what was done at the desk",
        )
        assert re.search(r"F1901M", visitor.get("/").words)

        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=PATIENCE_SECONDS)

    assert process.returncode == 0
    assert out == ""
    assert visitor.link.rpartition("/")[2] not in err
    assert "desk.process" in err
    assert daemon.judge("log", "verify").strip()
