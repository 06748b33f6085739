"""A file that keeps what was found in each shard, so that an interrupted run can go on from it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TypedDict, cast

from judge.adapters.shards import Shard, continues, place
from judge.cli.archive.found import Found
from judge.cli.archive.sharing import Begins

LINE_ENDS = b"\n"


class NotResumableError(ValueError):
    """A file is not that of a run with the same options."""


class Known(TypedDict):
    """What was found in a *shard*, and whether that was read as a *whole*."""

    shard: str
    found: list[Found]
    whole: bool


class Finished:
    """What *file* keeps, a line a shard, if it is of a run with the same *options*.

    A shard is not known any more if the size or time of its path is not what it was. Raises
    `NotResumableError`.
    """

    def __init__(self, file: Path, options: str) -> None:
        header = json.dumps({"finished": "judge archive verify", "options": options}).encode()
        self._known: dict[str, Known] = {}
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
            known = cast("Known", json.loads(line))
            self._known[known["shard"]] = known

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def without_known(
        self, tasks: Iterable[Shard], tell: Callable[[Found], None]
    ) -> Iterator[Shard]:
        """Yield those of *tasks* that were not looked at; *tell* what was found in the others."""
        stopped = False
        for shard in tasks:
            if continues(shard) and stopped:
                continue
            known = self._known.get(_identity(shard.path, place(shard)))
            stopped = known is not None and not known["whole"]
            if known is None:
                yield shard
            else:
                for found in known["found"]:
                    tell(found)

    def add(self, begun: Begins, found: Sequence[Found], *, whole: bool) -> None:
        """Keep what was *found* in a shard, and whether it was read as a *whole*."""
        known = Known(shard=_identity(begun.path, begun.place), found=[*found], whole=whole)
        self._file.write(json.dumps(known).encode() + LINE_ENDS)
        self._file.flush()


def _identity(path: Path, place: tuple[str, int]) -> str:
    """Return what tells a shard as it is from others, and from itself if its *path* is changed."""
    parts = [each.stat() for each in (path, path / "cur", path / "new") if each.exists()]
    return " ".join([*map(str, place), *(f"{part.st_size}:{part.st_mtime_ns}" for part in parts)])
