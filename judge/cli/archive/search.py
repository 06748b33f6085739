"""`judge archive index` and `judge archive search`: a catalogue of recorded games."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import TypeAlias, assert_never

import click

from judge.adapters.archive.catalogue import (
    Catalogue,
    Identity,
    UnusableCatalogueError,
    identify,
    open_catalogue,
    storable,
)
from judge.adapters.archive.catalogue_search import Listed, ListedSeat, Query, players_like
from judge.adapters.archive.catalogue_search import search as search_in
from judge.adapters.archive.record_files import ReadOptions, find_files
from judge.adapters.archive.shards import Game, shards
from judge.adapters.variant_files import load_map, load_openings, variants
from judge.archive.records import Record
from judge.archive.summary import IndexEntry, make_entry
from judge.archive.text_parsing import power_named
from judge.cli.archive import game_files
from judge.cli.terminal import UNAVAILABLE, USAGE, FilePath, Table, fail, show_table
from judge.cli.workers import Engine, engine_option, progress
from judge.rules.board import DEFAULT_VARIANT
from judge.rules.types import Power

COUNTED = ("new", "changed", "unchanged", "vanished", "removed", "unread")
JOURNALS = ("journal", "shm", "wal")  # suffixes of SQLite's files beside a database

Seen: TypeAlias = tuple[game_files.Remarks, IndexEntry | None]


@click.command()
@click.argument("catalogue", type=FilePath(dir_okay=False))
@game_files.SAVED_PATHS
@engine_option
@game_files.reading_options
@click.option("--prune", is_flag=True, help="Remove files below the PATHs that no longer exist.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object at the end.")
def index(
    how: ReadOptions,
    work: Engine,
    catalogue: Path,
    paths: Sequence[Path],
    *,
    prune: bool,
    as_json: bool,
) -> None:
    """Add the games in each PATH to CATALOGUE, an SQLite file, to find them again.

    Unchanged files are skipped, changed ones replaced. A file is added whole or not at all, so an
    interrupted run can be repeated. Doubtful or unreadable parts are listed on standard error; the
    exit code is 65 if anything cannot be read.
    """
    printer, roots = game_files.RemarkPrinter(), [each.resolve() for each in paths]
    try:
        with open_catalogue(catalogue, make=True) as opened:
            known = opened.files(how)
            itself = str(catalogue.resolve())
            files = [each for each in _files(roots) if not _belongs_to(itself, each)]
            there = dict(_identified(printer, files))
            counts, waiting = _compared(known, there)
            counts["unread"] += len(files) - len(there)
            counts["unread"] += _list_games(opened, printer, how, roots, (waiting, work))
            vanished = [*_vanished(known, files, roots)]
            counts["removed" if prune else "vanished"] = len(vanished)
            if prune:
                opened.remove(vanished)
            _print_counts(counts, opened.games(), as_json=as_json)
    except UnusableCatalogueError as error:
        fail(str(error), UNAVAILABLE)
    printer.exit_if_unread()


def _files(paths: Iterable[Path]) -> Iterable[Path]:
    return dict.fromkeys(each.resolve() for each in find_files(paths))


def _belongs_to(catalogue: str, file: Path) -> bool:
    return str(file) in {catalogue, *(f"{catalogue}-{each}" for each in JOURNALS)}


def _identified(
    printer: game_files.RemarkPrinter, files: Iterable[Path]
) -> Iterator[tuple[Path, Identity]]:
    for path in files:
        try:
            yield path, identify(path)
        except OSError as error:
            printer.print(game_files.Remarks([f"judge: {path}: {error.strerror}"], unread=True))


def _compared(
    known: Mapping[Identity, bool], there: Mapping[Path, Identity]
) -> tuple[Counter[str], dict[Path, Identity]]:
    """Count new, changed and unchanged files; return also those to be read."""
    paths, waiting = {each.path for each in known}, dict[Path, Identity]()
    counts = Counter[str]()
    for path, identity in there.items():
        if known.get(identity):
            counts["unchanged"] += 1
        else:
            counts["changed" if identity.path in paths else "new"] += 1
            waiting[path] = identity
    return counts, waiting


def _list_games(
    catalogue: Catalogue,
    printer: game_files.RemarkPrinter,
    how: ReadOptions,
    named: Collection[Path],
    todo: tuple[Mapping[Path, Identity], Engine],
) -> int:
    waiting, work = todo
    unread, openings, read_games = 0, load_openings(), partial(_index_games, named, how)
    with progress(len(waiting)) as counted:
        seen = _by_path(
            game_files.results_by_shard(read_games, how, counted(shards(waiting, how)), work)
        )
        for path, several in groupby(seen, itemgetter(0)):
            with catalogue.replacing(waiting[path], how, openings) as file:
                for _, (remarked, entry) in several:
                    printer.print(remarked)
                    if entry:
                        file.add(entry)
                    if remarked.unread:
                        file.leave_unread(remarked.lines[-1])
            unread += file.unread
    return unread


def _by_path(
    results: Iterable[
        game_files.ShardBegins | game_files.ShardResult[Seen] | game_files.ShardEnds
    ],
) -> Iterator[tuple[Path, Seen]]:
    """Yield results with their paths; for each path an empty one first."""
    path = Path()
    for each in results:
        match each:
            case game_files.ShardBegins():
                path = each.path
                yield path, (game_files.Remarks(), None)
            case game_files.ShardResult():
                yield path, each.seen
            case game_files.ShardEnds():
                pass
            case _:
                assert_never(each)


def _index_games(
    named: Collection[Path], how: ReadOptions, several: Iterable[Game]
) -> Iterator[Seen]:
    keep = how.keep_addresses
    for game in several:
        remarked = game_files.remarks(named, game)
        if isinstance(game, Record):
            yield remarked, make_entry(game_files.board_of(game), game, keep_addresses=keep)
        else:
            yield remarked, None


def _vanished(
    known: Iterable[Identity], files: Iterable[Path], roots: Iterable[Path]
) -> Iterator[str]:
    there = {storable(str(each)) for each in files}
    at = {storable(str(each)) for each in roots}
    below = tuple(f"{each.rstrip('/')}/" for each in at)
    for path in sorted(each.path for each in known if each.path not in there):
        if path in at or path.startswith(below):
            yield path


def _print_counts(files: Counter[str], games: int, *, as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps({name: files[name] for name in COUNTED} | {"games": games}))
        return
    counts = ", ".join(f"{files[name]} {name}" for name in COUNTED if files[name])
    click.echo(f"files: {counts or 'none'}; {games} games in the catalogue")


YEARS = re.compile(r"(\d{4})(?:-(\d{4}))?")
COLUMNS = ("file", "number", "game", "played", "phases", "end", "players")

Years: TypeAlias = tuple[int, int]


def _years(_context: click.Context, _option: click.Parameter, value: str | None) -> Years | None:
    if value is None:
        return None
    found = YEARS.fullmatch(value)
    if not found or found[1] > (found[2] or found[1]):
        fail(f"{value!r} is not a year or a range such as 1998-2001", USAGE)
    return int(found[1]), int(found[2] or found[1])


def _powers(
    _context: click.Context, _option: click.Parameter, value: str | None
) -> frozenset[Power] | None:
    """Return the powers of all boards that go by the name *value*."""
    if value is None:
        return None
    named = frozenset(filter(None, (power_named(load_map(each), value) for each in variants())))
    if not named:
        powers = ", ".join(load_map().powers)
        fail(f"{value!r} is not a power of any board; those of {DEFAULT_VARIANT}: {powers}", USAGE)
    return named


@click.command()
@click.argument("catalogue", type=FilePath(dir_okay=False))
@click.option("--player", help="A player's name, or part of it.")
@click.option(
    "--year", "years", callback=_years, metavar="Y|A-B", help="The year, in either calendar."
)
@click.option("--opening", help="The opening: a name, an order, or part of one.")
@click.option("--power", "powers", callback=_powers, help="The power of --player or --opening.")
@click.option("--winner", "winners", callback=_powers, help="The winning power.")
@click.option("--judge", help="The judge, or the game's number there, or part of it.")
@click.option("--name", help="The game's name, one of its numbers, or part of one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game, complete.")
def search(  # noqa: PLR0913, PLR0917 - one parameter per option
    catalogue: Path,
    player: str | None,
    years: Years | None,
    opening: str | None,
    powers: frozenset[Power] | None,
    winners: frozenset[Power] | None,
    judge: str | None,
    name: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the games in CATALOGUE that match all options, or all games without any.

    Case and accents do not matter. `judge archive show FILE --number N` shows a game found.
    """
    if powers and player is None and opening is None:
        fail("--power needs --player or --opening", USAGE)
    query = Query(
        player=player,
        years=years,
        opening=opening,
        powers=powers,
        winners=winners,
        judge=judge,
        name=name,
    )
    try:
        with open_catalogue(catalogue) as opened:
            found = search_in(opened, query)
            if not _show(found, as_json=as_json):
                near = players_like(opened, player) if player else []
                hint = f"; similar players: {', '.join(near)}" if near else ""
                fail(f"{catalogue} has no such game{hint}", UNAVAILABLE)
    except UnusableCatalogueError as error:
        fail(str(error), UNAVAILABLE)


def _show(found: Iterator[Listed], *, as_json: bool) -> bool:
    if as_json:
        shown = 0
        for game in found:
            click.echo(json.dumps(game))
            shown += 1
        return shown > 0
    rows = [_row(each) for each in found]
    show_table(Table("", COLUMNS, rows))
    return bool(rows)


def _row(game: Listed) -> tuple[object, ...]:
    return (
        game["file"],
        game["number"],
        game["game"],
        _span(game["played_from"], game["played_until"]),
        _span(game["first_phase"], game["last_phase"]),
        " ".join([game["end"] or "", *game["end_powers"]]).strip(),
        ", ".join(_players(game["seats"])),
    )


def _span(first: object, last: object) -> str:
    return " to ".join(dict.fromkeys(str(each) for each in (first, last) if each))


def _players(seats: Iterable[ListedSeat]) -> Iterator[str]:
    for seat in seats:
        if "player" in seat:
            yield f"{seat['player']} ({seat['power']})"
