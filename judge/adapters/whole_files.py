"""Write files and folders that appear only when they are complete."""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from errno import EEXIST
from pathlib import Path
from secrets import token_hex
from tempfile import TemporaryDirectory
from typing import BinaryIO

OWNER_ONLY = 0o600


@contextmanager
def replacing_file(file: Path) -> Iterator[BinaryIO]:
    """Yield a new file, which replaces *file* once it is on disk, unless the block raises.

    Pipes and devices cannot be replaced and are written directly. Raises `OSError`.
    """
    target = file.resolve()  # A symlink stays one.
    if target.exists() and not target.is_file():
        with target.open("wb") as written:
            yield written
        return
    with TemporaryDirectory(prefix=f".{target.name[:100]}-", dir=target.parent) as aside:
        new = Path(aside, "new")
        with new.open("wb") as written:
            yield written
            written.flush()
            os.fsync(written.fileno())
        if target.exists():
            new.chmod(target.stat().st_mode)
        new.replace(target)
    sync_folder(target.parent)


@contextmanager
def creating_file(file: Path) -> Iterator[BinaryIO]:
    """Yield the new *file*, private to its owner and flushed to disk when the block ends.

    Raises `FileExistsError` if it exists, another `OSError` if it cannot be made.
    """
    if file.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(file))
    with TemporaryDirectory(prefix=f".{file.name[:100]}-", dir=file.parent) as aside:
        new = Path(aside, "new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY), "wb") as raw:  # noqa: PTH123 - private from the start
            yield raw
            raw.flush()
            os.fsync(raw.fileno())
        os.link(new, file)  # a link, unlike a rename, replaces no file made meanwhile
    sync_folder(file.absolute().parent)


class ForeignFilesError(ValueError):
    """The folder to replace holds other files, which would be lost."""


@contextmanager
def replacing_folder(folder: Path, allowed: Collection[str]) -> Iterator[Path]:
    """Yield a new folder, which replaces *folder* and its *allowed* entries.

    If the block is interrupted, *folder* stays as it was and nothing else is left. Raises
    `ForeignFilesError`, `OSError`.
    """
    if folder.exists() and any(each.name not in allowed for each in folder.iterdir()):
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


def sync_folder(folder: Path) -> None:
    """Flush the names in *folder* to disk: otherwise a power cut could lose a new file.

    Windows cannot open a folder, and needs no such call.
    """
    if not hasattr(os, "O_DIRECTORY"):
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
