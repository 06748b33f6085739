"""Automatic email through a real Postfix gets no reply, and bounces are recorded (R32)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.support.daemon import CONFIGURED, Daemon, copied, new_email, seated, wait_until
from tests.support.mail_server import listening
from tests.support.postfix import Postfix, postfix
from tests.support.servers import free_port

OTHER = "judge@other.example"
KEPT = "SELECT count(*) FROM inbox"
AUTOMATIC = "SELECT count(*) FROM inbox WHERE state = 'ignored'"
BOUNCED = "SELECT recipient FROM outbox WHERE bounced_utc IS NOT NULL"


@pytest.fixture
def lmtp() -> tuple[int, int]:
    """The addresses at which the two judges take mail."""
    return free_port(), free_port()


@pytest.fixture
def mx(lmtp: tuple[int, int]) -> Iterator[Postfix]:
    """A Postfix before both, and before a mail server that has no player."""
    with listening() as elsewhere:
        elsewhere.refused += ["550 5.1.1 Nobody of that name"] * 10
        ways = (
            f"{{other.example = lmtp:inet:127.0.0.1:{lmtp[1]}}}",
            f"{{players.example = smtp:[127.0.0.1]:{elsewhere.port}}}",
        )
        settings = {
            "virtual_mailbox_domains": "judge.example other.example",
            "relay_domains": "players.example",
            "transport_maps": f"inline:{{{', '.join(ways)}}}",
        }
        with postfix(f"lmtp:inet:127.0.0.1:{lmtp[0]}", settings) as mx:
            yield mx


@pytest.fixture
def judges(
    begun: Path, tmp_path: Path, lmtp: tuple[int, int], mx: Postfix
) -> Iterator[tuple[Daemon, Daemon]]:
    """Run a judge with a game, and another without players."""
    doors = [
        {"JUDGE_LMTP": f"127.0.0.1:{port}", "JUDGE_SMARTHOST": f"127.0.0.1:{mx.port}"}
        for port in lmtp
    ]
    (tmp_path / "other").mkdir()
    other = Daemon(tmp_path / "other", {**CONFIGURED, **doors[1], "JUDGE_ADDRESS": OTHER})
    with ExitStack() as stack:
        ours = stack.enter_context(copied(begun, tmp_path / "ours", **doors[0]))
        both = (ours, stack.enter_context(other))
        for judge in both:
            judge.start()
        yield both
        assert {judge.stop() for judge in both} == {0}


def test_r32_two_judges_exchange_one_email_at_most_through_postfix(
    judges: tuple[Daemon, Daemon], mx: Postfix
) -> None:
    ours, other = judges
    before = ours.ask(AUTOMATIC)
    with mx.smtp() as client:
        client.send_message(new_email(OTHER, "HELP\n"))  # as if the other judge had asked
    wait_until(lambda: other.ask(KEPT) == [(1,)], "the other judge was not answered")
    mx.come_to_rest()
    other.come_to_rest()

    assert other.ask("SELECT state FROM inbox") == [("ignored",)]
    assert other.ask("SELECT count(*) FROM outbox") == [(0,)]
    assert ours.ask(AUTOMATIC) == before, "nothing came back"


def test_r32_bounces_by_postfix_are_recorded_and_not_answered(
    judges: tuple[Daemon, Daemon], mx: Postfix
) -> None:
    ours, _ = judges
    player, start = seated(ours, "FRANCE")
    with mx.smtp() as client:
        client.send_message(player.answering(start, "A Par-Bur\n"))
    wait_until(lambda: ours.ask(BOUNCED) == [(player.address,)], "nothing came back")
    mx.come_to_rest()
    ours.come_to_rest()

    written = "SELECT count(*) FROM outbox WHERE recipient LIKE '%daemon%' OR recipient = ''"
    assert ours.ask(written) == [(0,)]
    assert ours.ask("SELECT count(*) FROM outbox WHERE state = 'given_up'") == [(0,)]


BOUNCE = """\
From: Mail Delivery System <MAILER-DAEMON@players.example>
To: {address}
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b

The mail system could not deliver your message.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; players.example

Final-Recipient: rfc822; france@players.example
Action: failed
Status: 5.1.1

--b
Content-Type: message/rfc822

Message-ID: {message_id}
Subject: x

x
--b--
"""
VACATION = """\
From: {player}
To: {address}
Subject: Out of office: {subject}
Auto-Submitted: auto-replied (vacation)
Message-ID: <vacation@players.example>
In-Reply-To: {message_id}

I am away. A Par-Bur
"""


def test_a_running_judge_notes_bounces_answers_no_vacation_note_and_quarantines_neither(
    begun: Path, tmp_path: Path
) -> None:
    with copied(begun, tmp_path) as daemon:
        player, start = seated(daemon, "FRANCE")
        daemon.start()
        told = {
            "address": start["Reply-To"],
            "player": player.address,
            "message_id": start["Message-ID"],
            "subject": start["Subject"],
        }
        [(sent,)] = daemon.ask("SELECT count(*) FROM outbox")
        own = f"SELECT sender FROM outbox WHERE message_id = '{start['Message-ID']}'"  # noqa: S608 - ours
        [(return_path,)] = daemon.ask(own)
        with daemon.smtp() as door:
            door.sendmail("", [str(return_path)], BOUNCE.format(**told))
            door.sendmail(player.address, [start["Reply-To"]], VACATION.format(**told))
        daemon.come_to_rest()

        ends = daemon.ask("SELECT state, reason FROM inbox ORDER BY id DESC LIMIT 2")
        assert ends == [("ignored", "auto_submitted"), ("processed", "an email came back")]
        assert daemon.ask(BOUNCED) == [(player.address,)]
        assert daemon.ask("SELECT count(*) FROM outbox") == [(sent,)], "nobody was answered"
        assert daemon.ask("SELECT count(*) FROM events WHERE type = 'orders_submitted'") == [(0,)]
