"""Cost of whole processes: start-up, memory, and a stream of positions by one and by two."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TypeAlias

from judge.adapters.variant_files import load_map
from tests.bench import peer
from tests.bench.phases import movement_phases, question
from tests.games.records import game_10713

ROUNDS = 3
REPEATED = 200  # times the movement phases of the game, for a stream
JUDGE = "-m", "judge", "adjudicate"
# Starts a command and says of it, in Python that has loaded nothing else: the memory of a process
# counts what its parent had before it.
LAUNCHER = """
import os, sys, time
start = time.perf_counter()
child = os.fork()
if not child:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_maxrss / 1024, status, file=sys.stderr)
"""

Command: TypeAlias = tuple[str, ...]


def report(*, with_peer: bool) -> None:
    """Print a line a command."""
    lines = [question(phase) for phase in movement_phases(load_map(), [game_10713()])]
    with TemporaryDirectory() as folder:
        one, many = Path(folder, "one"), Path(folder, "many")
        one.write_bytes(lines[0])
        many.write_bytes(b"".join(lines) * REPEATED)
        commands: dict[str, Command] = {
            "bare Python": (sys.executable, "-c", "pass"),
            "import judge.rules": (sys.executable, "-c", "import judge.rules"),
            "judge adjudicate, one position": (sys.executable, *JUDGE, str(one)),
        }
        if with_peer:
            python = str(peer.environment())
            commands[f"{peer.NAME}, imported"] = (python, "-c", "import diplomacy")
            commands[f"{peer.NAME}, one position"] = (python, "-c", peer.ONE_POSITION)
        print(f"\n{'a process, start to end':48}{'ms':>10}{'peak MiB':>10}")
        for name, (seconds, mebibytes) in measured(commands).items():
            print(f"{name:48}{seconds * 1e3:10,.0f}{mebibytes:10.1f}")
        count = len(lines) * REPEATED
        streams = {
            f"judge adjudicate --jobs {jobs}": (sys.executable, *JUDGE, "--jobs", jobs, str(many))
            for jobs in "12"
        }
        print(f"\n{f'{count:,} phases of game 10713 in JSON':48}{'a second':>10}{'peak MiB':>10}")
        for name, (seconds, mebibytes) in measured(streams).items():
            print(f"{name:48}{count / seconds:10,.0f}{mebibytes:10.1f}")


def measured(commands: Mapping[str, Command]) -> dict[str, tuple[float, float]]:
    """Return the median of the seconds and the most memory of each of *commands*."""
    runs = [{name: run(each) for name, each in commands.items()} for _ in range(ROUNDS)]
    return {
        name: (median(each[name][0] for each in runs), max(each[name][1] for each in runs))
        for name in commands
    }


def run(command: Command) -> tuple[float, float]:
    """Return how many seconds *command* takes, and how many MiB."""
    launched = subprocess.run(
        [sys.executable, "-c", LAUNCHER, *command],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=True,
    )
    seconds, mebibytes, status = map(float, launched.stderr.splitlines()[-1].split())
    assert status == 0, launched.stderr
    return seconds, mebibytes
