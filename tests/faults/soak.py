"""Games played by mail at a high pace, while their daemons and servers are killed at random.

Three daemons on one PostgreSQL, on a clock that races, send by a mail server of its own process.
Players answer each phase as soon as its email has come, but for those who never do: their phases
end by the deadline. One daemon is left alone, so that its memory can be looked at.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import parsedate_to_datetime
from pathlib import Path

from sqlalchemy.exc import DBAPIError

from judge.adapters.crypto import FernetEncryption, SystemRandomness
from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.variant_files import InstalledVariants, load_art, load_map
from judge.app.admin import game_admin
from judge.app.commands.answers import finished_pages
from judge.app.commands.table import COMMANDS
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.ports.judge import Judge
from judge.app.ports.people import MailForm
from judge.game.game_state import Game
from judge.game.house_rules import choose_rules
from judge.game.phases import missing_orders
from judge.game.players.standbys import JoinGame
from judge.notation.order_text import write_order
from judge.rules.legality import possible_orders
from judge.rules.types import PhaseKind, Position, Power
from tests.faults.racing import RacingClock
from tests.support.daemon import ADDRESS, CONFIGURED, POWERS, new_email
from tests.support.nodes import Node, Nodes
from tests.support.postgres import Postgres
from tests.support.servers import free_door
from tests.support.table import FastPasswords, RecordingLog

SPEED = 120  # A phase takes two minutes, and an outage begins after seven seconds.
RULES = (
    *("movement_hours=4", "retreat_hours=4", "adjustment_hours=4", "first_phase_hours=4"),
    *("closing_time=", "closed_weekdays=", "reminder_hours=", "grace_hours=0", "nmr=hold"),
    *("first_spring_extension_hours=0", "early_wait_minutes=0", "early_not_before_hours=0"),
)
ANSWERED = ("game_start", "phase_results")  # the kinds of mail that orders are written on
SILENT = ("ENGLAND", "TURKEY")  # who never order, in the last of the games
ON_THE_WAY_MAX = timedelta(hours=1)  # half a minute, by a clock that races
THREADS = 3
BOARD = load_map()
CUT = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()"""


class MailServer:
    """A process that takes mail into a Maildir, and can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.door = free_door()
        self._folder = folder / "taken"
        self._process: subprocess.Popen[bytes] | None = None
        self._seen: set[str] = set()
        self._to: dict[str, list[Message]] = defaultdict(list)
        self._reading = threading.Lock()

    def start(self) -> None:
        handler = ("-c", "aiosmtpd.handlers.Mailbox", str(self._folder))
        command = (sys.executable, "-m", "aiosmtpd", "-n", "-l", self.door, *handler)
        self._process = subprocess.Popen(command, stderr=subprocess.DEVNULL)

    def kill(self) -> None:
        assert self._process
        self._process.kill()
        self._process.wait()

    def mails(self, recipient: str) -> list[Message]:
        """Return what it has taken for *recipient*, the latest first."""
        with self._reading:
            self._read()
            return self._to[recipient][::-1]

    def all(self) -> list[Message]:
        """Return what it has taken."""
        with self._reading:
            self._read()
            return [mail for mails in self._to.values() for mail in mails]

    def _read(self) -> None:
        """Read what is new; the times in the names of the files order it."""
        folder = self._folder / "new"
        names = {file.name for file in folder.iterdir()} if folder.is_dir() else set[str]()
        new = sorted(names - self._seen)
        for name in new:
            mail = message_from_bytes((folder / name).read_bytes())
            self._to[str(mail["X-RcptTo"])].append(mail)
        self._seen.update(new)


@contextmanager
def soaking(postgres: Postgres, folder: Path, games: int, breath_seconds: float) -> Iterator[Soak]:
    """Start so many *games* and all that serves them; at the end of the block nothing runs."""
    clock = RacingClock(SPEED, time.time())
    with ExitStack() as stack:
        relay = MailServer(folder)
        relay.start()
        stack.callback(relay.kill)
        server = postgres.new()
        database = stack.enter_context(closing(open_database(server)))
        judge = judge_on(database, clock)
        names = tuple(f"soak{number:03}" for number in range(games))
        for name in names:
            begin(judge, name)
        environment = {
            **CONFIGURED,
            "JUDGE_MAIL_FORM": "text",
            "JUDGE_SMARTHOST": relay.door,
            "JUDGE_TICK_SECONDS": "0.5",
        }
        nodes = Nodes(folder, environment, postgres=postgres, server=server)
        for node in nodes.nodes:  # so that it listens there again
            node.environment = {**node.environment, "JUDGE_SMTP": free_door()}
        stack.enter_context(nodes)
        racing = ("tests.faults.racing", str(clock.speed), str(clock.since))
        nodes.start(*racing)
        yield Soak(nodes, relay, judge, names, racing, breath_seconds)


def judge_on(database: SqlDatabase, clock: RacingClock) -> Judge:
    """Return a judge that starts games and reports their state."""
    return Judge(
        database=database,
        boards=load_map,
        arts=load_art,
        variants=InstalledVariants(),
        clock=clock,
        random=SystemRandomness(),
        encryption=FernetEncryption(),
        passwords=FastPasswords(),
        operator_log=RecordingLog(),
        commands=COMMANDS,
        pages_of=finished_pages,
        address=ADDRESS,
        form=MailForm.TEXT,
    )


def begin(judge: Judge, name: str) -> None:
    """Start a game with players of its own."""
    game_admin.create_game(judge, game_admin.NewGame(name, *choose_rules(RULES, game=name)))
    with judge.database.write() as transaction:
        for power in POWERS:
            now = judge.clock.now()
            person = register_person(judge, transaction, address(name, power), now)
            apply_command(judge, transaction, name, JoinGame(person.id, ((power,),), "seed"), now)


@dataclass
class Soak:
    """Everything that runs, and what came of it."""

    nodes: Nodes
    relay: MailServer
    judge: Judge
    games: tuple[str, ...]
    racing: tuple[str, ...]
    breath_seconds: float
    promised: list[str] = field(default_factory=list)
    blows: Counter[str] = field(default_factory=Counter)
    resident: list[tuple[int, int]] = field(default_factory=list)  # emails so far, bytes
    stopping: threading.Event = field(default_factory=threading.Event)

    def run(self, seconds: float, emails: int, pause_seconds: tuple[float, float]) -> None:
        """Make all players write, and kill a process after a random pause, again and again.

        It takes so many *seconds* and *emails*, and until all games that are played have closed a
        phase.
        """
        dice = random.Random(0)  # noqa: S311 - no secret
        players = [
            threading.Thread(target=self._play, args=(self.games[first::THREADS],))
            for first in range(THREADS)
        ]
        for player in players:
            player.start()
        end = time.monotonic() + seconds
        try:
            while time.monotonic() < end or len(self.promised) < emails or not self._went_on():
                time.sleep(dice.uniform(*pause_seconds))
                self._strike(dice)
                memory = resident_bytes(self.nodes.nodes[-1])
                self.resident.append((len(self.promised), memory))
        finally:
            self.stopping.set()
            for player in players:
                player.join()

    def _went_on(self) -> bool:
        """Return whether all games went on but the last, which waits for its deadline."""
        try:
            closed = self.nodes.ask("SELECT game FROM events WHERE type = 'phase_closed'")
        except DBAPIError:  # the test cuts this connection, too
            return False
        return {*self.games[:-1]} <= {game for (game,) in closed}

    def _strike(self, dice: random.Random) -> None:
        """Do some harm; the last of the daemons is never killed."""
        node = dice.choice(self.nodes.nodes[:-1])
        harm: tuple[tuple[str, Callable[[], None]], ...] = (
            ("a daemon killed", lambda: self._again(node, node.kill)),
            ("a daemon stopped", lambda: self._again(node, node.stop)),
            ("connections cut", lambda: _let_go(self.nodes.ask, CUT)),
            ("PostgreSQL killed", lambda: self._down(self.nodes.postgres, dice)),
            ("the mail server killed", lambda: self._down(self.relay, dice)),
        )
        name, strike = dice.choice(harm)
        strike()
        self.blows[name] += 1

    def _again(self, node: Node, end: Callable[[], object]) -> None:
        end()
        node.start(*self.racing)

    def _down(self, server: Postgres | MailServer, dice: random.Random) -> None:
        server.kill()
        time.sleep(dice.uniform(0.1, 2))
        server.start()

    def _play(self, games: tuple[str, ...]) -> None:
        """Order at random for the powers that each phase of some *games* waits for.

        Others' orders, and those sent in the last moment, may come after the phase has closed. The
        judge asks their writers to confirm them.
        """
        done: set[tuple[str, str, Power]] = set()
        while not self.stopping.is_set():
            for name in games:
                for power, text, mail in self._to_be_said(name, done):
                    if self.stopping.is_set():
                        return
                    self._say(name, power, text, mail)
            self.stopping.wait(self.breath_seconds)

    def _to_be_said(
        self, name: str, done: set[tuple[str, str, Power]]
    ) -> Iterator[tuple[Power, str, Message]]:
        try:
            game = game_admin.load_game(self.judge, name)
        except DBAPIError:  # it has just been killed
            return
        needs = missing_orders(BOARD, game) if game else None
        if needs is None or needs.phase.deadline - self.judge.clock.now() < ON_THE_WAY_MAX:
            return
        for power in needs.owed:
            key = (name, needs.position.phase.code, power)
            silent = name == self.games[-1] and power in SILENT
            mail = (
                None if silent or key in done else self._mail_for(name, power, needs.phase.opened)
            )
            if mail:
                done.add(key)
                yield power, orders(needs.game, needs.position, power), mail

    def _mail_for(self, game: str, power: Power, opened: datetime) -> Message | None:
        """Return the email to a player that opened a phase, once it has come."""
        since = opened.replace(microsecond=0)
        for mail in self.relay.mails(address(game, power)):
            if mail["X-Judge-Kind"] in ANSWERED and parsedate_to_datetime(mail["Date"]) >= since:
                return mail
        return None

    def _say(self, game: str, power: Power, text: str, mail: Message) -> None:
        """Send an email until a server has accepted it."""
        reply = new_email(
            address(game, power), text, str(mail["Reply-To"]), f"Re: {mail['Subject']}"
        )
        reply["In-Reply-To"] = mail["Message-ID"]
        while not self.nodes.offer(reply):
            time.sleep(0.1)
        self.promised.append(str(reply["Message-ID"]))


def orders(game: Game, position: Position, power: Power) -> str:
    """Give each unit of *power* an order, at random; every other one goes somewhere, if it can."""
    dice = random.Random(f"{game.name} {position.phase.code} {power}")  # noqa: S311 - no secret
    choices = [orders for _, orders in possible_orders(BOARD, position, power, game.rulebook)]
    if position.phase.kind is PhaseKind.ADJUSTMENTS:
        dice.shuffle(choices)
        choices = choices[: abs(position.due(power))]
    return "\n".join(
        write_order(dice.choice(each[: dice.choice((4, len(each)))])) for each in choices
    )


def _let_go(work: Callable[[str], object], statement: str) -> None:
    with suppress(DBAPIError):
        work(statement)


def address(game: str, power: Power) -> str:
    return f"{power.lower()}.{game}@players.example"


def resident_bytes(node: Node) -> int:
    """Return the memory that a daemon has, and not its process of reading."""
    assert node.process
    pages = int(Path(f"/proc/{node.process.pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")
