"""`judge demo`, the first thing a newcomer sees: the year 1901, played by mail."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.daemon import PATIENCE_SECONDS, wait_until

SHOWN = (
    "Game Starting: you play Austria",
    "Movement results for Spring of 1901",
    "(*bounce*)",
    "Retreat results for Fall of 1901",
    "Adjustment results for Winter of 1901",
    "demo: sound",
    "4 phases adjudicated again as recorded; 0 of 1 games wrong",
)


OF_ANOTHER_BOARD = ("Game Starting: you play Austria", "demo: sound", "0 of 1 games wrong")


@pytest.mark.parametrize(
    ("options", "shown"),
    [((), SHOWN), pytest.param(("--variant", "fva"), OF_ANOTHER_BOARD, marks=pytest.mark.slow)],
)
def test_the_demonstration_runs_anywhere_with_nothing_configured(
    tmp_path: Path, options: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    done = subprocess.run(
        [sys.executable, "-m", "judge", "demo", *options],
        cwd=tmp_path,
        env=unset | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert [text for text in shown if text not in done.stdout] == []
    assert not list(tmp_path.iterdir()), "it leaves nothing behind"


def is_running(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


@pytest.mark.parametrize(
    ("number", "code", "left"),
    [
        pytest.param(signal.SIGTERM, 143, False, id="asked to end"),
        pytest.param(signal.SIGHUP, 129, False, id="terminal closed"),
        pytest.param(signal.SIGKILL, -signal.SIGKILL, True, id="killed"),
    ],
)
def test_the_daemon_of_the_demonstration_ends_with_it(
    tmp_path: Path, number: signal.Signals, code: int, *, left: bool
) -> None:
    with subprocess.Popen(
        [sys.executable, "-m", "judge", "demo"],
        cwd=tmp_path,
        env=os.environ | {"TMPDIR": str(tmp_path), "PYTHONPATH": str(Path(__file__).parents[2])},
        stdout=subprocess.PIPE,
    ) as demo:
        assert demo.stdout
        assert any(b"A daemon listens" in line for line in demo.stdout)
        children = Path(f"/proc/{demo.pid}/task/{demo.pid}/children").read_text().split()
        daemon = int(children[0])
        assert is_running(daemon)
        demo.send_signal(number)
        assert demo.wait(PATIENCE_SECONDS) == code

    wait_until(lambda: not is_running(daemon), "it runs on")
    assert bool([*tmp_path.glob("judge-demo-*")]) is left
