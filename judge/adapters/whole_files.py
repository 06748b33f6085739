"""The one way to write files and folders: complete, and safe from a loss of power.

A file is written beside its place and reaches the disk before it gets its name, and the name
reaches the disk before the function returns. New folders are on the disk in their parents.
`tests/architecture` forbids other ways, and `tests/faults/test_power_loss.py` shows what is left.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from errno import EEXIST, ENOTDIR
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
            _sync(written)
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
        with open(new, "xb", opener=_private) as raw:
            yield raw
            _sync(raw)
        os.link(new, file)  # a link, unlike a rename, replaces no file made meanwhile
    sync_folder(file.absolute().parent)


def put_file(file: Path, content: bytes, draft: Path) -> None:
    """Write *content* as *draft*, private to its owner, and make that the new *file*."""
    with open(draft, "wb", opener=_private) as written:
        written.write(content)
        _sync(written)
    draft.rename(file)
    sync_folder(file.parent)


@contextmanager
def adding_lines(file: Path) -> Iterator[BinaryIO]:
    """Yield *file*, which is made if needed, for lines to be added.

    A last line that was not written to its end is removed first. Raises `OSError`.
    """
    with file.open("ab+") as written:
        written.seek(0)
        written.truncate(written.read().rfind(b"\n") + 1)
        yield written
        _sync(written)
    sync_folder(file.absolute().parent)


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make *folder* and its parents, unless they are there. Raises `OSError`."""
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=mode if each == folder else 0o777, exist_ok=True)
        sync_folder(each.absolute().parent)
    if not folder.is_dir():
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), str(folder))


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
    make_folder(folder.parent)
    aside = folder.parent / f".{folder.name}-{token_hex(4)}"
    new, old = aside / "new", aside / "old"
    try:
        new.mkdir(parents=True)
        yield new
        _sync_tree(new)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)
    finally:
        if old.exists() and not folder.exists():
            old.rename(folder)
        shutil.rmtree(aside, ignore_errors=True)
    sync_folder(folder.absolute().parent)


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


def _sync(file: BinaryIO) -> None:
    """Flush what was written to *file* to disk."""
    file.flush()
    os.fsync(file.fileno())


def _sync_tree(folder: Path) -> None:
    """Flush all files and names in *folder* to disk."""
    for path in folder.rglob("*"):
        if path.is_file():
            with path.open("rb") as file:
                os.fsync(file.fileno())
        else:
            sync_folder(path)
    sync_folder(folder)


def _private(path: str, flags: int) -> int:
    return os.open(path, flags, OWNER_ONLY)
