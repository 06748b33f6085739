"""The games of files, for commands that say on standard error what they could not read."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import click

from judge.adapters.archive_files import How, UnknownFormatError
from judge.adapters.shards import Game
from judge.archive.reading import UnreadableError
from judge.archive.record import Record, redact_source
from judge.cli.archive.engines import here
from judge.cli.archive.sharing import seen
from judge.cli.exits import BAD_INPUT


@dataclass(frozen=True, slots=True)
class Remarks:
    """What is to be *said* of a game, and whether something of it could not be read."""

    said: Sequence[str] = ()
    unread: bool = False


def remarks(asked_for: Collection[Path], game: Game) -> Remarks:
    """Return what is doubted in *game*, or why it cannot be read.

    A file that was not *asked_for* itself need not be games.
    """
    match game:
        case Record(source=source, doubts=doubts):
            lines = [f":{each.line}" if each.line else "" for each in doubts]
            pairs = zip(lines, doubts, strict=True)
            return Remarks([f"{source.name}{at}: {each.why}: {each.text}" for at, each in pairs])
        case UnknownFormatError() if Path(game.name) not in asked_for:
            return Remarks()
        case UnreadableError():
            return Remarks([f"judge: {game}"], unread=True)


class Listener:
    """Who says the remarks, and ends the command with an exit code if something is unread."""

    def __init__(self) -> None:
        self._unread = False

    def hear(self, remarked: Remarks) -> None:
        """Say what was *remarked*."""
        for line in remarked.said:
            click.echo(line, err=True)
        self._unread = self._unread or remarked.unread

    def leave(self) -> None:
        """End the command if anything could not be read."""
        if self._unread:
            raise SystemExit(BAD_INPUT)


def travelling(record: Record, how: How) -> Record:
    """Return *record* as it travels: it does not tell in which folders its file was.

    Nor does the name of that tell an address, unless *how* keeps them.
    """
    path = Path(record.source.name)
    file = next((each for each in (path, *path.parents) if each.is_file()), path)
    name = str(path.relative_to(file.parent))
    moved = replace(record, source=replace(record.source, name=name))
    return moved if how.keep_addresses else redact_source(moved)


def records(how: How, paths: Sequence[Path]) -> Iterator[Record]:
    """Yield the games in *paths*, and say what is doubted or cannot be read.

    The command ends with an exit code after the last game if anything could not be read.
    """
    listener = Listener()
    for game in seen(iter, how, paths, partial(here, 1)):
        listener.hear(remarks(paths, game))
        if isinstance(game, Record):
            yield game
    listener.leave()
