"""The systemd unit: its settings and its sandbox."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from tests.support.daemon import CONFIGURED, PATIENCE_SECONDS, Daemon

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
EXPOSURE_MAX = 2.0  # of 10


def test_systemd_learns_when_the_judge_is_ready_alive_and_stopping(
    tmp_path: Path,
) -> None:
    told = tmp_path / "notify"
    with (
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
        Daemon(tmp_path, {**CONFIGURED, "NOTIFY_SOCKET": str(told)}, forked=False) as daemon,
    ):
        systemd.bind(str(told))
        systemd.settimeout(PATIENCE_SECONDS)
        daemon.start()
        said = {systemd.recv(100)}
        while said != {b"READY=1", b"WATCHDOG=1"}:
            said.add(systemd.recv(100))

        assert daemon.stop() == 0

        while said != {b"READY=1", b"WATCHDOG=1", b"STOPPING=1"}:
            said.add(systemd.recv(100))


def test_the_judge_runs_on_without_a_listening_supervisor(tmp_path: Path) -> None:
    gone = {**CONFIGURED, "NOTIFY_SOCKET": str(tmp_path / "nobody")}
    with Daemon(tmp_path, gone, forked=False) as daemon:
        daemon.start()

        assert daemon.stop() == 0


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd-analyze")
@pytest.mark.parametrize("name", ["judge.service", "judge-backup.service"])
def test_the_systemd_unit_restricts_the_judge(name: str) -> None:
    looked = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(UNITS / name)],
        capture_output=True,
        text=True,
        check=False,
    )

    level = re.search(rf"Overall exposure level for {name}: (\S+)", looked.stdout)
    assert level, looked.stderr
    assert float(level[1]) < EXPOSURE_MAX
