"""The container files, read without an engine: everything they name exists.

No engine is needed, and none is asked: what an image of Debian brings is believed.
"""

from __future__ import annotations

import json
import re
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import ZipFile

import pytest
from hatchling.builders.wheel import WheelBuilder

from judge.cli.command_index import commands_of
from judge.settings import PREFIX, DatabaseServer, Settings, load

yaml = pytest.importorskip("yaml", reason="PyYAML has no wheel for Python 3.15")
ROOT = Path(__file__).parents[3]
HERE = ROOT / "deploy" / "container"
OF_OTHERS = {"postgres": {5432}, "axllent/mailpit": {1025, 8025}}  # where their images listen


class Step(NamedTuple):
    """A line of the Containerfile, with all its continuations."""

    instruction: str
    rest: str


@pytest.fixture(scope="module")
def stages() -> list[list[Step]]:
    """Return the steps of each stage."""
    text = (HERE / "Containerfile").read_text(encoding="utf-8")
    lines = re.sub(r"\\\n|^#.*\n", " ", text, flags=re.MULTILINE).splitlines()
    found: list[list[Step]] = []
    for line in filter(None, map(str.strip, lines)):
        step = Step(*line.split(maxsplit=1))
        if step.instruction == "FROM":
            found.append([])
        if found:  # what is before the first is an argument of all
            found[-1].append(step)
    return found


@pytest.fixture(scope="module")
def composition() -> Mapping[str, Any]:
    composed: Mapping[str, Any] = yaml.safe_load((HERE / "compose.yaml").read_text())
    return composed


def rests(stage: list[Step], instruction: str) -> list[str]:
    return [step.rest for step in stage if step.instruction == instruction]


def variables(stage: list[Step]) -> dict[str, str]:
    return dict(word.split("=", 1) for rest in rests(stage, "ENV") for word in shlex.split(rest))


def copies(stage: list[Step]) -> Iterator[tuple[list[str], str]]:
    for rest in rests(stage, "COPY"):
        *sources, target = rest.split()
        yield sources, target


def test_a_whole_wheel_is_made_of_what_is_copied(stages: list[list[Step]], tmp_path: Path) -> None:
    build, _ = stages
    there = tmp_path / "src"
    assert rests(build, "WORKDIR") == ["/src"]
    for sources, target in copies(build):
        for source in sources:
            into = there / target / ("" if (ROOT / source).is_dir() else Path(source).name)
            into.parent.mkdir(parents=True, exist_ok=True)
            ignored = shutil.ignore_patterns("__pycache__")
            if (ROOT / source).is_dir():
                shutil.copytree(ROOT / source, into, ignore=ignored)
            else:
                shutil.copy(ROOT / source, into)

    [wheel] = WheelBuilder(str(there)).build(directory=str(tmp_path / "dist"))

    packed = set(ZipFile(wheel).namelist())
    assert {str(path.relative_to(ROOT)) for path in (ROOT / "judge").rglob("*.py")} <= packed
    data = {name.split("/")[2] for name in packed if name.startswith("judge/_data/")}
    assert data == {"templates", "events", "deploy"}
    required = re.findall(r"-r (\S+)", " ".join(rests(build, "RUN")))
    assert required
    assert all((there / name).is_file() for name in required)


def test_what_is_run_is_a_command_of_the_judge_and_its_user_owns_where_it_keeps_things(
    stages: list[list[Step]],
) -> None:
    _, image = stages
    [made] = [words.split() for words in rests(image, "RUN") if words.startswith("useradd")]
    home = made[made.index("--home-dir") + 1]
    health = rests(image, "HEALTHCHECK")[0].partition("CMD ")[2]
    commands = [json.loads(each) for each in (*rests(image, "CMD"), health)]

    assert rests(image, "COPY") == ["--from=build /opt/judge /opt/judge"]
    assert variables(image)["PATH"].split(":")[0] == "/opt/judge/bin"
    assert [(program, command in commands_of()) for program, command in commands] == [
        ("judge", True),
        ("judge", True),
    ]
    assert rests(image, "USER") == [made[-1]]
    assert rests(image, "WORKDIR") == rests(image, "VOLUME") == [home]
    order = [step.instruction for step in image]
    assert order.index("RUN") < order.index("USER") < order.index("CMD")


def test_the_port_of_the_image_is_the_door_that_it_opens(
    stages: list[list[Step]], monkeypatch: pytest.MonkeyPatch
) -> None:
    settings = configured(variables(stages[1]), monkeypatch)

    assert settings.smtp
    assert rests(stages[1], "EXPOSE") == [str(settings.smtp.port)]
    assert settings.smtp.host == "0.0.0.0"  # noqa: S104 - of the container only


def test_the_composition_names_what_is_there(
    stages: list[list[Step]], composition: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    services = composition["services"]
    judge, postgres = services["judge"], services["postgres"]
    build = judge["build"]
    context = (HERE / build["context"]).resolve()
    assert context == ROOT
    assert context / build["dockerfile"] == HERE / "Containerfile"
    settings = configured(variables(stages[1]) | judge["environment"], monkeypatch)
    assert isinstance(settings.database, DatabaseServer)
    login = postgres["environment"]
    user, password = login["POSTGRES_USER"], login["POSTGRES_PASSWORD"]
    where = f"postgresql+psycopg://{user}:{password}@postgres/{user}"
    assert settings.database.url == where
    assert settings.smarthost
    assert settings.smarthost.host in services
    assert settings.smarthost.port in ports(services["catcher"])
    assert {*judge["depends_on"]} <= {*services}
    assert postgres["healthcheck"]["test"] == ["CMD", "pg_isready", "-U", user]
    named = {volume.partition(":")[0] for volume in postgres["volumes"]}
    assert named == {*composition["volumes"]}


def test_only_listening_ports_are_published_and_on_the_loopback_only(
    stages: list[list[Step]], composition: Mapping[str, Any]
) -> None:
    published = [
        (name, *each.rsplit(":", 2))
        for name, service in composition["services"].items()
        for each in service.get("ports", [])
    ]
    listening = {name: ports(service) for name, service in composition["services"].items()}
    listening["judge"] = {int(port) for port in rests(stages[1], "EXPOSE")}

    assert {host for _, host, _, _ in published} == {"127.0.0.1"}
    assert all(int(port) in listening[name] for name, _, _, port in published)
    assert len({outside for _, _, outside, _ in published}) == len(published)


def ports(service: Mapping[str, Any]) -> set[int]:
    return OF_OTHERS.get(service.get("image", "").partition(":")[0], set())


def configured(environment: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Return a judge's settings from these variables; each variable must be known."""
    chosen = {name: value for name, value in environment.items() if name.startswith(PREFIX)}
    assert {name.removeprefix(PREFIX).lower() for name in chosen} <= {*Settings.model_fields}
    for name, value in chosen.items():
        monkeypatch.setenv(name, value)
    return load()
