"""A sandbox process that obeys `DO ...` lines, as a hostile email might make it.

`python -m tests.support.deadly_reader SECONDS`: with so much CPU an email.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from judge.adapters.mail_sandbox import ANSWER, main
from judge.adapters.mail_sandbox import ANSWER_BYTES_MAX as ANSWER_MAX
from judge.mail.envelope import OpenedEmail, Unreadable, open_mail

SECRET = re.compile("JUDGE_|PG|AWS_")


def opens(raw: bytes, sender: str | None) -> OpenedEmail | Unreadable:
    """Open an email, or do what it says."""
    does: dict[bytes, Callable[[], object]] = {
        b"DO exit": partial(os._exit, 3),
        b"DO abort": os.abort,
        b"DO spin": _spin,
        b"DO work": _work,
        b"DO overrun": _overrun,
        b"DO sleep": partial(time.sleep, 60),
        b"DO raise": partial(sys.exit, 1),
        b"DO lie": partial(_say, ANSWER.pack(7) + b"cos\nx\n."),
        b"DO shout": partial(_say, ANSWER.pack(ANSWER_MAX + 1)),
    }
    for order, do in does.items():
        if raw.startswith(order):
            do()
    tries: dict[bytes, Callable[[], Unreadable]] = {
        b"DO eat": _eat,
        b"DO tell": lambda: Unreadable(
            " ".join(each for each in os.environ if SECRET.match(each))
        ),
        b"DO read": lambda: _try(lambda: Path(raw.split()[2].decode()).read_bytes()),
        b"DO write": lambda: _try(lambda: Path("here").write_bytes(b"")),
        b"DO connect": lambda: _try(
            lambda: socket.create_connection(("127.0.0.1", int(raw.split()[2])))
        ),
        b"DO pidfd": lambda: _try(lambda: os.pidfd_open(os.getppid())),
        b"DO signal": lambda: _try(_signal_the_judge),
        b"DO limit": lambda: _try(lambda: resource.prlimit(os.getppid(), resource.RLIMIT_FSIZE)),
        b"DO slow": lambda: _try(lambda: os.setpriority(os.PRIO_PROCESS, os.getppid(), 1)),
        b"DO pin": lambda: _try(lambda: os.sched_setaffinity(os.getppid(), {0})),
        b"DO bare": lambda: _try(lambda: Path(raw.split()[2].decode()).chmod(0o666)),
        b"DO run": lambda: _try(lambda: subprocess.run(["/bin/true"], check=False)),
    }
    for order, answer in tries.items():
        if raw.startswith(order):
            return answer()
    return open_mail(raw, sender)


def _overrun() -> None:
    """Take more of the processor's time than an email may have, of which little is left."""
    signal.setitimer(signal.ITIMER_PROF, 0.1)
    _spin()


def _work() -> None:
    """Take six tenths of a second of the processor's time."""
    end = time.process_time() + 0.6
    while time.process_time() < end:
        pass


def _spin() -> None:
    while True:
        pass


def _say(answer: bytes) -> None:
    os.write(sys.stdin.fileno(), answer)
    time.sleep(60)


def _try(do: Callable[[], object]) -> Unreadable:
    try:
        do()
    except OSError as error:
        return Unreadable(type(error).__name__)
    return Unreadable("it could")


def _signal_the_judge() -> None:
    """Call tgkill, with the signal that does nothing, as `kill` would."""
    libc, judge = ctypes.CDLL(None, use_errno=True), os.getppid()
    if libc.tgkill(judge, judge, 0):
        raise OSError(ctypes.get_errno(), "tgkill")


def _eat() -> Unreadable:
    try:
        bytearray(1 << 30)
    except MemoryError:
        return Unreadable("MemoryError")
    return Unreadable("")


if __name__ == "__main__":
    main(opens, *map(float, sys.argv[1:]))
