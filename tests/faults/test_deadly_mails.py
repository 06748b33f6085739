"""Harmful emails sent by real SMTP: the daemon keeps each unchanged and finishes each.

Strangers send most of them, about no game, and a stranger gets three answers a day: nobody counts
their answers and results.
"""

from __future__ import annotations

import json
import smtplib
from collections.abc import Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from judge.reports.render import trouble_texts
from tests.emails.generated import forms, generate_emails
from tests.support.daemon import (
    ADDRESS,
    CONFIGURED,
    PATIENCE_SECONDS,
    Daemon,
    copied,
    seated,
    wait_until,
)
from tests.support.final_count import everything_counts_once, status_names

STATES = "SELECT state FROM inbox"
ENDS = {"processed", "ignored", "quarantined"}
HEAD = b"From: a@players.example\r\n"
ODD = {  # R10
    "a line of 2 kB": HEAD + b"\r\n" + b"A Par-Bur " * 200 + b"\r\n",
    "NUL": HEAD + b"\r\nA Par\x00-Bur\r\n",
    "bare CR": HEAD + b"\r\nA Par-Bur\rF Bre H\r\n",
    "bare LF": HEAD + b"\r\nA Par-Bur\nF Bre H\r\n",
    "8 bits": HEAD + "Subject: Grüße\r\n\r\nGrüße\r\n".encode(),
    "8 bits of no charset": HEAD + b"\r\n\xff\xfe\x80\r\n",
    "no From": b"Subject: x\r\n\r\nHELP\r\n",
    "no header": b"HELP\r\n",
    "no body": HEAD + b"\r\n",
    "a dot": HEAD + b"\r\n.\r\n..\r\n",
}
ARCHIVE = (  # S9
    HEAD + b'Content-Type: application/zip; name="../../escaped"\r\n'
    b'Content-Disposition: attachment; filename="../../escaped"\r\n\r\nPK\x03\x04\r\n'
)


def send(daemon: Daemon, mails: Iterable[bytes], sender: str = "a@players.example") -> None:
    """Send *mails* as they are, each taken with 250."""
    with smtplib.SMTP("127.0.0.1", daemon.port, timeout=PATIENCE_SECONDS) as door:
        door.ehlo()
        for mail in mails:
            door.mail(sender)
            door.rcpt(ADDRESS)
            code, said = door.data(mail)
            assert code == 250, said


def rows(daemon: Daemon) -> list[dict[str, Any]]:
    shown = daemon.judge("inbox", "list", "--json", "--last", "10000")
    return [json.loads(line) for line in shown.splitlines()]


def come_to_their_ends(daemon: Daemon, count: int) -> list[dict[str, Any]]:
    wait_until(
        lambda: len([state for (state,) in daemon.ask(STATES) if state in ENDS]) == count,
        f"not all mails came to an end: {daemon.log()[-2000:]}",
    )
    return rows(daemon)


def test_r10_odd_emails_are_stored_and_finished(tmp_path: Path) -> None:
    with Daemon(tmp_path, CONFIGURED) as daemon:
        daemon.start()
        send(daemon, ODD.values())

        come_to_their_ends(daemon, len(ODD))


def test_r11_emails_of_every_form_are_stored_unchanged(tmp_path: Path) -> None:
    made = [next(generate_emails(client, form)).raw for client, form in forms()]
    wire = [b"\r\n".join(mail.splitlines()) + b"\r\n" for mail in made]
    with Daemon(tmp_path, CONFIGURED) as daemon:
        daemon.start()
        send(daemon, wire)

        found = come_to_their_ends(daemon, len(set(wire)))

        assert {row["sha256"] for row in found} == {sha256(mail).hexdigest() for mail in wire}
        assert daemon.process
        assert daemon.process.poll() is None


def test_s9_no_file_gets_the_name_of_an_attachment(tmp_path: Path) -> None:
    folder = tmp_path / "a" / "b"
    folder.mkdir(parents=True)
    with Daemon(folder, CONFIGURED) as daemon:
        daemon.start()
        send(daemon, [ARCHIVE])
        come_to_their_ends(daemon, 1)

        assert list(tmp_path.rglob("*escaped*")) == []


@pytest.mark.parametrize("deed", [pytest.param("exit", marks=pytest.mark.slow), "overrun"])
def test_r12_an_email_that_kills_its_reader_is_quarantined_while_the_queue_moves(
    begun: Path, tmp_path: Path, deed: str
) -> None:
    with copied(begun, tmp_path) as daemon:
        player, start = seated(daemon, "FRANCE")
        daemon.start("tests.faults.deadly_mail")
        before = len(rows(daemon))
        send(daemon, [f"DO {deed}\r\n".encode()])

        assert daemon.offer(player.answering(start, "A Par-Bur\n"))
        player.wait_for("receipt")
        found = come_to_their_ends(daemon, before + 2)

        bad = next(row for row in found if row["reason"].startswith("the reader crashed"))
        assert (bad["state"], bad["attempts"]) == ("quarantined", 3)
        status_names(daemon, trouble_texts()["mail_quarantined"])
        number = str(bad["id"])
        assert daemon.judge("inbox", "retry", number) == f"{number}: received\n"
        come_to_their_ends(daemon, before + 2)
        daemon.judge("inbox", "discard", number)
        assert {row["state"] for row in rows(daemon) if str(row["id"]) == number} == {"ignored"}
        everything_counts_once(daemon, "Army Paris -> Burgundy", states=("processed", "ignored"))
