"""Make Python on Linux lack what it lacks on Windows or macOS; see `sitecustomize` beside it.

Of Windows it emulates:

- the modules, functions, signals and clocks that Windows does not have;
- processes that are spawned, and a `wait` that waits for no file;
- text files and streams in cp1252 unless the code says otherwise;
- names that differ in small and capital letters only, and are the same file;
- a rename onto a file that exists (`os.rename`), and onto or of one that is open (`os.replace`);
- folders that cannot be opened.

Drive letters, backslashes, forbidden names and the sockets of Windows are not emulated. Of macOS
it emulates the spawned processes, the names, the missing clock and functions, and the limit of
memory that is refused.
"""
# Functions of the standard library get others in their place, which types cannot describe.
# mypy: ignore-errors

from __future__ import annotations

import asyncio.unix_events
import builtins
import ctypes  # noqa: F401 - it, and others below, take what they need of Linux now
import io
import mailbox  # noqa: F401
import multiprocessing.connection
import multiprocessing.context
import multiprocessing.popen_spawn_posix
import multiprocessing.resource_tracker
import os
import resource
import shutil
import signal
import socket
import sys
import tarfile  # noqa: F401
import tempfile  # noqa: F401
import time
from errno import EACCES, EBADF, EEXIST
from pathlib import Path

MODULES = frozenset(
    {"crypt", "fcntl", "grp", "nis", "pwd", "readline", "resource", "spwd", "syslog", "termios"}
)
FUNCTIONS = (
    *("chown", "chroot", "fchdir", "fchown", "fork", "forkpty", "getegid", "geteuid", "getgid"),
    *("getgroups", "getloadavg", "getpgid", "getpriority", "getsid", "getuid", "killpg", "lchown"),
    *("mkfifo", "nice", "posix_fallocate", "pread", "pwrite", "sched_getaffinity", "setsid"),
    *("setuid", "statvfs", "sync", "sysconf", "uname", "O_DIRECTORY", "O_NOFOLLOW", "O_SYNC"),
    *(name for name in dir(os) if name.startswith("EX_")),
)
SIGNALS = ("SIGALRM", "SIGHUP", "SIGUSR1", "SIGUSR2", "alarm", "pause", "setitimer")
SOCKETS = ("AF_UNIX", "SOCK_CLOEXEC")
CLOCKS = (
    *("clock_gettime", "clock_gettime_ns", "pthread_getcpuclockid"),
    *(name for name in dir(time) if name.startswith("CLOCK_")),
)
ENCODING = "cp1252"


def emulate_macos() -> None:
    """Change this process."""
    del os.sched_getaffinity, time.CLOCK_BOOTTIME, socket.SOCK_CLOEXEC
    only_spawn()
    files = Files()
    builtins.open = io.open = files.finding(files.open)
    files.take_over_names()
    limit = resource.setrlimit

    def refuse_memory(kind: int, limits: tuple[int, int]) -> None:
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")
        limit(kind, limits)

    resource.setrlimit = refuse_memory


def emulate_windows() -> None:
    """Change this process."""
    for name in MODULES:
        sys.modules.pop(name, None)
    sys.meta_path.insert(0, MissingModules)
    for module, names in (
        *((os, FUNCTIONS), (signal, SIGNALS), (socket, SOCKETS)),
        (time, CLOCKS),
    ):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    only_spawn()
    multiprocessing.connection.wait = wait_for_no_file
    asyncio.unix_events._UnixSelectorEventLoop.add_signal_handler = no_signal_handler
    socket.socketpair = socketpair
    Files().take_over()
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if stream:
            stream.reconfigure(encoding=ENCODING)


class MissingModules:
    """Refuses to import what Windows does not have."""

    @staticmethod
    def find_spec(name: str, *_: object) -> None:
        """Raise the error of a missing module."""
        if name in MODULES:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)


def only_spawn() -> None:
    """Make `multiprocessing` spawn processes only."""
    contexts = multiprocessing.context._concrete_contexts
    for name in ("fork", "forkserver"):
        contexts.pop(name)
    context = multiprocessing.context._default_context
    context._actual_context = context._default_context = contexts["spawn"]  # 3.15 keeps two


wait = multiprocessing.connection.wait


def wait_for_no_file(objects: object, timeout: float | None = None) -> object:
    """Wait for connections only."""
    objects = list(objects)
    if any(isinstance(each, int) for each in objects):
        raise OSError(EBADF, "The handle is invalid")
    return wait(objects, timeout)


def no_signal_handler(*_: object) -> None:
    """Refuse, as the event loops of Windows do."""
    raise NotImplementedError


def socketpair(*_: object) -> tuple[socket.socket, socket.socket]:
    """Return two connected sockets, without AF_UNIX."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return socket.create_connection(listener.getsockname()), listener.accept()[0]


class Files:
    """The functions of files, as they were."""

    def __init__(self) -> None:
        self.open, self.open_number = io.open, os.open
        self.stat, self.lstat, self.listdir = os.stat, os.lstat, os.listdir
        self.mkdir, self.replace, self.unlink = os.mkdir, os.replace, os.unlink

    def take_over(self) -> None:
        """Replace them."""
        builtins.open = io.open = self.open_text
        os.open, os.unlink, os.remove = self.open_file, self.remove, self.remove
        os.rename, os.replace = self.rename, self.rename_over
        self.take_over_names()
        shutil._use_fd_functions = False
        if hasattr(shutil, "_rmtree_impl"):  # chosen when 3.15 imports it
            shutil._rmtree_impl = shutil._rmtree_unsafe

    def take_over_names(self) -> None:
        """Make small and capital letters the same where files are looked up and made."""
        for name in ("stat", "lstat", "mkdir"):
            setattr(os, name, self.finding(getattr(self, name)))

    def finding(self, function: object) -> object:
        """Return *function* of a path that finds it however its letters are written."""

        def found(path: object, *rest: object, **more: object) -> object:
            return function(self.spelled(path), *rest, **more)

        return found

    def spelled(self, path: object) -> object:
        """Return *path* as it is written in its folder."""
        if isinstance(path, int):
            return path
        text = os.fsdecode(path)
        folder, name = os.path.split(text)
        try:
            self.lstat(text)
        except FileNotFoundError:
            try:
                names = self.listdir(folder or ".")
            except OSError:
                return text
            same = (each for each in names if each.casefold() == name.casefold())
            return str(Path(folder, next(same, name)))
        except OSError:
            pass
        return text

    def open_text(
        self,
        file: object,
        mode: str = "r",
        buffering: int = -1,
        encoding: object = None,
        *rest: object,
        **more: object,
    ) -> object:
        """Open a file, by default in the encoding of the system."""
        if "b" not in mode and encoding in {None, "locale"}:
            encoding = ENCODING
        return self.open(self.spelled(file), mode, buffering, encoding, *rest, **more)

    def open_file(
        self, path: object, flags: int, mode: int = 0o777, *, dir_fd: int | None = None
    ) -> int:
        """Open a file that is no folder."""
        if dir_fd is None and Path(os.fsdecode(path)).is_dir():
            raise PermissionError(EACCES, "Permission denied", path)
        return self.open_number(self.spelled(path), flags, mode, dir_fd=dir_fd)

    def rename(self, old: object, new: object, **_: object) -> None:
        """Rename a file or folder to a name that is free."""
        if os.path.lexists(self.spelled(new)):
            raise FileExistsError(EEXIST, "Cannot create a file when it already exists", new)
        self.rename_over(old, new)

    def rename_over(self, old: object, new: object, **_: object) -> None:
        """Rename a file that is not open, onto none that is open."""
        for each in (old, new):
            self.refuse_open(self.spelled(each))
        self.replace(self.spelled(old), self.spelled(new))

    def remove(self, path: object, *, dir_fd: int | None = None) -> None:
        """Remove a file that is not open."""
        if dir_fd is None:
            path = self.spelled(path)
            self.refuse_open(path)
        self.unlink(path, dir_fd=dir_fd)

    def refuse_open(self, path: object) -> None:
        """Raise the error of a file that this process has open."""
        for each in self.listdir("/proc/self/fd"):
            try:
                wanted, found = self.stat(path), self.stat(f"/proc/self/fd/{each}")
            except OSError:
                continue
            if (found.st_dev, found.st_ino) == (wanted.st_dev, wanted.st_ino):
                raise PermissionError(EACCES, "The process cannot access the file", path)
