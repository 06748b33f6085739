"""`judge log export` and `import`: a judge moves from one database to another."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TextIO

import click

from judge.cli.counting import counted
from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import settings_options
from judge.settings import Settings

STANDARD = Path("-")
OURS_ONLY = 0o600  # All addresses and the keys of all press are in it.


@click.command("export")
@click.argument("file", type=click.Path(path_type=Path), default=STANDARD)
@settings_options
def export(settings: Settings, file: Path) -> None:
    """Write all that the judge keeps to FILE, or to standard output.

    That is every log, all mail, all people and all secrets, of one moment: what comes later to a
    daemon that runs is not there. `judge log import` reads it.
    """
    from judge.adapters import moving
    from judge.adapters.database import open_database

    if isinstance(settings.database, Path) and not settings.database.is_file():
        fail(f"there is no database {settings.database}", UNAVAILABLE)
    with (
        closing(open_database(settings.database)) as database,
        database.read() as transaction,
        _writing(file) as written,
    ):
        written.writelines(moving.packed(transaction.connection))
        heads = transaction.events.games()
    click.echo(f"exported {counted(len(heads), 'game')}", err=True)


@click.command("import")
@click.argument("file", type=click.Path(path_type=Path))
@settings_options
def import_(settings: Settings, file: Path) -> None:
    """Fill an empty database with what `judge log export` wrote to FILE; - is standard input.

    Every chain is walked before anything is kept, so each game has the head it had.
    """
    from judge.cli.backup import fill

    games, rows = fill(settings.database, file)
    click.echo(f"imported {counted(len(games), 'game')}, {counted(rows, 'row')} in all")


@contextmanager
def _writing(file: Path) -> Iterator[TextIO]:
    if file == STANDARD:
        yield sys.stdout
        return
    try:
        made = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OURS_ONLY)
    except OSError as error:
        fail(f"{file}: {error.strerror}", UNAVAILABLE)
    with open(made, "w", encoding="utf-8", newline="\n") as written:  # noqa: PTH123 - is open
        yield written
