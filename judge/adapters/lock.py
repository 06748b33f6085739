"""One daemon a store: a second one refuses to start, by whatever name it knows the file."""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

from judge.adapters.sqlite import make_private, refuse_links
from judge.errors import JudgeError

LOCKS = Path("/proc/locks")
PID_COLUMN, INODE_COLUMN = 4, 5  # of `1: FLOCK ADVISORY WRITE 4711 08:01:1234 0 EOF`


class StoreInUseError(JudgeError):
    """Another daemon runs on the same store."""


class DaemonLock:
    """Holds the file of the database itself while the block runs, made if it is not there.

    The lock (flock) belongs to the file, not to a name of it: a symlink leads to the same lock,
    and a file with several names is refused. It goes with the process, however that ends. SQLite
    uses locks of another kind, which this one does not touch. A forked child would keep it alive:
    start children with `spawn` or `exec`.
    """

    def __init__(self, database: Path) -> None:
        self._database = database
        self._file = -1

    def __enter__(self) -> Self:
        make_private(self._database)
        refuse_links(self._database)
        self._file = os.open(self._database, os.O_RDONLY)
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = _holder(os.fstat(self._file).st_ino)
            os.close(self._file)
            raise StoreInUseError(
                f"another judge (process {holder}) runs on this store: {self._database} is "
                "locked; stop that one first"
            ) from None
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        os.close(self._file)


def _holder(inode: int) -> str:
    """Name the process that holds the file *inode*, as far as the system tells."""
    with suppress(OSError):
        for line in LOCKS.read_text(encoding="ascii").splitlines():
            words = line.split()
            if "FLOCK" in words and words[INODE_COLUMN].endswith(f":{inode}"):
                return words[PID_COLUMN]
    return "unknown"
