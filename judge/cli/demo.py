"""`judge demo`: play the year 1901 by email as a demonstration."""

from __future__ import annotations

import mailbox
import os
import signal
import smtplib
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage, Message
from email.utils import make_msgid
from html import escape
from importlib.resources import files
from pathlib import Path
from random import Random  # noqa: TID251 - a demonstration has no secrets
from threading import Thread
from typing import Any

import click
from rich.console import Console
from rich.panel import Panel
from rich.text import Text

from judge.cli.game_source import variant_chosen
from judge.cli.options import complete_variant
from judge.cli.terminal import SOFTWARE, fail, require_unix
from judge.notation.order_text import write_short
from judge.rules.adjudication import adjudicate
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.legality import possible_orders
from judge.rules.phase_sequence import orders_due
from judge.rules.rulebook import DATC
from judge.rules.types import ADJUSTMENTS, Order, Position, Power, Province

LISTENING = "judge: listening on "
ADDRESS = "judge@demo.example"
STOP_SECONDS = 60.0


class StageError(Exception):
    """A command of the judge failed, or the daemon did not start."""


@dataclass(frozen=True, slots=True)
class Daemon:
    """A running daemon: its folder and its SMTP port."""

    folder: Path
    door: tuple[str, int]

    @property
    def maildir(self) -> Path:
        """Return the Maildir of the daemon's outgoing email."""
        return self.folder / "outgoing"

    def judge(self, *arguments: str) -> str:
        """Run `judge` with *arguments* and return what it printed."""
        done = subprocess.run(  # noqa: S603 - our own program
            [sys.executable, "-m", "judge", *arguments],
            cwd=self.folder,
            env=_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise StageError(f"judge {' '.join(arguments)}: {done.stderr or done.stdout}")
        return done.stdout


@contextmanager
def running_daemon(folder: Path) -> Iterator[Daemon]:
    """Start a daemon in *folder* on a free port, and stop it at the end.

    It also ends if this process is killed: see `main`.
    """
    with (folder / "daemon.log").open("w") as log:
        daemon = subprocess.Popen(
            [sys.executable, "-m", "judge.cli.demo"],
            cwd=folder,
            env=_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert daemon.stdout
        try:
            yield Daemon(folder, _door(daemon.stdout.readline(), folder))
        finally:
            daemon.terminate()
            daemon.stdout.close()
            daemon.wait(STOP_SECONDS)


def _door(line: str, folder: Path) -> tuple[str, int]:
    if not line.startswith(LISTENING):
        raise StageError(f"the daemon did not start: {(folder / 'daemon.log').read_text()}")
    where = line.removeprefix(LISTENING).partition(",")[0]
    host, _, port = where.rpartition(":")
    return host, int(port)


def _environment() -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith("JUDGE_")}
    return kept | {
        "JUDGE_SMTP": "127.0.0.1:0",
        "JUDGE_ADDRESS": ADDRESS,
        "JUDGE_TICK_SECONDS": "0.2",
    }


PATIENCE_SECONDS = 60.0  # the last of 34 players who joins starts a game with 34 emails
LOOK_SECONDS = 0.05


class NoMailError(Exception):
    """An expected email did not arrive."""


@dataclass(slots=True)
class Player:
    """A player with an address, who reads the judge's Maildir and writes to its SMTP port."""

    address: str
    maildir: Path
    door: tuple[str, int]
    seen: set[str] = field(default_factory=set)

    def write(self, to: str, subject: str, text: str) -> None:
        """Send a new email."""
        self._send(_mail(self.address, to, subject, text))

    def answer(self, mail: Message, text: str, quoted: str = "") -> None:
        """Reply to *mail*; with *quoted* as HTML, the old email below, as web mail does."""
        subject = f"Re: {mail['Subject']}"
        reply = _mail(self.address, str(mail["Reply-To"]), subject, text)
        reply["In-Reply-To"] = mail["Message-ID"]
        if quoted:
            reply.set_content(_html(text, quoted), subtype="html")
        self._send(reply)

    def wait_for(self, wanted: Callable[[Message], bool]) -> Message:
        """Return the next email that is *wanted*; raises `NoMailError` if none arrives."""
        patience = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < patience:
            for key, mail in self._unseen():
                if wanted(mail):
                    self.seen.add(key)
                    return mail
            time.sleep(LOOK_SECONDS)
        raise NoMailError(f"no such email arrived for {self.address}")

    def _unseen(self) -> Iterator[tuple[str, Message]]:
        box = mailbox.Maildir(self.maildir, create=False)
        for key in [each for each in box.iterkeys() if each not in self.seen]:
            mail = box[key]
            if mail["Delivered-To"] == self.address:
                yield key, mail
            else:
                self.seen.add(key)

    def _send(self, mail: EmailMessage) -> None:
        with smtplib.SMTP(*self.door) as connection:
            connection.send_message(mail)


def text_of(mail: Message) -> str:
    """Return the text of an email from the judge."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    return ""


def _mail(sender: str, to: str, subject: str, text: str) -> EmailMessage:
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Message-ID"] = make_msgid(domain="demo.example")
    mail.set_content(text)
    return mail


def _html(text: str, quoted: str) -> str:
    fresh = "<br>".join(escape(line) for line in text.splitlines())
    old = "<br>".join(escape(line) for line in quoted.splitlines())
    return (
        f'<html><body><div dir="ltr">{fresh}</div><div class="gmail_quote">'
        f"On Monday the judge wrote:<blockquote>{old}</blockquote></div></body></html>"
    )


# A phase closes once all orders are in.
SIGNALED = 128  # exit codes of processes that a signal ended begin here
QUICK = ("early_wait_minutes=0", "early_not_before_hours=0")


@click.command()
@click.option(
    "--variant",
    metavar="NAME",
    shell_complete=complete_variant,
    help="Play random orders on another board.",
)
def demo(variant: str | None) -> None:
    """Play the first year by email: a daemon and its players over real SMTP on a local port."""
    require_unix()
    for number in (signal.SIGTERM, signal.SIGHUP):  # a closed terminal sends the second
        signal.signal(number, lambda number, _: sys.exit(SIGNALED + number))
    console = Console(highlight=False, soft_wrap=True)
    script = script_for(variant) if variant else read_script()
    try:
        with (
            tempfile.TemporaryDirectory(prefix="judge-demo-") as folder,
            running_daemon(Path(folder)) as stage,
        ):
            _play(console, stage, script)
    except (NoMailError, StageError) as error:
        fail(str(error), SOFTWARE)


def _play(console: Console, stage: Daemon, script: Script) -> None:
    console.rule(f"A daemon listens on {stage.door[0]}:{stage.door[1]}")
    rules = [word for rule in QUICK for word in ("--rule", rule)]
    stage.judge("game", "new", script.game, "--variant", script.variant, *rules)
    players = {
        power: Player(address, stage.maildir, stage.door)
        for power, address in script.players.items()
    }
    latest = _join(console, players, script)
    for scene in script.scenes:
        latest = _act(console, players, latest, scene, script.reader)
    console.rule("The log, adjudicated again")
    console.print(stage.judge("log", "verify"), end="")


def _join(console: Console, players: dict[str, Player], script: Script) -> dict[str, Message]:
    console.rule(f"{len(players)} players join")
    for power, player in players.items():
        wish = script.letters.get(power, power[0])
        player.write(ADDRESS, "hello", f"JOIN {script.game}\nSET PREFERENCE {wish}\n")
        confirm = player.wait_for(lambda mail: mail["X-Judge-Kind"] == "confirm_join")
        player.answer(confirm, "YES\n")
        player.wait_for(lambda mail: mail["X-Judge-Kind"] in ("joined", "receipt"))
        console.print(f"{player.address} joins, confirms and gets a receipt.")
    starts = {
        power: player.wait_for(lambda mail: mail["X-Judge-Kind"] == "game_start")
        for power, player in players.items()
    }
    console.print(_shown(f"The game starts; {script.reader} reads", starts[script.reader]))
    return starts


def _act(
    console: Console,
    players: dict[str, Player],
    latest: dict[str, Message],
    scene: Scene,
    reader: str,
) -> dict[str, Message]:
    console.rule(scene.title)
    for writing in scene.letters:
        player = players[writing.power]
        player.answer(latest[writing.power], writing.text, writing.quoted)
        receipt = player.wait_for(lambda mail: mail["X-Judge-Kind"] == "receipt")
        if writing.note:
            console.print(_written(writing))
            console.print(_shown(f"The receipt for {writing.power}", receipt))
        else:
            console.print(f"{writing.power} orders and gets a receipt.")
    results = {
        power: player.wait_for(lambda mail: f"{scene.code} Results" in mail["Subject"])
        for power, player in players.items()
    }
    console.print(_shown(f"The results as {reader} reads them", results[reader]))
    return results


def _written(writing: Writing) -> Panel:
    body = writing.text + (f"\n(quoted below)\n{writing.quoted}" if writing.quoted else "")
    return Panel(
        Text(body.strip()), title=f"{writing.power} writes, {writing.note}", title_align="left"
    )


def _shown(title: str, mail: Message) -> Panel:
    return Panel(
        Text(f"Subject: {mail['Subject']}\n\n{text_of(mail).strip()}"),
        title=title,
        title_align="left",
    )


@dataclass(frozen=True, slots=True)
class Writing:
    """An email: the text that a player types, and the email that their client quotes, as HTML."""

    power: str
    text: str
    quoted: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """A phase and its emails, in sending order."""

    code: str
    title: str
    letters: tuple[Writing, ...]


@dataclass(frozen=True, slots=True)
class Script:
    """The whole demonstration; *players* are addresses by preferred power.

    *letters* are of powers that have others than the first of their names; the results of the
    first power are printed.
    """

    game: str
    players: dict[str, str]
    scenes: tuple[Scene, ...]
    variant: str = DEFAULT_VARIANT
    letters: dict[str, str] = field(default_factory=dict)

    @property
    def reader(self) -> str:
        """Return the power whose emails are printed."""
        return next(iter(self.players))


def script_for(variant: str) -> Script:
    """Return the first year of a game on the board of *variant*, with random orders.

    It has a whole cycle of the calendar.
    """
    board = variant_chosen(variant)
    position, chance, scenes = board.start, Random(1), list[Scene]()  # noqa: S311 - no secrets
    first_year = board.start.phase.year + (board.start.phase.kind is ADJUSTMENTS)
    while position.phase.year < first_year + board.calendar.years:
        orders = {power: _random_orders(board, position, power, chance) for power in board.players}
        writings = tuple(
            Writing(power, "".join(f"{write_short(order, board)}\n" for order in given))
            for power, given in orders.items()
            if given
        )
        scenes.append(Scene(str(position.phase), f"{board.title}, {position.phase}", writings))
        position = adjudicate(board, position, orders).after
    return Script(
        "demo",
        {power: f"{power.lower()}@demo.example" for power in board.players},
        tuple(scenes),
        board.name,
        {power: board.nations[power].letter for power in board.players},
    )


def _random_orders(
    board: Map, position: Position, power: Power, chance: Random
) -> tuple[Order, ...]:
    options: dict[Province, tuple[Order, ...]] = {}  # a build may have a coast of several
    for unit, orders in possible_orders(board, position, power, DATC):
        if unit:
            options[unit.province] = (*options.get(unit.province, ()), *orders)
    places = sorted(options)
    if position.phase.kind is ADJUSTMENTS:
        places = chance.sample(places, orders_due(board, position, power))
    return tuple(chance.choice(options[place]) for place in places)


def read_script() -> Script:
    """Read the script shipped with the judge."""
    text = files("judge.cli").joinpath("demo_script.toml").read_text(encoding="utf-8")
    read: dict[str, Any] = tomllib.loads(text)
    scenes = tuple(
        Scene(
            scene["code"], scene["title"], tuple(Writing(**letter) for letter in scene["letters"])
        )
        for scene in read["phases"]
    )
    return Script(read["game"], read["players"], scenes)


def main() -> None:
    """Run `judge serve` until standard input ends, as it does with the process that holds it."""
    from judge.cli.root import root

    def watch() -> None:
        while os.read(sys.stdin.fileno(), 1):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, name="parent watch", daemon=True).start()
    root(["serve"], prog_name="judge")


if __name__ == "__main__":
    main()
