"""What closing a phase costs: `python -m tests.bench.closing [--games GAMES]`.

Each game has seven players with orders, and all are due at one instant. Measured is CPU time a
phase: adjudicate, record, and queue seven result emails in the default form (pictures are
painted when they are delivered); and the wall time until the last email is queued.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from datetime import timedelta
from pathlib import Path
from time import perf_counter, process_time

from judge.app.ports.people import MailForm
from tests.bench.answering import ORDERS
from tests.bench.measuring import busy, calibrate, print_milliseconds
from tests.support.table import Table

GAMES, ROUNDS = 10, 5


def main() -> None:
    """Close the phases of some games at once, several times."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    games = parser.parse_args().games
    rounds = 1 if games > GAMES else ROUNDS
    times, loops = [], []
    with tempfile.TemporaryDirectory() as first:
        close_all(Path(first), 1)  # reads templates and boards
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            loops.append(busy(calibrate))
            cpu, wall = close_all(Path(folder), games)
            times.append(cpu / games)
        print(f"{games:,} phases due at one instant: queued in {wall:.1f} s")
    print_milliseconds("closing a phase", times, loops)


def close_all(folder: Path, games: int) -> tuple[float, float]:
    """Return the CPU and wall time in which *games* games close a phase."""
    table = Table(folder, form=MailForm.PICTURES)
    for number in range(games):
        name = f"bench{number}"
        table.start(name)
        table.turn()
        for power, orders in ORDERS.items():
            table.says(power, "\n".join(orders), name)
        table.clock.time += timedelta(seconds=30)  # a person gets a limited number of receipts
    table.clock.time = max(table.deadline(f"bench{number}") for number in range(games))
    queued = len(table.outbox())
    cpu, wall = process_time(), perf_counter()
    table.turn()
    spent = process_time() - cpu, perf_counter() - wall
    assert len(table.outbox()) == queued + games * len(ORDERS), "results for each player"
    table.close()
    return spent


if __name__ == "__main__":
    main()
