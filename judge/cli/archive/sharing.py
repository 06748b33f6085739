"""Games that many look at, shard by shard: what is seen comes in the order of the games.

What was not understood stops a text, so nothing is told of a shard that goes on with it.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Generic, Protocol, TypeAlias, TypeVar

from judge.adapters.archive_files import How
from judge.adapters.shards import Game, Shard, continues, games_of, place, shards
from judge.adapters.variant_files import load_map

Seen = TypeVar("Seen")
Task = TypeVar("Task")
Answer = TypeVar("Answer")
Look: TypeAlias = Callable[[Iterator[Game]], Iterable[Seen]]


class Engine(Protocol):
    """What does work, here or elsewhere, and yields the answers in the order of the tasks."""

    def __call__(
        self, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
    ) -> Iterator[Answer]:
        """Yield what *work* makes of each of *tasks*."""
        ...


@dataclass(frozen=True, slots=True)
class Begins:
    """What is seen next is of the shard of *path* at this *place*."""

    path: Path
    place: tuple[str, int]
    continues: bool


@dataclass(frozen=True, slots=True)
class Sight(Generic[Seen]):
    """Something was *seen*."""

    seen: Seen


@dataclass(frozen=True, slots=True)
class Ends:
    """The shard was looked at; *whole* if what continues it is to be looked at too."""

    whole: bool


def seen(look: Look[Seen], how: How, paths: Sequence[Path], engine: Engine) -> Iterator[Seen]:
    """Yield what *look* sees in the games of *paths*.

    It is called for each shard, maybe in another process, with the games of that.
    """
    for each in looked_at(look, how, shards(paths, how), engine):
        if isinstance(each, Sight):
            yield each.seen


def looked_at(
    look: Look[Seen], how: How, tasks: Iterable[Shard], engine: Engine
) -> Iterator[Begins | Sight[Seen] | Ends]:
    """Yield what *look* sees in each shard of *tasks*, between its beginning and its end."""
    load_map()  # before there are other processes
    yield from unstopped(engine(partial(look_into, look, how), tasks))


def unstopped(
    sights: Iterable[Begins | Sight[Seen] | Ends],
) -> Generator[Begins | Sight[Seen] | Ends]:
    """Yield *sights* without those of shards that go on with a text after it was stopped."""
    stopped = False
    for each in sights:
        match each:
            case Begins(continues=goes_on):
                stopped = stopped and goes_on
            case Ends(whole=whole) if not stopped:
                yield each
                stopped = not whole
                continue
        if not stopped:
            yield each


def look_into(look: Look[Seen], how: How, shard: Shard) -> Iterator[Begins | Sight[Seen] | Ends]:
    """Yield what *look* sees in *shard*, between its beginning and its end."""
    yield Begins(shard.path, place(shard), continues(shard))
    whole = True

    def games() -> Iterator[Game]:
        nonlocal whole
        whole = yield from games_of(load_map(), shard, how)

    yield from map(Sight, look(games()))
    yield Ends(whole)
