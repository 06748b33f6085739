"""Who has won."""

from __future__ import annotations

from collections import Counter

from judge.rules.geography import Map
from judge.rules.position import Position
from judge.rules.vocabulary import Power


def leaders(position: Position) -> tuple[Power, ...]:
    """Return the powers that have the most centers, in alphabetical order."""
    counts = Counter(position.owners.values()).most_common()
    return tuple(sorted(power for power, count in counts if count == counts[0][1]))


def winner(board: Map, position: Position, enough: int = 0) -> Power | None:
    """Return the power that has won: *enough* centers, and more than anyone else.

    By default it takes as many as *board* says.

    Ownership changes after Fall only, so this can become true only then (rulebook XIII).
    """
    counts = Counter(position.owners.values()).most_common()
    if not counts or counts[0][1] < (enough or board.victory_centers):
        return None
    return None if len(counts) > 1 and counts[1][1] == counts[0][1] else counts[0][0]
