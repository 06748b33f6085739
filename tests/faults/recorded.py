"""Do what the power-loss test records: `python -m tests.faults.recorded FOLDER`.

It keeps emails in the inbox, delivers into a Maildir, makes and rotates DKIM keys and publishes
the log of the store in FOLDER, and says after each step that it has promised it.
"""

from __future__ import annotations

import asyncio
import os
import sys
from contextlib import closing
from datetime import UTC, date, datetime
from pathlib import Path

from click.testing import CliRunner

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.outputs import Maildir
from judge.adapters.store.database import open_database
from judge.app.ports.inbox import Envelope
from judge.app.ports.outbox import OutgoingMail
from judge.cli.root import root

STORE, MAILDIR, KEYS, LOG = "judge.db", "mail", "keys", "log"
TODAY = date(2026, 11, 28)
EMAILS = 6


def main(folder: Path) -> None:
    with closing(open_database(folder / STORE)) as database:
        for number in range(EMAILS):
            envelope = Envelope(email(number), "anna@example.org", ("judge@example.org",), "smtp")
            with database.write() as transaction:
                transaction.inbox.arrive()
                transaction.inbox.keep([(envelope, datetime.now(UTC))])
            promise("email", number)
    maildir = Maildir(folder / MAILDIR)
    for number in range(EMAILS):
        asyncio.run(maildir.deliver(outgoing(number)))
        promise("delivery", number)
    keys = DkimKeys(folder / KEYS)
    promise("key", keys.create(TODAY))
    rotated = keys.create(TODAY)
    keys.use(rotated)
    promise("key", rotated)
    words = ["log", "publish", str(folder / LOG), "--database", str(folder / STORE)]
    assert CliRunner().invoke(root, words).exit_code == 0
    promise("log", (folder / LOG / "log.jsonl").read_bytes().count(b"\n"))


def promise(what: str, which: str | int) -> None:
    """Print that a step is done, in one system call that the recording shows."""
    os.write(1, f"promised {what} {which}\n".encode())


def email(number: int) -> bytes:
    return b"Subject: email %d\r\n\r\n%s\r\n" % (number, b"A Par-Bur " * 400)


def outgoing(number: int) -> OutgoingMail:
    return OutgoingMail(
        message_id=f"<{number}@judge.example>",
        sender="judge@example.org",
        recipient="anna@example.org",
        raw=email(number),
        due_utc=datetime(2026, 11, 28, tzinfo=UTC),
        kind="receipt",
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
