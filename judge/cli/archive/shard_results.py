"""Results of work on recorded games, shard by shard, in the order of the games.

A text that is not understood stops there, and later shards of the same text have no results.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, TypeAlias, TypeVar

from judge.adapters.archive.record_files import ReadOptions
from judge.adapters.archive.shards import Game, Shard, continues_text, games_of, place_of, shards
from judge.adapters.variant_files import load_map
from judge.cli.workers import Engine

Seen = TypeVar("Seen")
ReadGames: TypeAlias = Callable[[Iterator[Game]], Iterable[Seen]]


@dataclass(frozen=True, slots=True)
class ShardBegins:
    """What is seen next is of the shard of *path* at this *place*."""

    path: Path
    place: tuple[str, int]
    continues: bool


@dataclass(frozen=True, slots=True)
class ShardResult(Generic[Seen]):
    """Something was *seen*."""

    seen: Seen


@dataclass(frozen=True, slots=True)
class ShardEnds:
    """The shard was looked at; *whole* if what continues it is to be looked at too."""

    whole: bool


def results_of(
    look: ReadGames[Seen], how: ReadOptions, paths: Sequence[Path], engine: Engine
) -> Iterator[Seen]:
    """Yield what *look* sees in the games of *paths*.

    It is called for each shard, maybe in another process, with the games of that.
    """
    for each in results_by_shard(look, how, shards(paths, how), engine):
        if isinstance(each, ShardResult):
            yield each.seen


def results_by_shard(
    look: ReadGames[Seen], how: ReadOptions, tasks: Iterable[Shard], engine: Engine
) -> Iterator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield what *look* sees in each shard of *tasks*, between its beginning and its end."""
    load_map()  # before there are other processes
    yield from until_stopped(engine(partial(read_shard, look, how), tasks))


def until_stopped(
    sights: Iterable[ShardBegins | ShardResult[Seen] | ShardEnds],
) -> Generator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield *sights* without those of shards that go on with a text after it was stopped."""
    stopped = False
    for each in sights:
        match each:
            case ShardBegins(continues=goes_on):
                stopped = stopped and goes_on
            case ShardEnds(whole=whole) if not stopped:
                yield each
                stopped = not whole
                continue
        if not stopped:
            yield each


def read_shard(
    look: ReadGames[Seen], how: ReadOptions, shard: Shard
) -> Iterator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield what *look* sees in *shard*, between its beginning and its end."""
    yield ShardBegins(shard.path, place_of(shard), continues_text(shard))
    whole = True

    def games() -> Iterator[Game]:
        nonlocal whole
        whole = yield from games_of(load_map(), shard, how)

    yield from map(ShardResult, look(games()))
    yield ShardEnds(whole)
