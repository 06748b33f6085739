"""`judge archive search`: find games in a catalogue by players, years, openings and ends."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TypeAlias

import click

from judge.adapters.archive.catalogue import UnusableCatalogueError, open_catalogue
from judge.adapters.archive.catalogue_search import Listed, ListedSeat, Query, players_like
from judge.adapters.archive.catalogue_search import search as search_in
from judge.adapters.variant_files import load_map
from judge.archive.text_parsing import power_named
from judge.cli.terminal import UNAVAILABLE, USAGE, Table, fail, show_table
from judge.rules.types import Power

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


def _power(_context: click.Context, _option: click.Parameter, value: str | None) -> Power | None:
    if value is None:
        return None
    board = load_map()
    power = power_named(board, value)
    if power is None:
        fail(f"{value!r} is not a power; the powers are {', '.join(board.powers)}", USAGE)
    return power


@click.command()
@click.argument("catalogue", type=click.Path(path_type=Path, dir_okay=False))
@click.option("--player", help="A player's name, or part of it.")
@click.option(
    "--year", "years", callback=_years, metavar="Y|A-B", help="The year, in either calendar."
)
@click.option("--opening", help="The opening: a name, an order, or part of one.")
@click.option("--power", callback=_power, help="The power of --player or --opening.")
@click.option("--winner", callback=_power, help="The winning power.")
@click.option("--judge", help="The judge, or the game's number there, or part of it.")
@click.option("--name", help="The game's name, one of its numbers, or part of one.")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game, complete.")
def search(  # noqa: PLR0913, PLR0917 - one parameter an option
    catalogue: Path,
    player: str | None,
    years: Years | None,
    opening: str | None,
    power: Power | None,
    winner: Power | None,
    judge: str | None,
    name: str | None,
    *,
    as_json: bool,
) -> None:
    """Find the games in CATALOGUE that match all options, or all games without any.

    Case and accents do not matter. `judge archive show FILE --number N` shows a game found.
    """
    if power and player is None and opening is None:
        fail("--power needs --player or --opening", USAGE)
    query = Query(
        player=player,
        years=years,
        opening=opening,
        power=power,
        winner=winner,
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
    """Show the games that were *found*; tell whether there are any."""
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
    """Return from when to when, in a word if that is the same."""
    return " to ".join(dict.fromkeys(str(each) for each in (first, last) if each))


def _players(seats: Iterable[ListedSeat]) -> Iterator[str]:
    for seat in seats:
        if "player" in seat:
            yield f"{seat['player']} ({seat['power']})"
