"""A folder of tables, each a folder of parts, that takes its place when all of it is there."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex

from judge.archive.record_tables import TABLES

NAMES = frozenset(table.name for table in TABLES)


class NotOursError(ValueError):
    """A folder holds more than tables, and that would be lost."""


def file_of(folder: Path, table: str, number: int) -> Path:
    """Return where part *number* of *table* is in *folder*."""
    return folder / table / f"part-{number:06}.parquet"


@contextmanager
def replacing(folder: Path) -> Iterator[Path]:
    """Yield a new folder, which takes the place of *folder* when all goes well.

    Whenever it is interrupted, nothing is left but *folder*, as it was. Raises `NotOursError`,
    `OSError`.
    """
    if folder.exists() and {each.name for each in folder.iterdir()} - NAMES:
        raise NotOursError(folder)
    folder.parent.mkdir(parents=True, exist_ok=True)
    aside = folder.parent / f".{folder.name}-{token_hex(4)}"
    new, old = aside / "new", aside / "old"
    try:
        new.mkdir(parents=True)
        yield new
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        if old.exists() and not folder.exists():
            old.rename(folder)
        shutil.rmtree(aside, ignore_errors=True)


def keep_only(folder: Path, numbers: Collection[int]) -> None:
    """Remove what is in *folder* but is none of those parts."""
    for each in folder.iterdir():
        if each.name not in NAMES:  # of a worker that was lost
            shutil.rmtree(each)
            continue
        kept = {file_of(folder, each.name, number) for number in numbers}
        for file in each.iterdir():
            if file not in kept:
                file.unlink()
