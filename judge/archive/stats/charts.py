"""How many centers each power had at the end of each year, from all that a record tells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TypeAlias

from judge.archive.record import Ending, EndKind, Record, RecordedPhase
from judge.archive.stats.results import orders_of
from judge.rules.adjudication import adjudicate
from judge.rules.board import Map
from judge.rules.rulebook import Rulebook
from judge.rules.types import Phase, PhaseKind, Position, Power, Season

Charts: TypeAlias = Mapping[int, Mapping[Power, int]]


def charts_of(board: Map, record: Record, law: Rulebook) -> Charts:
    """Return the centers of each power, by year.

    Charts of the record go before the owners of its positions; what its last orders brought is
    what *law* makes of them, and of retreats that nobody ordered if the game was over before.
    """
    charts = {each.year: each.counts for each in record.charts}
    positions = [each.position for each in record.played]
    if record.played:
        positions.append(_after(board, record.played[-1], law, over=record.ending is not None))
    for position in positions:
        if position and position.owners:
            charts.setdefault(_year_ended(position.phase), Counter(position.owners.values()))
    return {
        year: {power: counts.get(power, 0) for power in board.powers}
        for year, counts in sorted(charts.items())
        if year >= board.start.phase.year
    }


def eliminations(charts: Charts) -> dict[Power, int]:
    """Return in which year each power that has no center in the end lost its last."""
    gone: dict[Power, int] = {}
    for year, counts in charts.items():
        for power, count in counts.items():
            if count:
                gone.pop(power, None)
            else:
                gone.setdefault(power, year)
    return gone


def ending_of(board: Map, record: Record, charts: Charts) -> Ending | None:
    """Return how the game ended: as told, or because somebody has the centers to have won."""
    if record.ending or not charts:
        return record.ending
    (_, second), (power, most) = sorted(charts[max(charts)].items(), key=lambda each: each[1])[-2:]
    won = most >= board.victory_centers and most > second
    return Ending(EndKind.SOLO, (power,)) if won else None


def _year_ended(phase: Phase) -> int:
    """Return the last year of which the owners are known at the start of *phase*."""
    return phase.year if phase.kind is PhaseKind.ADJUSTMENTS else phase.year - 1


def _after(board: Map, last: RecordedPhase, law: Rulebook, *, over: bool) -> Position | None:
    """Return the position after the *last* phase of a record, if a year ends there."""
    orders = orders_of(last)
    unordered = over and not last.orders and last.phase.kind is PhaseKind.RETREATS
    if last.phase.season is not Season.FALL or not (orders or unordered) or not last.position:
        return None
    after = adjudicate(board, last.position, orders, law).after
    if over and after.phase.kind is PhaseKind.RETREATS:
        return adjudicate(board, after, {}, law).after
    return after
