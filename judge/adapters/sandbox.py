"""Child processes for what strangers write: with limits, and without store, network or settings.

The parent talks to its child over a socket pair. A child that has used its CPU time is ended by
the system; one that has stopped using any, by the parent. A slow machine ends neither.

The child confines itself before it reads anything: to a working directory of its own, which is
gone already, and with Landlock and seccomp, where the kernel has them, to the files of Python and
of the judge, which it may read, and to the descriptors that it has.
"""

from __future__ import annotations

import ctypes
import gc
import os
import platform
import resource
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from enum import Enum
from pathlib import Path
from typing import Final

import judge
from judge.resources import folder

MEMORY_BYTES_MAX: Final = 200 * 1024 * 1024
NO_PATIENCE: Final = nullcontext()
ENVIRONMENT: Final = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "LD_LIBRARY_PATH", "PYTHONHOME")


class ChildProcess:
    """A child that runs *program*, started when it is first needed; for one thread at a time.

    It is given up once it has used no CPU for *idle_seconds_max* while an answer is due.
    """

    def __init__(self, program: Sequence[str], idle_seconds_max: float) -> None:
        self._program = program
        self._idle_seconds_max = idle_seconds_max
        self._line: socket.socket | None = None
        self._progress = ""
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> bool:
        """Start the child unless it runs; return whether it had to be started."""
        if self._line and self.process and self.process.poll() is None:
            return False
        self.close()
        self._line, theirs = socket.socketpair()
        self._line.settimeout(self._idle_seconds_max)
        with theirs:
            self.process = subprocess.Popen(  # noqa: S603 - our own module, by our own interpreter
                [sys.executable, "-B", *self._program], stdin=theirs.fileno(), env=_environment()
            )
        return True

    def send(self, request: bytes) -> None:
        """Send *request*; raises `TimeoutError` once the child does nothing more."""
        assert self._line, "it was started"
        view, sent = memoryview(request), 0
        while sent < len(request):
            with _Patience(self):
                sent += self._line.send(view[sent:])

    def receive(self, length: int) -> bytes:
        """Return *length* bytes; raises `TimeoutError` once the child does nothing more."""
        assert self._line, "it was started"
        return receive_exactly(self._line, length, _Patience(self))

    def death(self) -> str | None:
        """Return how the child ended, which has closed its line; None if it lives on."""
        assert self.process, "it was running a moment ago"
        try:
            status = self.process.wait(self._idle_seconds_max)
        except subprocess.TimeoutExpired:
            return None
        finally:
            self.close()
        return f"the reader crashed ({-status if status < 0 else status})"

    def close(self) -> None:
        """End the child."""
        if self._line:
            self._line.close()
        if self.process:
            self.process.kill()
            self.process.wait()
        self._line = self.process = None

    def has_stalled(self) -> bool:
        """Return whether the child neither runs nor has run since this was asked last."""
        assert self.process, "it was started"
        try:
            stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        except OSError:
            return True  # another kind of system: all time counts
        state, *fields = stat.rpartition(")")[2].split()
        before, self._progress = self._progress, " ".join(fields[10:12])  # ticks of CPU
        return state != "R" and self._progress == before


class _Patience:
    """Lets a wait that timed out be repeated, unless the child has stalled."""

    def __init__(self, child: ChildProcess) -> None:
        self._child = child

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> bool:
        return kind is TimeoutError and not self._child.has_stalled()


def receive_exactly(
    line: socket.socket, length: int, patience: AbstractContextManager[object] = NO_PATIENCE
) -> bytes:
    """Return *length* bytes, each part awaited with *patience*; raises `EOFError` at the end."""
    read = bytearray(length)
    view, filled = memoryview(read), 0
    while filled < length:
        with patience:
            count = line.recv_into(view[filled:])
            if not count:
                raise EOFError
            filled += count
    return bytes(read)


def _environment() -> dict[str, str]:
    """Return what Python needs of our environment: the rest may be secrets."""
    kept = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
    return kept | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}


class Confinement(Enum):
    """A means that keeps a child from files or from the network."""

    FILES = "Landlock"
    NETWORK = "seccomp"


def confine() -> tuple[Confinement, ...]:
    """Confine this process, as far as its kernel can; return what it could."""
    gc.freeze()  # What is loaded is never garbage: to go through it took a fifteenth of the work.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # The judge finishes its turn first.
    for kind, most in ((resource.RLIMIT_AS, MEMORY_BYTES_MAX), (resource.RLIMIT_CORE, 0)):
        hard = resource.getrlimit(kind)[1]
        limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
        with suppress(OSError, ValueError):  # Some systems refuse: the email is read without it.
            resource.setrlimit(kind, (limit, limit))
    with suppress(OSError):
        own = Path(tempfile.mkdtemp(prefix="judge-"))
        os.chdir(own)
        own.rmdir()
    if sys.platform != "linux" or platform.machine() not in ARCHITECTURES:
        return ()
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0):
        return ()
    could = {Confinement.FILES: _restrict_files(libc), Confinement.NETWORK: _restrict_calls(libc)}
    return tuple(each for each, done in could.items() if done)


def confinement_here() -> tuple[Confinement, ...]:
    """Return what the kernel of this machine can do, as a child finds out."""
    command = [sys.executable, "-B", "-m", "judge.adapters.sandbox"]
    try:
        tried = subprocess.run(  # noqa: S603 - our own module, by our own interpreter
            command, env=_environment(), capture_output=True, text=True, check=False
        )
    except OSError:  # This user may not even start the interpreter.
        return ()
    return tuple(each for each in Confinement if each.value in tried.stdout.split())


PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
# linux/landlock.h
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same on all architectures
RULESET_VERSION, PATH_BENEATH = 1, 1
EXECUTE, READ_FILE, READ_DIR = 1, 1 << 2, 1 << 3
FILE_RIGHTS_BY_ABI = ((1, 13), (2, 14), (3, 15), (5, 16))  # the first so many bits


def _restrict_files(libc: ctypes.CDLL) -> bool:
    """Allow to read the files of Python and of the judge, and no others."""
    abi = libc.syscall(CREATE_RULESET, None, 0, RULESET_VERSION)
    if abi < 1:
        return False
    rights = max(count for since, count in FILE_RIGHTS_BY_ABI if since <= abi)
    handled = struct.pack("=Q", (1 << rights) - 1)
    rules = libc.syscall(CREATE_RULESET, handled, len(handled), 0)
    if rules < 0:
        return False
    try:
        for path in _code_paths():
            with suppress(OSError):
                below = os.open(path, os.O_PATH | os.O_CLOEXEC)  # type: ignore[attr-defined,unused-ignore]  # of Linux
                try:
                    rule = struct.pack("=Qi", EXECUTE | READ_FILE | READ_DIR, below)
                    libc.syscall(ADD_RULE, rules, PATH_BENEATH, rule, 0)
                finally:
                    os.close(below)
        return bool(libc.syscall(RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)


def _code_paths() -> Iterator[str]:
    """Yield the folders of code and data: Python's, the libraries', the judge's own."""
    yield from {sysconfig.get_path(name) for name in ("stdlib", "platstdlib")}
    yield from (path for path in sys.path if Path(path).name in ("site-packages", "dist-packages"))
    yield from ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")
    yield "/usr/share/zoneinfo"
    yield str(Path(judge.__file__).parent)
    yield str(folder("templates"))


# linux/audit.h; the numbers of system calls that are refused, by architecture, and that of tgkill,
# by which a process may end itself and no other.
ARCHITECTURES: Final = {
    "x86_64": (
        0xC000003E,
        (
            *(41, 42, 43, 49, 50, 56, 57, 58, 59, 288, 322, 425, 435),
            *(62, 101, 129, 141, 142, 144, 200, 203, 297, 302, 310, 311, 314, 424, 434, 438),
            *(90, 91, 92, 93, 94, 260, 268, 452),
        ),
        234,
    ),
    "aarch64": (
        0xC00000B7,
        (
            *(198, 200, 201, 202, 203, 220, 221, 242, 281, 425, 435),
            *(117, 118, 119, 122, 129, 130, 138, 140, 240, 261, 270, 271, 274, 424, 434, 438),
            *(52, 53, 54, 55, 452),
        ),
        131,
    ),
}
"""New sockets, processes and programs: socket, connect, accept, accept4, bind, listen; clone,
clone3, fork, vfork, execve, execveat; io_uring_setup.

Other processes, as the judge itself: kill, tkill, rt_sigqueueinfo, rt_tgsigqueueinfo,
pidfd_open, pidfd_send_signal, pidfd_getfd; ptrace, process_vm_readv, process_vm_writev; prlimit64,
setpriority, sched_setparam, sched_setscheduler, sched_setaffinity, sched_setattr.

What Landlock lets through: chmod, fchmod, fchmodat, fchmodat2, chown, fchown, lchown, fchownat."""
LOAD, JUMP_EQUAL, JUMP_AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06  # linux/bpf_common.h
NUMBER_AT, ARCHITECTURE_AT, ARGUMENT_AT = 0, 4, 16  # struct seccomp_data
OTHER_TABLE = 0x40000000  # the x32 system calls of x86_64
ALLOW, REFUSE = 0x7FFF0000, 0x00050001  # REFUSE: fails with EPERM


def _restrict_calls(libc: ctypes.CDLL) -> bool:
    """Refuse new sockets, programs and processes, and to act upon others."""
    architecture, refused, tgkill = ARCHITECTURES[platform.machine()]
    count = len(refused)
    steps = [
        (LOAD, 0, 0, ARCHITECTURE_AT),
        (JUMP_EQUAL, 0, count + 6, architecture),
        (LOAD, 0, 0, NUMBER_AT),
        (JUMP_AT_LEAST, count + 4, 0, OTHER_TABLE),
        *((JUMP_EQUAL, count + 3 - at, 0, number) for at, number in enumerate(refused)),
        (JUMP_EQUAL, 0, 2, tgkill),
        (LOAD, 0, 0, ARGUMENT_AT),
        (JUMP_EQUAL, 0, 1, os.getpid()),
        (RETURN, 0, 0, ALLOW),
        (RETURN, 0, 0, REFUSE),
    ]
    program = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *step) for step in steps))
    filtered = ctypes.create_string_buffer(
        struct.pack("@HP", len(steps), ctypes.addressof(program))
    )
    return bool(libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, filtered, 0, 0) == 0)


if __name__ == "__main__":
    sys.stdout.write(" ".join(each.value for each in confine()))
