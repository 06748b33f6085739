"""The rules run as they are written or compiled, and are tested both ways; never half of each."""

from __future__ import annotations

import tomllib
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path
from pkgutil import iter_modules

import judge.rules

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
BUILD = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]

FILES = {
    name: str(import_module(f"judge.rules.{name}").__file__)
    for _, name, _ in iter_modules(judge.rules.__path__)
    if not name.startswith("_")
}


def test_all_modules_are_compiled_that_should_be_or_none() -> None:
    compiled = {n for n, file in FILES.items() if file.endswith(tuple(EXTENSION_SUFFIXES))}

    assert compiled in (set(), FILES.keys() - {*BUILD["interpreted"]})


def test_compiled_modules_have_their_source_beside_them() -> None:
    assert [name for name, file in FILES.items() if not source(file).exists()] == []


def test_no_module_that_is_compiled_counts_on_cached_properties() -> None:
    texts = {name: source(file).read_text(encoding="utf-8") for name, file in FILES.items()}

    assert {n for n, text in texts.items() if "@cached_property" in text} <= {
        *BUILD["interpreted"]
    }


def source(file: str) -> Path:
    """Return the source of the module that was loaded from *file*."""
    return Path(file).with_name(Path(file).name.partition(".")[0] + ".py")
