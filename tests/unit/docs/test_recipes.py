"""The recipes in docs/CONTRIBUTING.md work as written, and touch few files."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
COPIED = ("docs", "events", "judge", "templates", "tests", "CHANGELOG.md", "README.md")
FILES_MAX = 5
RECIPES = (
    (ROOT / "docs" / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("## Recipes")[2]
)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """Return a copy of the repository that a recipe may change."""
    for name in COPIED:
        source, target = ROOT / name, tmp_path / name
        if source.is_dir():
            # With the bytecode, or each recipe would compile the whole judge again; without its
            # drafts, which other tests may just be writing.
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("*.pyc.*"))
        else:
            shutil.copy(source, target)
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("recipe", "tests"),
    [
        (
            "A mail command",
            (
                "tests/unit/app/test_command_effects.py",
                "tests/unit/app/test_commands.py::test_the_table_is_as_it_would_be_written_now",
                "tests/unit/reports/test_documentation.py",
            ),
        ),
        (
            "An event",
            ("tests/contract/test_event_contract.py", "tests/unit/game/test_diaries.py"),
        ),
        (
            "A house rule",
            (
                "tests/unit/game/test_house_rules.py",
                "tests/unit/game/test_diaries.py",
                "tests/unit/reports/test_rules_sheet.py",
            ),
        ),
    ],
)
def test_a_recipe_works_and_touches_at_most_five_files(
    checkout: Path, recipe: str, tests: tuple[str, ...]
) -> None:
    text = section(recipe)
    touched = set()
    for file, hunk in hunks(text):
        apply(checkout / file, hunk)
        touched.add(file)
    for module in re.findall(r"`python -m (tests\.\S+)`", text):
        run(checkout, "-m", module)

    assert 0 < len(touched) <= FILES_MAX
    changed = [file for file in touched if file.endswith(".py")]
    run(checkout, "-m", "ruff", "check", *changed)
    run(checkout, "-m", "ruff", "format", "--check", *changed)
    own = f"--basetemp={checkout / 'temporary'}"  # the shared one is swept by other runs
    run(checkout, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-n0", own, *tests)


def section(title: str) -> str:
    """Return the recipe with that title."""
    [found] = [each for each in RECIPES.split("\n### ") if each.startswith(f"{title}\n")]
    return found


def hunks(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the changes in *text*, each with its file."""
    for block in re.findall(r"^```diff\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        for file in re.split(r"^--- ", block, flags=re.MULTILINE)[1:]:
            name, *changes = re.split(r"\n@@(?:\n|$)", file)
            for change in changes:
                yield name, change.rstrip("\n").split("\n")


def apply(file: Path, hunk: list[str]) -> None:
    """Change *file*: its lines with a blank or `-` must be there once; with neither, append."""
    before = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "-"})
    after = "".join(f"{line[1:]}\n" for line in hunk if line[:1] in {" ", "+"})
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    if before:
        assert text.count(before) == 1, f"{file.name} has these lines not just once:\n{before}"
        text = text.replace(before, after)
    else:
        text += after
    file.write_text(text, encoding="utf-8")


def run(folder: Path, *arguments: str) -> None:
    """Run Python in *folder* with *arguments*."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
