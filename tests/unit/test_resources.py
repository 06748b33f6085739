from __future__ import annotations

from pathlib import Path

import pytest

from judge.reports.render import template_environment
from judge.resources import folder, override_files, read_text


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package that contains its templates, next to a folder of the same name."""
    package = tmp_path / "judge"
    (package / "_data" / "templates").mkdir(parents=True)
    (tmp_path / "templates").mkdir()
    return package


def test_a_checkout_uses_the_folder_beside_the_package(package: Path, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").touch()

    assert folder("templates", package) == tmp_path / "templates"


def test_an_installed_judge_carries_its_own(package: Path) -> None:
    assert folder("templates", package) == package / "_data" / "templates"


def test_a_stray_pyproject_among_installed_packages_misleads_nobody(
    package: Path, tmp_path: Path
) -> None:
    (tmp_path / "templates").rmdir()
    (tmp_path / "pyproject.toml").touch()

    assert folder("templates", package) == package / "_data" / "templates"


def test_this_judge_finds_what_its_log_promises() -> None:
    assert read_text("events", "README.md").startswith("# ")


def test_an_edited_file_of_the_operators_counts_once_it_is_put_in_front_again(
    tmp_path: Path,
) -> None:
    ours = read_text("templates", "mail/help.txt.j2")
    override_files("templates", tmp_path)
    try:
        assert read_text("templates", "mail/help.txt.j2") == ours
        (tmp_path / "mail").mkdir()
        (tmp_path / "mail/help.txt.j2").write_text("Theirs")
        override_files("templates", tmp_path)
        assert read_text("templates", "mail/help.txt.j2") == "Theirs"
    finally:
        override_files("templates", None)
    assert read_text("templates", "mail/help.txt.j2") == ours


def test_what_was_made_of_our_files_is_kept_if_they_stay_in_use() -> None:
    made = template_environment()

    override_files("templates", None)

    assert template_environment() is made
