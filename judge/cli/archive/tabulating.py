"""Games written as Parquet tables: each process, here or elsewhere, writes parts of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from importlib.util import find_spec
from itertools import chain
from pathlib import Path

from judge.adapters.archive_files import How
from judge.adapters.shards import Game, Shard, batches, continues, place, shards
from judge.adapters.table_folder import NotOursError, keep_only, replacing
from judge.adapters.variant_files import load_map
from judge.archive.record import Record, redact_source
from judge.cli.archive.records import Listener, Remarks, remarks
from judge.cli.archive.sharing import Begins, Ends, Engine, Sight, look_into, unstopped
from judge.cli.exits import UNAVAILABLE, USAGE, fail

TARGET = "parquet"


def tabulate(how: How, work: Engine, paths: Sequence[Path], folder: Path | None) -> None:
    """Write the games in *paths* as tables into *folder*, in place of those that are there."""
    if folder is None:
        fail(f"--to {TARGET} writes a folder: say which with -o", USAGE)
    if find_spec("pyarrow") is None:
        fail(f"--to {TARGET} needs pyarrow: pip install 'pbem-judge[{TARGET}]'", UNAVAILABLE)
    listener = Listener()
    try:
        with replacing(folder.absolute()) as new:
            _write_all(how, work, paths, new, listener)
    except NotOursError:
        fail(f"{folder} holds other things than tables, which would be lost", USAGE)
    except OSError as error:
        fail(f"{folder} cannot be written: {error.strerror}", UNAVAILABLE)
    listener.leave()


def _write_all(
    how: How, work: Engine, paths: Sequence[Path], folder: Path, listener: Listener
) -> None:
    """Write the parts into *folder*, and leave those of which nothing is taken back."""
    load_map()  # before there are other processes
    kept: list[int] = []
    tasks = enumerate(batches(shards(paths, how)), 1)
    written = unstopped(work(partial(_write_part, how, paths, folder), tasks))
    with closing(written):  # else, interrupted, others would go on to write for a while
        for each in written:
            match each:
                case Sight(seen=Remarks() as remarked):
                    listener.hear(remarked)
                case Sight(seen=int() as number):
                    kept.append(number)
                case _:
                    pass
    keep_only(folder, kept)
    if not kept:
        _empty(folder)


def _write_part(
    how: How, paths: Sequence[Path], folder: Path, task: tuple[int, Sequence[Shard]]
) -> Iterator[Begins | Sight[Remarks | int] | Ends]:
    """Write a batch as a part; yield what is remarked of its games, and its number at the end."""
    from judge.adapters.parquet_files import part

    number, batch = task
    whole = True
    yield Begins(batch[0].path, place(batch[0]), continues(batch[0]))
    with part(folder, number) as written:

        def look(several: Iterable[Game]) -> Iterator[Remarks]:
            for game in several:
                if isinstance(game, Record):
                    written.add(game if how.keep_addresses else redact_source(game))
                yield remarks(paths, game)

        sights = chain.from_iterable(look_into(look, how, shard) for shard in batch)
        for each in unstopped(sights):
            match each:
                case Sight(seen=remarked):
                    yield Sight(remarked)
                case Ends():
                    whole = each.whole
                case Begins():
                    pass
    yield Sight(number)
    yield Ends(whole)


def _empty(folder: Path) -> None:
    """Write a part without a game, which says what the columns are."""
    from judge.adapters.parquet_files import part

    with part(folder, 0):
        pass
