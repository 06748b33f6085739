"""`judge archive stats`: openings, ends, centers, and what orders came to, counted."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypedDict, assert_never

import click

from judge.adapters.archive_files import How, UnknownFormatError, find, games
from judge.adapters.opening_files import load_openings
from judge.adapters.variant_files import load_map
from judge.archive.reading import UnreadableError
from judge.archive.record import Record
from judge.archive.stats.counting import tally_of
from judge.archive.stats.summary import Summary, summary
from judge.archive.stats.tally import Tally
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.summing import tables
from judge.cli.archive.tables import show_table
from judge.cli.exits import BAD_INPUT
from judge.rules.geography import Map
from judge.rules.rulebook import UnknownRulebookError

OPENINGS_MAX = 10


class Title(TypedDict):
    """Which game was counted: in which file, the how-manieth there, and its name."""

    file: str
    number: int
    game: str


@dataclass(slots=True)
class Counted:
    """What one game was counted as, or what is to be *said* of what cannot be read."""

    title: Title | None = None
    tally: Tally = field(default_factory=Tally)
    said: Sequence[str] = ()
    unread: bool = False


@click.command()
@PATHS
@reading_options
@click.option("--by", type=click.Choice(["game"]), help="Count each game for itself.")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=OPENINGS_MAX,
    show_default=True,
    help="So many openings of a power in the table; JSON has all.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, or a line a game.")
def stats(how: How, paths: Sequence[Path], by: str | None, top: int, *, as_json: bool) -> None:
    """Count what happens in the games in each PATH, by power.

    What a game does not tell of its orders is what the law that it followed makes of them. What
    is doubted, and what cannot be read, is said on standard error, and the exit code is 65 if
    anything cannot be read.
    """
    board, openings, total, unread = load_map(), load_openings(), Tally(), False
    for counted in _counted(board, how, paths):
        for line in counted.said:
            click.echo(line, err=True)
        unread |= counted.unread
        if not by:
            total += counted.tally
        elif counted.title:
            _show(summary(board, openings, counted.tally), top, counted.title, as_json=as_json)
    if not by:
        _show(summary(board, openings, total), top, as_json=as_json)
    if unread:
        raise SystemExit(BAD_INPUT)


def _counted(board: Map, how: How, paths: Sequence[Path]) -> Iterator[Counted]:
    asked_for = frozenset(map(str, paths))
    for path in find(paths):
        yield from _count_in(board, how, asked_for, path)


def _count_in(board: Map, how: How, asked_for: Collection[str], path: Path) -> Iterator[Counted]:
    """Count the games in *path*; what is not *asked_for* by name need not be games."""
    number = 0
    for game in games(board, path, how):
        match game:
            case Record():
                number += 1
                yield _count(board, game, Title(file=str(path), number=number, game=game.name))
            case UnknownFormatError() if game.name not in asked_for:
                pass
            case UnreadableError():
                yield Counted(said=(f"judge: {game}",), unread=True)
            case _:
                assert_never(game)


def _count(board: Map, record: Record, title: Title) -> Counted:
    try:
        tally = tally_of(board, record)
    except UnknownRulebookError as error:
        return Counted(said=(f"judge: {title['file']}: {error}",), unread=True)
    said = [
        f"{title['file']}{f':{each.line}' if each.line else ''}: {each.why}: {each.text}"
        for each in record.doubts
    ]
    return Counted(title, tally, said)


def _show(found: Summary, top: int, title: Title | None = None, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({**(title or {}), **found}))
        return
    if title:
        click.echo(f"{title['file']} {title['number']}: {title['game']}")
    else:
        phases = ", ".join(f"{count} {kind}" for kind, count in found["phases"].items())
        click.echo(f"{found['games']} games, phases: {phases}")
    for table in tables(found, top):
        show_table(table)
