"""Studying games on Windows and macOS, which the tests emulate: nobody tried the real ones."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from judge.cli.root import root
from judge.cli.terminal import UNAVAILABLE
from tests.support.recorded_game import game_10713, write_10713
from tests.support.table import Table

ROOT = Path(__file__).parents[3]
EMULATION = ROOT / "tests" / "support" / "other_systems"
PATIENCE_SECONDS = 100
QUESTION = (
    '{"phase": "S1901M", "units": {"AUSTRIA": ["A BUD"]}, "centers": {}, "orders": {"AUSTRIA":'
    ' ["A BUD - SER"]}}'
)
NEED_A_STORE = (
    "serve",
    "demo",
    "setup",
    "check",
    "doctor",
    "game list",
    "game new x",
    "log verify",
)
PUBLISH = "{0}/log --database {0}/judge.db"
MESSAGE = (
    '{"text": "A Par-Bur", "power": "FRANCE", "position": {"phase": "S1901M", "units":'
    ' {"FRANCE": ["A PAR"]}, "centers": {}}}'
)


def environment(system: str) -> dict[str, str]:
    names = {"PYTHONPATH": f"{EMULATION}:{ROOT}", "EMULATED_SYSTEM": system}
    if system == "windows":
        names["PYTHONUTF8"] = "0"  # as before 3.15, and as its users may have it
    return os.environ | names


def run_on(
    folder: Path, *arguments: str, given: str = "", system: str = "windows"
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "judge", *arguments],
        cwd=folder,
        env=environment(system),
        input=given,
        capture_output=True,
        text=True,
        encoding="cp1252" if system == "windows" else "utf-8",
        check=False,
        timeout=PATIENCE_SECONDS,
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a game, and with two in the folder `games`."""
    game = write_10713(tmp_path)
    (tmp_path / "games").mkdir()
    for name in ("one", "two"):
        (tmp_path / "games" / f"{name}.jsonl").write_bytes(game.read_bytes())
    return tmp_path


def test_the_emulation_lacks_what_windows_lacks(tmp_path: Path) -> None:
    program = """\
import importlib.util, multiprocessing, os, signal, sys, time
from pathlib import Path

for name in ("fcntl", "resource", "pwd"):
    try:
        importlib.util.find_spec(name)
    except ModuleNotFoundError:
        continue
    sys.exit(name)
there = (os, "fork"), (os, "geteuid"), (time, "CLOCK_MONOTONIC"), (signal, "SIGHUP")
assert not [name for module, name in there if hasattr(module, name)]
assert multiprocessing.get_all_start_methods() and multiprocessing.get_start_method() == "spawn"
Path("Page").write_text("\\u2019")
assert Path("page").read_bytes() == b"\\x92"
Path("other").write_text("x")
with open("page"):
    for refused in (lambda: os.replace("other", "PAGE"), lambda: os.rename("other", "page")):
        try:
            refused()
        except OSError:
            continue
        sys.exit("renamed onto an open file")
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env=environment("windows"),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("archive verify games --jobs 2", "84 compared, 84 agree"),
        pytest.param("archive stats games --jobs 2", "2 games", marks=pytest.mark.gate),
        pytest.param(
            *("archive convert games --to droidippy -o games.txt --jobs 2", ""),
            marks=pytest.mark.gate,
        ),
    ],
)
def test_games_are_studied_by_several_processes_as_on_linux(
    folder: Path, line: str, told: str
) -> None:
    done = run_on(folder, *line.split())

    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done.stderr
    assert told in done.stdout + done.stderr


IN_ONE_PROCESS = {  # what each line tells
    "replay games -o pages": "",
    "report 10713.jsonl": "Spring",
    "archive show 10713.jsonl --phase S1901M": "A SMY - CON",
    "archive show 10713.jsonl --phase S1901M --picture map.svg": "",
    "archive show 10713.jsonl --phase S1901M --picture map.png": "",
    "archive index games.db games": "2 new",
    "replay 10713.jsonl -o page.html --language de": "",
    "report 10713.jsonl --format html --years 1901 -o report.html": "",
    "variant list": "youngstown",
    "variant show modern": "Modern",
    "variant new small": "judge variant check small",
    "variant show standard --picture map.svg": "",
    "rulebook diff datc 1971": "4.A",
}


@pytest.mark.gate
def test_games_are_studied_as_on_linux(folder: Path) -> None:
    answers = run_lines(folder, IN_ONE_PROCESS)

    assert [(line, code, said) for line, code, said in answers if code] == []
    assert [line for line, _, said in answers if IN_ONE_PROCESS[line] not in said] == []
    assert len(answers) == len(IN_ONE_PROCESS)


def run_lines(folder: Path, lines: Iterable[str]) -> list[tuple[str, int, str]]:
    """Run commands in one process on Windows; return the exit code and the output of each."""
    program = """\
import json, sys
from click.testing import CliRunner
from judge.cli.root import root

for line in sys.stdin.read().splitlines():
    done = CliRunner().invoke(root, line.split())
    print(json.dumps([line, done.exit_code, done.output]))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        env=environment("windows"),
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_SECONDS,
    )
    assert done.returncode == 0, done.stderr
    return [(line, code, said) for line, code, said in map(json.loads, done.stdout.splitlines())]


def test_what_needs_a_store_is_refused_in_one_line(tmp_path: Path) -> None:
    answers = run_lines(tmp_path, NEED_A_STORE)

    assert [(line, code) for line, code, _ in answers] == [
        (line, UNAVAILABLE) for line in NEED_A_STORE
    ]
    assert {said for *_, said in answers} == {
        "judge: a judge with a store needs Linux, macOS or another Unix; on Windows use WSL\n"
    }


@pytest.mark.parametrize("count", [1, 250], ids=["one", "more than one process would get"])
def test_positions_are_adjudicated(tmp_path: Path, count: int) -> None:
    done = run_on(tmp_path, "adjudicate", given=f"{QUESTION}\n" * count)

    assert (done.returncode, done.stderr) == (0, "")
    answers = [json.loads(each) for each in done.stdout.splitlines()]
    assert [each["phase"] for each in answers] == ["S1901M"] * count


def test_orders_are_read(tmp_path: Path) -> None:
    done = run_on(tmp_path, "orders", "read", given=MESSAGE)

    assert json.loads(done.stdout)["orders"] == ["A PAR - BUR"]


def test_what_cp1252_does_not_have_is_escaped(folder: Path) -> None:
    write_10713(folder, replace(game_10713(), name="Дипломатия"))

    done = run_on(folder, "archive", "show", "10713.jsonl", "--number", "2")

    assert (done.returncode, done.stderr) == (0, "")
    assert r"\u0414\u0438" in done.stdout


def test_a_page_is_replaced(folder: Path) -> None:
    (folder / "Page.html").write_text("of last year")

    assert run_on(folder, "replay", "10713.jsonl", "-o", "page.html").returncode == 0

    [page] = folder.glob("?age.html")
    assert page.read_bytes().decode().startswith("<!doctype html>")


def test_the_own_variants_reach_the_spawned_workers_of_macos(folder: Path) -> None:
    assert run_on(folder, "variant", "new", "boards/small").returncode == 0
    (folder / "judge.toml").write_text('variants = "boards"\n')
    question = '{"map": "small", "phase": "S1901M", "units": {"WEST": ["A TOW"]}, "centers": {}}\n'

    done = run_on(
        folder,
        *("adjudicate", "--config", "judge.toml", "--jobs", "2"),
        given=question * 250,
        system="macos",
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count('"map": "small"') == 250


@pytest.mark.parametrize(
    "line",
    [
        "archive verify games --jobs 2",
        pytest.param("replay games -o pages", marks=pytest.mark.gate),
        pytest.param("archive convert games --to record -o games.jsonl", marks=pytest.mark.gate),
    ],
)
def test_macos_runs_the_same(folder: Path, line: str) -> None:
    done = run_on(folder, *line.split(), system="macos")

    assert (done.returncode, done.stderr) == (0, "")


def test_receipts_and_a_published_log_are_checked(tmp_path: Path) -> None:
    table = Table(tmp_path)
    table.start()
    table.want_proofs()
    receipt = table.send("FRANCE", "A Par H")
    results = next(mail for mail in table.close_phase() if mail.recipient == receipt.recipient)
    emails = []
    for name, mail in (("receipt.eml", receipt), ("results.eml", results)):
        raw = dict(table.query("SELECT message_id, raw FROM outbox"))[mail.message_id]
        (tmp_path / name).write_bytes(raw)
        emails.append(name)
    published = CliRunner().invoke(root, ["log", "publish", *PUBLISH.format(tmp_path).split()])
    table.close()
    assert published.exit_code == 0

    checked = run_on(tmp_path, "receipt", "verify", *emails)
    verified = run_on(tmp_path, "log", "verify", "--log", "log", "results.eml")

    assert (checked.returncode, verified.returncode) == (0, 0), checked.stderr + verified.stderr
    assert "receipt: adjudicated for France" in checked.stdout
    assert "as in the log" in verified.stdout
