"""What is told of a whole game: who played, how it ended, and the centers by year."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace

from judge.app.replay.telling import Played
from judge.archive.record import Record
from judge.archive.record_tables import CENTERS
from judge.reports.replay_pages import GameFacts
from judge.rules.types import Power


def facts_of(record: Record) -> GameFacts:
    """Return name, players, end and numbers of *record*."""
    players: dict[Power, str] = {}
    for seat in record.seats:
        if seat.player:
            before = f"{players[seat.power]}, " if seat.power in players else ""
            players[seat.power] = before + seat.player
    ending = (record.ending.kind.value, record.ending.powers) if record.ending else None
    numbers = tuple(f"{kind.capitalize()} {number}" for kind, number in record.numbers.items())
    return GameFacts(record.name.rpartition("/")[2], players, ending, numbers)


def years_of(record: Record, phases: Iterable[Played]) -> Mapping[int, Mapping[Power, int]]:
    """Return how many centers each power had at the end of each year."""
    whole = replace(record, phases=tuple(each.told for each in phases))
    years: dict[int, Counter[Power]] = {}
    for row in CENTERS.of(whole):
        years.setdefault(row.year, Counter())[row.owner] += 1
    told = {chart.year: Counter(chart.counts) for chart in record.charts}
    return dict(sorted((told | years).items()))
