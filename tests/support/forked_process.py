"""Start programs quickly by forking a process that has imported the judge.

An interpreter which imports the daemon takes more than half a second of a processor, and hundreds
are started here, and what they make for their first email takes another second. What is forked
runs the same `__main__`, in the folder and with the environment that it is given; only that time
is saved.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import runpy
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from threading import Lock
from types import SimpleNamespace
from typing import NoReturn

from judge.adapters import sandbox

IMPORTED = (
    "alembic.command",
    "icalendar",
    "judge.cli.operator.check",
    "judge.cli.games.game_command",
    "judge.cli.games.game_import",
    "judge.cli.games.moderation",
    "judge.cli.operator.serve",
    "judge.daemon",
    "tests.support.warm_start",
)
STANDARD_OUTPUT, STANDARD_ERROR = 1, 2
PR_SET_CHILD_SUBREAPER = 36
REQUEST_BYTES_MAX = 64 * 1024
END = b"."

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
    if "serve" in arguments:
        ForkedReader.prepare()
        with_ours = {**vars(subprocess), "Popen": ForkedReader}
        setattr(sandbox, "subprocess", SimpleNamespace(**with_ours))  # noqa: B010 - mypy forbids it
    sys.argv = [module, *arguments]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


class ForkedReader(subprocess.Popen[bytes]):
    """A process in which a daemon reads emails: it is forked, too, before the daemon has threads.

    It is the daemon's child as any other, since the process that forks it ends at once.
    """

    lock = Lock()
    line: socket.socket

    @classmethod
    def prepare(cls) -> None:
        """Start what forks the readers of this process."""
        cls.line, theirs = socket.socketpair()
        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1)
        if os.fork():
            theirs.close()
            return
        cls.line.close()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)
        while request := socket.recv_fds(theirs, REQUEST_BYTES_MAX, 1):
            if not request[0]:
                os._exit(0)
            between = os.fork()
            if not between:
                reader = os.fork()
                if reader:
                    theirs.sendall(str(reader).encode())
                    os._exit(0)
                _read(*pickle.loads(request[0]), *request[1])  # noqa: S301 - the daemon wrote it
            os.waitpid(between, 0)
            theirs.sendall(END)
            os.close(*request[1])

    def _execute_child(self, *given: object) -> None:
        """Fork instead of executing a program, with the arguments that CPython gives it."""
        command, environment, stdin = given[0], given[6], given[10]
        assert isinstance(stdin, int)
        with self.lock:
            socket.send_fds(self.line, [pickle.dumps((command, environment))], [stdin])
            answer = b""
            while not answer.endswith(END):
                answer += self.line.recv(REQUEST_BYTES_MAX)
        self.pid = int(answer.removesuffix(END))
        self._child_created = True


def _read(command: Sequence[str], environment: Mapping[str, str], stdin: int) -> NoReturn:
    """Go on as *command*, `python -B -m module`, with the memory of a program that is executed."""
    os.dup2(stdin, 0)
    os.closerange(STANDARD_ERROR + 1, stdin + 1)
    sys.stdin = open(0)  # noqa: SIM115 - as it is when Python begins
    os.environ.clear()
    os.environ.update(environment)
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    sandbox.MEMORY_BYTES_MAX += pages * os.sysconf("SC_PAGE_SIZE")  # type: ignore[misc]  # final
    sys.modules.pop(command[-1], None)  # or `runpy` warns
    runpy.run_module(command[-1], run_name="__main__", alter_sys=True)
    os._exit(0)
