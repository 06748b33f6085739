"""A thousand mails at once: all are promised, all are kept, and each has one receipt."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from email import message_from_bytes
from email.message import EmailMessage
from pathlib import Path

import pytest

from tests.support.serving import Serving, copied, seated

MAILS, CONNECTIONS = 1_000, 10
PATIENCE_SECONDS = 90
UNITS = {
    "AUSTRIA": "A Vie",
    "ENGLAND": "F Lon",
    "FRANCE": "A Par",
    "GERMANY": "A Mun",
    "ITALY": "A Ven",
    "RUSSIA": "A War",
    "TURKEY": "A Con",
}


@pytest.mark.timeout(120)
def test_a_thousand_mails_at_once_are_all_kept_and_each_has_one_receipt(
    begun: Path, tmp_path: Path
) -> None:
    daemon = copied(begun, tmp_path)
    mails = letters(daemon)
    ids = sorted(mail["Message-ID"] for mail in mails)
    daemon.start()

    with ThreadPoolExecutor(CONNECTIONS) as connections:
        shares = [mails[first::CONNECTIONS] for first in range(CONNECTIONS)]
        list(connections.map(lambda share: send(daemon, share), shares))
    assert sorted(set(kept(daemon)) & set(ids)) == ids, "what was promised is there at once"
    daemon.come_to_rest(PATIENCE_SECONDS)

    assert sorted(each for each in kept(daemon) if each in set(ids)) == ids
    assert sorted(each for each in receipted(daemon) if each in set(ids)) == ids
    assert daemon.ask("SELECT count(*) FROM events WHERE type = 'orders_submitted'") == [(MAILS,)]
    assert "baltic: sound" in daemon.judge("log", "verify")
    assert daemon.stop() == 0


def letters(daemon: Serving) -> list[EmailMessage]:
    """Write the mails, of all the players in turn, no two alike."""
    seats = [(*seated(daemon, power), unit) for power, unit in UNITS.items()]
    turns = (seats[number % len(seats)] for number in range(MAILS))
    return [
        player.answering(start, f"{unit} H\n\nGreetings, for the {number}th time.\n")
        for number, (player, start, unit) in enumerate(turns)
    ]


def send(daemon: Serving, mails: Sequence[EmailMessage]) -> None:
    """Send *mails* by one connection; raises if one of them is not answered 250."""
    with daemon.smtp() as connection:
        for mail in mails:
            assert connection.send_message(mail) == {}


def kept(daemon: Serving) -> list[str]:
    """Return the Message-ID of every mail in the inbox."""
    mails = (raw for (raw,) in daemon.ask("SELECT raw FROM inbox") if isinstance(raw, bytes))
    return [str(message_from_bytes(mail)["Message-ID"]) for mail in mails]


def receipted(daemon: Serving) -> list[str]:
    """Return the Message-ID of each mail that a receipt in the Maildir answers."""
    receipts = (mail for mail in daemon.mails() if mail["X-Judge-Kind"] == "receipt")
    return [mail["In-Reply-To"] for mail in receipts]
