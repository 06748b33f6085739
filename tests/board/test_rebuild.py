"""The shipped board is the one that its builder draws."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from judge.adapters.variant_files import FOLDER

HERE = Path(__file__).parent


def test_the_board_is_drawn_anew_byte_for_byte(tmp_path: Path) -> None:
    for needed in ("numpy", "pyproj", "shapely"):
        pytest.importorskip(needed, reason="tests/board/requirements.txt is not installed")
    if not (HERE / "node_modules/world-atlas").is_dir():
        pytest.skip("Natural Earth is not here: `npm install` in tests/board")
    file = tmp_path / "board.json"
    subprocess.run([sys.executable, "-m", "tests.board", file], cwd=HERE.parents[1], check=True)

    assert file.read_bytes() == (FOLDER / "standard/board.json").read_bytes()
