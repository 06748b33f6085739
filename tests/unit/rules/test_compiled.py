"""The rules run compiled or interpreted, never half of each, and are tested both ways."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import judge.rules

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
INTERPRETED = {
    *PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]["interpreted"]
}
FOLDER = Path(judge.rules.__path__[0])
MODULES = {
    ".".join(path.relative_to(FOLDER).with_suffix("").parts): path.read_text(encoding="utf-8")
    for path in sorted(FOLDER.rglob("[!_]*.py"))
}


def test_all_modules_are_compiled_that_should_be_or_none() -> None:
    compiled = {
        name
        for name in MODULES
        if str(import_module(f"judge.rules.{name}").__file__).endswith(tuple(EXTENSION_SUFFIXES))
    }

    assert compiled in (set(), MODULES.keys() - INTERPRETED)


def test_no_module_that_is_compiled_counts_on_cached_properties() -> None:
    assert {name for name, text in MODULES.items() if "@cached_property" in text} <= INTERPRETED
