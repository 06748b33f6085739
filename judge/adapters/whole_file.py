"""A file that takes its place when all of it is written, so that nobody ever sees a part of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TextIO


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
