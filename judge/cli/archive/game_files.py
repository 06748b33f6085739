"""Find the files of recorded games for a command, and run its work on them, shard by shard.

Work on a text ends at the first part that cannot be read; its later shards have no results.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Concatenate, Generic, NoReturn, ParamSpec, TypeAlias, TypeVar, cast

import click

from judge.adapters.archive.record_files import ReadOptions, UnknownFormatError, text_name
from judge.adapters.archive.shards import Game, Shard, continues_text, games_of, place_of, shards
from judge.adapters.variant_files import UnknownVariantError, load_map
from judge.archive.reading import READERS, UnreadableError
from judge.archive.records import Doubt, Record, redact_source
from judge.cli.options import complete_variant
from judge.cli.terminal import BAD_INPUT, USAGE, FilePath, fail
from judge.cli.workers import Engine, in_processes
from judge.errors import abridged
from judge.rules.board import DEFAULT_VARIANT, Map

LENIENT_HELPS = "judge: --lenient leaves out what cannot be read, and reads on"
Seen = TypeVar("Seen")
ReadGames: TypeAlias = Callable[[Iterator[Game]], Iterable[Seen]]


@dataclass(frozen=True, slots=True)
class ShardBegins:
    """The next results are of the shard of *path* at this *place*."""

    path: Path
    place: tuple[str, int]
    continues: bool


@dataclass(frozen=True, slots=True)
class ShardResult(Generic[Seen]):
    """One result of the work, *seen* in a shard."""

    seen: Seen


@dataclass(frozen=True, slots=True)
class ShardEnds:
    """The shard is finished; *whole* if work on its text continues."""

    whole: bool


def results_of(
    read_games: ReadGames[Seen], how: ReadOptions, paths: Sequence[Path], engine: Engine
) -> Iterator[Seen]:
    """Yield the results of *read_games* on the games of *paths*.

    It is called once per shard with its games, possibly in another process.
    """
    for each in results_by_shard(read_games, how, shards(paths, how), engine):
        if isinstance(each, ShardResult):
            yield each.seen


def results_by_shard(
    read_games: ReadGames[Seen], how: ReadOptions, tasks: Iterable[Shard], engine: Engine
) -> Iterator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield the results of *read_games* on each of *tasks*, between markers of begin and end."""
    load_map(how.variant)  # before processes are forked
    yield from until_stopped(engine(partial(read_shard, read_games, how), tasks))


def until_stopped(
    results: Iterable[ShardBegins | ShardResult[Seen] | ShardEnds],
) -> Generator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield *results* without shards that continue a text that has been stopped."""
    stopped = False
    for each in results:
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
    read_games: ReadGames[Seen], how: ReadOptions, shard: Shard
) -> Iterator[ShardBegins | ShardResult[Seen] | ShardEnds]:
    """Yield the results of *read_games* on *shard*, between markers of begin and end."""
    yield ShardBegins(shard.path, place_of(shard), continues_text(shard))
    whole = True

    def games() -> Iterator[Game]:
        nonlocal whole
        whole = yield from games_of(load_map(how.variant), shard, how)

    yield from map(ShardResult, read_games(games()))
    yield ShardEnds(whole)


P = ParamSpec("P")
R = TypeVar("R")


def _paths(*, or_stream: bool) -> Callable[[Callable[P, R]], Callable[P, R]]:
    type_ = FilePath(exists=True, or_stream=or_stream)
    return click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=type_)


PATHS, SAVED_PATHS = _paths(or_stream=True), _paths(or_stream=False)


def _known_variant(_context: click.Context, _option: click.Parameter, name: str) -> str:
    try:
        return load_map(name).name
    except UnknownVariantError as error:
        fail(str(error), USAGE)


READING = (
    click.option(
        "--from",
        "form",
        type=click.Choice([*READERS]),
        help="The format of all files.  [default: detected for each file]",
    ),
    click.option("--lenient", is_flag=True, help="Skip what cannot be read, and list it."),
    click.option("--keep-addresses", is_flag=True, help="Keep email addresses in the files."),
    click.option(
        "--variant",
        default=DEFAULT_VARIANT,
        show_default=True,
        callback=_known_variant,
        shell_complete=complete_variant,
        help="The board of games that do not name theirs.",
    ),
)


def reading_options(command: Callable[Concatenate[ReadOptions, P], R]) -> Callable[P, R]:
    """Add the options for reading files; *command* gets them as its first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        form = cast("str | None", kwargs.pop("form"))
        strict, addresses = not kwargs.pop("lenient"), bool(kwargs.pop("keep_addresses"))
        variant = cast("str", kwargs.pop("variant"))
        how = ReadOptions(form, strict=strict, keep_addresses=addresses, variant=variant)
        return command(how, *args, **kwargs)

    wrapped: Callable[P, R] = functools.update_wrapper(run, command)
    for option in reversed(READING):
        wrapped = option(wrapped)
    return wrapped


@dataclass(frozen=True, slots=True)
class Remarks:
    """The *lines* to print about a game, and whether part of it could not be read.

    If that is *skippable*, `--lenient` leaves it out.
    """

    lines: Sequence[str] = ()
    unread: bool = False
    skippable: bool = False


def remarks(asked_for: Collection[Path], game: Game) -> Remarks:
    """Return the doubts about *game*, or why it cannot be read.

    Files not *asked_for* by name are not expected to be games.
    """
    match game:
        case Record(source=source, doubts=doubts):
            lines = [f":{each.line}" if each.line else "" for each in doubts]
            pairs = zip(lines, doubts, strict=True)
            return Remarks([f"{source.name}{at}: {doubt_text(each)}" for at, each in pairs])
        case UnknownFormatError() if game.name not in {text_name(each) for each in asked_for}:
            return Remarks()
        case UnreadableError():
            return Remarks([f"judge: {game}"], unread=True, skippable=game.skippable)


def doubt_text(doubt: Doubt) -> str:
    """Return the reason for *doubt* and what it is about."""
    return f"{doubt.why}: {abridged(doubt.text)}" if doubt.text else doubt.why


class RemarkPrinter:
    """Prints remarks, and exits with an error if something could not be read."""

    def __init__(self) -> None:
        self._unread = False
        self._skippable = False

    def print(self, remarked: Remarks) -> None:
        """Print the lines of *remarked*."""
        for line in remarked.lines:
            click.echo(line, err=True)
        self._unread = self._unread or remarked.unread
        self._skippable = self._skippable or remarked.skippable

    def exit_if_unread(self) -> None:
        """Exit with an error if anything could not be read."""
        if self._skippable:
            click.echo(LENIENT_HELPS, err=True)
        if self._unread:
            raise SystemExit(BAD_INPUT)

    def exit_without_games(self, paths: Iterable[Path]) -> NoReturn:
        """Exit with an error, as no game was found in *paths*."""
        self.exit_if_unread()
        fail_without_games(paths)


def fail_without_games(paths: Iterable[Path]) -> NoReturn:
    """Exit with an error: *paths* have no recorded game."""
    fail(f"no recorded game in {', '.join(map(str, paths))}", BAD_INPUT)


def without_local_path(record: Record, how: ReadOptions) -> Record:
    """Return *record* without the folder of its file.

    Unless *how* keeps addresses, the file name loses them, too.
    """
    path = Path(record.source.name)
    file = next((each for each in (path, *path.parents) if each.is_file()), path)
    name = str(path.relative_to(file.parent))
    moved = replace(record, source=replace(record.source, name=name))
    return moved if how.keep_addresses else redact_source(moved)


def board_of(record: Record) -> Map:
    """Return the board of *record*, the default one if it is on a board that we do not have."""
    try:
        return load_map(record.variant)
    except UnknownVariantError:
        return load_map()


def read_records(how: ReadOptions, paths: Sequence[Path]) -> Iterator[Record]:
    """Yield the games in *paths*, and print doubts and errors.

    After the last game, the command exits with an error if anything could not be read.
    """
    printer = RemarkPrinter()
    yield from records_in(printer, how, paths, shards(paths, how))
    printer.exit_if_unread()


def records_in(
    printer: RemarkPrinter, how: ReadOptions, paths: Sequence[Path], tasks: Iterable[Shard]
) -> Iterator[Record]:
    """Yield the games in *tasks*, the shards of *paths*; *printer* prints doubts and errors."""
    for each in results_by_shard(iter, how, tasks, partial(in_processes, 1)):
        if isinstance(each, ShardResult):
            printer.print(remarks(paths, each.seen))
            if isinstance(each.seen, Record):
                yield each.seen
