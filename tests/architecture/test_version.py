"""One version, everywhere."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_program_changelog_and_debian_package_have_the_same_version() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    news = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    package = (ROOT / "deploy/debian/changelog").read_text(encoding="utf-8")

    newest = re.findall(r"^## (\S+)", news, re.MULTILINE)[0]
    assert [newest, *re.findall(r"^pbem-judge \((.*?)\)", package)] == [project["version"]] * 2
