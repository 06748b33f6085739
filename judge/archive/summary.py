"""Summaries of tallies (`judge archive stats --json`) and entries of the archive index."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias, TypedDict, TypeVar

from judge.archive.reading import format_named
from judge.archive.records import Ending, Record, Seat, Source, redact_addresses
from judge.archive.tally import (
    INDICES,
    RESULTS,
    UNIT_FATES,
    Openings,
    Tally,
    known_ending,
    opening_lines,
    yearly_centers,
)
from judge.rules.board import Map
from judge.rules.rulebook import UnknownRulebookError, rulebook_named
from judge.rules.types import Phase, PhaseKind, Power

SHARE_DIGITS = 4
MEAN_DIGITS = 2

K = TypeVar("K", str, tuple[str, ...])


class OpeningCount(TypedDict):
    """The number of games with an opening of a power, and their share if known."""

    orders: str
    name: str | None
    games: int
    share: float


class PowerSum(TypedDict):
    """The results of one power, its orders and its units."""

    solos: int
    conceded_to: int
    draws: int
    survived: int
    eliminated: dict[str, int]
    openings: list[OpeningCount]
    orders: dict[str, dict[str, int]]
    units: dict[str, int]


class Draw(TypedDict):
    """The number of draws shared by these powers."""

    powers: list[Power]
    games: int


class YearMean(TypedDict):
    """Means over the games with a chart of the year."""

    year: int
    games: int
    centers: dict[Power, float]
    index_by_players: float
    index_by_survivors: float


class Summary(TypedDict):
    """A summarized tally."""

    games: int
    formats: dict[str, int]
    phases: dict[str, int]
    lengths: dict[str, int]
    ends: dict[str, int]
    draw_sizes: dict[str, int]
    draws: list[Draw]
    powers: dict[Power, PowerSum]
    years: list[YearMean]


def summary(board: Map, openings: Openings, tally: Tally) -> Summary:
    """Summarize *tally*, with openings named by *openings*."""
    sizes = dict[str, int]()
    for members, games in sorted(tally.draws.items(), key=lambda each: len(each[0])):
        sizes[str(len(members))] = sizes.get(str(len(members)), 0) + games
    return Summary(
        games=tally.games,
        formats=dict(sorted(tally.formats.items())),
        phases={each.name.lower(): tally.phases[each] for each in PhaseKind},
        lengths={str(years): games for years, games in sorted(tally.lengths.items())},
        ends=dict(sorted(tally.ends.items())),
        draw_sizes=sizes,
        draws=[Draw(powers=[*powers], games=games) for powers, games in _most_first(tally.draws)],
        powers={power: _power(openings, tally, power) for power in board.powers},
        years=[_year(board, tally, year) for year in sorted(tally.charted)],
    )


def _power(openings: Openings, tally: Tally, power: Power) -> PowerSum:
    gone = {str(year): games for (who, year), games in tally.eliminated.items() if who == power}
    return PowerSum(
        solos=tally.won["solo", power],
        conceded_to=tally.won["concession", power],
        draws=sum(games for members, games in tally.draws.items() if power in members),
        survived=tally.survived[power],
        eliminated=dict(sorted(gone.items())),
        openings=_openings(openings, tally, power),
        orders={kind: _orders(tally, power, kind) for kind in RESULTS},
        units={word: tally.units[power, word] for word in UNIT_FATES},
    )


def _openings(openings: Openings, tally: Tally, power: Power) -> list[OpeningCount]:
    lines = {line: games for (who, line), games in tally.openings.items() if who == power}
    known = sum(lines.values())
    return [
        OpeningCount(
            orders=line,
            name=openings.name_of(power, line),
            games=games,
            share=round(games / known, SHARE_DIGITS),
        )
        for line, games in _most_first(lines)
    ]


def _orders(tally: Tally, power: Power, kind: str) -> dict[str, int]:
    counts = {result: tally.orders[power, kind, result] for result in RESULTS[kind]}
    return {"all": sum(counts.values()), **counts}


def _year(board: Map, tally: Tally, year: int) -> YearMean:
    games = tally.charted[year]
    by_players, by_survivors = (_mean(tally.indices[year, index], games) for index in INDICES)
    return YearMean(
        year=year,
        games=games,
        centers={power: _mean(tally.centers[year, power], games) for power in board.powers},
        index_by_players=by_players,
        index_by_survivors=by_survivors,
    )


def _mean(total: int, games: int) -> float:
    return round(total / games, MEAN_DIGITS)


def _most_first(counts: Mapping[K, int]) -> list[tuple[K, int]]:
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))


NUMBERED = ("boardman", "miller")  # custodians' numbers, which start with the year
Years: TypeAlias = tuple[int, int]  # first and last

YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A game in the archive index: *first* and *last* are its phases, *phases* their number.

    *years* are game years, *played* calendar years according to reports, deadlines and numbers;
    *openings* are by power.
    """

    name: str
    source: Source
    variant: str
    rulebook: str | None
    numbers: Mapping[str, str]
    gamemaster: str | None
    zine: str | None
    issue: str | None
    first: Phase | None
    last: Phase | None
    phases: int
    years: Years | None
    played: Years | None
    ending: Ending | None
    seats: tuple[Seat, ...]
    openings: Mapping[Power, str]


def make_entry(board: Map, record: Record, *, keep_addresses: bool = False) -> IndexEntry:
    """Return the index entry of *record*."""
    phases = record.played
    entry = IndexEntry(
        name=record.name,
        source=record.source,
        variant=record.variant,
        rulebook=record.rulebook,
        numbers=record.numbers,
        gamemaster=record.gamemaster,
        zine=record.zine,
        issue=record.issue,
        first=phases[0].phase if phases else None,
        last=phases[-1].phase if phases else None,
        phases=len(phases),
        years=_span(
            [*(each.phase.year for each in phases), *(each.year for each in record.charts)]
        ),
        played=_span([*_years_played(record)]),
        ending=_ending(board, record),
        seats=record.seats,
        openings=opening_lines(board, record),
    )
    return entry if keep_addresses else _without_addresses(entry)


def _span(years: Collection[int]) -> Years | None:
    return (min(years), max(years)) if years else None


def _years_played(record: Record) -> Iterator[int]:
    for phase in record.phases:
        yield from (each.year for each in (phase.reported, phase.deadline) if each)
    for kind in NUMBERED:
        if found := YEAR.match(record.numbers.get(kind, "")):
            yield int(found[0])


def _ending(board: Map, record: Record) -> Ending | None:
    if record.ending:
        return record.ending
    try:
        rulebook = rulebook_named(record.rulebook or format_named(record.source.format).rulebook)
    except UnknownRulebookError:
        return None
    return known_ending(board, record, yearly_centers(board, record, rulebook))


def _without_addresses(entry: IndexEntry) -> IndexEntry:
    return replace(
        entry,
        name=redact_addresses(entry.name),
        gamemaster=entry.gamemaster and redact_addresses(entry.gamemaster),
        seats=tuple(
            replace(each, player=each.player and redact_addresses(each.player), address=None)
            for each in entry.seats
        ),
    )
