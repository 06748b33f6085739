"""A file that keeps what was found in each path, so that an interrupted run can go on from it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import cast

from judge.cli.archive.found import Found

LINE_ENDS = b"\n"


class NotResumableError(ValueError):
    """A file is not that of a run with the same options."""


class Finished:
    """What *file* keeps, a line a path, if it is of a run with the same *options*.

    A path is not known any more if its size or time is not what it was. Raises
    `NotResumableError`.
    """

    def __init__(self, file: Path, options: str) -> None:
        header = json.dumps({"finished": "judge archive verify", "options": options}).encode()
        self._known: dict[str, Sequence[Found]] = {}
        self._file = file.open("a+b")
        self._file.seek(0)
        first, *lines = self._file.readlines() or [b""]
        if not first:
            self._file.write(header + LINE_ENDS)
        elif first.rstrip(LINE_ENDS) != header:
            self._file.close()
            raise NotResumableError(file)
        if lines and not lines[-1].endswith(LINE_ENDS):  # being written when the run was ended
            self._file.truncate(self._file.tell() - len(lines.pop()))
        for line in lines:
            kept = json.loads(line)
            self._known[kept["path"]] = cast("Sequence[Found]", kept["found"])

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def known(self, path: Path) -> Sequence[Found] | None:
        """Return what was found in *path*, None if it was not looked at."""
        return self._known.get(_identity(path))

    def add(self, path: Path, found: Sequence[Found]) -> None:
        """Keep what was *found* in *path*."""
        line = json.dumps({"path": _identity(path), "found": found})
        self._file.write(line.encode() + LINE_ENDS)
        self._file.flush()


def _identity(path: Path) -> str:
    """Return what tells *path* as it is from others, and from itself if it is changed."""
    parts = [each.stat() for each in (path, path / "cur", path / "new") if each.exists()]
    return " ".join([str(path), *(f"{part.st_size}:{part.st_mtime_ns}" for part in parts)])
