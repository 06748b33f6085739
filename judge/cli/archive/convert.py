"""`judge archive convert`: recorded games out of one format into another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TextIO

import click

from judge.adapters.archive_files import How
from judge.adapters.variant_files import load_map
from judge.archive.formats import WRITERS, writer
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.records import records


@click.command()
@PATHS
@reading_options
@click.option("--to", "target", type=click.Choice(WRITERS), required=True, help="The format.")
@click.option(
    "-o", "--output", type=click.File("w", encoding="utf-8"), default="-", help="The file."
)
def convert(how: How, paths: Sequence[Path], target: str, output: TextIO) -> None:
    """Write the games in each PATH in another format, one after another.

    What that format has no words for is left out; only `record` keeps all. What is doubted, and
    what cannot be read, is said on standard error, and the exit code is 65 if that is anything.
    """
    write, board = writer(target), load_map()
    for record in records(board, how, paths):
        output.writelines(write(record, board))
