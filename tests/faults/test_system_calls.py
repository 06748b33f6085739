"""A daemon that the kernel ends at one system call: requirement R2.

`test_one_message` and `test_one_deadline` kill it between the steps of its own; here it dies
wherever SQLite writes a page, waits for the disk, or something goes to a mail server.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
from collections import Counter
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import cycle
from pathlib import Path

import pytest

from tests.support.daemon import BACKLOG_SECONDS, Daemon, copied, seated, wait_until
from tests.support.final_count import everything_counts_once
from tests.support.mail_server import listening
from tests.support.order_emails import UNITS

if not shutil.which("strace"):
    pytest.skip("needs-server: strace", allow_module_level=True)

SYNC = "fsync,fdatasync"  # which of them depends on how SQLite was built
# Which call of a thread is its last. A letter takes dozens of writes, but few waits for the disk:
# more of those come to much the same place again, except where SQLite begins its journal anew.
DEATHS = {
    "pwrite64": range(1, 51),
    "sendto": range(1, 51),
    SYNC: (*range(1, 13), 15, 20, 30, 40, 50),
}
LETTERS_MAX = 200  # For each the thread that keeps them makes each of the calls.
TRACER = "TracerPid:\t"


@pytest.mark.timeout(3_600)
@pytest.mark.parametrize(
    "deaths",
    [
        pytest.param([(SYNC, 6)], id="1"),
        pytest.param(
            [(call, number) for call, numbers in DEATHS.items() for number in numbers],
            id="117",
            marks=pytest.mark.slow,
        ),
    ],
)
def test_r2_a_daemon_killed_at_any_system_call_keeps_each_accepted_email_once(
    begun: Path, tmp_path: Path, deaths: list[tuple[str, int]]
) -> None:
    with listening() as peer:
        environment = {"JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}"}
        with copied(begun, tmp_path, **environment) as daemon:
            # In turn, as a player gets 300 answers at once, and then few.
            for power, (call, number) in zip(cycle(UNITS), deaths, strict=False):
                offer_until_death(daemon, power, call, number)
            daemon.start()
            daemon.come_to_rest(BACKLOG_SECONDS)
            everything_counts_once(daemon, "Army Paris")
            assert daemon.ask("PRAGMA integrity_check") == [("ok",)]
            assert daemon.stop() == 0

    answers = {(str(mail["In-Reply-To"]), str(mail["Message-ID"])) for mail in peer.mails}
    answered = Counter(answer for answer, _ in answers)
    assert [name for name in daemon.promised if answered[name] != 1] == []


def offer_until_death(daemon: Daemon, power: str, call: str, number: int) -> None:
    """Send letters of *power* to a daemon that dies at that *call*."""
    daemon.start()
    player, start = seated(daemon, power)
    with dying(daemon, call, number):
        for letter in range(LETTERS_MAX):
            text = f"{UNITS[power]} H\n\nAt {call} {number}, letter {letter}.\n"
            mail = player.answering(start, text)
            if not daemon.offer(mail):
                break
        assert daemon.reap() == -signal.SIGKILL


@contextmanager
def dying(daemon: Daemon, call: str, number: int) -> Iterator[None]:
    """Make the daemon die at its *count*-th *call* of a thread from now on."""
    assert daemon.process
    pid = daemon.process.pid
    inject = f"inject={call}:signal=SIGKILL:when={number}"
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-e", f"trace={call}", "-e", inject]
    with subprocess.Popen([*command, "-p", str(pid)], stderr=subprocess.DEVNULL) as tracer:
        wait_until(partial(is_traced, pid, tracer), "it cannot be traced")
        yield


def is_traced(pid: int, tracer: subprocess.Popen[bytes]) -> bool:
    """Return whether *tracer* follows every thread of a process, or has seen its end."""
    try:
        told = [path.read_text() for path in Path(f"/proc/{pid}/task").glob("*/status")]
    except (FileNotFoundError, ProcessLookupError):  # A thread has just ended.
        return False
    return all(f"{TRACER}{tracer.pid}\n" in each for each in told)


def test_a_disk_that_cannot_be_read_ends_the_daemon_and_loses_nothing(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        daemon.start()
        player, start = seated(daemon, "FRANCE")
        assert daemon.offer(player.answering(start, "A Par-Bur\n"))
        daemon.come_to_rest()
        with unreadable(daemon, "judge.db"):
            forget_pages(daemon)
            daemon.offer(player.answering(start, "A Mar-Spa\n"))
            assert daemon.reap() == os.EX_IOERR
        assert '"event": "store.' in daemon.log()
        assert "check the disk" in daemon.log(), "SQLite calls the file malformed"

        daemon.start()
        last = player.answering(start, "A Mar-Spa\n")
        assert daemon.offer(last)
        everything_counts_once(daemon, "Army Paris -> Burgundy", "Army Marseilles -> Spain")
        assert daemon.stop() == 0


def forget_pages(daemon: Daemon) -> None:
    """Make the daemon read from the disk: another process writes, so its pages are out of date."""
    with closing(sqlite3.connect(daemon.folder / "judge.db")) as connection:
        connection.execute("CREATE TABLE another (cell)")
        connection.execute("DROP TABLE another")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def unreadable(daemon: Daemon, name: str) -> Iterator[None]:
    """Fail the daemon's reads of the file *name* from now on."""
    assert daemon.process
    pid, file = daemon.process.pid, daemon.folder / name
    inject = "inject=pread64:error=EIO"
    command = ["strace", "-f", "-qq", "-o", "/dev/null", "-P", str(file), "-e", "trace=pread64"]
    with subprocess.Popen(
        [*command, "-e", inject, "-p", str(pid)], stderr=subprocess.DEVNULL
    ) as tracer:
        wait_until(partial(is_traced, pid, tracer), "it cannot be traced")
        yield
