"""What a newcomer sees first: the year 1901, played by mail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

SHOWN = (
    "Game Starting: you play Austria",
    "Movement results for Spring of 1901",
    "(*bounce*)",
    "Retreat results for Fall of 1901",
    "Adjustment results for Winter of 1901",
    "demo: sound",
    "4 phases adjudicated again as recorded; 0 of 1 games wrong",
)


def test_the_demonstration_runs_anywhere_with_nothing_configured(tmp_path: Path) -> None:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    done = subprocess.run(
        [sys.executable, "-m", "judge", "demo"],
        cwd=tmp_path,
        env=unset | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert [text for text in SHOWN if text not in done.stdout] == []
    assert not list(tmp_path.iterdir()), "it leaves nothing behind"


def test_the_demonstration_plays_another_board(tmp_path: Path) -> None:
    unset = {name: value for name, value in os.environ.items() if not name.startswith("JUDGE_")}
    done = subprocess.run(
        [sys.executable, "-m", "judge", "demo", "--variant", "fva"],
        cwd=tmp_path,
        env=unset | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stderr
    assert "Game Starting: you play Austria" in done.stdout
    assert "0 of 1 games wrong" in done.stdout
