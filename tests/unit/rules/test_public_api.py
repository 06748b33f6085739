"""`judge.rules` exports its public API, without importing what adjudication does not need."""

from __future__ import annotations

import subprocess
import sys

import pytest

import judge.rules

SLOW = {
    "judge.rules.reasons",
    "typing_extensions",
    "difflib",
    "importlib.resources",
    "jinja2",
}


@pytest.mark.parametrize("name", judge.rules.__all__)
def test_every_public_name_can_be_imported(name: str) -> None:
    assert getattr(judge.rules, name)


def test_an_unknown_name_raises_the_usual_error() -> None:
    with pytest.raises(ImportError, match="cannot import name 'judgement'"):
        from judge.rules import judgement  # type: ignore[attr-defined]  # noqa: F401, PLC0415 - the test


@pytest.mark.parametrize("module", ["judge.rules", "judge.cli.adjudicate"])
def test_adjudication_alone_imports_little(module: str) -> None:
    started = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        capture_output=True,
        check=True,
        text=True,
    )

    assert not SLOW & set(started.stdout.split())
