"""Functions fit a screen; docstrings, imports and the clock are ruff's affair."""

from __future__ import annotations

import ast
from pathlib import Path

ROOT = Path(__file__).parents[2]
FUNCTION_LINES_MAX = 60

MODULES = {
    str(path.relative_to(ROOT)): path.read_text(encoding="utf-8")
    for path in sorted((ROOT / "judge").rglob("*.py"))
}


def test_no_function_outgrows_its_page() -> None:
    lengths = {
        f"{name}:{node.lineno} {node.name}": (node.end_lineno or 0) - node.lineno + 1
        for name, text in MODULES.items()
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    }

    assert {name: length for name, length in lengths.items() if length > FUNCTION_LINES_MAX} == {}
