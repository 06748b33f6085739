"""`judge archive verify`: recorded games adjudicated again, and compared with the record."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TypeAlias, assert_never

import click

from judge.adapters.archive_files import How, UnknownFormatError, find, games
from judge.adapters.variant_files import load_map
from judge.archive.explaining import Say
from judge.archive.formats import reader
from judge.archive.reading import UnreadableError
from judge.archive.record import Record
from judge.archive.verification import verify as verify_game
from judge.cli.archive.finished import Finished, NotResumableError
from judge.cli.archive.found import Found, Sum, Unread, found_game, unread
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.progress import progress
from judge.cli.archive.telling import game_lines, sum_line, unread_line
from judge.cli.cores import cores
from judge.cli.exits import BAD_INPUT, FOUND_WRONG, SOFTWARE, UNAVAILABLE, USAGE, fail
from judge.rules.adjudication import RESOLVER_VERSION
from judge.rules.geography import Map
from judge.rules.rulebook import UnknownRulebookError, named

SEVERAL = 2

Look: TypeAlias = Callable[[str], Iterator[Found]]


@click.command()
@PATHS
@reading_options
@click.option(
    "--rulebook", help="The law of all the games.  [default: what their source followed]"
)
@click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Read so many files at once at most.  [default: one a core]",
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep what is found in this file, and go on from it if it is there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def verify(
    how: How,
    paths: Sequence[Path],
    rulebook: str | None,
    jobs: int | None,
    resume: Path | None,
    *,
    as_json: bool,
) -> None:
    """Adjudicate the games in each PATH again, and compare with what was recorded.

    A PATH is a file, a folder, a zip or tar archive, or a Maildir. Each phase is adjudicated from
    its recorded position and orders, and compared with the position recorded next and with the
    results that are told. The exit code is 1 if anything differs, else 65 if a file could not be
    read.
    """
    if rulebook:
        _check(rulebook)
    look = partial(_look_into, load_map(), how, rulebook, frozenset(map(str, paths)))
    files, total = list(find(paths)), Sum()
    with ExitStack() as stack:
        finished = _finished(stack, resume, f"{how} {rulebook} {RESOLVER_VERSION}")
        done = stack.enter_context(progress(len(files)))
        for several in _found(files, look, jobs or cores(), finished):
            for found in several:
                total.add(found)
                if not as_json:
                    _tell(found)
            done()
    click.echo(json.dumps(total.as_json()) if as_json else sum_line(total))
    if total.differing:
        raise SystemExit(FOUND_WRONG)
    if total.unread:
        raise SystemExit(BAD_INPUT)


def _check(rulebook: str) -> None:
    try:
        named(rulebook)
    except UnknownRulebookError as error:
        fail(str(error), USAGE)


def _finished(stack: ExitStack, file: Path | None, options: str) -> Finished | None:
    if file is None:
        return None
    try:
        return stack.enter_context(closing(Finished(file, options)))
    except NotResumableError:
        fail(f"{file} is not of a run of this version with the same options", USAGE)
    except OSError as error:
        fail(f"{file} cannot be kept: {error.strerror}", UNAVAILABLE)


def _found(
    files: Sequence[Path], look: Look, jobs: int, finished: Finished | None
) -> Iterator[Iterable[Found]]:
    """Yield what was found in each of *files* before, then what is found in the others now."""
    waiting = []
    for path in files:
        known = finished.known(path) if finished else None
        if known is None:
            waiting.append(path)
        else:
            yield known
    for path, found in zip(waiting, _spread(waiting, look, jobs), strict=True):
        if finished:
            whole = list(found)
            finished.add(path, whole)
            yield whole
        else:
            yield found


def _spread(files: Sequence[Path], look: Look, jobs: int) -> Iterator[Iterable[Found]]:
    """Yield what is found in each of *files*, in their order; alone, a game at a time."""
    names = [str(path) for path in files]
    if min(jobs, len(names)) < SEVERAL:
        yield from map(look, names)
        return
    from judge.cli.spreading import WorkerDiedError, spread

    try:
        with Path(os.devnull).open("rb") as always_ready:
            work, fd = partial(_whole, look), always_ready.fileno()
            yield from spread(work, iter(names), fd, min(jobs, len(names)))
    except WorkerDiedError:
        fail("a process that verifies died; all that is told holds", SOFTWARE)


def _whole(look: Look, path: str) -> list[Found]:
    return list(look(path))


def _look_into(
    board: Map, how: How, rulebook: str | None, asked_for: Collection[str], path: str
) -> Iterator[Found]:
    """Verify the games in *path*; what is not *asked_for* by name need not be games."""
    for game in games(board, Path(path), how):
        match game:
            case Record():
                yield _verified(board, game, rulebook)
            case UnknownFormatError() if game.name not in asked_for:
                yield Found(passed_over=[game.name])
            case UnreadableError():
                yield Found(unread=[unread(game)])
            case _:
                assert_never(game)


def _verified(board: Map, record: Record, rulebook: str | None) -> Found:
    source = record.source
    law = rulebook or record.rulebook or reader(source.format).rulebook
    try:
        return Found(games=[found_game(verify_game(board, record, law, _say(board)))])
    except UnknownRulebookError as error:
        where = Unread(file=source.name, line=source.first_line, why=str(error))
        return Found(unread=[where])


def _say(board: Map) -> Say:
    from judge.reports.render import explained

    return partial(explained, board)


def _tell(found: Found) -> None:
    for game in found.get("games", ()):
        for line in game_lines(game):
            click.echo(line)
    for each in found.get("unread", ()):
        click.echo(f"judge: {unread_line(each)}", err=True)
