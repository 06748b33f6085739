"""`judge demo`, the first thing a newcomer sees: the year 1901, played by mail."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

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
    ("options", "shown"), [((), SHOWN), (("--variant", "fva"), OF_ANOTHER_BOARD)]
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
