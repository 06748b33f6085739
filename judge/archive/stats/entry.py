"""What a catalogue tells of a game."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeAlias

from judge.archive.addresses import without_addresses
from judge.archive.formats import reader
from judge.archive.record import Ending, Record, Seat, Source
from judge.archive.stats.charts import charts_of, ending_of
from judge.archive.stats.openings import opening_lines
from judge.rules.board import Map
from judge.rules.rulebook import UnknownRulebookError, rulebook_named
from judge.rules.types import Phase, Power

NUMBERED = ("boardman", "miller")  # by custodians, who begin with the year
Years: TypeAlias = tuple[int, int]  # from the first to the last

YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """A game in few words: *first* and *last* are its phases, of which there are *phases*.

    *years* are those of the game, *played* those of the calendar in which it was, as far as
    reports, deadlines and numbers tell; *openings* are the lines of the powers.
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


def entry_of(board: Map, record: Record, *, keep_addresses: bool = False) -> Entry:
    """Return the entry of *record*."""
    phases = record.played
    entry = Entry(
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
        law = rulebook_named(record.rulebook or reader(record.source.format).rulebook)
    except UnknownRulebookError:
        return None
    return ending_of(board, record, charts_of(board, record, law))


def _without_addresses(entry: Entry) -> Entry:
    """Leave out what a record that was kept with its addresses may still have."""
    return replace(
        entry,
        name=without_addresses(entry.name),
        gamemaster=entry.gamemaster and without_addresses(entry.gamemaster),
        seats=tuple(
            replace(each, player=each.player and without_addresses(each.player), address=None)
            for each in entry.seats
        ),
    )
