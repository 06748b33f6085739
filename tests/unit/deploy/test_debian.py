"""The Debian package, read without building it; `.ci/package` builds, installs and removes it."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from judge.settings import load

ROOT = Path(__file__).parents[3]
DEBIAN = ROOT / "deploy/debian"
SYSTEMD = ROOT / "deploy/systemd"
RULES = (DEBIAN / "rules").read_text(encoding="utf-8")


def test_the_package_has_the_version_of_the_judge() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    [latest] = (DEBIAN / "changelog").read_text(encoding="utf-8").splitlines()[:1]

    assert latest.startswith(f"{project['name']} ({project['version']}) ")


def test_every_file_the_package_takes_from_the_sources_exists() -> None:
    lists = ("install", "docs", "manpages")
    lines = [
        line
        for name in lists
        for line in (DEBIAN / f"pbem-judge.{name}").read_text(encoding="utf-8").splitlines()
    ]
    copied = re.findall(r"\b(?:deploy|requirements)/[\w./-]+[\w]", RULES)

    for source in (*(line.split()[0] for line in lines), *copied):
        path = DEBIAN.parent / source if source.startswith("debian/") else ROOT / source
        assert path.exists(), source
    assert "deploy/man/judge.1" in lines


@pytest.mark.parametrize("unit", sorted(SYSTEMD.glob("*.service")), ids=lambda unit: unit.stem)
def test_a_unit_of_the_package_runs_its_command(unit: Path) -> None:
    [(old, new)] = re.findall(r"sed 's\|(.+?)\|(.+?)\|g' deploy/systemd/", RULES)
    text = unit.read_text(encoding="utf-8").replace(old, new)
    [link] = (DEBIAN / "pbem-judge.links").read_text(encoding="utf-8").splitlines()
    _, command = link.split()

    assert f"--name={unit.stem} " in RULES
    assert f"{unit.name}" in RULES
    assert {*re.findall(r"(/\S+/judge) \w+", text)} == {f"/{command}"}
    [config] = re.findall(r"JUDGE_CONFIG=(\S+)", text)
    assert "debian/judge.toml etc/judge\n" in (DEBIAN / "pbem-judge.install").read_text("utf-8")
    assert config == "/etc/judge/judge.toml"


def test_the_settings_of_the_package_are_valid_and_keep_all_below_the_folder_of_the_unit() -> None:
    settings = load(DEBIAN / "judge.toml")
    unit = (SYSTEMD / "judge.service").read_text(encoding="utf-8")
    [home] = re.findall(r"^WorkingDirectory=(.*)$", unit, re.MULTILINE)

    assert str(settings.database).startswith(f"{home}/")
    assert str(settings.maildir).startswith(f"{home}/")


def test_the_page_installs_what_a_build_needs() -> None:
    control = (DEBIAN / "control").read_text(encoding="utf-8")
    [needed] = re.findall(r"^Build-Depends: (.*)$", control, re.MULTILINE)
    guide = (ROOT / "docs/operators/quick-start.md").read_text(encoding="utf-8")
    [installed] = re.findall(r"^apt-get install .* (build-essential .*)$", guide, re.MULTILINE)

    names = {name.partition(" ")[0].replace("-compat", "") for name in needed.split(", ")}
    assert names == {*installed.split()} - {"build-essential"}
