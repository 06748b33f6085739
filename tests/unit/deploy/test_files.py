"""Everything the other files of deploy/ name exists: commands, settings, metrics, files."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from judge.adapters.web.servers import METRICS
from judge.cli.command_index import commands_of

yaml = pytest.importorskip("yaml", reason="PyYAML has no wheel for Python 3.15")
ROOT = Path(__file__).parents[3]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
GUIDE = (ROOT / "docs" / "operators" / "quick-start.md").read_text(encoding="utf-8")
USER = (
    (DEPLOY / "systemd" / "judge.sysusers").read_text(encoding="utf-8").split("\n")[1].split()[1]
)


def test_every_alert_is_about_a_metric_that_there_is() -> None:
    alerts = yaml.safe_load((DEPLOY / "prometheus" / "alerts.yml").read_text(encoding="utf-8"))
    rules = [rule for group in alerts["groups"] for rule in group["rules"]]
    named = {name for rule in rules for name in re.findall(r"\bjudge_\w+", rule["expr"])}

    assert named
    assert named <= set(METRICS)
    assert all(rule["annotations"]["summary"] for rule in rules)


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.stem)
def test_what_a_unit_runs_is_a_command_of_the_judge_that_the_guide_installs(unit: Path) -> None:
    text = unit.read_text(encoding="utf-8")
    commands = re.findall(r"(/opt/\S+/judge) (\w+)", text)

    assert commands
    assert {program for program, _ in commands} == {"/opt/judge/bin/judge"}
    assert {command for _, command in commands} <= commands_of().keys()
    assert "python3 -m venv /opt/judge\n" in GUIDE
    assert f"User={USER}\n" in text
    [config] = re.findall(r"JUDGE_CONFIG=(\S+)", text)
    assert f"cat >{config} <<" in GUIDE


def test_every_folder_that_a_unit_writes_to_is_made_for_its_user() -> None:
    made = [
        line.split()
        for line in (DEPLOY / "systemd" / "judge.tmpfiles")
        .read_text(encoding="utf-8")
        .splitlines()
        if not line.startswith("#")
    ]
    owners = {path: owner for _, path, _, owner, *_ in made}
    for unit in UNITS:
        text = unit.read_text(encoding="utf-8")
        folders = re.findall(r"^(?:WorkingDirectory|ReadWritePaths)=(\S+)", text, re.MULTILINE)
        assert {owners[folder] for folder in folders} == {USER}


def test_every_file_to_be_installed_is_named_where_it_is_told_how() -> None:
    told = GUIDE + (DEPLOY / "README.md").read_text(encoding="utf-8")
    named = {
        path.relative_to(DEPLOY)
        for path in DEPLOY.rglob("*")
        if path.is_file() and path.name not in ("README.md", "judge_headers")
    }

    assert [
        path for path in named if path.name not in told and f"{path.parts[0]}/`" not in told
    ] == []


def test_postfix_and_the_judge_meet_at_a_socket_that_only_they_reach() -> None:
    """A port of the loopback would let every program of the machine say when an email came."""
    page = (DEPLOY.parent / "docs/operators/quick-start.md").read_text(encoding="utf-8")
    configure = (DEPLOY / "postfix/configure").read_text(encoding="utf-8")
    unit = (DEPLOY / "systemd/judge.service").read_text(encoding="utf-8")
    settings = tomllib.loads(page.split("<<'END'\n")[1].split("END\n")[0])

    assert settings["smtp"] == ""
    assert f"lmtp=${{3:-{settings['lmtp']}}}" in configure
    folder = Path(settings["lmtp"]).parent
    assert folder.parent == Path("/run", re.findall(r"(?m)^RuntimeDirectory=(.*)", unit)[0])
    assert "\nRuntimeDirectoryPreserve=yes\n" in unit, "else the folder would go with the judge"
    assert "user=${4:-judge}" in configure
    assert "0710 %s postfix" in configure


@pytest.mark.parametrize("script", ["package", "walk"])
def test_the_parts_of_pages_that_are_followed_in_a_clean_debian_are_there(script: str) -> None:
    text = (ROOT / ".ci" / script).read_text(encoding="utf-8")
    page = (ROOT / "docs" / "operators" / "upgrading.md").read_text(encoding="utf-8")
    followed = re.findall(r'^ *follow \S+ \S+ "(.*)"$', text, re.MULTILINE)
    upgraded = re.findall(r'^ *upgrade "\S+" "(.*)"$', text, re.MULTILINE)

    assert followed
    assert upgraded
    assert all("\n```sh\n" in parts(GUIDE)[title] for title in followed)
    assert all("\n```sh\n" in parts(page)[title] for title in '" "'.join(upgraded).split('" "'))


def parts(page: str) -> dict[str, str]:
    """Return the text below each heading of *page*."""
    return dict(re.findall(r"^#+ (.*?)$(.*?)(?=^#|\Z)", page, re.MULTILINE | re.DOTALL))
