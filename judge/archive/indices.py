"""How far a game has come: the two indices that judges print, which differ for the same game."""

from __future__ import annotations

from collections.abc import Mapping

from judge.rules.types import Power


def index_by_players(centers: Mapping[Power, int], players: int) -> int:
    """Return the index of nJudge: the sum of squared *centers*, divided by all *players*."""
    return sum(count * count for count in centers.values()) // players


def index_by_survivors(centers: Mapping[Power, int]) -> int:
    """Return the index of DPjudge: the sum of squared *centers*, divided by who has any."""
    survivors = sum(count > 0 for count in centers.values())
    return index_by_players(centers, survivors) if survivors else 0
