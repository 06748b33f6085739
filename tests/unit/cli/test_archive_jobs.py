"""`judge archive --jobs`: several processes give the results of one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from judge.adapters.archive import shards
from judge.cli import workers
from judge.cli.root import archive
from judge.cli.workers import AHEAD_MAX, KEPT_MAX, run_in_order
from tests.support.daemon import PATIENCE_SECONDS

GAMES = 30
GAME = """\
PHASE 1901 Spring Movement
POSITIONS
Austria: army bud
Austria: supply bud
ORDERS
bud move ser
PHASE 1901 Fall Movement
POSITIONS
Austria: supply bud
Austria: army {}
ORDERS
"""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(archive, [str(each) for each in arguments])


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a file with one game per line in many shards; some games differ."""
    (tmp_path / "games").write_text("".join(GAME.format("bud") + GAME.format("ser")))
    lines = run("convert", tmp_path / "games", "--to", "record").stdout.splitlines(keepends=True)
    (tmp_path / "saved").write_text("".join(lines * (GAMES // 2)))
    monkeypatch.setattr(shards, "SHARD_BYTES", 2 * len(lines[0]))
    return tmp_path / "saved"


def cut(saved: Path, at: int) -> None:
    """Truncate line *at* of the file."""
    lines = saved.read_text().splitlines(keepends=True)
    saved.write_text("".join([*lines[: at - 1], lines[at - 1][:40] + "\n", *lines[at:]]))


def test_two_processes_verify_a_large_file_as_one_does(saved: Path) -> None:
    one, two = (run("verify", saved, "--jobs", jobs) for jobs in (1, 2))

    assert (two.stdout, two.exit_code) == (one.stdout, 1)
    assert one.stdout.splitlines()[-1].startswith(f"{GAMES} games")


def test_two_processes_keep_the_order_of_games(saved: Path) -> None:
    one, two = (run("convert", saved, "--to", "droidippy", "--jobs", jobs) for jobs in (1, 2))

    assert two.stdout == one.stdout
    assert one.stdout.count("PHASE 1901 Spring") == GAMES


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_error_stops_a_file_in_every_process(saved: Path, jobs: int) -> None:
    cut(saved, 8)

    result = run("verify", saved, "--jobs", jobs)

    assert result.stderr.startswith(f"judge: {saved}:8: ")
    assert result.stdout.splitlines()[-1].startswith("7 games")


def test_a_lenient_reading_continues_after_an_error(saved: Path) -> None:
    cut(saved, 8)

    told = json.loads(run("verify", "--lenient", "--json", saved, "--jobs", 2).stdout)

    assert told["games"] == GAMES - 1
    assert len(told["doubts"]) + len(told["unread"]) == 1


def test_an_interrupted_run_resumes_in_the_middle_of_a_file(saved: Path, tmp_path: Path) -> None:
    state = tmp_path / "state"
    whole = run("verify", "--resume", state, saved, "--json").stdout
    lines = state.read_bytes().splitlines(keepends=True)
    assert len(lines) > GAMES // 4
    state.write_bytes(b"".join(lines[:5]))

    again = run("verify", "--resume", state, saved, "--json")

    assert json.loads(again.stdout) == json.loads(whole)
    assert sorted(state.read_bytes().splitlines(keepends=True)) == sorted(lines)


def test_an_error_stops_a_file_also_in_a_resumed_run(saved: Path, tmp_path: Path) -> None:
    cut(saved, 8)
    first, again = (run("verify", "--resume", tmp_path / "state", saved) for _ in range(2))

    assert (again.stdout, again.stderr) == (first.stdout, first.stderr)


def test_a_killed_worker_is_reported_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        list(workers.in_processes(2, dying, "ab"))

    assert ended.value.code == 70
    assert capsys.readouterr().err == (
        "judge: a worker process died; the results printed so far are valid\n"
    )


def dying(_: str) -> Iterator[str]:
    os.kill(os.getpid(), signal.SIGKILL)
    yield "never"


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_ends_all_processes_without_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "many").mkdir()
    for number in range(400):
        (tmp_path / "many" / str(number)).write_text(GAME.format("ser") * 10)
    command = [sys.executable, "-m", "judge", "archive", "verify", "--jobs", "2"]
    with subprocess.Popen(
        [*command, tmp_path / "many"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as judge:
        assert judge.stdout
        judge.stdout.readline()
        os.killpg(judge.pid, signal.SIGINT)
        _, complaint = judge.communicate(timeout=PATIENCE_SECONDS)

    assert (judge.returncode, complaint) == (130, b"\nAborted!\n")


def test_a_worker_far_ahead_waits() -> None:
    several = run_in_order(lambda task: count() if task else range(3), [False, True], 2)

    answers = list(islice(several, 3 + 10 * KEPT_MAX))

    assert answers == [*range(3), *range(10 * KEPT_MAX)]
    several.close()  # type: ignore[attr-defined]  # a generator


def test_tasks_are_taken_as_they_are_needed() -> None:
    taken = count()
    answers = run_in_order(lambda task: (task,), (next(taken) for _ in iter(int, 1)), 2)

    assert list(islice(answers, 5)) == [0, 1, 2, 3, 4]
    assert next(taken) <= 5 + 2 * AHEAD_MAX
    answers.close()  # type: ignore[attr-defined]  # a generator
