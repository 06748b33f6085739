"""A judge with a real store and a real board, its players, and a clock that the test moves.

A test sends emails, and reads those that the judge queues in response.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64encode
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import SMTP, SMTPUTF8, default
from functools import cached_property, lru_cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any
from urllib.parse import unquote
from weakref import finalize

import sqlalchemy as sa

from judge.adapters.crypto import FernetEncryption
from judge.adapters.store.database import open_database
from judge.adapters.store.transactions import SqlDatabase
from judge.adapters.variant_files import InstalledVariants, load_art, load_map
from judge.app.admin import game_admin
from judge.app.commands.answers import finished_pages
from judge.app.commands.table import COMMANDS
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.loop import run_once
from judge.app.outbound import rendering
from judge.app.outbound.facts import FactsReader
from judge.app.ports.inbox import Envelope
from judge.app.ports.judge import Judge
from judge.app.ports.outbox import OutgoingMail
from judge.app.ports.people import MailForm, Receipts
from judge.event_log import Recorded
from judge.game.game_state import Game
from judge.game.house_rules import choose_rules
from judge.game.players.standbys import JoinGame
from judge.mail.proofs import PROOF_FILENAME as PROOF_FILE
from judge.rules.board import DEFAULT_VARIANT
from judge.settings import DatabaseServer
from tests.support.quick_sqlite import SharingDialect, make_empty, write_without_waiting

JUDGE = "judge@judge.example"
MONDAY = datetime(2026, 11, 23, 12, tzinfo=UTC)
FIRST_DEADLINE = datetime(2026, 11, 30, 20, tzinfo=UTC)  # of a game that starts on that Monday
CLOSING_TIME = "20:00"  # of each game that names no other
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
MODERATOR = "moderator@players.example"


@dataclass(frozen=True)
class Mail:
    """An email of the judge, as its reader's mail program shows it; most are never looked at."""

    raw: bytes

    @cached_property
    def _message(self) -> EmailMessage:
        return message_from_bytes(self.raw, policy=default)

    @cached_property
    def recipient(self) -> str:
        return str(self._message["To"])

    @cached_property
    def subject(self) -> str:
        return str(self._message["Subject"])

    @cached_property
    def kind(self) -> str:
        return str(self._message["X-Judge-Kind"])

    @cached_property
    def message_id(self) -> str:
        return str(self._message["Message-ID"])

    @cached_property
    def answers(self) -> str:
        return str(self._message["In-Reply-To"] or "")

    @cached_property
    def reply_to(self) -> str:
        return str(self._message["Reply-To"])

    @cached_property
    def text(self) -> str:
        plain = self._message.get_body(("plain",))
        assert plain, "each email has a part in plain text"
        return str(plain.get_content()).replace("\r\n", "\n")

    @cached_property
    def html(self) -> str:
        page = self._message.get_body(("html",))
        return str(page.get_content()) if page else ""

    @cached_property
    def proof(self) -> str:
        """Return the attached commitments and log head."""
        parts = (part for part in self._message.walk() if part.get_filename() == PROOF_FILE)
        proof = next(parts, None)
        return proof.get_content().decode() if proof else ""

    @property
    def words(self) -> str:
        """Return the text without its line breaks."""
        return " ".join(self.text.split())

    @property
    def yes(self) -> str:
        """Return what the button for YES writes: a code, too, if the question needs one."""
        body = re.search(r"[?&]body=(YES[^&>\s]*)", self.text)
        assert body, "the email asks for a YES"
        return unquote(body[1])

    @property
    def token(self) -> str:
        """Return the token in the Reply-To address, empty if there is none."""
        return self.reply_to.partition("+")[2].partition("@")[0]


@dataclass(slots=True)
class ManualClock:
    """A clock that only the test moves."""

    time: datetime = MONDAY

    def now(self) -> datetime:
        return self.time


@dataclass(slots=True)
class SeededRandom:
    """Random numbers that are the same in each run."""

    seed: str
    rolled: int = 0

    def nonce(self) -> str:
        return self._roll().hex()[:32]

    def key(self) -> bytes:
        return urlsafe_b64encode(self._roll())

    def _roll(self) -> bytes:
        self.rolled += 1
        return sha256(f"{self.seed}:{self.rolled}".encode()).digest()


class FastPasswords:
    """Hashes quickly and insecurely."""

    def hash(self, password: str) -> str:
        return sha256(password.encode()).hexdigest()

    def matches(self, password: str, hashed: str) -> bool:
        return self.hash(password) == hashed


def render_email(judge: Judge, mail: OutgoingMail) -> bytes:
    """Return the bytes that *mail*, which may not be rendered yet, would have now."""
    reader = FactsReader(judge.board_drawn, partial(rendering._closing, judge))
    return rendering._rendered_part(judge, reader, mail).raw


@dataclass(slots=True)
class RecordingLog:
    """Keeps the lines of the operator's log."""

    lines: list[str] = field(default_factory=list)
    failures: list[Exception] = field(default_factory=list)

    def note(self, event: str, **facts: str | int) -> None:
        self.lines.append(f"{event} {facts}")

    def warning(self, event: str, **facts: str | int) -> None:
        self.note(event, **facts)

    def failed(self, event: str, error: Exception, **facts: str | int) -> None:
        self.lines.append(f"{event} {facts}")
        self.failures.append(error)


class Table:
    """A judge in a folder, or on a *server*; *seed* determines its random numbers.

    Its emails are plain text unless *form* says more, which takes twice the time.
    """

    def __init__(
        self,
        folder: Path,
        seed: str = "table",
        server: DatabaseServer | None = None,
        form: MailForm = MailForm.TEXT,
    ) -> None:
        self.file = folder / "judge.db"
        if server is None and not self.file.exists():
            make_empty(self.file)
        self.clock = ManualClock()
        self.operator_log = RecordingLog()
        self.database: SqlDatabase = open_database(server or self.file)
        finalize(self, self.database.close)  # of tests that forget it, which 3.13 and later report
        if isinstance(self.database._engine.dialect, SharingDialect):  # not in benches
            write_without_waiting(self.database._engine)
        self.judge = Judge(
            database=self.database,
            boards=load_map,
            variants=InstalledVariants(),
            clock=self.clock,
            random=SeededRandom(seed),
            encryption=FernetEncryption(),
            passwords=FastPasswords(),
            operator_log=self.operator_log,
            commands=COMMANDS,
            pages_of=finished_pages,
            address=JUDGE,
            arts=load_art,
            form=form,
        )
        self.way_in = "smtp"
        self._seed = seed
        self._written = 0
        self._read: list[Mail] = []
        self._last_read = 0

    def close(self) -> None:
        self.database.close()

    # What people do

    def mail(
        self,
        sender: str,
        text: str,
        to: str = JUDGE,
        *,
        subject: str = "",
        envelope: str | None = None,
        **headers: str,
    ) -> tuple[Mail, ...]:
        """Send *text* from *sender*, and return the emails that the judge queues in response."""
        before = len(self.outbox())
        self.deliver(self.compose(sender, text, to, subject=subject, **headers), envelope, to)
        self.run_once()
        return self.outbox()[before:]

    def compose(
        self, sender: str, text: str, to: str = JUDGE, *, subject: str = "", **headers: str
    ) -> EmailMessage:
        """Return an email; *headers* have `_` for `-`."""
        self._written += 1
        message = EmailMessage(policy=SMTP)
        message["From"] = sender
        message["To"] = to
        message["Subject"] = subject
        message["Message-ID"] = f"<{self._seed}.{self._written}@players.example>"
        for name, value in headers.items():
            del message[name.replace("_", "-")]
            message[name.replace("_", "-")] = value
        message.set_content(text)
        return message

    def deliver(self, message: EmailMessage, envelope: str | None, to: str) -> None:
        """Store an email as the SMTP server does, without processing it."""
        sender = str(message["From"]) if envelope is None else envelope
        policy = SMTP if sender.isascii() else SMTPUTF8  # since 3.15, an address needs it
        self.store_email(message.as_bytes(policy=policy), sender, to)

    def store_email(
        self, raw: bytes, sender: str = "somebody@players.example", to: str = JUDGE
    ) -> bool:
        with self.database.write() as transaction:
            mail = Envelope(raw, sender, (to,), self.way_in)
            return transaction.inbox.keep([(mail, self.clock.now())]) == 1

    def reply(
        self, mail: Mail, text: str, sender: str | None = None, **headers: str
    ) -> tuple[Mail, ...]:
        """Reply to an email of the judge as a mail program does."""
        return self.mail(
            sender or mail.recipient,
            text,
            mail.reply_to,
            subject=f"Re: {mail.subject}",
            In_Reply_To=mail.message_id,
            **headers,
        )

    def confirm(self, question: Mail, **headers: str) -> tuple[Mail, ...]:
        """Tap the button for YES in a *question* of the judge."""
        return self.reply(question, question.yes, **headers)

    def send(self, power: str, text: str, game: str = "baltic") -> Mail:
        """Reply to a player's latest email about *game*, and return the receipt."""
        answered = self.latest(power, game)
        receipts = [
            mail for mail in self.reply(answered, text) if mail.recipient == address_of(power)
        ]
        return receipts[-1]

    def all_send(self, text: str, *, but: Sequence[str] = ()) -> None:
        for power in POWERS:
            if power not in but:
                self.send(power, text)

    def all_hold(self, game: str = "baltic", *, but: Sequence[str] = ()) -> None:
        """Send hold orders for all units of every power."""
        position = self.game(game).position
        assert position is not None
        for power in POWERS:
            if power not in but:
                units = position.units_of(power)
                self.send(power, "\n".join(f"{unit} H" for unit in units), game)

    def play(self, game: str = "baltic", **orders: str) -> tuple[Mail, ...]:
        """Send these *orders*, and holds for the other powers; the phase closes early."""
        self.all_hold(game, but=tuple(orders))
        for power, text in orders.items():
            self.send(power, text, game)
        return self.pass_time(hours=13)

    def want_proofs(self, *powers: str) -> None:
        """Attach proofs to the emails of *powers*, or of all."""
        with self.database.write() as transaction:
            for power in powers or POWERS:
                person = transaction.people.by_address(address_of(power))
                assert person
                transaction.people.change(person.id, receipts=Receipts.FULL)

    def close_phase(self, game: str = "baltic") -> tuple[Mail, ...]:
        """Close the open phase as the operator; return the results."""
        before = len(self.outbox())
        game_admin.close_phase_now(self.judge, game, None)
        return tuple(mail for mail in self.outbox()[before:] if mail.kind == "phase_results")

    # What happens

    def run_once(self) -> None:
        """Process all email and deadlines that are due; raise our own failures."""
        run_once(self.judge)
        if self.operator_log.failures:
            raise self.operator_log.failures[0]

    def pass_time(self, *, hours: float = 0, minutes: float = 0) -> tuple[Mail, ...]:
        """Move the clock, and return the emails that the judge queues."""
        return self.wait_until(self.clock.time + timedelta(hours=hours, minutes=minutes))

    def wait_until(self, time: datetime) -> tuple[Mail, ...]:
        before = len(self.outbox())
        self.clock.time = time
        self.run_once()
        return self.outbox()[before:]

    def open(
        self,
        game: str = "baltic",
        *rules: str,
        moderator: str | None = None,
        variant: str = DEFAULT_VARIANT,
    ) -> None:
        """Open a game that waits for its players."""
        rules = (f"closing_time={CLOSING_TIME}", *rules)
        rulebook = choose_rules(rules, game=game)
        new = game_admin.NewGame(game, *rulebook, variant, moderator)
        game_admin.create_game(self.judge, new)

    def start(
        self,
        game: str = "baltic",
        *rules: str,
        moderator: str | None = None,
        variant: str = DEFAULT_VARIANT,
    ) -> None:
        """Start a game in which each player gets the power in their address."""
        self.open(game, *rules, moderator=moderator, variant=variant)
        now = self.clock.now()
        with self.database.write() as transaction:
            for power in self.judge.boards(variant).players:
                person = register_person(self.judge, transaction, address_of(power), now)
                join = JoinGame(person.id, ((power,),), "seed")
                apply_command(self.judge, transaction, game, join, now)

    def join(self, game: str, power: str) -> tuple[Mail, ...]:
        """Send JOIN for *game*, and confirm it."""
        [confirm] = self.mail(address_of(power), f"JOIN {game} PREFER {power[0]}")
        return self.reply(confirm, confirm.yes)

    def render(self) -> None:
        """Render all emails, as the delivery does before it sends them."""
        while rendering.render_waiting(self.judge):
            pass

    # What there is

    def outbox(self) -> tuple[Mail, ...]:
        """Return every email queued so far, oldest first."""
        self.render()
        new = sa.text("SELECT id, raw FROM outbox WHERE id > :read ORDER BY id")
        with self.database._readers.connect() as connection:
            queued = connection.execute(new, {"read": self._last_read}).all()
        for number, raw in queued:
            self._read.append(parse_email(raw or self.held_back(number)))
            self._last_read = number
        return tuple(self._read)

    def held_back(self, number: int) -> bytes:
        """Return an email that is rendered only in its digest."""
        with self.database.read() as transaction:
            mail = transaction.outbox.get(number)
        assert mail
        return render_email(self.judge, mail)

    def reread_outbox(self) -> None:
        """Read the outbox from its beginning, after emails were removed from it."""
        self._read.clear()
        self._last_read = 0

    def emails_to(self, address: str, kind: str | None = None) -> tuple[Mail, ...]:
        """Return the emails to *address*, oldest first, all or those of the template *kind*."""
        return tuple(
            mail
            for mail in self.outbox()
            if mail.recipient == address and kind in (None, mail.kind)
        )

    def latest(self, power: str, game: str = "baltic") -> Mail:
        """Return the latest email about *game* that a player would reply to with orders."""
        about = (
            mail for mail in self.emails_to(address_of(power)) if f":{game} - " in mail.subject
        )
        return [mail for mail in about if mail.kind != "letter"][-1]

    def inbox(self) -> list[str]:
        """Return the states of the received emails, oldest first."""
        return [state for (state,) in self.query("SELECT state FROM inbox ORDER BY id")]

    def game(self, name: str = "baltic") -> Game:
        found = game_admin.load_game(self.judge, name)
        assert found is not None
        return found

    def phase(self, name: str = "baltic") -> str:
        """Return the code of the open phase."""
        position = self.game(name).position
        assert position is not None
        return position.phase.code

    def deadline(self, name: str = "baltic") -> datetime:
        """Return the deadline of the open phase."""
        phase = self.game(name).phase
        assert phase is not None
        return phase.deadline

    def current_orders(self, power: str, name: str = "baltic") -> tuple[str, ...]:
        """Return the current orders of *power*, as the log writes them."""
        phase = self.game(name).phase
        assert phase is not None
        return phase.standing.get(power, ())

    def log(self, name: str = "baltic") -> tuple[Recorded, ...]:
        return game_admin.read_log(self.judge, name)

    def count_events(self, event: type, name: str = "baltic") -> int:
        """Count the events of a kind."""
        return sum(isinstance(each.event, event) for each in self.log(name))

    def query(self, question: str) -> list[tuple[Any, ...]]:
        """Return the rows for an SQL *question* to the store, in which all emails are rendered."""
        if "outbox" in question:
            self.render()
        with self.database._readers.connect() as connection:
            return [tuple(row) for row in connection.exec_driver_sql(question)]


def address_of(power: str) -> str:
    """Return the address of the player of *power*."""
    return f"{power.lower()}@players.example"


@lru_cache(maxsize=4_096)  # tests look into a mailbox again and again
def parse_email(raw: bytes) -> Mail:
    """Return an email of the judge, each part of which is parsed when it is first looked at."""
    return Mail(raw)
