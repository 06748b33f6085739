"""The lock that allows one daemon per store."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from judge.adapters.store.database import DaemonLock, StoreInUseError, open_database
from judge.adapters.store.sqlite import LinkedStoreError

HOLD = """
import sys, time, pathlib
from judge.adapters.store.database import DaemonLock
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


def test_the_lock_is_released_when_the_daemon_ends(store: Path) -> None:
    held = []
    for _ in range(2):
        with DaemonLock(store) as lock:
            held.append(lock)

    assert len(held) == 2


def test_the_lock_is_released_when_the_daemon_is_killed(store: Path) -> None:
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


def test_a_symlink_leads_to_the_same_lock_and_the_same_journals(tmp_path: Path) -> None:
    store, link = tmp_path / "judge.db", tmp_path / "elsewhere" / "link.db"
    link.parent.mkdir()
    link.symlink_to(store)

    for first, second in ((store, link), (link, store)):
        with (
            DaemonLock(first),
            pytest.raises(StoreInUseError, match=rf"process {os.getpid()}\b"),
            DaemonLock(second),
        ):
            pass
    with closing(open_database(link)) as database, database.write():
        assert [path.name for path in link.parent.iterdir()] == ["link.db"]


def test_a_store_with_several_links_is_refused_with_what_to_do(tmp_path: Path) -> None:
    store, link = tmp_path / "judge.db", tmp_path / "link.db"
    open_database(store).close()
    link.hardlink_to(store)

    for name in (store, link):
        with (
            pytest.raises(LinkedStoreError, match=r"2 names.*keep one.*-samefile"),
            DaemonLock(name),
        ):
            pass
        with pytest.raises(LinkedStoreError):
            open_database(name)
    link.unlink()

    with DaemonLock(store), closing(open_database(store)):
        pass


def test_a_link_that_is_made_while_a_daemon_runs_lets_no_second_one_in(tmp_path: Path) -> None:
    store, link = tmp_path / "judge.db", tmp_path / "link.db"
    with DaemonLock(store):
        link.hardlink_to(store)
        with pytest.raises(LinkedStoreError), DaemonLock(link):
            pass
        link.unlink()
        store.rename(link)

        with pytest.raises(StoreInUseError), DaemonLock(link):
            pass


def test_two_stores_have_two_daemons(tmp_path: Path) -> None:
    with DaemonLock(tmp_path / "one.db"), DaemonLock(tmp_path / "two.db"):
        modes = [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()]

    assert modes == [0o600, 0o600]
