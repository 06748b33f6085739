"""A disk that reports a failed write: requirement R7.

What follows such an answer cannot be trusted, not even a later one that says all is well.
"""

from __future__ import annotations

import os
import platform
import signal
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from tests.faults.unsyncing import NUMBERS
from tests.support.daemon import ADDRESS, Daemon, copied, seated
from tests.support.final_count import everything_counts_once
from tests.support.lmtp import talking

if platform.machine() not in NUMBERS:
    pytest.skip("needs-server: a kernel whose system calls we know", allow_module_level=True)

HEALTHY, FAILED = 1, 2
MAIL = b"From: anne@players.example\r\nMessage-ID: <%d@players.example>\r\n\r\nHELP\r\n."


@pytest.fixture
def daemon(begun: Path, tmp_path: Path) -> Iterator[Daemon]:
    """A judge whose disk fails when it gets a SIGUSR1, and who writes of itself but rarely."""
    with copied(begun, tmp_path, JUDGE_TICK_SECONDS="60") as daemon:
        daemon.start("tests.faults.unsyncing", "judge")
        yield daemon


def let_the_disk_fail(daemon: Daemon) -> None:
    assert daemon.process
    os.kill(daemon.process.pid, signal.SIGUSR1)


def offered(daemon: Daemon, number: int) -> str:
    """Offer an email and return what it is answered: nothing, if the line goes dead."""
    with talking(daemon.port) as talk:
        talk.offer([ADDRESS], b"EHLO tests")
        talk.say(b"DATA")
        with suppress(ConnectionError):
            return talk.say(MAIL % number)
    return ""


def test_r7_a_disk_that_fails_to_store_an_email_ends_the_daemon_before_its_250(
    daemon: Daemon,
) -> None:
    assert offered(daemon, HEALTHY).startswith("250")
    daemon.come_to_rest()
    let_the_disk_fail(daemon)
    assert not offered(daemon, FAILED).startswith("250")
    assert daemon.reap() == os.EX_IOERR
    assert '"event": "store.disk_failed"' in daemon.log()

    daemon.start()
    assert offered(daemon, FAILED).startswith("250")
    raws = [raw for (raw,) in daemon.ask("SELECT raw FROM inbox ORDER BY id")]
    assert raws[-2:] == [(MAIL % each).removesuffix(b".") for each in (HEALTHY, FAILED)]
    assert daemon.ask("PRAGMA integrity_check") == [("ok",)]
    assert daemon.stop() == 0


@pytest.mark.slow
def test_r7_no_250_is_sent_once_another_thread_has_found_a_failing_disk(
    daemon: Daemon,
) -> None:
    player, start = seated(daemon, "FRANCE")
    mails = [player.answering(start, f"A Par-Bur\n\nFor the {n}th time.\n") for n in range(50)]
    for number, mail in enumerate(mails):
        if number == 10:
            let_the_disk_fail(daemon)
        daemon.offer(mail)
    assert daemon.reap() == os.EX_IOERR

    daemon.start()
    assert len(daemon.promised) >= 10
    everything_counts_once(daemon, "Army Paris -> Burgundy")
    assert daemon.stop() == 0
