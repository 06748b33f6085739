"""`judge adjudicate --jobs`: several processes answer and stop like one."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from multiprocessing import active_children
from pathlib import Path
from select import select

import pytest

from judge.cli.adjudicate import ALONE_LINES
from judge.cli.workers import spread_over_processes
from tests.support.daemon import PATIENCE_SECONDS

MOVES = [
    f'{{"phase": "S19{year:02}M", "units": {{"AUSTRIA": ["A BUD"]}}}}\n' for year in range(1, 100)
]
MANY = [*MOVES * 20, "no JSON\n", *MOVES * 20]
PIPEFUL = MOVES * 10  # one read of standard input
KEPT_BYTES_MAX = 5_000_000  # of questions whose answers are not read yet


@contextmanager
def judge(jobs: int) -> Iterator[subprocess.Popen[str]]:
    """Run `judge adjudicate` in a process group of its own."""
    with subprocess.Popen(
        [sys.executable, "-m", "judge", "adjudicate", "--jobs", str(jobs)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield process
        finally:
            process.kill()


@contextmanager
def at_work() -> Iterator[tuple[subprocess.Popen[str], Sequence[int]]]:
    """Start two workers and have them answer; yield their parent and their process ids."""
    with judge(jobs=2) as parent:
        for number in range(ALONE_LINES + 2):
            ask(parent, MOVES[number % len(MOVES)])
        while len(children(parent)) < 2:  # the first may be done before the parent reads more
            ask_at_once(parent, [PIPEFUL, PIPEFUL])
        yield parent, children(parent)


def ask(process: subprocess.Popen[str], line: str) -> str:
    assert process.stdin
    assert process.stdout
    process.stdin.write(line)
    process.stdin.flush()
    return process.stdout.readline()


def ask_at_once(process: subprocess.Popen[str], several: Sequence[Sequence[str]]) -> None:
    """Send *several* pipefuls before reading any answer, to occupy more workers."""
    assert process.stdin
    assert process.stdout
    for lines in several:
        process.stdin.write("".join(lines))
        process.stdin.flush()
    for _ in chain.from_iterable(several):
        process.stdout.readline()


def children(process: subprocess.Popen[str]) -> list[int]:
    listed = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(child) for child in listed.split()]


def test_two_workers_answer_like_one() -> None:
    answers = {}
    for jobs in (1, 2):
        with judge(jobs) as process:
            answers[jobs] = (*process.communicate("".join(MANY)), process.returncode)

    assert answers[1] == answers[2]
    lines = answers[2][0].splitlines()
    assert len(lines) == len(MANY)
    assert json.loads(lines[1980]) == {
        "error": "the line: invalid JSON: Expecting value at character 1",
        "line": 1981,
    }
    assert answers[2][1:] == ("", 65)


def test_few_positions_start_no_worker() -> None:
    with judge(jobs=2) as process:
        ask(process, MOVES[0])

        assert children(process) == []


def test_no_more_processes_are_started_than_there_are_tasks() -> None:
    started = [
        len(active_children())
        for _ in spread_over_processes(str.split, iter(["one", "two", "three"]), 64)
    ]

    assert len(started) == 3
    assert 1 <= max(started) <= 3
    assert not active_children()


def test_a_worker_is_started_only_when_all_others_are_busy() -> None:
    with judge(jobs=64) as process:
        for number in range(ALONE_LINES + 40):
            ask(process, MOVES[number % len(MOVES)])

        assert (
            1 <= len(children(process)) < 20
        )  # Some workers may not have reported their last task yet.


def test_an_answer_of_another_process_comes_before_the_next_question() -> None:
    with at_work() as (parent, workers):
        assert len(workers) == 2
        assert json.loads(ask(parent, MOVES[6]))["phase"] == "S1907M"


@pytest.mark.usefixtures("interruptible")
def test_an_interruption_ends_all_processes_without_a_traceback() -> None:
    with at_work() as (parent, workers):
        os.killpg(parent.pid, signal.SIGINT)

        assert parent.communicate(timeout=PATIENCE_SECONDS) == ("", "\nAborted!\n")
        assert parent.returncode == 130
        assert not any(alive(worker) for worker in workers)


def test_a_closed_pipe_ends_all_processes_silently() -> None:
    with at_work() as (parent, workers):
        assert parent.stdout
        assert parent.stdin
        assert parent.stderr
        parent.stdout.close()
        parent.stdin.write(MOVES[0])
        parent.stdin.flush()

        assert parent.stderr.read() == ""
        assert not any(alive(worker) for worker in workers)


def test_a_killed_worker_is_reported_in_one_line() -> None:
    with at_work() as (parent, workers):
        for worker in workers:
            os.kill(worker, signal.SIGKILL)

        answer, complaint = parent.communicate(MOVES[0], timeout=PATIENCE_SECONDS)
        assert answer == ""
        assert complaint == "judge: a worker process died; the results printed so far are valid\n"
        assert parent.returncode == 70


@pytest.mark.parametrize("jobs", [1, 2])
def test_reading_is_limited_by_unread_answers(jobs: int) -> None:
    with judge(jobs) as process:
        assert process.stdin
        asking = process.stdin.fileno()
        os.set_blocking(asking, False)
        offered = "".join(MOVES).encode()
        taken = 0
        while taken < KEPT_BYTES_MAX and select([], [asking], [], 1)[1]:
            taken += os.write(asking, offered)

        assert taken < KEPT_BYTES_MAX


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True
