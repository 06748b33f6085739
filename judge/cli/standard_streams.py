"""Standard streams that are closed, full, or in an encoding that does not have every letter."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from errno import EPIPE
from typing import cast

# As in `judge.cli.terminal`, which takes time to import.
UNAVAILABLE = 69
INTERRUPTED = 130


class OutputError(Exception):
    """Standard output cannot be written; no `OSError`, which a command takes for one of a file."""

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror)
        self.errno, self.strerror = error.errno, error.strerror


@contextmanager
def standard_streams() -> Iterator[None]:
    """Run a command in the block; if its output cannot be written, it ends with one line."""
    _open_closed_streams()
    if not sys.stdout.isatty():
        # Print the bytes of file names that are not text; in an encoding such as cp1252 escape the
        # letters that it does not have.
        encoding = sys.stdout.encoding
        sys.stdout = io.TextIOWrapper(
            io.BufferedWriter(_Output(sys.stdout.fileno(), "w", closefd=False)),
            encoding=encoding,
            errors="surrogateescape" if encoding.casefold() == "utf-8" else "backslashreplace",
        )
    try:
        try:
            yield
        except SystemExit as end:
            if end.code == INTERRUPTED:
                _print_no_more()  # an interrupted `write` has written what is flushed again
            raise
        finally:
            sys.stdout.flush()
    except OutputError as error:
        _print_no_more()
        if error.errno == EPIPE:
            raise SystemExit(1) from None  # as click does: the reader has seen enough
        print(f"judge: standard output cannot be written: {error.strerror}", file=sys.stderr)  # noqa: T201 - click is not loaded
        raise SystemExit(UNAVAILABLE) from None


def _print_no_more() -> None:
    """Discard what Python flushes from now on."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)


def _open_closed_streams() -> None:
    """Make a closed stream an empty one, or the next file opened would take its number."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            opened = os.open(os.devnull, os.O_RDWR)
            setattr(sys, name, open(opened, mode, encoding="utf-8", closefd=False))  # noqa: SIM115 - for as long as we run


class _Output(io.FileIO):
    """The file or pipe of standard output, whose errors can be told from others."""

    def write(self, data: object, /) -> int:
        try:
            return super().write(cast("bytes", data))
        except OSError as error:
            raise OutputError(error) from None
