"""One daemon a store: a second one refuses to start."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from judge.errors import JudgeError


class StoreInUseError(JudgeError):
    """Another daemon runs on the same store."""


class DaemonLock:
    """Holds the file `DATABASE.lock` while the block runs.

    The lock is the system's (flock), not the file's being there: it goes with the process, however
    that ends. A forked child would keep it alive: start children with `spawn` or `exec`.
    """

    def __init__(self, database: Path) -> None:
        self._path = database.with_name(database.name + ".lock")
        self._file = -1

    def __enter__(self) -> Self:
        self._file = os.open(self._path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._file, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._file)
            raise StoreInUseError(
                f"another judge (process {holder}) runs on this store: {self._path} is locked"
            ) from None
        with suppress(OSError):  # Who holds it is only told; that there may be no room, later.
            os.ftruncate(self._file, 0)
            os.pwrite(self._file, f"{os.getpid()}\n".encode(), 0)
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        os.close(self._file)
