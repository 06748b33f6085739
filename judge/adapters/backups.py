"""Files that hold all of a judge: made whole or not at all, private, and never replaced."""

from __future__ import annotations

import gzip
import io
import os
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EEXIST
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import BinaryIO, TextIO

from judge.adapters.moving import UnmovableError

OURS_ONLY = 0o600  # All addresses and the keys of all press are in it.
PACKING = 6  # of 9: the one that takes longer saves hardly more
CHUNK_BYTES = 1 << 20


@contextmanager
def new_backup(file: Path) -> Iterator[TextIO]:
    """Yield a text that is packed into the new *file*, which is there when it is on the disk.

    Raises `FileExistsError` if there is one, another `OSError` if it cannot be made.
    """
    if file.exists():
        raise FileExistsError(EEXIST, os.strerror(EEXIST), str(file))
    with TemporaryDirectory(prefix=f".{file.name[:100]}-", dir=file.parent) as aside:
        new = Path(aside, "new")
        with open(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ONLY), "wb") as raw:  # noqa: PTH123 - for us only from its beginning
            with packing(raw) as written:
                yield written
            raw.flush()
            os.fsync(raw.fileno())
        os.link(new, file)  # which does not replace what somebody has made meanwhile
    _keep_name(file.absolute().parent)


@contextmanager
def packing(raw: BinaryIO) -> Iterator[TextIO]:
    """Yield a text that is packed into *raw*."""
    with (
        gzip.GzipFile("", "wb", PACKING, raw, mtime=0) as packed,
        io.TextIOWrapper(packed, encoding="utf-8", newline="\n") as written,
    ):
        yield written


@contextmanager
def reading(raw: BinaryIO) -> Iterator[TextIO]:
    """Yield the text of *raw*, which may be packed; what is damaged is an `UnmovableError`."""
    ahead = io.BufferedReader(raw, CHUNK_BYTES)  # type: ignore[type-var]  # it can be read
    is_packed = ahead.peek(2)[:2] == b"\x1f\x8b"  # RFC 1952 2.3.1
    unpacked = gzip.GzipFile(fileobj=ahead) if is_packed else ahead
    text = io.TextIOWrapper(unpacked, encoding="utf-8", errors="replace", newline="\n")
    try:
        yield text
    except (EOFError, zlib.error, gzip.BadGzipFile) as error:
        raise UnmovableError("it is damaged, or its end is missing") from error
    finally:
        text.detach()
        ahead.detach()  # *raw* is the caller's


def digest_of(file: Path) -> str:
    """Return the SHA-256 of *file*, as `sha256sum` tells it."""
    with file.open("rb") as opened:
        digest = sha256()
        while chunk := opened.read(CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _keep_name(folder: Path) -> None:
    """Keep a power cut from taking the name of a new file away."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
