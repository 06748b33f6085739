"""Every path in the tables of tests left to `.ci/run` exists."""

from __future__ import annotations

import pytest

from tests.conftest import GATE, NOT_GATE, paths_in


@pytest.mark.parametrize("table", [GATE, NOT_GATE])
def test_each_file_that_is_left_to_the_gate_exists(table: dict[str, tuple[str, ...]]) -> None:
    assert [path for path in paths_in(table) if not path.exists()] == []
