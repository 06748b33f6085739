"""`judge archive stats`: count openings, endings, centers and results of orders."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TypeAlias, TypedDict

import click

from judge.adapters.archive.record_files import ReadOptions
from judge.adapters.archive.shards import Game, shards
from judge.adapters.variant_files import load_map, load_openings
from judge.archive.records import Record
from judge.archive.summary import PowerSum, Summary, summary
from judge.archive.tally import Tally, count_record
from judge.cli.archive import game_files
from judge.cli.terminal import Table, show_table
from judge.cli.workers import Engine, engine_option
from judge.rules.rulebook import UnknownRulebookError
from judge.rules.types import Power

OPENINGS_MAX = 10
NOTHING = game_files.Remarks()

# Remarks, the game's title if it is a game, and its tally if it has one.
Counted: TypeAlias = tuple[game_files.Remarks, str | None, Tally | None]


class Title(TypedDict):
    """The game that was counted: its file, its place there, and its name."""

    file: str
    number: int
    game: str


@click.command()
@game_files.PATHS
@engine_option
@game_files.reading_options
@click.option("--by", type=click.Choice(["game"]), help="Count each game separately.")
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=OPENINGS_MAX,
    show_default=True,
    help="Openings per power in the table; JSON has all.",
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object, or one line per game.")
def stats(
    how: ReadOptions,
    work: Engine,
    paths: Sequence[Path],
    by: str | None,
    top: int,
    *,
    as_json: bool,
) -> None:
    """Count what happens in the games in each PATH, by power.

    Only games on one board are counted, the standard one unless --variant names another.
    Missing results are computed by the game's rulebook. Doubtful or unreadable parts are listed
    on standard error; the exit code is 65 if anything cannot be read.
    """
    printer, board = game_files.RemarkPrinter(), load_map(how.variant)
    openings = load_openings(how.variant)
    empty = True
    if by:
        for title, tally in _by_game(printer, how, paths, work):
            _show(summary(board, openings, tally), top, title, as_json=as_json)
            empty = False
    else:
        total = Tally()
        for several, tally in game_files.results_of(
            partial(_added_up, paths, board.name), how, paths, work
        ):
            total += tally
            for each in several:
                printer.print(each)
        _show(summary(board, openings, total), top, as_json=as_json)
        empty = not total.games
    if empty:
        printer.exit_without_games(paths)
    printer.exit_if_unread()


def _by_game(
    printer: game_files.RemarkPrinter, how: ReadOptions, paths: Sequence[Path], work: Engine
) -> Iterator[tuple[Title, Tally]]:
    path, number = None, 0
    for each in game_files.results_by_shard(
        partial(_counted, paths, how.variant), how, shards(paths, how), work
    ):
        match each:
            case game_files.ShardBegins(path=begun):
                number = number if begun == path else 0
                path = begun
            case game_files.ShardResult(seen=(remarked, name, tally)):
                printer.print(remarked)
                number += name is not None
                if name is not None and tally:
                    yield Title(file=str(path), number=number, game=name), tally
            case _:
                pass


def _added_up(
    paths: Sequence[Path], variant: str, several: Iterable[Game]
) -> Iterator[tuple[Sequence[game_files.Remarks], Tally]]:
    total, remarked = Tally(), list[game_files.Remarks]()
    for remark, _, tally in _counted(paths, variant, several):
        total += tally or Tally()
        if remark != NOTHING:
            remarked.append(remark)
    yield remarked, total


def _counted(paths: Sequence[Path], variant: str, several: Iterable[Game]) -> Iterator[Counted]:
    board = load_map(variant)
    for game in several:
        remarked = game_files.remarks(paths, game)
        if not isinstance(game, Record):
            yield remarked, None, None
            continue
        if game.variant != board.name:
            why = f"judge: {game.source.name}: {game.name} is on the {game.variant} board"
            lines = (*remarked.lines, f"{why}; --variant {game.variant} counts such games")
            yield game_files.Remarks(lines, unread=True), game.name, None
            continue
        try:
            yield remarked, game.name, count_record(board, game)
        except UnknownRulebookError as error:
            why = f"judge: {game.source.name}: {error}"
            yield game_files.Remarks([*remarked.lines, why], unread=True), game.name, None


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


KINDS = ("move", "support", "convoy", "hold")


def tables(found: Summary, openings_max: int) -> Iterator[Table]:
    """Yield the tables of *found*, with at most *openings_max* openings per power."""
    powers = found["powers"]
    yield Table("Ends", ("end", "games"), [*found["ends"].items()])
    drawn = [
        (len(each["powers"]), ", ".join(each["powers"]), each["games"]) for each in found["draws"]
    ]
    yield Table("Draws", ("size", "powers", "games"), drawn)
    yield Table("Length", ("years", "games"), [*found["lengths"].items()])
    yield Table(
        "Powers",
        ("power", "solos", "conceded to", "draws", "survived", "eliminated"),
        [(power, *_fate(each)) for power, each in powers.items()],
    )
    yield Table(
        "Centers at the end of the year, and indices by players and survivors",
        ("year", "games", *found["powers"], "by players", "by survivors"),
        [
            (
                each["year"],
                each["games"],
                *map(_number, each["centers"].values()),
                _number(each["index_by_players"]),
                _number(each["index_by_survivors"]),
            )
            for each in found["years"]
        ],
    )
    for kind in KINDS:
        counts = {power: each["orders"][kind] for power, each in powers.items()}
        yield _by_power(f"Orders: {kind}", counts)
    yield _by_power("Units", {power: each["units"] for power, each in powers.items()})
    yield Table(
        "Openings",
        ("power", "games", "share", "name", "orders"),
        [
            (power, each["games"], f"{each['share']:.1%}", each["name"], each["orders"])
            for power, count in found["powers"].items()
            for each in count["openings"][:openings_max]
        ],
    )


def _fate(power: PowerSum) -> tuple[int, int, int, int, str]:
    gone = ", ".join(f"{year}: {games}" for year, games in power["eliminated"].items())
    return power["solos"], power["conceded_to"], power["draws"], power["survived"], gone


def _by_power(title: str, counts: Mapping[Power, Mapping[str, int]]) -> Table:
    words = [*next(iter(counts.values()))]
    heads = [word.replace("_", " ") for word in words]
    rows = [(power, *count.values()) for power, count in counts.items() if any(count.values())]
    return Table(title, ("power", *heads), rows)


def _number(mean: float) -> str:
    return f"{mean:g}"
