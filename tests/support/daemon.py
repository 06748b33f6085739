"""A real daemon in a temporary folder, used by SMTP and read through its Maildir."""

from __future__ import annotations

import json
import mailbox
import os
import shutil
import signal
import smtplib
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage, Message
from email.utils import make_msgid
from pathlib import Path
from tempfile import TemporaryFile
from typing import Protocol, Self, TextIO

from tests.support.forked_process import Forked

ADDRESS = "judge@judge.example"
LISTENING = "judge: listening on "
PATIENCE_SECONDS = 240.0  # with what is busy, on a machine that is slow
BACKLOG_SECONDS = 1_800.0  # the same, for what a daemon leaves that is killed again and again
CONFIGURED = {
    "JUDGE_SMTP": "127.0.0.1:0",
    "JUDGE_ADDRESS": ADDRESS,
    "JUDGE_TICK_SECONDS": "0.1",
    "JUDGE_MAIL_FORM": "html",  # a picture takes half a second, and few tests look at it
}
QUICK = ("early_wait_minutes=0", "early_not_before_hours=0")
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")


class Running(Protocol):
    """A process that was started here."""

    @property
    def pid(self) -> int:
        """Return its number."""
        ...

    def poll(self) -> int | None:
        """Return the exit code, negative for a signal; None while it runs."""
        ...

    def wait(self, timeout: float, /) -> int:
        """Wait until it has ended, and return the exit code; raises `TimeoutExpired`."""
        ...

    def send_signal(self, number: int, /) -> None:
        """Send it a signal."""
        ...


@dataclass
class Daemon:
    """A folder with a judge in it, whose daemon can be started, killed and started again.

    At the end of a `with` block no daemon runs. What looks at the process itself has it started
    as people do (not *forked*), in an interpreter of its own.
    """

    folder: Path
    environment: Mapping[str, str] = field(default_factory=lambda: CONFIGURED)
    port: int = 0
    forked: bool = True
    process: Running | None = None
    promised: list[str] = field(default_factory=list, init=False)  # Message-IDs
    _said: TextIO | None = field(default=None, init=False, repr=False)
    _opened: dict[str, Message] = field(default_factory=dict, init=False, repr=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        if self.process:
            self.kill()

    def start(self, *program: str) -> None:
        """Start the daemon, by the module *program*, with its arguments, if one is named."""
        self.launch(*(program or ("judge",)))
        self.listen()

    def listen(self) -> None:
        """Wait until the daemon listens."""
        assert self._said
        line = self._said.readline()
        assert line.startswith(LISTENING), self.log()
        port = line.removeprefix(LISTENING).partition(",")[0].rpartition(":")[2]
        self.port = int(port) if port.isdecimal() else 0  # a socket has none

    def start_to_die(self, *program: str) -> None:
        """Start a daemon that will kill itself, and wait until it has."""
        self.launch(*program)
        assert self.reap() == -signal.SIGKILL, self.log()

    def kill(self) -> None:
        """End the daemon as a power cut would."""
        assert self.process
        self.process.send_signal(signal.SIGKILL)
        self.reap()

    def stop(self) -> int:
        """Ask the daemon to stop, and return its exit code."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        return self.reap()

    def reap(self) -> int:
        """Wait until the daemon has ended, and return its exit code."""
        assert self.process
        assert self._said
        code = self.process.wait(PATIENCE_SECONDS * processes_a_core())
        self._said.close()
        self.process = self._said = None
        return code

    def log(self) -> str:
        """Return what the daemon wrote for its operator."""
        return (self.folder / "daemon.log").read_text()

    def judge(self, *arguments: str, code: int = 0) -> str:
        """Run `judge` with *arguments* and return what it printed."""
        with TemporaryFile("w+") as out, TemporaryFile("w+") as errors:
            command = ("judge", *arguments)
            process = self._begun(command, out.fileno(), errors.fileno())
            ended = process.wait(PATIENCE_SECONDS * processes_a_core())
            out.seek(0)
            errors.seek(0)
            told, failed = out.read(), errors.read()
        assert ended == code, f"{arguments}: {ended} {failed} {told}"
        return told or failed

    def position(self, game: str) -> dict[str, object]:
        """Return the position of *game* as `judge game show --json` gives it."""
        shown: dict[str, object] = json.loads(self.judge("game", "show", game, "--json"))
        return shown

    def ask(self, question: str) -> list[tuple[object, ...]]:
        """Return the rows that an SQL *question* to the store is answered with."""
        with closing(self._opened_store()) as connection:
            return connection.execute(question).fetchall()

    def change(self, statement: str) -> None:
        """Carry out an SQL *statement* in the store of a daemon that does not run."""
        assert not self.process
        with closing(self._opened_store()) as connection, connection:
            connection.execute(statement)

    def rests(self) -> bool:
        """Return whether every email has been answered and every reply sent."""
        waiting = "SELECT count(*) FROM inbox WHERE state = 'received'"
        queued = "SELECT count(*) FROM outbox WHERE state = 'queued'"
        return self.ask(waiting) == self.ask(queued) == [(0,)]

    def come_to_rest(self, patience_seconds: float = PATIENCE_SECONDS) -> None:
        """Wait until nothing is left to do."""
        never = f"the daemon never came to rest: {self.log()[-2000:]}"
        wait_until(self.rests, never, patience_seconds)

    def close_phase(self, game: str) -> None:
        """Close the open phase of *game* at once."""
        self.judge("game", "process", game)

    def mails(self, recipient: str | None = None) -> list[Message]:
        """Return the emails sent, oldest first, or those to *recipient*."""
        folder = self.folder / "outgoing"
        box = mailbox.Maildir(folder, create=False)
        keys = set(box.keys())
        for key in sorted(
            keys - self._opened.keys(), key=lambda key: (folder / "new" / key).stat().st_mtime_ns
        ):
            self._opened[key] = box[key]
        mails = [mail for key, mail in self._opened.items() if key in keys]
        return [mail for mail in mails if recipient in (None, mail["Delivered-To"])]

    def smtp(self) -> smtplib.SMTP:
        """Connect to the daemon by SMTP."""
        return smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE_SECONDS)

    def send(self, mail: EmailMessage) -> None:
        """Send one email; raises what smtplib raises when it is not taken."""
        with self.smtp() as client:
            client.send_message(mail)

    def offer(self, mail: EmailMessage) -> bool:
        """Send one email; return whether it was taken, or a mail server would try again.

        Those that were taken are *promised* to be kept.
        Raises `SMTPException` if it is refused for ever.
        """
        try:
            self.send(mail)
        except (smtplib.SMTPRecipientsRefused, smtplib.SMTPResponseException) as refused:
            if "5" in _first_digits(refused):
                raise
            return False
        except (smtplib.SMTPException, OSError):
            return False
        self.promised.append(str(mail["Message-ID"]))
        return True

    def launch(self, *program: str) -> None:
        """Start the daemon by the module *program*, with its arguments, and do not wait."""
        reading, writing = os.pipe()
        with (self.folder / "daemon.log").open("a") as log:
            self.process = self._begun((*program, "serve"), writing, log.fileno())
        os.close(writing)
        self._said = os.fdopen(reading)

    def _opened_store(self) -> sqlite3.Connection:
        return sqlite3.connect(self.folder / "judge.db", timeout=PATIENCE_SECONDS)

    def _begun(self, command: Sequence[str], out: int, errors: int) -> Running:
        """Begin `python -m command`, which writes into the open files *out* and *errors*."""
        environment = self._environment()
        if self.forked:
            return Forked(command, self.folder, environment, stdout=out, stderr=errors)
        words = [sys.executable, "-m", *command]
        return subprocess.Popen(words, cwd=self.folder, env=environment, stdout=out, stderr=errors)

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith("JUDGE_")}
        return {**kept, "PYTHONPATH": str(Path(__file__).parents[2]), **self.environment}


def _first_digits(
    refused: smtplib.SMTPRecipientsRefused | smtplib.SMTPResponseException,
) -> set[str]:
    """Return the first digits of the codes that an email was refused with."""
    if isinstance(refused, smtplib.SMTPRecipientsRefused):
        return {str(code)[0] for code, _ in refused.recipients.values()}
    return {str(refused.smtp_code)[0]}


FORGET_THE_REST = "DELETE FROM pulse"  # Else a copy would begin by giving back the time of it.


@dataclass
class Player:
    """A player with an address and a mail program."""

    daemon: Daemon
    address: str
    read: set[str] = field(default_factory=set)

    def write(self, text: str, to: str = ADDRESS, subject: str = "orders") -> EmailMessage:
        """Send a new email and return it."""
        mail = new_email(self.address, text, to, subject)
        self.daemon.send(mail)
        return mail

    def answer(self, mail: Message, text: str) -> None:
        """Reply to *mail* without quoting it."""
        self.daemon.send(self.answering(mail, text))

    def answering(self, mail: Message, text: str) -> EmailMessage:
        """Return an answer to *mail*."""
        reply = new_email(self.address, text, str(mail["Reply-To"]), f"Re: {mail['Subject']}")
        reply["In-Reply-To"] = mail["Message-ID"]
        return reply

    def wait_for(self, kind: str, subject: str = "") -> Message:
        """Return the next unread mail of *kind*; fails when none comes."""
        wait_until(
            lambda: bool(self.unread(kind, subject)),
            f"no {kind} came to {self.address}: {self.daemon.log()[-2000:]}",
        )
        mail = self.unread(kind, subject)[0]
        self.read.add(mail["Message-ID"])
        return mail

    def unread(self, kind: str, subject: str = "") -> list[Message]:
        """Return the unread emails of *kind*, those with *subject* in theirs."""
        return [
            mail
            for mail in self.daemon.mails(self.address)
            if mail["Message-ID"] not in self.read
            and mail["X-Judge-Kind"] == kind
            and subject in mail["Subject"]
        ]


def copied(begun: Path, folder: Path, **environment: str) -> Daemon:
    """Return a judge in *folder* that is as the one in *begun* was when it ended a moment ago."""
    shutil.copytree(begun, folder, dirs_exist_ok=True)
    daemon = Daemon(folder, CONFIGURED | environment)
    daemon.change(FORGET_THE_REST)
    return daemon


def seated(daemon: Daemon, power: str) -> tuple[Player, Message]:
    """Return the player of *power* in a game that has begun, and their start email."""
    player = Player(daemon, f"{power.lower()}@players.example")
    mails = {mail["X-Judge-Kind"]: mail for mail in daemon.mails(player.address)}
    player.read.update(mail["Message-ID"] for mail in daemon.mails(player.address))
    return player, mails["game_start"]


def new_email(sender: str, text: str, to: str = ADDRESS, subject: str = "orders") -> EmailMessage:
    """Return an email as a simple program writes it."""
    mail = EmailMessage()
    mail["From"], mail["To"], mail["Subject"] = sender, to, subject
    mail["Message-ID"] = make_msgid(domain="players.example")
    mail.set_content(text)
    return mail


def header_of(raw: object, name: str) -> str:
    """Return a header of an email as the store keeps it."""
    assert isinstance(raw, bytes)
    return str(message_from_bytes(raw)[name])


def text_of(mail: Message) -> str:
    """Return the text part of an email."""
    for part in mail.walk():
        if part.get_content_type() == "text/plain":
            payload = part.get_payload(decode=True)
            assert isinstance(payload, bytes)
            return payload.decode()
    raise AssertionError("a mail without text")


def seat(daemon: Daemon, game: str, *rules: str) -> dict[str, tuple[Player, Message]]:
    """Create *game*, let seven players join, and return them with their start emails."""
    daemon.judge("game", "new", game, *(word for rule in rules for word in ("--rule", rule)))
    players = {power: Player(daemon, f"{power.lower()}@players.example") for power in POWERS}
    for power, player in players.items():
        player.write(f"JOIN {game}\nSET PREFERENCE {power[0]}\n")
        player.answer(player.wait_for("confirm_join"), "YES\n")
        player.wait_for("receipt" if power == POWERS[-1] else "joined")  # the last starts the game
    return {power: (player, player.wait_for("game_start")) for power, player in players.items()}


def wait_until(
    true: Callable[[], bool],
    otherwise: str | Callable[[], str],
    patience_seconds: float = PATIENCE_SECONDS,
) -> None:
    """Wait for something to become true; fails with *otherwise*, as it is then, if it does not.

    On a machine that has other work, too, it waits for longer.
    """
    left, before = patience_seconds, time.monotonic()
    while left > 0:
        if true():
            return
        time.sleep(0.05)
        now = time.monotonic()
        left, before = left - (now - before) / processes_a_core(), now
    raise AssertionError(otherwise if isinstance(otherwise, str) else otherwise())


def processes_a_core() -> float:
    """Return how many processes have lately shared each core of this machine, at least one."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
