"""`judge archive convert`: recorded games out of one format into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TextIO

import click

from judge.adapters.archive_files import How
from judge.adapters.shards import Game
from judge.adapters.variant_files import load_map
from judge.archive.formats import WRITERS, writer
from judge.archive.record import Record
from judge.cli.archive.engines import engine_option
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.records import Listener, Remarks, remarks
from judge.cli.archive.sharing import Engine, seen


@click.command()
@PATHS
@engine_option
@reading_options
@click.option("--to", "target", type=click.Choice(WRITERS), required=True, help="The format.")
@click.option(
    "-o", "--output", type=click.File("w", encoding="utf-8"), default="-", help="The file."
)
def convert(how: How, work: Engine, paths: Sequence[Path], target: str, output: TextIO) -> None:
    """Write the games in each PATH in another format, one after another.

    What that format has no words for is left out; only `record` keeps all. What is doubted, and
    what cannot be read, is said on standard error, and the exit code is 65 if that is anything.
    """
    listener = Listener()
    for remarked, text in seen(partial(_written, target, paths), how, paths, work):
        listener.hear(remarked)
        output.write(text)
    listener.leave()


def _written(
    target: str, paths: Sequence[Path], several: Iterable[Game]
) -> Iterator[tuple[Remarks, str]]:
    """Yield what is remarked of each game, and its text."""
    write, board = writer(target), load_map()
    for game in several:
        text = "".join(write(game, board)) if isinstance(game, Record) else ""
        yield remarks(paths, game), text
