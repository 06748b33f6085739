"""Many emails at once: orders of all the players of a game, no two alike."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from email.message import EmailMessage

from tests.support.daemon import Daemon, seated

UNITS = {
    "AUSTRIA": "A Vie",
    "ENGLAND": "F Lon",
    "FRANCE": "A Par",
    "GERMANY": "A Mun",
    "ITALY": "A Ven",
    "RUSSIA": "A War",
    "TURKEY": "A Con",
}


def order_emails(daemon: Daemon, count: int) -> list[EmailMessage]:
    """Write *count* emails with an order each, of the players in turn."""
    seats = [(*seated(daemon, power), unit) for power, unit in UNITS.items()]
    turns = (seats[number % len(seats)] for number in range(count))
    return [
        player.answering(start, f"{unit} H\n\nGreetings, for the {number}th time.\n")
        for number, (player, start, unit) in enumerate(turns)
    ]


def flood(daemon: Daemon, mails: Sequence[EmailMessage], connections: int) -> None:
    """Send *mails* by so many *connections* at once; raises if one email is not answered 250."""
    with ThreadPoolExecutor(connections) as pool:
        shares = [mails[first::connections] for first in range(connections)]
        list(pool.map(lambda share: _send(daemon, share), shares))


def _send(daemon: Daemon, mails: Sequence[EmailMessage]) -> None:
    with daemon.smtp() as connection:
        for mail in mails:
            connection.send_message(mail)
