"""`judge archive convert`: recorded games out of one format into another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from functools import partial
from pathlib import Path
from typing import TextIO, cast

import click

from judge.adapters.archive_files import How, find
from judge.adapters.shards import Game
from judge.adapters.variant_files import load_map
from judge.adapters.whole_file import replacing_file
from judge.archive.reading import WRITERS, writer_named
from judge.archive.record import Record
from judge.cli.archive.engines import engine_option
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.records import Listener, Remarks, remarks, travelling
from judge.cli.archive.sharing import Engine, seen
from judge.cli.archive.tabulating import TARGET, tabulate
from judge.cli.exits import UNAVAILABLE, USAGE, fail

STANDARD_OUTPUT = Path("-")


@click.command()
@PATHS
@engine_option
@reading_options
@click.option(
    "--to", "target", type=click.Choice([*WRITERS, TARGET]), required=True, help="The format."
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, allow_dash=True),
    help="The file, or the folder of Parquet tables.  [default: standard output]",
)
def convert(
    how: How, work: Engine, paths: Sequence[Path], target: str, output: Path | None
) -> None:
    """Write the games in each PATH in another format, one after another.

    What that format has no words for is left out; only `record` keeps all. What is doubted, and
    what cannot be read, is said on standard error, and the exit code is 65 if that is anything.
    """
    if target == TARGET:
        tabulate(how, work, paths, output)
        return
    listener = Listener()
    converted = seen(partial(_written, target, how, paths), how, paths, work)
    try:
        with _opened(output, paths) as file:
            for remarked, text in converted:
                listener.hear(remarked)
                file.write(text)
    except BrokenPipeError:
        raise  # of a reader who has seen enough, as click knows
    except OSError as error:
        fail(f"{output or 'standard output'} cannot be written: {error.strerror}", UNAVAILABLE)
    listener.leave()


def _opened(output: Path | None, paths: Sequence[Path]) -> AbstractContextManager[TextIO]:
    """Return what to write to, which is none of the files that are to be read."""
    if output is None or output == STANDARD_OUTPUT:
        standard_output = click.open_file("-", "w", encoding="utf-8")
        return cast("AbstractContextManager[TextIO]", standard_output)
    if output.is_file() and any(output.samefile(each) for each in find(paths) if each.exists()):
        fail(f"{output} is to be read, and cannot be written at the same time", USAGE)
    return replacing_file(output)


def _written(
    target: str, how: How, paths: Sequence[Path], several: Iterable[Game]
) -> Iterator[tuple[Remarks, str]]:
    """Yield what is remarked of each game, and its text."""
    write, board = writer_named(target), load_map()
    for game in several:
        text = "".join(write(travelling(game, how), board)) if isinstance(game, Record) else ""
        yield remarks(paths, game), text
