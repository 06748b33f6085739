"""Cost of starting commands and the daemon: `python -m tests.bench.starting [GAMES]`.

Measured is the CPU time of each process, beside that of an interpreter that does nothing; that of
the daemon, on a store of so many games that are played, until it says that it listens.
"""

from __future__ import annotations

import compileall
import os
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import judge
from tests.bench.measuring import busy, calibrate, print_milliseconds

ROUNDS, GAMES = 5, 10_000
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "judge --help": ("-m", "judge", "--help"),
    "judge game --help": ("-m", "judge", "game", "--help"),
    "judge adjudicate": ("-m", "judge", "adjudicate"),
    "import judge.daemon": ("-c", "import judge.daemon"),
}
QUESTION = b'{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}\n'


def main() -> None:
    """Start each command several times, and the daemon, with the bytecode of an installation."""
    compileall.compile_dir(Path(judge.__file__).parent, quiet=1)
    for name, arguments in COMMANDS.items():
        loops = [busy(calibrate) for _ in range(ROUNDS)]
        print_milliseconds(name, [cpu_of(arguments) for _ in range(ROUNDS)], loops)
    with tempfile.TemporaryDirectory() as folder:
        games = int(sys.argv[1]) if sys.argv[1:] else GAMES
        with get_context("spawn").Pool(1) as pool:
            pool.apply(fill, (folder, games))
        loops = [busy(calibrate) for _ in range(ROUNDS)]
        times = [cpu_until_ready(folder) for _ in range(ROUNDS)]
        print_milliseconds(f"the daemon until it is ready, {games:,} games", times, loops)


def cpu_of(arguments: tuple[str, ...]) -> float:
    """Return the CPU seconds of `python` with *arguments*, given one question to adjudicate."""
    command = [sys.executable, *arguments]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
    assert process.stdin
    try:
        process.stdin.write(QUESTION)
        process.stdin.close()
    except BrokenPipeError:
        pass  # a command that reads nothing has ended
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, arguments
    return used.ru_utime + used.ru_stime


def fill(folder: str, games: int) -> None:
    """Put so many games in Spring 1901 into the daemon's store; imports would slow others down."""
    from tests.bench.growth import NEVER, QUICK, add_games, begun  # noqa: PLC0415
    from tests.support.table import Table  # noqa: PLC0415

    now = datetime.now(UTC)
    with closing(Table(Path(folder))) as table:
        table.clock.time = now
        names = [f"game{number:05}" for number in range(games)]
        add_games(table, names, begun(QUICK, now)[1], NEVER)


def cpu_until_ready(folder: str) -> float:
    """Return the CPU seconds of `judge serve` and its children until it says that it listens."""
    from tests.bench.answering import cpu_seconds  # noqa: PLC0415
    from tests.support.daemon import CONFIGURED, LISTENING  # noqa: PLC0415

    process = subprocess.Popen(
        [sys.executable, "-m", "judge", "serve"],
        cwd=folder,
        env=os.environ | CONFIGURED | {"JUDGE_TICK_SECONDS": "60"},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert process.stdout
    try:
        assert process.stdout.readline().startswith(LISTENING)
        return cpu_seconds(process.pid)
    finally:
        process.terminate()
        process.wait()


if __name__ == "__main__":
    main()
