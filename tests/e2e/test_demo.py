"""What a newcomer sees first: the year 1901, played by mail."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

SECONDS_MAX = 30
SHOWN = [
    pytest.param("Game Starting: you play Austria", id="the start of the game"),
    pytest.param("Movement results for Spring of 1901", id="movement results"),
    pytest.param("(*bounce*)", id="a standoff"),
    pytest.param("Retreat results for Fall of 1901", id="retreat results"),
    pytest.param("Adjustment results for Winter of 1901", id="adjustment results"),
    pytest.param("demo: sound", id="a log that can be believed"),
    pytest.param("0 of 1 games wrong", id="every phase adjudicated again"),
]


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Run the demonstration in an empty folder, with nothing configured."""
    folder = tmp_path_factory.mktemp("newcomer")
    unset = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    begin = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "judge", "demo"],
        cwd=folder,
        env=unset | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert time.monotonic() - begin < SECONDS_MAX
    assert not list(folder.iterdir()), "it leaves nothing behind"
    return done.stdout


@pytest.mark.parametrize("text", SHOWN)
def test_the_demonstration_shows(shown: str, text: str) -> None:
    assert text in shown
