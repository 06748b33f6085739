"""What very many games cost: start-up after an outage, memory, a tick, a thousand phases at once.

Run it as `python -m tests.bench.size [GAMES]...`. Every game has seven players of its own, and is
in Spring 1901 without any orders; the log of one is written for all. Mails are plain text. Times
are of the processor, in one process, so that they say the same on a busy machine.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from multiprocessing import get_context
from os import sysconf
from pathlib import Path
from time import process_time

from judge.adapters.crypto import FernetEncryption, SystemRandomness
from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase, SqlTransaction
from judge.adapters.variant_files import load_map
from judge.app.admin import game_admin
from judge.app.commands.table import COMMANDS
from judge.app.deadlines import note_wake_up
from judge.app.game.apply import apply_command, find_damage
from judge.app.identity import register_person
from judge.app.loop import answer_all_mail, run_once
from judge.app.ports.judge import GameCache, Judge
from judge.app.ports.people import MailForm
from judge.event_log import Event
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import CODEC, evolve
from judge.game.game_state import Game
from judge.game.house_rules import STANDARD, choose_rules
from judge.game.players.creation import CreateGame, GameCreated
from judge.game.players.standbys import JoinGame
from judge.game.submission import SubmitOrders
from judge.rules.rulebook import rulebook_named
from judge.rules.types import Order
from tests.support.recorded import LAW, game_10713
from tests.support.table import (
    FIRST_DEADLINE,
    MONDAY,
    POWERS,
    HandClock,
    OpenJournal,
    QuickPasswords,
    of,
)

GAMES = (100, 1_000, 10_000)
AT_ONE_DEADLINE = 1_000
GAMES_A_TRANSACTION = 500
RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold", "reminder_hours=")
STARTS = {"soon": RULES, "later": (*RULES, "first_phase_hours=500")}
LONG, CHANGES = "long", 4
OUTAGE = timedelta(hours=1)
NEVER = FIRST_DEADLINE + timedelta(days=900)
MAILS = "SELECT count(*) FROM outbox"
CLOSED = "SELECT count(*) FROM events WHERE type = 'phase_closed' AND game LIKE 'game%'"
BOARD = load_map()


def main(sizes: Sequence[int]) -> None:
    print(f"{'games':>34}" + "".join(f"{size:>12,}" for size in sizes))
    columns = [measured(size) for size in sizes]
    for name in columns[-1]:
        cells = "".join(f"{column.get(name, ''):>12}" for column in columns)
        print(f"{name:34}{cells}")


def measured(size: int) -> dict[str, str]:
    """Measure a judge of so many games; each in a process that has done nothing else."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "judge.db")
        spawn = get_context("spawn")
        with spawn.Pool(1) as pool:
            made = pool.apply(make, (file, size))
        with spawn.Pool(1) as pool:
            return made | pool.apply(run, (file, size))


def make(file: Path, size: int) -> dict[str, str]:
    """Make a store with so many games; the first of them end a phase at one deadline."""
    with closing(open_database(file)) as database:
        judge = judge_on(database)
        soon, later = (a_start(judge, name, rules) for name, rules in STARTS.items())
        for first in range(0, size, GAMES_A_TRANSACTION):
            with database.write() as transaction:
                for number in range(first, min(size, first + GAMES_A_TRANSACTION)):
                    log = soon if number < AT_ONE_DEADLINE else later
                    copy(judge, transaction, f"game{number:05}", log)
        with database.write() as transaction:
            transaction.events.append(LONG, 0, a_long_game(), judge.clock.now())
            transaction.agenda.record_heartbeat(judge.clock.now())
    return {"the store, MB": f"{file.stat().st_size / 1e6:.0f}"}


def a_start(judge: Judge, name: str, rules: Sequence[str]) -> Sequence[Event]:
    """Start a game, and return what its log holds."""
    game_admin.create_game(judge, game_admin.NewGame(name, *choose_rules(rules, game=name)))
    now = judge.clock.now()
    with judge.database.write() as transaction:
        for power in POWERS:
            person = register_person(judge, transaction, of(power), now, power.lower())
            apply_command(judge, transaction, name, JoinGame(person.id, ((power,),), "seed"), now)
    return [recorded.event for recorded in game_admin.read_log(judge, name)]


def copy(judge: Judge, transaction: SqlTransaction, name: str, log: Sequence[Event]) -> None:
    """Write *log* again, as that of another game with players of its own."""
    now = judge.clock.now()
    for power in POWERS:
        person = f"{power.lower()}.{name}"
        register_person(judge, transaction, f"{person}@players.example", now, person)
    transaction.events.append(name, 0, [as_of(event, name) for event in log], now)
    transaction.agenda.set(name, now)


def as_of(event: Event, game: str) -> Event:
    """Return *event* as it happens in *game*, to the players of that."""
    if isinstance(event, GameCreated):
        return replace(event, game=game)
    told = CODEC.encode(event)
    payload = told.payload
    for power in POWERS:
        payload = payload.replace(f'"{power.lower()}"', f'"{power.lower()}.{game}"')
    return CODEC.decode(told.type, told.schema, payload)


def a_long_game() -> list[Event]:
    """Play a recorded game of eleven years, in which everybody changes his mind three times."""
    game, events = after(None, CreateGame(LONG, "standard", rulebook_named(LAW), STANDARD))
    for power in POWERS:
        game, more = after(game, JoinGame(power.lower(), ((power,),), "seed"))
        events += more
    for number, phase in enumerate(game_10713().phases):
        for change in range(CHANGES):
            for power in POWERS:
                orders = tuple(
                    each.order for each in phase.orders if each.power == power and each.order
                )
                if orders:
                    game, more = after(game, submitted(power, orders, f"{number} {change}"))
                    events += more
        game, more = after(game, ProcessNow("operator"))
        events += more
    return events


def submitted(power: str, orders: tuple[Order, ...], seed: str) -> SubmitOrders:
    person, nonce = power.lower(), sha256(f"{power} {seed}".encode()).hexdigest()
    return SubmitOrders(power, person, orders, MONDAY, mail=nonce, nonce=nonce[:32])


def after(game: Game | None, command: Command) -> tuple[Game, list[Event]]:
    answer = decide(BOARD, game, command, MONDAY)
    events = list(answer.events) if isinstance(answer, Accepted) else []
    for event in events:
        game = evolve(BOARD, game, event)
    assert game
    return game, events


def run(file: Path, size: int) -> dict[str, str]:
    """Measure the store in *file*, as a daemon uses it."""
    found: dict[str, str] = {}
    begin = resident_bytes()

    def note(name: str, seconds: float, count: int = 1) -> None:
        found[name] = f"{1e3 * seconds / count:,.2f}"

    with closing(open_database(file)) as database:
        judge = judge_on(database)
        moved_clock(judge, MONDAY + OUTAGE)
        note("start after an outage, ms", timed(lambda: note_wake_up(judge)))
        ask_for_help(judge)
        note("a mail answered then, ms", timed(lambda: answer_all_mail(judge)))
        given = timed(lambda: run_once(judge))
        note("all time given back, ms", given)
        note("ms a game, and telling its players", given, size)
        found["memory for it, MB"] = f"{(resident_bytes() - begin) / 1e6:.0f}"
        note("a tick, ms", timed(lambda: turns(judge, 20)), 20)
        moved_clock(judge, FIRST_DEADLINE + OUTAGE + timedelta(minutes=1))
        before = count(database, MAILS)
        closing_time = timed(lambda: run_once(judge))
        closed = count(database, CLOSED)
        found["phases closed"] = f"{closed:,}"
        found["mails queued"] = f"{count(database, MAILS) - before:,}"
        note("ms a phase closed and told", closing_time, max(1, closed))
        with database.read() as transaction:
            note("look for mails to send, ms", timed(lambda: transaction.outbox.due(NEVER)))
        found["memory in all, MB"] = f"{resident_bytes() / 1e6:.0f}"
        assert isinstance(judge.operator_log, OpenJournal)
        assert judge.operator_log.failures == []
        fold(database, found, note)
    return found


def ask_for_help(judge: Judge) -> None:
    writer, now = "stranger@players.example", judge.clock.now()
    raw = f"From: {writer}\r\nMessage-ID: <1@players.example>\r\n\r\nHELP\r\n".encode()
    with judge.database.write() as transaction:
        transaction.inbox.keep(raw, writer, judge.address, "smtp", now)


def fold(database: SqlDatabase, found: dict[str, str], note: Callable[[str, float], None]) -> None:
    """Measure how long the long game takes to be known, anew and from what is remembered."""
    with database.read() as transaction:
        histories = GameCache()
        found["events of a long game"] = f"{transaction.events.head(LONG).version:,}"
        note("folding it, ms", timed(lambda: histories.load(transaction, load_map, LONG)))
        note("once it is known, ms", timed(lambda: histories.load(transaction, load_map, LONG)))
        note("verifying it, ms", timed(lambda: find_damage(transaction, LONG)))


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of the processor that *work* takes."""
    begin = process_time()
    work()
    return process_time() - begin


def turns(judge: Judge, count: int) -> None:
    for _ in range(count):
        run_once(judge)


def moved_clock(judge: Judge, time: datetime) -> None:
    assert isinstance(judge.clock, HandClock)
    judge.clock.time = time


def count(database: SqlDatabase, question: str) -> int:
    with database.read() as transaction:
        counted: int = transaction.connection.exec_driver_sql(question).scalar_one()
        return counted


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * sysconf("SC_PAGE_SIZE")


def judge_on(database: SqlDatabase) -> Judge:
    return Judge(
        database=database,
        boards=load_map,
        clock=HandClock(),
        random=SystemRandomness(),
        encryption=FernetEncryption(),
        passwords=QuickPasswords(),
        operator_log=OpenJournal(),
        commands=COMMANDS,
        form=MailForm.TEXT,
    )


if __name__ == "__main__":
    main([int(each) for each in sys.argv[1:]] or GAMES)
