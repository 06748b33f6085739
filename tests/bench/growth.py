"""The growth of cost with length and press of a game, with games, addresses and emails.

Run it as `python -m tests.bench.growth [PART]...`; without PART it runs all.

- `years`, `press`, `games` and `addresses` measure CPU time, scaled to the calibration loop: an
  email with orders, from the stored row to the queued receipt; a phase with its seven result
  emails, in Spring, and in Fall with the centers by year, then retreats and adjustments. All have
  the default form. The games are played as a recorded one, and after its eleven years their units
  hold. "first" are the first email and phase of a game after a start, for which the judge reads
  its whole log. Figures are medians of five games, with the range.
- `over` measures questions and work on stores of 20 games in play and ever more that are over, all
  with the same players, each after a start, with the exponent of its growth.
- `filling` fills the table of games of a store that lacks it, as the first start of a new version
  does, of recorded games of eleven years.
- `restart` kills a judge that has 10,000 emails to answer, and times the next one.
- `verify` runs `judge log verify` on up to 1,000 games of eleven years each.
- `memory` sends 100,000 emails by SMTP to a daemon, which delivers the receipts into its Maildir,
  and prints the resident memory of the daemon every 10,000.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from hashlib import sha256
from itertools import cycle, islice
from math import log
from multiprocessing import get_context
from pathlib import Path
from resource import RUSAGE_CHILDREN, getrusage
from statistics import median
from time import perf_counter, process_time
from typing import TypeVar

from judge.adapters.variant_files import load_map
from judge.app.admin import game_admin
from judge.app.admin.health import examine
from judge.app.game.summaries import fill_summaries
from judge.app.identity import register_person
from judge.app.ports.inbox import Envelope
from judge.app.ports.judge import GameCache
from judge.app.ports.people import MailForm
from judge.event_log import Event
from judge.game.clock import ProcessNow
from judge.game.commands import Command, decide
from judge.game.decision import Accepted
from judge.game.events import CODEC, evolve
from judge.game.game_state import Game
from judge.game.house_rules import HouseRules, choose_rules
from judge.game.players.creation import CreateGame, GameCreated
from judge.game.players.standbys import JoinGame
from judge.game.press import SendPress
from judge.game.submission import SubmitOrders
from judge.notation.order_text import write_order
from judge.rules.rulebook import Rulebook, rulebook_named
from judge.rules.types import Hold, Order, PhaseKind, Position, UnitName
from tests.bench.answering import cpu_seconds, typical_email
from tests.bench.measuring import ANCHOR_SECONDS, busy, calibrate
from tests.support.daemon import CONFIGURED, Daemon, wait_until
from tests.support.many_games import ENDED, add_ended_games
from tests.support.order_emails import flood
from tests.support.recorded_game import RULEBOOK, game_10713
from tests.support.table import MONDAY, POWERS, Mail, Table, parse_email

BOARD = load_map()
RECORDED = {phase.phase.code: phase for phase in game_10713().phases}
RULES = (
    "first_spring_extension_hours=0",
    "grace_hours=0",
    "nmr=hold",
    "reminder_hours=",
    "movement_hours=240",
)
QUICK = (choose_rules(RULES, game="game")[0], rulebook_named(RULEBOOK))
MEASURED = 5  # games, for a median and a range
GAME = "game"  # as which logs are written before they are copied
NEVER = timedelta(days=900)
ADDED_AT_ONCE = 500
ANSWER_PAUSE = timedelta(minutes=6)  # a person gets a limited number of receipts in this time
RESTARTED, WAITING = 200, 10_000  # games, and emails to them
VERIFIED = (10, 100, 1_000)
OVER, PLAYED = (50, 320, 1_020), 20  # games
FILLED = (20, 100)
ANSWERED, STEP, BATCH, CONNECTIONS = 100_000, 10_000, 1_000, 10
PATIENCE_SECONDS = 3_600
PRESS = "Shall we leave Tyrolia empty, and the Black Sea too? Tell me by Friday.\n" * 5

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Size:
    """The size of a judge: games of so many *years*, with so much *press*; addresses."""

    years: int = 1
    press: int = 0
    games: int = MEASURED
    addresses: int = 0


SIZES = {
    "years": [Size(years=each) for each in (1, 9, 100)],
    "press": [Size(press=each) for each in (0, 500, 5_000)],
    "games": [Size(games=each) for each in (10, 100, 1_000, 10_000)],
    "addresses": [Size(addresses=each) for each in (10, 1_000, 100_000)],
}
FIRST_EMAIL, FIRST_PHASE = "first email, ms", "first phase, ms"
EMAIL, PRESS_EMAIL, TICK = "email, ms", "press email, ms", "tick, ms"
PHASES = {
    "S": "Spring, ms",
    "F": "Fall, ms",
    PhaseKind.RETREATS: "retreats, ms",
    PhaseKind.ADJUSTMENTS: "adjustments, ms",
}
COSTS = (FIRST_EMAIL, FIRST_PHASE, EMAIL, PRESS_EMAIL, TICK, *PHASES.values())


def main(parts: Sequence[str]) -> None:
    """Measure *parts*, all if there are none."""
    others = {
        "over": over,
        "filling": filling,
        "restart": restart,
        "verify": verify,
        "memory": memory,
    }
    for part in parts or (*SIZES, *others):
        if part in others:
            others[part]()
        else:
            print_growth(part)


def print_growth(part: str) -> None:
    print(f"{part:>10}" + "".join(f"{cost:>21}" for cost in (*COSTS, "resident, MB")))
    for size in SIZES[part]:
        cells = in_new_process(measure, size)
        print(f"{getattr(size, part):10,}" + "".join(f"{cell:>21}" for cell in cells), flush=True)


def in_new_process(work: Callable[..., Result], *arguments: object) -> Result:
    """Return what *work* returns in a process that has done nothing else."""
    with get_context("spawn").Pool(1) as pool:
        return pool.apply(work, arguments)


def measure(size: Size) -> list[str]:
    """Return the costs of a judge of this *size*, as text."""
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), size) as play:
        play.warm_up()
        costs: dict[str, list[float]] = {cost: [] for cost in COSTS}
        for game in play.games:
            powers = play.acting()
            costs[FIRST_EMAIL].append(play.timed(play.order, game, powers[:1]))
            costs[EMAIL].append(play.timed(play.order, game, powers) / len(powers))
            costs[PRESS_EMAIL].append(play.timed(play.write_press, game) / len(powers))
            costs[TICK].append(play.timed(play.table.run_once))
        begun = play.position.phase
        while (phase := play.position.phase).year < begun.year + 2:
            is_movement = phase.kind is PhaseKind.MOVEMENT
            cost = PHASES[phase.code[0] if is_movement else phase.kind]
            for game in play.games if phase != begun else ():
                play.order(game, play.acting())
            for game in play.games:
                spent = play.timed(play.close_phase, game)
                if phase == begun:
                    costs[FIRST_PHASE].append(spent)
                elif phase.year > begun.year:  # the first Fall reads the log, too
                    costs[cost].append(spent)
            play.read_results()
        return [*map(spread, costs.values()), f"{resident_megabytes():.0f}"]


def spread(times: Sequence[float]) -> str:
    """Return the median and the range."""
    if not times:
        return "-"
    return f"{median(times):.1f} ({min(times):.1f}-{max(times):.1f})"


class Play:
    """A judge on whose *games* work is measured; all are in the same *position*."""

    position: Position

    def __init__(self, table: Table, games: Sequence[str]) -> None:
        self.table, self.games = table, games
        self._answered: dict[tuple[str, str], Mail] = {}
        self._number = 0

    def timed(self, work: Callable[..., object], *arguments: object) -> float:
        """Return the milliseconds of CPU that *work* takes, scaled to the calibration loop."""
        self.table.clock.time += ANSWER_PAUSE
        loop, start = busy(calibrate), process_time()
        work(*arguments)
        return (process_time() - start) * 1000 * ANCHOR_SECONDS / loop

    def open_spring(self) -> None:
        """Close the phase before, and read its results: emails are answers to them."""
        self.table.clock.time = self.table.deadline(self.games[0])
        self.table.run_once()
        self.read_results()

    def read_results(self) -> None:
        """Read the results of the last phase: emails are answers to them."""
        rows = self.table.query(
            "SELECT game, person, message_id, raw FROM outbox "
            "WHERE kind = 'phase_results' AND state = 'queued'"
        )
        self._answered = {(game, person): parse_email(raw) for game, person, _, raw in rows}
        with self.table.database.write() as transaction:
            names = [message_id for _, _, message_id, _ in rows]
            transaction.outbox.sent(names, self.table.clock.now())
        position = self.table.game(self.games[0]).position
        assert position
        self.position = position

    def acting(self) -> Sequence[str]:
        """Return the powers that give orders in the open phase."""
        return [power for power in POWERS if orders_in(self.position, power)]

    def warm_up(self) -> None:
        """Load templates and boards, then forget the games, as a start does."""
        self.order(self.games[0], self.acting())
        self.table.judge = replace(self.table.judge, game_cache=GameCache())

    def order(self, game: str, powers: Sequence[str]) -> None:
        """Have *powers* send orders, and answer them."""
        for power in powers:
            results = self.results(game, power)
            lines = [write_order(each) for each in orders_in(self.position, power)]
            email = typical_email(self.table, results, lines)
            self.table.deliver(email, None, results.reply_to)
        self._answer(len(powers))

    def write_press(self, game: str) -> None:
        """Have each power write to the next one, and send it on."""
        powers = self.acting()
        for power, reader in zip(powers, (*powers[1:], powers[0]), strict=True):
            self.post(game, power, f"PRESS TO {reader}\n{PRESS}\nENDPRESS")
        self._answer(2 * len(powers))

    def close_phase(self, game: str) -> None:
        """Close the open phase of this game alone."""
        self.table.clock.time = deadline = self.table.deadline(game)
        with self.table.database.write() as transaction:
            for each in self.games:
                transaction.agenda.set(each, deadline if each == game else deadline + NEVER)
        self._answer(len(POWERS))

    def line(self, power: str) -> str:
        """Return an order of *power*."""
        return write_order(orders_in(self.position, power)[0])

    def post(self, game: str, power: str, text: str) -> None:
        """Have *power* answer its results with *text*; without processing it."""
        self.table.deliver(
            self.written(game, power, text), None, self.results(game, power).reply_to
        )

    def written(self, game: str, power: str, text: str) -> EmailMessage:
        """Return the answer of *power* to its results with *text*, no two alike."""
        self._number += 1
        results = self.results(game, power)
        text += f"\n\nGreetings, for the {self._number}th time.\n"
        return self.table.compose(
            results.recipient, text, results.reply_to, In_Reply_To=results.message_id
        )

    def results(self, game: str, power: str) -> Mail:
        return self._answered[game, person_of(game, power)]

    def questions(self) -> dict[str, Callable[[str], object]]:
        """Return what is asked or done in a store, by *new*, a word that was not used before."""
        judge = self.table.judge
        return {
            "LIST": lambda new: self.ask(new, "LIST"),
            "LIST OVER": lambda new: self.ask(new, "LIST OVER"),
            "JOIN nosuch": lambda new: self.ask(new, f"JOIN {new}"),
            "WHOGAME nosuch": lambda new: self.ask(new, f"WHOGAME {new}"),
            "a player's LIST MINE": lambda _: self.table.reply(
                self.table.latest("FRANCE", ENDED), "LIST MINE"
            ),
            "an email with orders": lambda _: self.order(self.games[0], self.acting()[:1]),
            "an idle tick": lambda _: self.table.run_once(),
            "judge game list": lambda _: game_admin.list_games(judge),
            "judge status, /healthz": lambda _: examine(judge),
        }

    def ask(self, stranger: str, text: str) -> None:
        answers = self.table.mail(f"{stranger}@strangers.example", text)
        assert answers

    def after_starts(self, work: Callable[[str], object]) -> float:
        """Return the median of what *work* takes just after a start."""
        times = []
        for _ in range(MEASURED):
            self._number += 1
            self.table.judge.game_cache.kept.clear()
            self.table.clock.time += ANSWER_PAUSE * 10
            times.append(self.timed(work, f"new{self._number}"))
        return median(times)

    def _answer(self, emails: int) -> None:
        before = self.queued()
        self.table.run_once()
        assert self.queued() >= before + emails, "one for each reader"

    def queued(self) -> int:
        [(count,)] = self.table.query("SELECT max(id) FROM outbox")
        return int(count)


@contextmanager
def playing(
    folder: Path, size: Size, measured: int = MEASURED, began: datetime = MONDAY
) -> Iterator[Play]:
    """Open a judge of this *size* in *folder*, with so many *measured* games."""
    with closing(Table(folder, form=MailForm.PICTURES)) as table:
        table.clock.time = began
        games = [f"bench{number}" for number in range(measured)]
        log = played_game(size.years, began)
        add_games(table, games, log)
        play = Play(table, games)
        play.open_spring()
        for game in games:
            add_press(table, game, size.press)
        others = [f"other{number}" for number in range(size.games - measured)]
        add_games(table, others, played_game(1, began), due=NEVER)
        add_addresses(table, size.addresses)
        yield play


def played_game(years: int, now: datetime) -> list[Event]:
    """Return the log of a game until its last phase in so many *years*, which is open.

    It is played as a recorded one; after that, all units hold.
    """
    game, events = begun(QUICK, now)
    while True:
        assert game.position
        for power in POWERS:
            if orders := orders_in(game.position, power):
                code = game.position.phase.code
                game, more = after(game, submitted(power, orders, code, now), now)
                events += more
        then, more = after(game, ProcessNow("operator"), now)
        if then.position and then.position.phase.year > BOARD.start.phase.year + years - 1:
            return events
        game = then
        events += more


def orders_in(position: Position, power: str) -> tuple[Order, ...]:
    """Return the recorded orders of *power*; after the record, all its units hold."""
    if phase := RECORDED.get(position.phase.code):
        return tuple(each.order for each in phase.orders if each.power == power and each.order)
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return ()
    return tuple(Hold(UnitName(each.kind, each.location)) for each in position.units_of(power))


def begun(rules: tuple[HouseRules, Rulebook], now: datetime) -> tuple[Game, list[Event]]:
    house_rules, rulebook = rules
    game, events = after(None, CreateGame(GAME, "standard", rulebook, house_rules), now)
    for power in POWERS:
        game, more = after(game, JoinGame(power.lower(), ((power,),), "seed"), now)
        events += more
    return game, events


def submitted(power: str, orders: tuple[Order, ...], seed: str, now: datetime) -> SubmitOrders:
    person, nonce = power.lower(), sha256(f"{power} {seed}".encode()).hexdigest()
    return SubmitOrders(power, person, orders, now, mail=nonce, nonce=nonce[:32])


def after(game: Game | None, command: Command, now: datetime) -> tuple[Game, list[Event]]:
    answer = decide(BOARD, game, command, now)
    events = list(answer.events) if isinstance(answer, Accepted) else []
    for event in events:
        game = evolve(BOARD, game, event)
    assert game
    return game, events


def add_games(
    table: Table, names: Sequence[str], log: Sequence[Event], due: timedelta = timedelta()
) -> None:
    """Write *log* as that of games called *names*, each with players of its own."""
    now = table.clock.now()
    for first in range(0, len(names), ADDED_AT_ONCE):
        with table.database.write() as transaction:
            for name in names[first : first + ADDED_AT_ONCE]:
                for power in POWERS:
                    person = person_of(name, power)
                    register_person(table.judge, transaction, address_of(person), now, person)
                transaction.events.append(name, 0, [as_of(event, name) for event in log], now)
                transaction.agenda.set(name, now + due)
    fill_summaries(table.judge)


def as_of(event: Event, game: str) -> Event:
    """Return *event* as it happens in *game*, to the players of that."""
    if isinstance(event, GameCreated):
        return replace(event, game=game)
    stored = CODEC.encode(event)
    payload = stored.payload
    for power in POWERS:
        payload = payload.replace(f'"{power.lower()}"', f'"{person_of(game, power)}"')
    return CODEC.decode(stored.type, stored.schema, payload)


def person_of(game: str, power: str) -> str:
    return f"{power.lower()}.{game}"


def address_of(person: str) -> str:
    return f"{person}@players.example"


def add_press(table: Table, name: str, count: int) -> None:
    """Write so many messages between the players into the log of a game."""
    game, now = table.game(name), table.clock.now()
    key = table.judge.random.key()
    events = list[Event]()
    for number in range(count):
        power, reader = POWERS[number % 7], POWERS[(number + 1) % 7]
        press = SendPress(
            message=f"{name}.{number}",
            sender=power,
            person=person_of(name, power),
            recipients=(reader,),
            signed=power,
            named=(reader,),
            postal=False,
            thread=f"{name}.{number % 7}",
            sealed_text=table.judge.encryption.seal(PRESS, key),
            mail=sha256(f"{name} {number}".encode()).hexdigest(),
            received=now,
        )
        game, more = after(game, press, now)
        events += more
    with table.database.write() as transaction:
        version = transaction.events.head(name).version
        transaction.events.append(name, version, events, now)


def add_addresses(table: Table, count: int) -> None:
    now = table.clock.now()
    with table.database.write() as transaction:
        for number in range(count):
            person = f"stranger{number}"
            register_person(table.judge, transaction, address_of(person), now, person)


def over() -> None:
    """Measure stores with more and more games that are over."""
    found = {count: in_new_process(measure_over, count) for count in OVER}
    print(f"{'games over':24}" + "".join(f"{count:>10,}" for count in OVER) + "  exponent")
    for name in found[OVER[0]]:
        costs = [found[count][name] for count in OVER]
        growth = log(costs[-1] / costs[0]) / log(OVER[-1] / OVER[0])
        print(f"{name:24}" + "".join(f"{cost:10.1f}" for cost in costs) + f"{growth:10.2f}")


def measure_over(count: int) -> dict[str, float]:
    """Return what each question costs in such a store, in milliseconds, just after a start."""
    size = Size(games=PLAYED)
    with tempfile.TemporaryDirectory() as folder, playing(Path(folder), size, PLAYED) as play:
        add_ended_games(play.table, count, emails=True)
        play.warm_up()
        return {name: play.after_starts(work) for name, work in play.questions().items()}


def filling() -> None:
    """Time the first start on a store without a table of games."""
    for count in FILLED:
        print(f"{count:6,} games: {in_new_process(measure_filling, count):.1f} ms each")


def measure_filling(count: int) -> float:
    """Return the milliseconds of CPU for each of *count* games."""
    with tempfile.TemporaryDirectory() as folder, closing(Table(Path(folder))) as table:
        add_games(table, [f"bench{number}" for number in range(count)], played_game(11, MONDAY))
        with table.database.write() as transaction:
            transaction.connection.exec_driver_sql("DELETE FROM summaries")
        judge = replace(table.judge, game_cache=GameCache())
        spent = Play(table, ()).timed(fill_summaries, judge)
        assert len(table.query("SELECT game FROM summaries")) == count
        return spent / count


def restart() -> None:
    """Time a start after a crash, until it is ready and until all emails are answered."""
    with tempfile.TemporaryDirectory() as folder:
        crashing = get_context("spawn").Process(target=crash, args=(Path(folder), WAITING))
        crashing.start()
        crashing.join()
        with Daemon(Path(folder), CONFIGURED, forked=False) as daemon:
            start = perf_counter()
            daemon.start()
            assert daemon.process
            ready, ready_cpu = perf_counter() - start, cpu_seconds(daemon.process.pid)
            print(
                f"after a crash with {WAITING:,} emails waiting: ready in {ready:.1f} s "
                f"({ready_cpu:.1f} s of CPU),",
                flush=True,
            )
            undone = "SELECT count(*) FROM inbox WHERE state = 'received'"
            wait_until(lambda: daemon.ask(undone) == [(0,)], "emails are left", PATIENCE_SECONDS)
            seconds = perf_counter() - start
            spent = cpu_seconds(daemon.process.pid) / WAITING * 1000
            print(
                f"all answered in {seconds:.0f} s ({WAITING / seconds:.0f} a second; "
                f"{spent:.1f} ms of CPU each, calibration loop {busy(calibrate) * 1000:.1f} ms)"
            )


def crash(folder: Path, waiting: int) -> None:
    """Leave a store with so many emails to answer, as a process that was killed does."""
    began = datetime.now(UTC) - timedelta(days=14)
    with playing(folder, Size(games=RESTARTED), RESTARTED, began) as play:
        play.table.clock.time = datetime.now(UTC)
        play.table.run_once()
        with play.table.database.write() as transaction:
            for number in range(waiting):
                game, power = play.games[number // 7 % RESTARTED], POWERS[number % 7]
                email = play.written(game, power, play.line(power))
                sender, to, now = str(email["From"]), str(email["To"]), play.table.clock.now()
                transaction.inbox.keep([(Envelope(email.as_bytes(), sender, (to,), "smtp"), now)])
        os._exit(0)


def verify() -> None:
    """Time `judge log verify` on more and more games."""
    log = played_game(11, MONDAY)
    for count in VERIFIED:
        with tempfile.TemporaryDirectory() as folder:
            with closing(Table(Path(folder))) as table:
                add_games(table, [f"bench{number}" for number in range(count)], log)
            before = getrusage(RUSAGE_CHILDREN)
            command = (sys.executable, "-m", "judge", "log", "verify")
            where = ("--database", str(Path(folder, "judge.db")))
            done = subprocess.run((*command, *where), capture_output=True, text=True, check=True)
            used = getrusage(RUSAGE_CHILDREN)
        seconds = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
        print(
            f"judge log verify, {count:5,} games of {len(log)} events: {seconds:.1f} s of CPU, "
            f"{seconds / count * 1000:.0f} ms a game, at most {used.ru_maxrss / 1024:.0f} MB; "
            f"{done.stdout.splitlines()[-1]}",
            flush=True,
        )


def memory() -> None:
    """Send many emails to a daemon, and print its memory now and then."""
    began = datetime.now(UTC) - timedelta(days=14)
    with (
        tempfile.TemporaryDirectory() as folder,
        playing(Path(folder), Size(games=RESTARTED), RESTARTED, began) as play,
        Daemon(Path(folder), CONFIGURED, forked=False) as daemon,
    ):
        daemon.start()
        assert daemon.process
        seats = cycle([(game, power) for game in play.games for power in POWERS])
        for sent in range(BATCH, ANSWERED + 1, BATCH):
            batch = islice(seats, BATCH)
            emails = [play.written(game, power, play.line(power)) for game, power in batch]
            flood(daemon, emails, CONNECTIONS)
            daemon.come_to_rest(PATIENCE_SECONDS)
            if sent % STEP == 0:
                resident = resident_megabytes(daemon.process.pid)
                print(f"{sent:8,} emails answered: {resident:.1f} MB resident", flush=True)


def resident_megabytes(pid: int | str = "self") -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


if __name__ == "__main__":
    main(sys.argv[1:])
