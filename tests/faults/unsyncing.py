"""Run the daemon so that fsync fails with EIO from a SIGUSR1 on.

`python -m tests.faults.unsyncing MODULE serve`. The kernel itself refuses the two system calls, of
every thread, by a filter of seccomp(2); nothing else differs from `python -m MODULE serve`.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import runpy
import signal
import struct
import sys

PR_SET_NO_NEW_PRIVS = 38
SECCOMP_SET_MODE_FILTER = 1
SECCOMP_FILTER_FLAG_TSYNC = 1  # all threads
LOAD_THE_NUMBER, SKIP_UNLESS_EQUAL, RETURN = 0x20, 0x15, 0x06  # of the BPF's little machine
REFUSE, ALLOW = 0x00050000, 0x7FFF0000
NUMBERS = {  # of seccomp, fsync, fdatasync: asm/unistd.h
    "x86_64": (317, 74, 75),
    "aarch64": (277, 82, 83),
}


class Program(ctypes.Structure):
    """The `struct sock_fprog` of the kernel."""

    _fields_ = (("length", ctypes.c_ushort), ("steps", ctypes.c_char_p))


def refuse_to_sync() -> None:
    """Make fsync and fdatasync fail from now on, in every thread of this process."""
    seccomp, fsync, fdatasync = NUMBERS[platform.machine()]
    steps = (
        (LOAD_THE_NUMBER, 0, 0, 0),
        (SKIP_UNLESS_EQUAL, 1, 0, fsync),
        (SKIP_UNLESS_EQUAL, 0, 1, fdatasync),
        (RETURN, 0, 0, REFUSE | errno.EIO),
        (RETURN, 0, 0, ALLOW),
    )
    program = Program(len(steps), b"".join(struct.pack("HBBI", *step) for step in steps))
    system = ctypes.CDLL(None, use_errno=True)
    system.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    flags = SECCOMP_FILTER_FLAG_TSYNC
    if system.syscall(seccomp, SECCOMP_SET_MODE_FILTER, flags, ctypes.byref(program)):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))


if __name__ == "__main__":
    signal.signal(signal.SIGUSR1, lambda _number, _frame: refuse_to_sync())
    module = sys.argv.pop(1)
    runpy.run_module(module, run_name="__main__")
