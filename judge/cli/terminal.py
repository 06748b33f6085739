"""Exit codes, error lines, counted nouns and tables on the terminal."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, NoReturn, TextIO

import click
from click.core import ParameterSource

from judge.errors import printable

FOUND_WRONG = 1  # a check found a problem
DAMAGE_SAVED = 2  # a backup is complete, but what it saves is damaged
USAGE = 64
BAD_INPUT = 65
UNAVAILABLE = 69
SOFTWARE = 70
TRY_LATER = 75
CONFIGURATION = 78
INTERRUPTED = 130  # as shells say it of Ctrl-C


# The same for what click finds wrong and for what we find.
click.UsageError.exit_code = USAGE
click.FileError.exit_code = UNAVAILABLE


class OpenFile(click.File):
    """A file that is opened; if it cannot be, the command fails as without a database."""

    def fail(
        self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None
    ) -> NoReturn:
        del param, ctx
        fail(message, UNAVAILABLE)


@contextmanager
def reading_text(file: TextIO) -> Iterator[None]:
    """Exit if *file*, which the block reads, is not UTF-8."""
    try:
        yield
    except UnicodeDecodeError:
        fail(f"{file.name} is not UTF-8", BAD_INPUT)


STANDARD_STREAM = Path("-")  # standard input or standard output, where a file is expected


class FilePath(click.Path):
    """A file or folder; if it is unusable, the command fails as without a database.

    One that need not exist is not checked further: the command opens it, or makes it. With
    *or_stream*, `STANDARD_STREAM` stands for standard input.
    """

    def __init__(
        self,
        *,
        exists: bool = False,
        file_okay: bool = True,
        dir_okay: bool = True,
        or_stream: bool = False,
    ) -> None:
        super().__init__(
            path_type=Path,
            exists=exists,
            readable=exists,
            file_okay=file_okay,
            dir_okay=dir_okay,
            allow_dash=or_stream,
        )

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> str | bytes | os.PathLike[str]:
        if self.exists:
            is_there(Path(value))
        return super().convert(value, param, ctx)

    def fail(
        self, message: str, param: click.Parameter | None = None, ctx: click.Context | None = None
    ) -> NoReturn:
        del param, ctx
        fail(message, UNAVAILABLE)


def is_there(path: Path) -> bool:
    """Return whether there is something at *path*; exit if that is secret.

    `Path.exists` and its like raise an error then, and since Python 3.14 they say that it is not.
    """
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        fail(f"{path}: {error.strerror}", UNAVAILABLE)
    return True


@contextmanager
def writing(file: Path) -> Iterator[BinaryIO]:
    """Yield a stream for what replaces *file* as a whole, or goes to standard output.

    Exit if it cannot be written; an old file then stays as it was.
    """
    if file == STANDARD_STREAM:
        yield sys.stdout.buffer
        return
    from judge.adapters.whole_files import replacing_file

    try:
        with replacing_file(file) as written:
            yield written
    except OSError as error:
        fail(f"{file} cannot be written: {error.strerror}", UNAVAILABLE)


def fail(why: str, code: int) -> NoReturn:
    """Print *why* on standard error and exit with *code*."""
    click.echo(f"judge: {why}", err=True)
    raise SystemExit(code)


def require_unix() -> None:
    """Exit on Windows, which has no limits for the process that reads emails."""
    if not hasattr(os, "fork"):
        why = "a judge with a store needs Linux, macOS or another Unix; on Windows use WSL"
        fail(why, UNAVAILABLE)


def require_option(needed: str, *options: str) -> None:
    """Exit if the command line has one of *options*, which would have no effect without *needed*.

    *needed* names an option, or says what is missing.
    """
    context = click.get_current_context()
    for each in context.command.params:
        name = each.opts[-1]
        source = context.get_parameter_source(each.name or "")
        if name in options and source is ParameterSource.COMMANDLINE:
            fail(f"{name} needs {needed}", USAGE)


def counted(count: int, thing: str) -> str:
    """Return *count* with the noun *thing*: `1 phase`, `2 phases`."""
    return f"{count} {thing}{'' if count == 1 else 's'}"


@dataclass(frozen=True, slots=True)
class Table:
    """A table with *columns* and rows; its *title* may be empty."""

    title: str
    columns: Sequence[str]
    rows: Iterable[Sequence[object]]


def show_table(table: Table) -> None:
    """Print *table* unless it has no rows."""
    rows = [[_text(each) for each in row] for row in table.rows]
    if not rows:
        return
    if sys.stdout.isatty():
        _draw(table, rows)
        return
    if table.title:
        click.echo(f"\n{table.title}")
    for row in (table.columns, *rows):
        click.echo("\t".join(row))


def _text(value: object) -> str:
    return "" if value is None else printable(str(value))


def _draw(table: Table, rows: Iterable[Sequence[str]]) -> None:
    from rich.console import Console
    from rich.table import Table as Drawn
    from rich.text import Text

    drawn = Drawn(title=table.title or None, title_justify="left")
    for column in table.columns:
        drawn.add_column(column, overflow="fold")
    for row in rows:
        drawn.add_row(*map(Text, row))
    Console().print(drawn)
