"""Phases closed and mails queued a second, by one, two and four workers, on both stores.

Run it as `python -m tests.bench.nodes [GAMES]`. All games have the same deadline, nobody has
ordered anything, mails are plain text (a picture takes longer than all else, whatever the store),
and each worker is a process that does what a daemon does at a tick; none has seen a game before.
PostgreSQL is a private one, which waits for the disk as SQLite does. Only one daemon may run on an
SQLite file: more workers there show what waiting for each other costs.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import timedelta
from pathlib import Path
from time import perf_counter, process_time

from judge.adapters.crypto import FernetEncryption, SystemRandomness
from judge.adapters.store.database import open_database
from judge.adapters.store.export_import import export_lines, import_lines
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.variant_files import load_map
from judge.app.admin import game_admin
from judge.app.commands.table import COMMANDS
from judge.app.deadlines import advance_due_games, due_games
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.ports.judge import Judge
from judge.app.ports.people import MailForm
from judge.game.house_rules import choose_rules
from judge.game.players.standbys import JoinGame
from judge.settings import DatabaseServer, load
from tests.support.postgres import postgresql
from tests.support.table import FIRST_DEADLINE, POWERS, HandClock, OpenJournal, QuickPasswords, of

GAMES, WORKERS, TRIES = 100, (1, 2, 4), 20
RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold")
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed'"
QUEUED = "SELECT count(*) FROM outbox"


def main(games: int) -> None:
    with tempfile.TemporaryDirectory() as folder, postgresql(settings=()) as server:
        made = Path(folder, "made.db")
        make(made, games)
        template = server.empty()
        with (
            closing(open_database(made)) as source,
            closing(open_database(template)) as target,
            source.read() as from_,
            target.write() as to,
        ):
            import_lines(to.connection, export_lines(from_.connection))
        for count in WORKERS:
            file = Path(shutil.copy(made, Path(folder, f"{count}.db")))
            measure(f"SQLite, {count} of them", file, str(file), count)
            copy = server.copy(template)
            measure(f"PostgreSQL, {count} of them", copy, copy.url, count)


def make(file: Path, games: int) -> None:
    """Make a store with so many games in Spring 1901."""
    with closing(open_database(file)) as database:
        judge = judge_on(database, HandClock())
        for number in range(games):
            name = f"game{number:04}"
            game_admin.create_game(
                judge, game_admin.NewGame(name, *choose_rules(RULES, game=name))
            )
            with database.write() as transaction:
                for power in POWERS:
                    person = register_person(judge, transaction, of(power), judge.clock.now())
                    join = JoinGame(person.id, ((power,),), "seed")
                    apply_command(judge, transaction, name, join, judge.clock.now())


def measure(name: str, where: Path | DatabaseServer, said: str, count: int) -> None:
    before = [ask(where, question) for question in (CLOSED, QUEUED)]
    with started(said, count) as go:
        seconds, busy = go()
    closed, queued = (
        ask(where, question) - old for question, old in zip((CLOSED, QUEUED), before, strict=True)
    )
    print(
        f"{name:20} {closed / seconds:6.1f} phases closed, {queued / seconds:6.0f} mails queued "
        f"a second ({closed} and {queued} in {seconds:.1f} s, {busy:.1f} of a processor)",
        flush=True,
    )


@contextmanager
def started(store: str, count: int) -> Iterator[Callable[[], tuple[float, float]]]:
    """Start *count* workers; yield what lets them work.

    That returns how long it took, and for how long a processor was busy with it: which says more
    on a machine that has other things to do.
    """
    command = (sys.executable, "-m", "tests.bench.nodes", "worker", store)
    workers = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        for _ in range(count)
    ]
    for worker in workers:
        assert worker.stdout
        worker.stdout.readline()  # it is ready

    def go() -> tuple[float, float]:
        begin = perf_counter()
        for worker in workers:
            assert worker.stdin
            worker.stdin.close()
        busy = sum(float(worker.stdout.readline()) for worker in workers if worker.stdout)
        codes = [worker.wait() for worker in workers]
        assert not any(codes), codes
        return perf_counter() - begin, busy

    yield go
    for worker in workers:
        assert worker.stdout
        worker.stdout.close()


def work(store: str) -> None:
    """Close what is due, once standard input ends."""
    with closing(open_database(load(None, {"database": store}).database)) as database:
        journal = OpenJournal()
        clock = HandClock(FIRST_DEADLINE + timedelta(minutes=1))
        judge = judge_on(database, clock, journal)
        load_map()
        print("ready", flush=True)
        sys.stdin.read()
        begin = process_time()
        for _ in range(TRIES):  # SQLite's others wait for a lock for some seconds, and give up
            journal.failures.clear()
            for games in due_games(judge):
                advance_due_games(judge, games)
            if not journal.failures:
                break
        print(process_time() - begin, flush=True)
        if journal.failures:
            raise journal.failures[0]


def judge_on(database: SqlDatabase, clock: HandClock, journal: OpenJournal | None = None) -> Judge:
    return Judge(
        database=database,
        boards=load_map,
        clock=clock,
        random=SystemRandomness(),
        encryption=FernetEncryption(),
        passwords=QuickPasswords(),
        operator_log=journal or OpenJournal(),
        commands=COMMANDS,
        form=MailForm.TEXT,
    )


def ask(where: Path | DatabaseServer, question: str) -> int:
    with closing(open_database(where)) as database, database.read() as transaction:
        counted: int = transaction.connection.exec_driver_sql(question).scalar_one()
        return counted


if __name__ == "__main__":
    os.environ.pop("JUDGE_DATABASE", None)
    if sys.argv[1:2] == ["worker"]:
        work(sys.argv[2])
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else GAMES)
