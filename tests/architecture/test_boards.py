"""Only one module names the standard board: the one that defines the default."""

from __future__ import annotations

import ast
from pathlib import Path

from judge.rules.board import DEFAULT_VARIANT

ROOT = Path(__file__).parents[2]
OTHER_WORDS = {  # where it is the name of a template, of a proof and of a style of lists
    "judge/game/house_rules.py": 3,
    "judge/reports/languages.py": 2,
    "judge/reports/render.py": 1,
}


def times_named(path: Path) -> int:
    text = path.read_text(encoding="utf-8")
    if DEFAULT_VARIANT not in text:
        return 0
    tree = ast.parse(text)
    return sum(
        isinstance(node, ast.Constant) and node.value == DEFAULT_VARIANT for node in ast.walk(tree)
    )


def test_one_module_names_the_default_board() -> None:
    named = {
        str(path.relative_to(ROOT)): times
        for path in sorted((ROOT / "judge").rglob("*.py"))
        if (times := times_named(path))
    }

    assert named == {**OTHER_WORDS, "judge/rules/board.py": 1}
