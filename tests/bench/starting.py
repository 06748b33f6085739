"""What it costs to start the command line: `python -m tests.bench.starting`.

Measured is the CPU time of each process, beside that of an interpreter that does nothing.
"""

from __future__ import annotations

import os
import subprocess
import sys

from tests.bench.measuring import busy, calibrate, print_milliseconds

ROUNDS = 5
COMMANDS = {
    "python -c pass": ("-c", "pass"),
    "judge --help": ("-m", "judge", "--help"),
    "judge game --help": ("-m", "judge", "game", "--help"),
    "judge adjudicate": ("-m", "judge", "adjudicate"),
    "import judge.daemon": ("-c", "import judge.daemon"),
}
QUESTION = b'{"phase": "S1901M", "units": {"FRANCE": ["A PAR"]}, "orders": {}}\n'


def main() -> None:
    """Start each command several times."""
    for name, arguments in COMMANDS.items():
        loops = [busy(calibrate) for _ in range(ROUNDS)]
        print_milliseconds(name, [cpu_of(arguments) for _ in range(ROUNDS)], loops)


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


if __name__ == "__main__":
    main()
