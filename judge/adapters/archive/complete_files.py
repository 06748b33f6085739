"""Replace a file or a folder of tables only when the new one is complete."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import TextIO

from judge.archive.record_tables import TABLES


@contextmanager
def replacing_file(file: Path) -> Iterator[TextIO]:
    """Yield a new text, which takes the place of *file* when all goes well.

    A pipe or a device, which has no place to take, is written as it is. Raises `OSError`.
    """
    there = file.resolve()  # A link stays one.
    if there.exists() and not there.is_file():
        with there.open("w", encoding="utf-8") as written:
            yield written
        return
    with TemporaryDirectory(prefix=f".{there.name[:100]}-", dir=there.parent) as aside:
        new = Path(aside, "new")
        with new.open("w", encoding="utf-8") as written:
            yield written
        if there.exists():
            new.chmod(there.stat().st_mode)
        new.rename(there)


TABLE_NAMES = frozenset(table.name for table in TABLES)


class ForeignFilesError(ValueError):
    """A folder holds more than tables, and that would be lost."""


def part_file(folder: Path, table: str, number: int) -> Path:
    """Return where part *number* of *table* is in *folder*."""
    return folder / table / f"part-{number:06}.parquet"


@contextmanager
def replacing_folder(folder: Path) -> Iterator[Path]:
    """Yield a new folder, which takes the place of *folder* when all goes well.

    Whenever it is interrupted, nothing is left but *folder*, as it was. Raises `NotOursError`,
    `OSError`.
    """
    if folder.exists() and {each.name for each in folder.iterdir()} - TABLE_NAMES:
        raise ForeignFilesError(folder)
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


def keep_only_parts(folder: Path, numbers: Collection[int]) -> None:
    """Remove what is in *folder* but is none of those parts."""
    for each in folder.iterdir():
        if each.name not in TABLE_NAMES:  # of a worker that was lost
            shutil.rmtree(each)
            continue
        kept = {part_file(folder, each.name, number) for number in numbers}
        for file in each.iterdir():
            if file not in kept:
                file.unlink()
