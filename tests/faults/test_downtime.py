"""A daemon that was down while several deadlines passed: R60.

The fault lasts as long as no judge runs; `tests/e2e/test_status.py` looks what is said of that.
"""

from __future__ import annotations

import smtplib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import format_datetime
from pathlib import Path

from judge.adapters.store.database import open_database
from judge.app.admin import game_admin
from judge.app.game.apply import apply_command
from judge.app.identity import register_person
from judge.app.outbound.rendering import render_waiting
from judge.app.ports.inbox import Envelope
from judge.app.ports.judge import Judge
from judge.daemon import judge_of
from judge.game.house_rules import choose_rules
from judge.game.players.standbys import JoinGame
from judge.settings import load
from tests.faults.jumping import put_ahead
from tests.support.daemon import ADDRESS, CONFIGURED, POWERS, Daemon, Player, text_of
from tests.support.final_count import emails_are_answered_once, results_came_once
from tests.support.servers import free_door

RULES = ("first_spring_extension_hours=0", "grace_hours=0", "nmr=hold", "reminder_hours=")
BOUNDARY = "mx.judge.example"
BEHIND_IT = {"JUDGE_RECEIVED_BY": BOUNDARY, "JUDGE_HANDOVER_SECONDS": "0"}
LMTP = free_door()  # what comes by SMTP has not passed the boundary
BEHIND_IT |= {"JUDGE_LMTP": LMTP}
ENVIRONMENT = {**CONFIGURED, **BEHIND_IT, "JUDGE_MAIL_FORM": "text"}
RETRY = timedelta(seconds=301)  # A second more than the mail server may take by default.
FRANCE = "france@players.example"
ORDERED, CLOSED = "orders_submitted", "phase_closed"
HAPPENED = """SELECT type, game FROM events
    WHERE type IN ('orders_submitted', 'phase_closed') ORDER BY position"""
STARTS = """SELECT raw FROM outbox
    WHERE recipient = 'france@players.example' AND game = 'baltic' AND kind = 'game_start'"""

# In minutes from now: when each game is due, the judge went down, and it is up again.
BALTIC, ADRIATIC, DOWN, UP = 60, 65, 58, 70


def test_r60_after_several_missed_deadlines_mail_comes_first_and_each_phase_closes_once(
    tmp_path: Path,
) -> None:
    begin = datetime.now(UTC)
    ahead = tmp_path / "ahead"
    put_ahead(ahead, UP * 60)
    in_hand = lay(tmp_path, begin)
    with Daemon(tmp_path, ENVIRONMENT) as daemon:
        daemon.start("tests.faults.jumping", str(ahead))
        player = Player(daemon, FRANCE)
        player.wait_for("receipt", "baltic")
        start = player.wait_for("game_start", "adriatic")
        mails = [player.answering(start, f"{order}\n") for order in ("A Par-Pic", "A Par-Gas")]
        hand_over(received(mails[0], minutes(begin, BALTIC + 2)))
        player.wait_for("receipt", "adriatic")
        hand_over(received(mails[1], minutes(begin, ADRIATIC + 2)))
        late = player.wait_for("receipt", "adriatic")
        assert "The deadline has passed" in text_of(late)
        assert (CLOSED, "baltic") not in daemon.ask(HAPPENED), "the mail server may have more"

        put_ahead(ahead, UP * 60 + RETRY.total_seconds())

        for game in ("baltic", "adriatic"):
            player.wait_for("phase_results", game)
        daemon.come_to_rest()
        happened = daemon.ask(HAPPENED)
        assert happened[:2] == [(ORDERED, "baltic"), (ORDERED, "adriatic")]
        # In either order: the clock may be set between the looks at the two games.
        assert sorted(happened[2:]) == [(CLOSED, "adriatic"), (CLOSED, "baltic")]
        emails_are_answered_once(daemon, [in_hand, *(str(mail["Message-ID"]) for mail in mails)])
        results_came_once(daemon, "Army Paris -> Burgundy")
        results_came_once(daemon, "Army Paris -> Picardy", game="adriatic")
        assert player.unread("phase_results") == []


def lay(folder: Path, begin: datetime) -> str:
    """Make a judge with two games that went down with an email in its hand; return its name."""
    file = folder / "judge.db"
    settings = {"database": str(file), "address": ADDRESS, "mail_form": "text"}
    with closing(open_database(file)) as database:
        judge = judge_of(load(None, settings), database)
        for game, due in (("adriatic", ADRIATIC), ("baltic", BALTIC)):
            seat(judge, game)
            game_admin.move_deadline(judge, game, minutes(begin, due), "a test")
        while render_waiting(judge):
            pass
        with database.write() as transaction:
            mails = transaction.connection.exec_driver_sql(STARTS)
            start = message_from_bytes(mails.scalar_one())
            letter = Player(Daemon(folder), FRANCE).answering(start, "A Par-Bur\n")
            raw, to = letter.as_bytes(), str(start["Reply-To"])
            transaction.inbox.keep([(Envelope(raw, FRANCE, (to,), "smtp"), minutes(begin, DOWN))])
            transaction.agenda.record_heartbeat(minutes(begin, DOWN))
            return str(letter["Message-ID"])


def seat(judge: Judge, game: str) -> None:
    """Start a game in which each player has the power in their address."""
    game_admin.create_game(judge, game_admin.NewGame(game, *choose_rules(RULES, game=game)))
    now = judge.clock.now()
    with judge.database.write() as transaction:
        for power in POWERS:
            person = register_person(judge, transaction, f"{power.lower()}@players.example", now)
            apply_command(judge, transaction, game, JoinGame(person.id, ((power,),), "seed"), now)


def minutes(begin: datetime, count: int) -> datetime:
    return begin + timedelta(minutes=count)


def hand_over(mail: EmailMessage) -> None:
    """Hand *mail* to the judge as the mail server before it does."""
    host, _, port = LMTP.partition(":")
    with smtplib.LMTP(host, int(port)) as client:
        client.send_message(mail)


def received(mail: EmailMessage, at: datetime) -> EmailMessage:
    """Date *mail* as if the mail server before the judge had received it then."""
    mail["Received"] = f"from home.example by {BOUNDARY} with ESMTP id 1; {format_datetime(at)}"
    return mail
