"""The table of rules names existing functions."""

from __future__ import annotations

import re
from pathlib import Path

from judge.rules import resolution

FOLDER = Path(resolution.__file__).parent


def test_each_function_in_the_table_of_rules_exists() -> None:
    code = "".join(path.read_text(encoding="utf-8") for path in FOLDER.parent.rglob("*.py"))
    rows = [line for line in (resolution.__doc__ or "").splitlines() if line.startswith("|")]
    named = {name for row in rows[2:] for name in re.findall(r"`(?:\w+\.)?(\w+)`", row)}

    assert named
    assert {name for name in named if f"def {name}(" not in code} == set()
