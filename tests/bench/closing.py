"""Cost of closing a phase: `python -m tests.bench.closing [--outside] [--games GAMES]`.

Each game has seven players with orders, and all are due at one instant. Measured is CPU time a
phase: adjudicate, record, and queue seven result emails; then render them in the default form
(pictures are painted when they are delivered); and the wall time until the last email is queued.
With `--outside` a daemon closes them and delivers into its Maildir: then it is the CPU time of the
daemon and its child processes, with two pictures a phase.
"""

from __future__ import annotations

import tempfile
from argparse import ArgumentParser
from collections.abc import Container, Sequence
from datetime import UTC, datetime, timedelta
from itertools import combinations, count, cycle, islice
from pathlib import Path
from time import perf_counter, process_time, sleep

from judge.app.deadlines import record_heartbeat
from judge.app.game.apply import apply_command
from judge.app.ports.judge import Judge
from judge.app.ports.people import MailForm
from judge.game.submission import SubmitOrders
from judge.notation.order_text import read_order
from judge.rules.types import Hold, Waive
from tests.bench.answering import AS_INSTALLED, ORDERS, PATIENCE_SECONDS, cpu_seconds
from tests.bench.measuring import busy, calibrate, print_load, print_milliseconds
from tests.support.daemon import Daemon, wait_until
from tests.support.table import Table

GAMES, ROUNDS = 10, 5
EARLIEST = timedelta(hours=12)  # after its opening a phase with all orders is closed
START_SECONDS_MAX = timedelta(seconds=90)  # of the games and the daemon
BEFORE = timedelta(seconds=3)  # the deadline the clock is started
QUEUED = "SELECT count(*) FROM outbox"


def main() -> None:
    """Measure inside one process, or a daemon from outside."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--outside", action="store_true")
    chosen = parser.parse_args()
    print_load()
    if chosen.outside:
        with tempfile.TemporaryDirectory() as folder:
            measure_outside(Path(folder), chosen.games)
    else:
        measure_inside(chosen.games)


def measure_inside(games: int) -> None:
    """Close the phases in this process."""
    closing, rendering, loops = [], [], []
    with tempfile.TemporaryDirectory() as first:
        close_all(Path(first), 1)  # reads templates and boards
    for _ in range(1 if games > GAMES else ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            loops.append(busy(calibrate))
            cpu, wall, rendered = close_all(Path(folder), games)
            closing.append(cpu / games)
            rendering.append(rendered / games)
        print(f"{games:,} phases due at one instant: queued in {wall:.1f} s, {cpu:.1f} s of CPU")
    print_milliseconds("closing a phase", closing, loops)
    print_milliseconds("rendering its emails", rendering, loops)


def close_all(folder: Path, games: int) -> tuple[float, float, float]:
    """Return the CPU and wall time in which *games* games close, and the CPU of their emails."""
    table = Table(folder, form=MailForm.PICTURES)
    names = [f"bench{number}" for number in range(games)]
    start_due(table, ["first"])
    table.run_once()  # so its statements are compiled, as those of a judge that runs
    table.render()
    with table.database.write() as transaction:
        transaction.agenda.set("first", None)
    start_due(table, names)
    [(queued,)] = table.query(QUEUED)
    cpu, wall = process_time(), perf_counter()
    table.run_once()
    closed, waited = process_time() - cpu, perf_counter() - wall
    cpu = process_time()
    table.render()
    rendered = process_time() - cpu
    assert table.query(QUEUED) == [(queued + games * len(ORDERS),)], "results for each player"
    table.close()
    return closed, waited, rendered


def start_due(table: Table, names: Sequence[str]) -> None:
    """Start games with all their orders, and let their deadline come."""
    for name in names:
        table.start(name)
        submit_orders(table.judge, name)
    table.clock.time = max(map(table.deadline, names))


def measure_outside(folder: Path, games: int) -> None:
    """Have a daemon that has closed a phase before close others early, and deliver all results."""
    table = Table(folder, form=MailForm.PICTURES)
    due = datetime.now(UTC) + START_SECONDS_MAX
    for number, held in enumerate(islice(cycle(combinations(range(22), 3)), games + 1)):
        table.clock.time = due - EARLIEST - (timedelta() if number else START_SECONDS_MAX)
        table.start(f"bench{number}")
        submit_orders(table.judge, f"bench{number}", held)
    table.clock.time = datetime.now(UTC)
    record_heartbeat(table.judge)
    table.close()
    with Daemon(folder, AS_INSTALLED) as daemon:
        daemon.change("DELETE FROM outbox")  # the emails of the start
        daemon.start()
        assert daemon.process
        first, all_ = len(ORDERS), (games + 1) * len(ORDERS)
        wait_until(lambda: daemon.ask(QUEUED) == [(first,)], "none closes", PATIENCE_SECONDS)
        daemon.come_to_rest(PATIENCE_SECONDS)
        assert len(daemon.mails()) == first, "the others close before it has got its templates"
        idle = due - datetime.now(UTC) - BEFORE  # whose ticks are no cost of a phase
        sleep(max(0.0, idle.total_seconds()))
        loop, used = busy(calibrate), cpu_seconds(daemon.process.pid)
        wait_until(lambda: daemon.ask(QUEUED) == [(all_,)], "some stay open", PATIENCE_SECONDS)
        daemon.come_to_rest(PATIENCE_SECONDS)
        spent = (cpu_seconds(daemon.process.pid) - used) / games
        assert len(daemon.mails()) == all_, "results for each player"
        print_milliseconds("a phase, from outside", [spent], [loop, busy(calibrate)])


def submit_orders(judge: Judge, name: str, held: Container[int] = ()) -> None:
    """Submit `ORDERS` of all powers of the game *name*; the units *held*, by number, hold."""
    numbers = count()
    now = judge.clock.now()
    with judge.database.write() as transaction:
        game = judge.game_cache.load(transaction, judge.boards, name)
        assert game
        for power, texts in ORDERS.items():
            person = game.seats[power].person
            assert person
            orders = tuple(
                Hold(order.unit) if next(numbers) in held else order
                for order in (read_order(text.upper().replace("-", " - ")) for text in texts)
                if not isinstance(order, Waive)
            )
            nonce = judge.random.nonce()
            submitted = SubmitOrders(power, person, orders, now, f"{name} {power}", nonce)
            apply_command(judge, transaction, name, submitted, now)


if __name__ == "__main__":
    main()
