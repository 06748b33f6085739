"""Start programs quickly by forking a process that has imported the judge.

An interpreter which imports the daemon takes more than half a second of a processor, and hundreds
are started here. What is forked runs the same `__main__`, in the folder and with the environment
that it is given; only the time before its first line is saved.
"""

from __future__ import annotations

import multiprocessing
import os
import runpy
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path

IMPORTED = (
    "alembic.command",
    "icalendar",
    "judge.cli.operator.check",
    "judge.cli.games.game_command",
    "judge.cli.games.game_import",
    "judge.cli.games.moderation",
    "judge.cli.operator.serve",
    "judge.daemon",
)
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2

nursery = multiprocessing.get_context("forkserver")
nursery.set_forkserver_preload([__name__, *IMPORTED])


class Forked:
    """`python -m module arguments`, spoken to like a `Popen`; its outputs are open files."""

    def __init__(
        self,
        command: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        *,
        stdout: int,
        stderr: int,
    ) -> None:
        outputs = Connection(os.dup(stdout)), Connection(os.dup(stderr))
        self._process = nursery.Process(
            target=become, args=(command, folder, dict(environment), *outputs)
        )
        self._process.start()
        for output in outputs:
            output.close()
        assert self._process.pid
        self.pid = self._process.pid

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        return self._process.exitcode

    def wait(self, seconds: float) -> int:
        """Wait until it has ended, and return the exit code; raises `TimeoutExpired`."""
        self._process.join(seconds)
        code = self._process.exitcode
        if code is None:
            raise subprocess.TimeoutExpired("a forked program", seconds)
        return code

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)


def become(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    stdout: Connection,
    stderr: Connection,
) -> None:
    """Go on as *command*."""
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    for output, number in ((stdout, STANDARD_OUTPUT), (stderr, STANDARD_ERROR)):
        os.dup2(output.fileno(), number)
        output.close()
    module, *arguments = command
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
