"""The entry of a recorded game in the archive index."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from judge.archive.reading import format_named
from judge.archive.record import Ending, Record, Seat, Source, redact_addresses
from judge.archive.stats.openings import opening_lines
from judge.archive.stats.tally import known_ending, yearly_centers
from judge.rules.board import Map
from judge.rules.rulebook import UnknownRulebookError, rulebook_named
from judge.rules.types import Phase, Power

NUMBERED = ("boardman", "miller")  # by custodians, who begin with the year
Years: TypeAlias = tuple[int, int]  # from the first to the last

YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexEntry:
    """A summary of a game: *first* and *last* are its phases, *phases* their number.

    *years* are those of the game, *played* those of the calendar, as far as reports, deadlines and
    numbers show; *openings* are the lines of the powers.
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
    """Return the entry of *record*."""
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
        law = rulebook_named(record.rulebook or format_named(record.source.format).rulebook)
    except UnknownRulebookError:
        return None
    return known_ending(board, record, yearly_centers(board, record, law))


def _without_addresses(entry: IndexEntry) -> IndexEntry:
    """Leave out what a record that was kept with its addresses may still have."""
    return replace(
        entry,
        name=redact_addresses(entry.name),
        gamemaster=entry.gamemaster and redact_addresses(entry.gamemaster),
        seats=tuple(
            replace(each, player=each.player and redact_addresses(each.player), address=None)
            for each in entry.seats
        ),
    )
