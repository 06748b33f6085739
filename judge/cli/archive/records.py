"""The games of files, for commands that say on standard error what they could not read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from judge.adapters.archive_files import How, UnknownFormatError, find, games
from judge.archive.record import Record
from judge.cli.exits import BAD_INPUT
from judge.rules.geography import Map


def records(board: Map, how: How, paths: Sequence[Path]) -> Iterator[Record]:
    """Yield the games in *paths*, and say what is doubted or cannot be read.

    The command ends with an exit code after the last game if anything could not be read; but a
    file that was not named itself need not be games.
    """
    unread = False
    for path in find(paths):
        for game in games(board, path, how):
            match game:
                case Record(source=source, doubts=doubts):
                    for doubt in doubts:
                        line = f":{doubt.line}" if doubt.line else ""
                        click.echo(f"{source.name}{line}: {doubt.why}: {doubt.text}", err=True)
                    yield game
                case UnknownFormatError() if Path(game.name) not in paths:
                    pass
                case _:
                    unread = True
                    click.echo(f"judge: {game}", err=True)
    if unread:
        raise SystemExit(BAD_INPUT)
