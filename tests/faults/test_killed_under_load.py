"""A daemon killed repeatedly under load loses nothing it accepted and does nothing twice.

Killed at once, it shows that no moment is a bad one; `test_one_message` and `test_one_deadline`
kill at each step in turn.
"""

from __future__ import annotations

import random
import re
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from email import message_from_bytes
from email.message import Message
from functools import partial
from pathlib import Path
from typing import cast

import pytest
from sqlalchemy.exc import SQLAlchemyError

from judge.adapters.store.database import open_database
from judge.app.inbound.questions import ANSWERS_MAX
from judge.app.outbound.delivery import IN_HAND_MAX
from judge.app.ports.outbox import OutgoingMail
from tests.support.daemon import (
    ADDRESS,
    BACKLOG_SECONDS,
    Daemon,
    Player,
    copied,
    header_of,
    seated,
    wait_until,
)
from tests.support.final_count import emails_are_kept_once
from tests.support.mail_server import MailServer, listening
from tests.support.order_emails import UNITS
from tests.support.servers import free_door

AT_LENGTH = pytest.mark.slow
CONNECTIONS = 4
BREATH_SECONDS = 0.05
WAITING_MAX, LOOKED_AT_EVERY_SECONDS = 20, 0.5
WAITING = "SELECT count(*) FROM inbox WHERE state = 'received'"
WITHHELD = r'"mail": "(\w+)", "event": "answer\.withheld"'


LATEST_RESULTS = """SELECT raw FROM outbox WHERE recipient = '{}' AND kind = 'phase_results'
    ORDER BY id DESC LIMIT 1"""


class Senders:
    """Mail servers that hand letters to a judge by some connections, each until it is promised.

    After each letter they take a *breath*, or most of the time goes to those that have piled up;
    and none begins a new one while `WAITING_MAX` wait, however slow the machine is.
    """

    def __init__(self, daemon: Daemon, breath_seconds: float = BREATH_SECONDS) -> None:
        self._daemon = daemon
        self._breath_seconds = breath_seconds
        self._seats = [(*seated(daemon, power), unit) for power, unit in UNITS.items()]
        self._writing = [threading.Lock() for _ in range(CONNECTIONS)]
        self._stopping = threading.Event()
        self._going = threading.Event()
        self.promised: list[str] = []
        self._threads = [
            threading.Thread(target=self._run, args=(number,)) for number in range(CONNECTIONS)
        ]
        self._threads.append(threading.Thread(target=self._watch))

    @contextmanager
    def running(self) -> Iterator[None]:
        """Send until the end of the block."""
        self._going.set()
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stopping.set()
            self._going.set()
            for thread in self._threads:
                thread.join()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Begin no new letter until the end of the block, and answer the latest results then.

        The address of a phase that is over would be asked about.
        """
        with ExitStack() as stack:
            for lock in self._writing:
                stack.enter_context(lock)
            yield
            self._seats = [
                (player, self._latest(player, start), u) for player, start, u in self._seats
            ]

    def _latest(self, player: Player, start: Message) -> Message:
        """Return the latest results; they are rendered soon after the phase has closed."""
        question = LATEST_RESULTS.format(player.address)
        wait_until(
            lambda: self._daemon.ask(question) != [(b"",)],
            f"no results were rendered: {self._daemon.log()[-2000:]}",
        )
        results = self._daemon.ask(question)
        return message_from_bytes(cast("bytes", results[0][0])) if results else start

    def _watch(self) -> None:
        """Pause the senders while more letters wait than a judge answers soon."""
        while not self._stopping.wait(LOOKED_AT_EVERY_SECONDS):
            with suppress(SQLAlchemyError, sqlite3.Error):
                [(waiting,)] = self._daemon.ask(WAITING)
                assert isinstance(waiting, int)
                (self._going.clear if waiting > WAITING_MAX else self._going.set)()

    def _run(self, number: int) -> None:
        count = 0
        while not self._stopping.is_set():
            self._going.wait()
            with self._writing[number]:
                power = (number + CONNECTIONS * count) % len(self._seats)
                player, start, unit = self._seats[power]
                text = f"{unit} H\n\nGreetings, {number}, for the {count}th time.\n"
                mail = player.answering(start, text)
                while not self._daemon.offer(mail):
                    time.sleep(0.05)
                self.promised.append(str(mail["Message-ID"]))
            count += 1
            time.sleep(self._breath_seconds)


@pytest.mark.timeout(7_200)
@pytest.mark.parametrize("kills", [3, pytest.param(200, marks=AT_LENGTH)])
def test_r1_r2_kills_under_load_lose_or_double_nothing_accepted(
    begun: Path, tmp_path: Path, kills: int
) -> None:
    """Every result is sent, as one Message-ID, and no phase closes twice."""
    with listening() as peer:
        environment = {"JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}", "JUDGE_SMTP": free_door()}
        with copied(begun, tmp_path, **environment) as daemon:
            senders = Senders(daemon)
            daemon.start()
            with senders.running():
                for number in range(kills):
                    answered = answers(daemon)
                    time.sleep(random.Random(number).uniform(0.1, 1.0))  # noqa: S311 - no secret
                    if number % 3:  # or a slow machine would count three kills against one email
                        wait_until(partial(_goes_on, daemon, answered), "nothing is answered")
                    if number % 5 == 4:
                        with senders.paused():
                            close_phase(daemon)  # so that results are sent, too
                    daemon.kill()
                    daemon.start()
            daemon.come_to_rest(BACKLOG_SECONDS)

            _all_is_there_once(daemon, senders.promised)
            _all_was_answered_once(daemon, senders.promised, kills)
            _all_was_sent(daemon, peer)
            assert "baltic: sound" in daemon.judge("log", "verify")
            assert daemon.stop() == 0


def _all_is_there_once(daemon: Daemon, promised: list[str]) -> None:
    assert len(promised) > CONNECTIONS
    emails_are_kept_once(daemon, promised)
    assert daemon.ask("SELECT DISTINCT state FROM inbox") == [("processed",)]
    closed = "SELECT count(*), count(DISTINCT json_extract(payload, '$.phase')) FROM events "
    ((phases, names),) = daemon.ask(closed + "WHERE type = 'phase_closed'")
    assert phases == names


def _all_was_answered_once(daemon: Daemon, promised: list[str], kills: int) -> None:
    """Find a receipt of each email but for those which the log says were one too many.

    Each of those is of a player who has had as many answers as anybody gets at once. What was
    noted just before a kill is decided again after it, by when an answer may be due.
    """
    receipts = daemon.ask("SELECT raw, recipient FROM outbox WHERE kind = 'receipt'")
    answers = Counter(header_of(raw, "In-Reply-To") for raw, _ in receipts)
    assert [name for name in promised if answers[name] > 1] == []

    mails = daemon.ask("SELECT sha256, raw FROM inbox")
    writers = {header_of(raw, "Message-ID"): header_of(raw, "From") for _, raw in mails}
    noted = set(re.findall(WITHHELD, daemon.log()))
    withheld = {header_of(raw, "Message-ID") for sha256, raw in mails if sha256 in noted}
    silent = {name for name in promised if not answers[name]}
    assert silent <= withheld
    assert len(withheld - silent) <= kills
    had = Counter(str(recipient) for _, recipient in receipts)
    assert {had[writers[name]] >= ANSWERS_MAX for name in silent} <= {True}


def _all_was_sent(daemon: Daemon, peer: MailServer) -> None:
    after = "SELECT message_id FROM outbox WHERE kind NOT IN ('confirm_join', 'game_start')"
    queued = {str(name) for (name,) in daemon.ask(f"{after} AND state = 'sent'")}
    sent = {str(mail["Message-ID"]) for mail in peer.mails}
    assert sent <= queued
    assert {str(name) for (name,) in daemon.ask("SELECT message_id FROM outbox")} >= sent
    results = {str(n) for (n,) in daemon.ask(f"{after} AND kind = 'phase_results'")}
    assert results <= sent


@pytest.mark.parametrize(("mails", "kills"), [(300, 3), pytest.param(3_000, 12, marks=AT_LENGTH)])
def test_r30_emails_sent_while_the_judge_is_killed_all_arrive_and_few_twice(
    begun: Path, tmp_path: Path, mails: int, kills: int
) -> None:
    with listening() as peer:
        environment = {"JUDGE_SMARTHOST": f"127.0.0.1:{peer.port}"}
        with copied(begun, tmp_path, **environment) as daemon:
            queue(daemon, mails)
            for number in range(kills):
                daemon.start()
                share = mails * (number + 1) // (kills + 1)
                wait_until(partial(_has_taken, peer, share), "nothing is sent")
                daemon.kill()
            daemon.start()
            daemon.come_to_rest()
            assert daemon.stop() == 0

    came = Counter(str(mail["Message-ID"]) for mail in peer.mails)
    assert set(came) == {f"<{number}@judge.example>" for number in range(mails)}
    assert came.total() - mails <= kills * IN_HAND_MAX


def close_phase(daemon: Daemon) -> None:
    """Make the open phase end, once all email that came is answered."""
    wait_until(partial(_is_answered, daemon), "the inbox is never empty", BACKLOG_SECONDS)
    daemon.judge("game", "process", "baltic")


def answers(daemon: Daemon) -> int:
    """Count the emails that have been answered."""
    [(count,)] = daemon.ask("SELECT count(*) FROM inbox WHERE state = 'processed'")
    assert isinstance(count, int)
    return count


def _goes_on(daemon: Daemon, answered: int) -> bool:
    return answers(daemon) > answered or _is_answered(daemon)


def _is_answered(daemon: Daemon) -> bool:
    return daemon.ask(WAITING) == [(0,)]


def _has_taken(peer: MailServer, count: int) -> bool:
    return len(peer.mails) >= count


def queue(daemon: Daemon, count: int) -> None:
    """Put emails into the outbox of a judge that does not run."""
    reader, now = "anne@players.example", datetime.now(UTC)
    store = open_database(daemon.folder / "judge.db")
    with closing(store) as database, database.write() as transaction:
        for number in range(count):
            name = f"<{number}@judge.example>"
            raw = f"Message-ID: {name}\r\n\r\nGreetings.\r\n".encode()
            transaction.outbox.put(OutgoingMail(name, ADDRESS, reader, raw, now, "letter"))
