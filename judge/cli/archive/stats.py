"""`judge archive stats`: openings, ends, centers, and what orders came to, counted."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypedDict

import click

from judge.adapters.archive_files import How
from judge.adapters.opening_files import load_openings
from judge.adapters.shards import Game, shards
from judge.adapters.variant_files import load_map
from judge.archive.record import Record
from judge.archive.stats.summary import Summary, summary
from judge.archive.stats.tally import Tally, count_record
from judge.cli.archive.engines import engine_option
from judge.cli.archive.options import PATHS, reading_options
from judge.cli.archive.records import Listener, Remarks, remarks
from judge.cli.archive.sharing import Begins, Engine, Sight, looked_at, seen
from judge.cli.archive.summing import tables
from judge.cli.archive.tables import show_table
from judge.rules.rulebook import UnknownRulebookError

OPENINGS_MAX = 10
NOTHING = Remarks()

# What is remarked, the name of the game if it is one, and its tally if it has one.
Counted: TypeAlias = tuple[Remarks, str | None, Tally | None]


class Title(TypedDict):
    """Which game was counted: in which file, at which place there, and its name."""

    file: str
    number: int
    game: str


@click.command()
@PATHS
@engine_option
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
def stats(
    how: How, work: Engine, paths: Sequence[Path], by: str | None, top: int, *, as_json: bool
) -> None:
    """Count what happens in the games in each PATH, by power.

    What a game does not tell of its orders is what the law that it followed makes of them. What
    is doubted, and what cannot be read, is said on standard error, and the exit code is 65 if
    anything cannot be read.
    """
    listener, board, openings = Listener(), load_map(), load_openings()
    if by:
        for title, tally in _by_game(listener, how, paths, work):
            _show(summary(board, openings, tally), top, title, as_json=as_json)
    else:
        total = Tally()
        for several, tally in seen(partial(_added_up, paths), how, paths, work):
            total += tally
            for each in several:
                listener.hear(each)
        _show(summary(board, openings, total), top, as_json=as_json)
    listener.leave()


def _by_game(
    listener: Listener, how: How, paths: Sequence[Path], work: Engine
) -> Iterator[tuple[Title, Tally]]:
    path, number = None, 0
    for each in looked_at(partial(_counted, paths), how, shards(paths, how), work):
        match each:
            case Begins(path=begun):
                number = number if begun == path else 0
                path = begun
            case Sight(seen=(remarked, name, tally)):
                listener.hear(remarked)
                number += name is not None
                if name is not None and tally:
                    yield Title(file=str(path), number=number, game=name), tally
            case _:
                pass


def _added_up(
    paths: Sequence[Path], several: Iterable[Game]
) -> Iterator[tuple[Sequence[Remarks], Tally]]:
    """Yield one tally of *several* games, and what is remarked of them."""
    total, remarked = Tally(), list[Remarks]()
    for remark, _, tally in _counted(paths, several):
        total += tally or Tally()
        if remark != NOTHING:
            remarked.append(remark)
    yield remarked, total


def _counted(paths: Sequence[Path], several: Iterable[Game]) -> Iterator[Counted]:
    """Yield the tally of each game, and what is remarked."""
    board = load_map()
    for game in several:
        remarked = remarks(paths, game)
        if not isinstance(game, Record):
            yield remarked, None, None
            continue
        try:
            yield remarked, game.name, count_record(board, game)
        except UnknownRulebookError as error:
            why = f"judge: {game.source.name}: {error}"
            yield Remarks([*remarked.said, why], unread=True), game.name, None


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
