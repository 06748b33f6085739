"""The pinned requirements match pyproject.toml; `requirements/lock` regenerates them."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support import wheels
from tests.support.wheels import pins

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))

RUN = PROJECT["project"]["dependencies"]
POSTGRESQL = PROJECT["project"]["optional-dependencies"]["postgresql"]
BUILD = PROJECT["dependency-groups"]["build"]
COMPILE = PROJECT["dependency-groups"]["compile"]
QUICK, TEST = (
    [line for line in PROJECT["dependency-groups"][group] if isinstance(line, str)]
    for group in ("quick", "test")
)


def blocks(file: str) -> list[str]:
    """Return the requirements of *file*, each with its hashes."""
    text = (ROOT / "requirements" / file).read_text(encoding="utf-8")
    return re.split(r"\n(?=[a-z])", text.strip())


@pytest.mark.parametrize(
    ("file", "asked"),
    [
        ("run.txt", RUN),
        ("postgresql.txt", [*RUN, *POSTGRESQL]),
        ("quick.txt", [*RUN, *BUILD, *QUICK]),
        ("test.txt", [*RUN, *BUILD, *COMPILE, *QUICK, *TEST]),
    ],
    ids=["run", "postgresql", "quick", "test"],
)
def test_every_dependency_is_pinned(file: str, asked: list[str]) -> None:
    pinned = pins(file)

    for wanted in map(Requirement, asked):
        [exact] = pinned[canonicalize_name(wanted.name)].specifier
        assert wanted.specifier.contains(exact.version), wanted
        assert str(pinned[canonicalize_name(wanted.name)].marker) == str(wanted.marker)


def test_the_tests_run_on_what_the_judge_runs_on() -> None:
    assert pins("run.txt").items() <= pins("quick.txt").items() <= pins("test.txt").items()
    assert pins("run.txt").items() <= pins("postgresql.txt").items()


def test_a_pin_has_the_extras_that_another_package_asks_for() -> None:
    """Without them, pip 23 looks for the newest release, and refuses it for want of a hash."""
    pinned = pins("test.txt")

    for name in pinned.keys() & {dist.metadata["Name"] for dist in metadata.distributions()}:
        for wanted in map(Requirement, metadata.requires(name) or ()):
            if wanted.extras and (wanted.marker is None or wanted.marker.evaluate({"extra": ""})):
                assert wanted.extras <= pinned[canonicalize_name(wanted.name)].extras, name


@pytest.mark.parametrize("file", ["run.txt", "postgresql.txt", "quick.txt", "test.txt"])
def test_every_pin_has_its_hashes(file: str) -> None:
    assert [block for block in blocks(file) if "--hash=sha256:" not in block] == []


def test_the_wheel_is_built_with_pinned_versions_of_all_that_hatchling_needs() -> None:
    pinned, wanted = pins("test.txt"), {"hatchling"}
    for name in ("hatchling", *(metadata.requires("hatchling") or ())):
        found = Requirement(name)
        if found.marker is None or found.marker.evaluate():
            wanted.add(canonicalize_name(found.name))

    asked = set(PROJECT["build-system"]["requires"])

    assert asked == {str(pinned[name]) for name in wanted}, "copy them from requirements/test.txt"


def test_a_newcomer_gets_the_versions_that_we_tested() -> None:
    lines = (ROOT / "requirements" / "versions.txt").read_text(encoding="utf-8").splitlines()
    found = {canonicalize_name(each.name): each for each in map(Requirement, lines)}

    assert found == pins("run.txt")


def test_nothing_is_built_where_the_judge_is_installed_on_linux() -> None:
    missing = [
        (platform.name, f"3.{minor}", name)
        for file in ("run.txt", "postgresql.txt")
        for platform, minor, name in wheels.missing(file)
        if platform in wheels.LINUX
    ]

    assert missing == [], "see python -m tests.support.wheels"


def test_the_tests_are_installed_from_wheels_on_debian() -> None:
    lacking = {
        platform.name: name
        for platform, _, name in wheels.missing("test.txt")
        if platform in wheels.LINUX and "musl" not in platform.name
    }

    assert lacking == {}


def test_the_rules_are_compiled_with_pinned_versions() -> None:
    hook = PROJECT["tool"]["hatch"]["build"]["targets"]["wheel"]["hooks"]["custom"]

    assert hook["compiling"] == COMPILE
