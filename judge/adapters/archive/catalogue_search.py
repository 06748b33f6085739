"""Search a catalogue of recorded games."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any, TypedDict, cast

import sqlalchemy as sa

from judge.adapters.archive.catalogue import (
    ENDS,
    FILES,
    GAMES,
    NUMBERS,
    OPENINGS,
    SEATS,
    Catalogue,
    folded,
)
from judge.archive.records import EndKind
from judge.notation.terms import closest_matches
from judge.rules.types import Power

UNLISTED = frozenset(
    {"id", "file", "path", "number", "name", "game", "folded", "first_year", "last_year"}
)
PLAYERS_MAX = 10  # among those with similar names
WON = (EndKind.SOLO.value, EndKind.CONCESSION.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """The games to search for; None matches all.

    Names and openings match in part. *powers* are those that the player had, or that opened so:
    several, as boards have powers of the same name.
    *years* are of the calendar or of the game, first and last.
    """

    player: str | None = None
    years: tuple[int, int] | None = None
    opening: str | None = None
    powers: Collection[Power] | None = None
    winners: Collection[Power] | None = None
    judge: str | None = None
    name: str | None = None


class ListedSeat(TypedDict, total=False):
    """A player of a power; unknown values are left out."""

    power: Power
    player: str
    hold: str
    since: str
    until: str
    address: str


class ListedOpening(TypedDict):
    """The opening of a power, and its name."""

    power: Power
    orders: str
    name: str | None


class Listed(TypedDict):
    """A game that was found: number *number* of *file*."""

    file: str
    number: int
    game: str
    format: str
    source: str
    sha256: str
    first_line: int
    last_line: int | None
    variant: str
    rulebook: str | None
    numbers: dict[str, str]
    gamemaster: str | None
    zine: str | None
    issue: str | None
    first_phase: str | None
    last_phase: str | None
    phases: int
    played_from: int | None
    played_until: int | None
    end: str | None
    end_phase: str | None
    end_reason: str | None
    end_powers: list[Power]
    seats: list[ListedSeat]
    openings: list[ListedOpening]


def search(catalogue: Catalogue, query: Query) -> Iterator[Listed]:
    """Yield the games that match *query*, by file and position."""
    wanted = (
        sa.select(GAMES, FILES.c.path)
        .join(FILES)
        .where(*_conditions(query))
        .order_by(FILES.c.path, GAMES.c.number)
    )
    with catalogue.reading() as connection:
        for game in connection.execute(wanted).mappings():
            yield _listed(connection, game)


def players_like(catalogue: Catalogue, name: str) -> list[str]:
    """Return the players with the most similar names; none if one has exactly *name*."""
    with catalogue.reading() as connection:
        rows = connection.execute(
            sa.select(SEATS.c.player, SEATS.c.folded).where(SEATS.c.player.is_not(None)).distinct()
        )
        names: dict[str, set[str]] = {}
        wanted = folded(name)
        for player, known in rows:
            if wanted in known:
                return []
            for part in (known, *known.split()):
                names.setdefault(part, set()).add(player)
    found = closest_matches(wanted, names)
    return sorted({player for _, part in found for player in names[part]})[:PLAYERS_MAX]


def _conditions(query: Query) -> Iterator[sa.ColumnElement[bool]]:
    if query.player is not None:
        yield _some(SEATS, *_of_power(SEATS, query), _has(SEATS, query.player))
    if query.opening is not None:
        line = OPENINGS.c.orders.contains(query.opening.upper(), autoescape=True)
        yield _some(
            OPENINGS, *_of_power(OPENINGS, query), sa.or_(_has(OPENINGS, query.opening), line)
        )
    if query.years is not None:
        yield sa.or_(
            _overlap("first_year", "last_year", query.years),
            _overlap("played_from", "played_until", query.years),
        )
    if query.winners is not None:
        yield sa.and_(GAMES.c.end.in_(WON), _some(ENDS, ENDS.c.power.in_(query.winners)))
    if query.judge is not None:
        yield _some(NUMBERS, NUMBERS.c.kind == "judge", _has(NUMBERS, query.judge))
    if query.name is not None:
        yield sa.or_(_has(GAMES, query.name), _some(NUMBERS, _has(NUMBERS, query.name)))


def _some(table: sa.Table, *conditions: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.exists().where(table.c.game == GAMES.c.id, *conditions)


def _of_power(table: sa.Table, query: Query) -> Iterator[sa.ColumnElement[bool]]:
    if query.powers is not None:
        yield table.c.power.in_(query.powers)


def _has(table: sa.Table, part: str) -> sa.ColumnElement[bool]:
    condition: sa.ColumnElement[bool] = table.c.folded.contains(folded(part), autoescape=True)
    return condition


def _overlap(first: str, last: str, years: tuple[int, int]) -> sa.ColumnElement[bool]:
    return sa.and_(GAMES.c[first] <= years[1], GAMES.c[last] >= years[0])


def _listed(connection: sa.Connection, game: sa.RowMapping) -> Listed:
    numbers, seats, ends, openings = (
        [*_rows(connection, table, game["id"])] for table in (NUMBERS, SEATS, ENDS, OPENINGS)
    )
    listed = {
        "file": game["path"],
        "number": game["number"],
        "game": game["name"],
        **{key: value for key, value in game.items() if key not in UNLISTED},
        "numbers": {each["kind"]: each["number"] for each in numbers},
        "end_powers": [each["power"] for each in ends],
        "seats": [{key: each[key] for key in each if each[key] is not None} for each in seats],
        "openings": openings,
    }
    return cast("Listed", listed)


def _rows(connection: sa.Connection, table: sa.Table, game: int) -> Iterator[dict[str, Any]]:
    wanted = sa.select(table).filter_by(game=game).order_by(sa.text("rowid"))
    for row in connection.execute(wanted).mappings():
        yield {key: value for key, value in row.items() if key not in {"game", "folded"}}
