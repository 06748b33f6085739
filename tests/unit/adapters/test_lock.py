"""One daemon a store."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from judge.adapters.lock import DaemonLock, StoreInUseError

HOLD = """
import sys, time, pathlib
from judge.adapters.lock import DaemonLock
with DaemonLock(pathlib.Path(sys.argv[1])):
    print("held", flush=True)
    time.sleep(60)
"""


def test_r49_r64_a_second_daemon_is_refused_with_the_process_that_runs(store: Path) -> None:
    with (
        DaemonLock(store),
        pytest.raises(StoreInUseError, match=rf"process {os.getpid()}\b"),
        DaemonLock(store),
    ):
        pass


def test_the_lock_goes_when_the_daemon_ends(store: Path) -> None:
    held = []
    for _ in range(2):
        with DaemonLock(store) as lock:
            held.append(lock)

    assert len(held) == 2


def test_the_lock_goes_with_a_daemon_that_is_killed(store: Path) -> None:
    command = [sys.executable, "-c", HOLD, str(store)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout
        assert holder.stdout.readline() == "held\n"
        with pytest.raises(StoreInUseError, match=str(holder.pid)), DaemonLock(store):
            pass
        holder.kill()
        holder.wait()

        with DaemonLock(store):
            pass


def test_two_stores_have_two_daemons(tmp_path: Path) -> None:
    with DaemonLock(tmp_path / "one.db"), DaemonLock(tmp_path / "two.db"):
        modes = [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()]

    assert modes == [0o600, 0o600]
