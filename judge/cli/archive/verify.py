"""`judge archive verify`: recorded games adjudicated again, and compared with the record."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import partial
from pathlib import Path
from typing import TypeAlias, assert_never

import click

from judge.adapters.archive_files import How, UnknownFormatError, find
from judge.adapters.shards import Game, Shard, shards
from judge.adapters.variant_files import load_map
from judge.archive.json_adjudication import ReasonText
from judge.archive.reading import UnreadableError, format_named
from judge.archive.record import Record
from judge.archive.verification import verify as verify_game
from judge.cli.archive.engines import engine_option
from judge.cli.archive.finished import Finished, NotResumableError
from judge.cli.archive.found import Found, Sum, Unread, found_game, unread
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.progress import progress
from judge.cli.archive.sharing import Begins, Ends, Engine, Sight, looked_at
from judge.cli.archive.telling import game_lines, sum_line, unread_line
from judge.cli.exits import BAD_INPUT, FOUND_WRONG, UNAVAILABLE, USAGE, fail
from judge.rules.adjudication import RESOLVER_VERSION
from judge.rules.board import Map
from judge.rules.rulebook import UnknownRulebookError, rulebook_named

Tell: TypeAlias = Callable[[Found], None]
Sights: TypeAlias = Iterator[Begins | Sight[Found] | Ends]


@click.command()
@PATHS
@engine_option
@reading_options
@click.option(
    "--rulebook", help="The law of all the games.  [default: what their source followed]"
)
@click.option(
    "--resume",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Keep what is found in this file, and go on from it if it is there.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def verify(
    how: How,
    work: Engine,
    paths: Sequence[Path],
    rulebook: str | None,
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
    look, total = partial(_verified, rulebook, frozenset(map(str, paths))), Sum()

    def tell(found: Found) -> None:
        total.add(found)
        if not as_json:
            _tell(found)

    with ExitStack() as stack:
        finished = _finished(stack, resume, f"{how} {rulebook} {RESOLVER_VERSION}")
        counted = stack.enter_context(progress(sum(1 for _ in find(paths))))
        sights = partial(looked_at, look, how, engine=work)
        _look_at_all(counted(shards(paths, how)), sights, tell, finished)
    click.echo(json.dumps(total.as_json()) if as_json else sum_line(total))
    if total.differing:
        raise SystemExit(FOUND_WRONG)
    if total.unread:
        raise SystemExit(BAD_INPUT)


def _check(rulebook: str) -> None:
    try:
        rulebook_named(rulebook)
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


def _look_at_all(
    tasks: Iterable[Shard],
    sights: Callable[[Iterable[Shard]], Sights],
    tell: Tell,
    finished: Finished | None,
) -> None:
    """Tell what was found in *tasks* before, and what is found in the others now."""
    kept: list[Found] = []
    shard = None
    for each in sights(finished.without_known(tasks, tell) if finished else tasks):
        match each:
            case Begins():
                shard = each
                kept = []
            case Sight(seen=found):
                tell(found)
                if finished:
                    kept.append(found)
            case Ends(whole=whole):
                assert shard, "what ends has begun"
                if finished:
                    finished.add(shard, kept, whole=whole)
            case _:
                assert_never(each)


def _verified(
    rulebook: str | None, asked_for: Collection[str], several: Iterable[Game]
) -> Iterator[Found]:
    """Verify *several* games; what is not *asked_for* by name need not be games."""
    board = load_map()
    for game in several:
        match game:
            case Record():
                yield _found_in(board, game, rulebook)
            case UnknownFormatError() if game.name not in asked_for:
                yield Found(passed_over=[game.name])
            case UnreadableError():
                yield Found(unread=[unread(game)])
            case _:
                assert_never(game)


def _found_in(board: Map, record: Record, rulebook: str | None) -> Found:
    source = record.source
    law = rulebook or record.rulebook or format_named(source.format).rulebook
    try:
        return Found(games=[found_game(verify_game(board, record, law, _say(board)))])
    except UnknownRulebookError as error:
        where = Unread(file=source.name, line=source.first_line, why=str(error))
        return Found(unread=[where])


def _say(board: Map) -> ReasonText:
    from judge.reports.render import explain_reason

    return partial(explain_reason, board)


def _tell(found: Found) -> None:
    for game in found.get("games", ()):
        for line in game_lines(game):
            click.echo(line)
    for each in found.get("unread", ()):
        click.echo(f"judge: {unread_line(each)}", err=True)
