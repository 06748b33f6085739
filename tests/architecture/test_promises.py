"""Each numbered guarantee for mail, the store and time has a test with its number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

TESTS = Path(__file__).parents[1]
NUMBER = re.compile(r"(?<=_)([rs]\d{1,2})(?=_)")
PROMISES = [
    *(f"r{number}" for number in (*range(1, 18), *range(20, 25), *range(30, 36))),
    *(f"r{number}" for number in (*range(40, 52), *range(60, 65))),
    *(f"s{number}" for number in range(1, 13)),
]


def numbered() -> Iterator[tuple[str, str]]:
    """Yield each number that the name of a test has, with the test."""
    for file in sorted(TESTS.rglob("test_*.py")):
        for each in ast.walk(ast.parse(file.read_bytes())):
            if isinstance(each, ast.FunctionDef) and each.name.startswith("test_"):
                for number in NUMBER.findall(each.name):
                    yield number, f"{file.relative_to(TESTS)}::{each.name}"


@pytest.fixture(scope="module")
def kept() -> dict[str, str]:
    """Return a test of each number that any has."""
    return dict(numbered())


@pytest.mark.parametrize("promise", PROMISES)
def test_a_promise_has_a_test_that_is_named_after_it(promise: str, kept: dict[str, str]) -> None:
    assert promise in kept
