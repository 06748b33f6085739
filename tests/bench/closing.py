"""What closing a phase costs: `python -m tests.bench.closing [--games GAMES]`.

Each game has seven players with orders, and all are due at one instant. Measured is CPU time a
phase: adjudicate, record, and queue seven result emails in the default form (pictures are
painted when they are delivered); and the wall time until the last email is queued.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from pathlib import Path
from time import perf_counter, process_time

from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.ports.judge import Judge
from judge.app.ports.people import MailForm
from judge.game.submission import SubmitOrders
from judge.notation.order_text import read_order
from tests.bench.answering import ORDERS
from tests.bench.measuring import busy, calibrate, print_load, print_milliseconds
from tests.support.table import Table, of

GAMES, ROUNDS = 10, 5
QUEUED = "SELECT count(*) FROM outbox"


def main() -> None:
    """Close the phases of some games at once, several times."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    games = parser.parse_args().games
    rounds = 1 if games > GAMES else ROUNDS
    print_load()
    times, loops = [], []
    with tempfile.TemporaryDirectory() as first:
        close_all(Path(first), 1)  # reads templates and boards
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as folder:
            loops.append(busy(calibrate))
            cpu, wall = close_all(Path(folder), games)
            times.append(cpu / games)
        print(f"{games:,} phases due at one instant: queued in {wall:.1f} s, {cpu:.1f} s of CPU")
    print_milliseconds("closing a phase", times, loops)


def close_all(folder: Path, games: int) -> tuple[float, float]:
    """Return the CPU and wall time in which *games* games close a phase."""
    table = Table(folder, form=MailForm.PICTURES)
    names = [f"bench{number}" for number in range(games)]
    for name in names:
        table.start(name)
        submit_orders(table.judge, name)
    table.clock.time = max(map(table.deadline, names))
    [(queued,)] = table.ask(QUEUED)
    cpu, wall = process_time(), perf_counter()
    table.turn()
    spent = process_time() - cpu, perf_counter() - wall
    assert table.ask(QUEUED) == [(queued + games * len(ORDERS),)], "results for each player"
    table.close()
    return spent


def submit_orders(judge: Judge, name: str) -> None:
    """Submit `ORDERS` of all powers of the game *name*."""
    now = judge.clock.now()
    with judge.database.write() as transaction:
        for power, texts in ORDERS.items():
            person = register_person(judge, transaction, of(power), now).id
            orders = tuple(read_order(text.upper().replace("-", " - ")) for text in texts)
            nonce = judge.random.nonce()
            submitted = SubmitOrders(power, person, orders, now, f"{name} {power}", nonce)
            apply_command(judge, transaction, name, submitted, now)


if __name__ == "__main__":
    main()
