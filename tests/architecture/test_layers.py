"""The documentation states import-linter's contracts, and every dependency has one door."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from itertools import chain
from pathlib import Path

from packaging.requirements import Requirement

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LAYERS, CORE, DOORS, *_ = PROJECT["tool"]["importlinter"]["contracts"]

IMPORTED_AS = {
    "argon2-cffi": "argon2",
    "dnspython": "dns",
    "flufl-bounce": "flufl",
    "pillow": "PIL",
    "python-docx": "docx",
}
OUTSIDE = "settings : resources : errors"
ANYWHERE = {
    "typing_extensions",
    "tzdata",
}  # a word of the language, and a table that zoneinfo reads


def test_the_layers_are_those_of_the_documentation() -> None:
    documentation = (ROOT / "docs" / "developers" / "architecture.md").read_text(encoding="utf-8")
    held = [re.sub(r"[()]", "", layer) for layer in LAYERS["layers"]]

    assert " > ".join(layer for layer in held if layer != OUTSIDE) in documentation


def test_the_core_is_what_lies_below_the_game() -> None:
    below = LAYERS["layers"][LAYERS["layers"].index("(game)") :]

    assert {f"judge.{name}" for layer in below for name in re.findall(r"\w+", layer)} == set(
        CORE["source_modules"]
    )


def test_every_dependency_has_a_door() -> None:
    assert dependencies() - ANYWHERE == set(DOORS["forbidden_modules"])


def test_nothing_is_imported_that_is_not_a_dependency() -> None:
    imported = {
        name.partition(".")[0]
        for path in (ROOT / "judge").rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        for name in imports(node)
    }

    assert imported - sys.stdlib_module_names - dependencies() == {"judge"}


def dependencies() -> set[str]:
    """Return the modules that the judge asks pip for."""
    project = PROJECT["project"]
    extras = chain.from_iterable(project["optional-dependencies"].values())
    names = {Requirement(line).name for line in [*project["dependencies"], *extras]}
    return {IMPORTED_AS.get(name, name.replace("-", "_")) for name in names - {project["name"]}}


def imports(node: ast.AST) -> list[str]:
    """Return the modules that the statement *node* imports."""
    match node:
        case ast.Import(names=names):
            return [alias.name for alias in names]
        case ast.ImportFrom(module=str(module)):
            return [module]
        case _:
            return []
