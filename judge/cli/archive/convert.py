"""`judge archive convert`: recorded games in another format, or as Parquet tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

import click

from judge.adapters.archive.record_files import ReadOptions, find_files
from judge.adapters.archive.shards import Game, Shard, batches, continues_text, place_of, shards
from judge.adapters.variant_files import load_map
from judge.adapters.whole_files import ForeignFilesError, replacing_folder
from judge.archive.reading import WRITERS, refusal, writer_named
from judge.archive.records import Record, redact_source
from judge.cli.archive import game_files
from judge.cli.terminal import (
    STANDARD_STREAM,
    UNAVAILABLE,
    USAGE,
    FilePath,
    fail,
    is_there,
    writing,
)
from judge.cli.workers import Engine, engine_option

TARGET = "parquet"


@click.command()
@game_files.PATHS
@engine_option
@game_files.reading_options
@click.option(
    "--to", "target", type=click.Choice([*WRITERS, TARGET]), required=True, help="The format."
)
@click.option(
    "-o",
    "--output",
    type=FilePath(),
    default=STANDARD_STREAM,
    help="The file, or the folder of Parquet tables.  [default: standard output]",
)
def convert(
    how: ReadOptions, work: Engine, paths: Sequence[Path], target: str, output: Path
) -> None:
    """Convert the games in each PATH to another format.

    What that format cannot express is left out; only `record` keeps everything. Doubtful or
    unreadable parts are listed on standard error. The exit code is 65 if a game could not be read
    or written.
    """
    if target == TARGET:
        tabulate(how, work, paths, output)
        return
    printer = game_files.RemarkPrinter()
    converted = game_files.results_of(partial(_written, target, how, paths), how, paths, work)
    if (
        is_there(output)
        and output.is_file()
        and any(output.samefile(each) for each in find_files(paths) if each.exists())
    ):
        fail(f"{output} is an input and cannot also be the output", USAGE)
    with writing(output) as written:
        empty = True
        for remarked, text in converted:
            printer.print(remarked)
            written.write(text.encode())
            empty = empty and not text
        if empty:
            printer.exit_without_games(paths)  # before an empty file appears
    printer.exit_if_unread()


def _written(
    target: str, how: ReadOptions, paths: Sequence[Path], several: Iterable[Game]
) -> Iterator[tuple[game_files.Remarks, str]]:
    write = writer_named(target)
    for game in several:
        remarked, text = game_files.remarks(paths, game), ""
        if isinstance(game, Record):
            if why := refusal(game, target):
                lines = (*remarked.lines, f"judge: {game.source.name}: {why}")
                remarked = game_files.Remarks(lines, unread=True)
            else:
                text = "".join(
                    write(game_files.without_local_path(game, how), game_files.board_of(game))
                )
        yield remarked, text


def tabulate(how: ReadOptions, work: Engine, paths: Sequence[Path], folder: Path) -> None:
    """Write the games in *paths* as tables into *folder*, replacing those in it."""
    if folder == STANDARD_STREAM:
        fail(f"--to {TARGET} writes a folder: name it with -o", USAGE)
    if find_spec("pyarrow") is None:
        fail(f"--to {TARGET} needs pyarrow: pip install pyarrow", UNAVAILABLE)
    from judge.adapters.archive.parquet import TABLE_NAMES

    printer = game_files.RemarkPrinter()
    try:
        with replacing_folder(folder.absolute(), TABLE_NAMES) as new:
            _write_all(how, work, paths, new, printer)
    except ForeignFilesError:
        fail(f"{folder} contains other files than tables; choose another folder", USAGE)
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}", UNAVAILABLE)
    printer.exit_if_unread()


def _write_all(
    how: ReadOptions,
    work: Engine,
    paths: Sequence[Path],
    folder: Path,
    printer: game_files.RemarkPrinter,
) -> None:
    """Write the parts into *folder*, and remove those whose results were withdrawn."""
    from judge.adapters.archive.parquet import keep_only_parts, writing_part

    load_map(how.variant)  # before processes are forked
    kept: list[int] = []
    tasks = enumerate(batches(shards(paths, how)), 1)
    written = game_files.until_stopped(work(partial(_write_part, how, paths, folder), tasks))
    with closing(written):  # otherwise workers would go on writing after an interruption
        for each in written:
            match each:
                case game_files.ShardResult(seen=game_files.Remarks() as remarked):
                    printer.print(remarked)
                case game_files.ShardResult(seen=int() as number):
                    kept.append(number)
                case _:
                    pass
    keep_only_parts(folder, kept)
    if not kept:
        with writing_part(folder, 0):
            pass  # A part without games defines the columns.


def _write_part(
    how: ReadOptions, paths: Sequence[Path], folder: Path, task: tuple[int, Sequence[Shard]]
) -> Iterator[
    game_files.ShardBegins
    | game_files.ShardResult[game_files.Remarks | int]
    | game_files.ShardEnds
]:
    """Write a batch as a part; yield the remarks on its games, and its number at the end."""
    from judge.adapters.archive.parquet import writing_part

    number, batch = task
    whole = True
    yield game_files.ShardBegins(batch[0].path, place_of(batch[0]), continues_text(batch[0]))
    with writing_part(folder, number) as written:

        def write_games(several: Iterable[Game]) -> Iterator[game_files.Remarks]:
            for game in several:
                if isinstance(game, Record):
                    written.add(game if how.keep_addresses else redact_source(game))
                yield game_files.remarks(paths, game)

        results = chain.from_iterable(
            game_files.read_shard(write_games, how, shard) for shard in batch
        )
        for each in game_files.until_stopped(results):
            match each:
                case game_files.ShardResult(seen=remarked):
                    yield game_files.ShardResult(remarked)
                case game_files.ShardEnds():
                    whole = each.whole
                case game_files.ShardBegins():
                    pass
    yield game_files.ShardResult(number)
    yield game_files.ShardEnds(whole)
