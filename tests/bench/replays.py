"""Time and size of the page of a replay: `python -m tests.bench.replays` prints a table.

The game is 10713 of droidippy; the page of 60 phases has its first phases once more, in later
years.
"""

from __future__ import annotations

import gzip
from dataclasses import replace
from functools import partial
from statistics import median

from judge.archive.records import Record
from tests.bench.measuring import seconds
from tests.support.recorded_game import game_10713
from tests.support.replays import open_game, page_of

LONG = 60  # phases
ROUNDS = 3


def long_game() -> Record:
    """Return a game of 60 phases."""
    game = game_10713()
    later = []
    for each in game.phases[: LONG - len(game.phases)]:
        assert each.position
        phase = replace(each.phase, year=each.phase.year + 11)
        later.append(replace(each, phase=phase, position=replace(each.position, phase=phase)))
    return replace(game, phases=(*game.phases, *later))


def table() -> None:
    print("page                  phases     ms     kB  kB gzip")
    for name, record, writer in (
        ("a game", game_10713(), False),
        ("60 phases", long_game(), False),
        ("with an order writer", open_game("F1905M"), True),
    ):
        took = median(seconds(partial(page_of, writer=writer), record) for _ in range(ROUNDS))
        page = page_of(record, writer=writer).encode()
        packed = len(gzip.compress(page)) / 1000
        phases = len(record.phases)
        print(f"{name:21} {phases:6} {took * 1000:6.0f} {len(page) / 1000:6.0f} {packed:8.0f}")


if __name__ == "__main__":
    table()
