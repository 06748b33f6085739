"""Phases and emails of several workers on PostgreSQL: `python -m tests.bench.nodes [--games N]`.

All games are due at one instant and have orders; or two emails with orders wait in each. Nobody
plays in two games: emails of one sender are answered one after the other. A worker
is a process that does what a daemon does at a tick. The server is a private one that waits for the
disk. Printed are the phases or emails a second of one, two and four workers, beside one on SQLite,
and the processor time of each process for one. Samples of the server's connections show what they
waited for: `Client ClientRead` means that the server waited for its worker, `Lock` for another.

The last lines tell what more processors would give: as many phases as the processor time allows,
and no more than can hold the lock of the tree of events, one after the other, until the commit.
"""

from __future__ import annotations

import math
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path
from statistics import median
from time import perf_counter, process_time, sleep

from sqlalchemy import create_engine

from judge.adapters.crypto import FernetEncryption, SystemRandomness
from judge.adapters.store.database import open_database
from judge.adapters.store.export_import import export_lines, import_lines
from judge.adapters.store.postgresql import (
    CHECKPOINTS,
    SharedCheckpoints,
    SharedDatabase,
    SharedTransaction,
    wait_for,
)
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.variant_files import InstalledVariants, load_art, load_map
from judge.app.admin import game_admin
from judge.app.commands.answers import finished_pages
from judge.app.commands.table import COMMANDS
from judge.app.deadlines import advance_due_games, due_games
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.inbound.process import process_email, process_waiting
from judge.app.ports.inbox import Envelope, WaitingMail
from judge.app.ports.judge import Judge
from judge.app.ports.people import MailForm
from judge.game.house_rules import choose_rules
from judge.game.players.standbys import JoinGame
from judge.settings import DatabaseServer, load
from tests.bench.answering import ORDERS, cpu_seconds
from tests.bench.closing import QUEUED, submit_orders
from tests.bench.measuring import print_load
from tests.support.postgres import Postgres, postgresql
from tests.support.table import (
    FIRST_DEADLINE,
    JUDGE,
    MONDAY,
    POWERS,
    FastPasswords,
    ManualClock,
    RecordingLog,
    address_of,
)

GAMES, WORKERS, ROUNDS = 100, (1, 2, 4), 3
SAMPLED_EVERY_SECONDS = 0.05
PROCESSORS = (4, 8, 16)
WRITERS = ("FRANCE", "ITALY")
ANSWERED = "SELECT count(*) FROM inbox WHERE state = 'processed'"
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"
WAITING = (
    "SELECT coalesce(wait_event_type || ' ' || wait_event, 'running') FROM pg_stat_activity"
    " WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()"
    " AND state <> 'idle'"
)


@dataclass
class Measured:
    """The times of *workers*, by round; *waits* counts samples of the server's connections."""

    name: str
    workers: int
    what: str = "phase"
    phases: list[float] = field(default_factory=list)  # or emails, a second
    working: list[float] = field(default_factory=list)  # seconds of a processor for one
    serving: list[float] = field(default_factory=list)
    locked: list[float] = field(default_factory=list)  # seconds with the lock of the tree, for one
    waits: Counter[str] = field(default_factory=Counter)

    def show(self) -> None:
        cpu = f"workers {1000 * median(self.working):.0f}"
        if self.waits:
            cpu += f" and server {1000 * median(self.serving):.0f}"
        print(
            f"{self.name}: {median(self.phases):.1f} {self.what}s a second"
            f" ({min(self.phases):.1f}-{max(self.phases):.1f}, {len(self.phases)} runs),"
            f" {cpu} ms of a processor for one"
        )
        counted = sum(self.waits.values())
        for event, times in self.waits.most_common(4):
            print(f"    {times / counted:.0%} {event}")
        locks = sum(times for event, times in self.waits.items() if event.startswith("Lock"))
        print(f"    {locks / max(counted, 1):.0%} waits for locks of other workers")

    def show_more_processors(self) -> None:
        """Print the rates that the measured times allow on more processors."""
        cpu, locked = median(self.working) + median(self.serving), median(self.locked)
        for processors in PROCESSORS:
            rate = min(processors / cpu, 1 / locked if locked else math.inf)
            print(f"{processors} processors would allow {rate:.0f} {self.what}s a second")


def main() -> None:
    """Measure each number of workers in turn, several times."""
    parser = ArgumentParser()
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--form", type=MailForm, default=MailForm.PICTURES)
    chosen = parser.parse_args()
    print_load()
    for what in ("phase", "email"):
        compare(what, chosen.games, chosen.form)


def compare(what: str, games: int, form: MailForm) -> None:
    """Measure phases or emails."""
    beside = Measured(f"{what}s, SQLite, one worker", 1, what)
    measured = [Measured(f"{what}s, PostgreSQL, {n} workers", n, what) for n in WORKERS]
    with tempfile.TemporaryDirectory() as folder, postgresql(settings=()) as server:
        made = Path(folder, "made.db")
        make(made, games + max(WORKERS))  # each closes one before it is measured
        if what == "email":
            add_emails(made)
        template = server.empty()
        with (
            closing(open_database(made)) as source,
            closing(open_database(template)) as target,
            source.read() as from_,
            target.write() as to,
        ):
            import_lines(to.connection, export_lines(from_.connection))
        for number in range(ROUNDS):
            file = Path(folder, f"{number}.db")
            file.write_bytes(made.read_bytes())
            measure(beside, file, str(file), form)
            for each in measured:
                copy = server.copy(template)
                measure(each, copy, copy.url, form, server)
    for each in (beside, *measured):
        each.show()
    one, *several = measured
    for each in several:
        ratios = [many / alone for many, alone in zip(each.phases, one.phases, strict=True)]
        spread = f"{min(ratios):.2f}-{max(ratios):.2f}"
        print(f"{each.workers} beside one: {median(ratios):.2f} ({spread})")
        costs = [many / alone for many, alone in zip(each.working, one.working, strict=True)]
        print(f"    at {median(costs):.2f} times the processor time of one")
    one.show_more_processors()


def make(file: Path, games: int) -> None:
    """Make a store with so many games in Spring 1901, whose players have sent orders."""
    with closing(open_database(file)) as database:
        judge = judge_on(database, ManualClock(), MailForm.TEXT)
        for number in range(games):
            name = f"game{number:04}"
            rules = choose_rules(("closing_time=20:00",), game=name)
            game_admin.create_game(judge, game_admin.NewGame(name, *rules))
            with database.write() as transaction:
                for power in POWERS:
                    address = f"{name}.{address_of(power)}"
                    person = register_person(judge, transaction, address, judge.clock.now())
                    join = JoinGame(person.id, ((power,),), "seed")
                    apply_command(judge, transaction, name, join, judge.clock.now())
            submit_orders(judge, name)


def add_emails(file: Path) -> None:
    """Store replies to the emails about the start of each game, with orders."""
    with closing(open_database(file)) as database, database.write() as transaction:
        started = "SELECT recipient, token FROM outbox WHERE kind = 'game_start'"
        sent = transaction.connection.exec_driver_sql(started).all()
        for number, (sender, token) in enumerate(sent):
            power = sender.partition("@")[0].partition(".")[2].upper()
            if power not in WRITERS:
                continue
            # The same text again and again gets no answer.
            text = "\r\n".join((*ORDERS[power], "", f"Greetings for the {number}th time."))
            raw = f"From: {sender}\r\nMessage-ID: <{number}@example>\r\n\r\n{text}\r\n".encode()
            local, _, domain = JUDGE.rpartition("@")
            address = f"{local}+{token}@{domain}"
            envelope = Envelope(raw, sender, (address,), "smtp")
            transaction.inbox.keep([(envelope, MONDAY + timedelta(hours=1))])


def measure(
    into: Measured,
    where: Path | DatabaseServer,
    store: str,
    form: MailForm,
    server: Postgres | None = None,
) -> None:
    """Close all phases of a *store* by the workers of *into*."""
    pid = server.process.pid if server and server.process else None
    command = (sys.executable, "-m", "tests.bench.nodes", into.what, store, form.value)
    workers = [
        subprocess.Popen(
            (*command, str(number)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        for number in range(into.workers)
    ]
    for worker in workers:
        assert worker.stdout
        worker.stdout.readline()  # it is ready
    done = CLOSED if into.what == "phase" else ANSWERED
    closed, queued = ask(where, done), ask(where, QUEUED)
    before = cpu_seconds(pid) if pid else 0.0
    begin = perf_counter()
    for worker in workers:
        assert worker.stdin
        worker.stdin.close()
    if server:
        into.waits += sampled_waits(server, workers)
    working = locked = 0.0
    for worker in workers:
        assert worker.stdout
        cpu, held = map(float, worker.stdout.readline().split())
        working, locked = working + cpu, locked + held
        assert worker.wait() == 0
        worker.stdout.close()
    seconds = perf_counter() - begin
    closed = ask(where, done) - closed
    emails = len(POWERS) if into.what == "phase" else 1
    assert ask(where, QUEUED) - queued == closed * emails, "results for each player, or a receipt"
    into.phases.append(closed / seconds)
    into.working.append(working / closed)
    into.locked.append(locked / closed)
    into.serving.append((cpu_seconds(pid) - before) / closed if pid else 0.0)
    print(f"{into.name}: {closed} in {seconds:.1f} s", flush=True)


def sampled_waits(server: Postgres, workers: Sequence[subprocess.Popen[str]]) -> Counter[str]:
    """Count what the connections to *server* wait for until the *workers* have ended."""
    waits = Counter[str]()
    engine = create_engine(server.server("postgres").url, isolation_level="AUTOCOMMIT")
    with engine.connect() as connection:
        while any(worker.poll() is None for worker in workers):
            waits.update(connection.exec_driver_sql(WAITING).scalars())
            sleep(SAMPLED_EVERY_SECONDS)
    engine.dispose()
    return waits


class LockWatch:
    """Measures how long this worker holds the lock of the tree of events."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self._since: float | None = None
        make, write = SharedCheckpoints.make_promised, SharedDatabase.write

        def made(checkpoints: SharedCheckpoints) -> None:
            if checkpoints._promised:
                wait_for(checkpoints._connection, CHECKPOINTS)
                self._since = perf_counter()
            make(checkpoints)

        @contextmanager
        def written(database: SharedDatabase) -> Iterator[SharedTransaction]:
            with write(database) as transaction:
                yield transaction
            if self._since is not None:
                self.seconds, self._since = self.seconds + perf_counter() - self._since, None

        SharedCheckpoints.make_promised = made  # type: ignore[assignment, method-assign]  # a watch
        SharedDatabase.write = written  # type: ignore[assignment, method-assign]  # a watch


def work(what: str, store: str, form: MailForm, number: int) -> None:
    """Close the game *number*, or answer an email; and once standard input ends, all the rest."""
    watch = LockWatch()
    with closing(open_database(load(None, {"database": store}).database)) as database:
        journal = RecordingLog()
        clock = ManualClock(MONDAY + timedelta(hours=2))
        if what == "phase":
            clock.time = FIRST_DEADLINE + timedelta(minutes=1)
        judge = judge_on(database, clock, form, journal)
        if what == "phase":
            advance_due_games(judge, [f"game{number:04}"])  # reads templates and boards
        else:
            process_email(judge, WaitingMail(1 + number, "", None, failed=0))
        print("ready", flush=True)
        sys.stdin.read()
        begin, watch.seconds = process_time(), 0.0
        if what == "phase":
            for games in due_games(judge):
                advance_due_games(judge, games)
        else:
            while process_waiting(judge):
                pass
        print(process_time() - begin, watch.seconds, flush=True)
        if journal.failures:
            raise journal.failures[0]


def judge_on(
    database: SqlDatabase, clock: ManualClock, form: MailForm, journal: RecordingLog | None = None
) -> Judge:
    return Judge(
        database=database,
        boards=load_map,
        arts=load_art,
        variants=InstalledVariants(),
        clock=clock,
        random=SystemRandomness(),
        encryption=FernetEncryption(),
        passwords=FastPasswords(),
        operator_log=journal or RecordingLog(),
        commands=COMMANDS,
        pages_of=finished_pages,
        address=JUDGE,
        form=form,
    )


def ask(where: Path | DatabaseServer, question: str) -> int:
    with closing(open_database(where)) as database, database.read() as transaction:
        counted: int = transaction.connection.exec_driver_sql(question).scalar_one()
        return counted


if __name__ == "__main__":
    if sys.argv[1:2] in (["phase"], ["email"]):
        work(sys.argv[1], sys.argv[2], MailForm(sys.argv[3]), int(sys.argv[4]))
    else:
        main()
