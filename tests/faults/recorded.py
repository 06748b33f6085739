"""Do what the power-loss test records: `python -m tests.faults.recorded PART FOLDER`.

- `files` keeps emails in the inbox, delivers into a Maildir and publishes the log of the store;
- `keys` runs `judge dkim new` and `rotate`;
- `daemon` runs `judge serve`, which takes orders and answers into its Maildir;
- `setup` runs `judge setup` for a judge behind its own mail server.

It says after each step that something has been promised.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

from click.testing import CliRunner

from judge.adapters.dkim_signing import DkimKeys
from judge.adapters.outputs import Maildir
from judge.adapters.store.database import open_database
from judge.app.ports.inbox import Envelope
from judge.app.ports.outbox import OutgoingMail
from judge.cli.root import root
from tests.support.daemon import ADDRESS, CONFIGURED, Daemon, seated
from tests.support.mail_server import listening

STORE, MAILDIR, KEYS, LOG, MADE = "judge.db", "mail", "keys", "log", "made"
ANSWERS = "outgoing"  # of the daemon
EMAILS, ORDERS = 6, 3


def main(part: str, folder: Path) -> None:
    {"files": keep_files, "keys": make_keys, "daemon": run_daemon, "setup": set_up}[part](folder)


def keep_files(folder: Path) -> None:
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
    run(["log", "publish", str(folder / LOG), "--database", str(folder / STORE)])
    promise("log", (folder / LOG / "log.jsonl").read_bytes().count(b"\n"))


def make_keys(folder: Path) -> None:
    for words in (["new"], ["new"], ["rotate", "--unchecked"]):
        run(["dkim", *words], JUDGE_DKIM_KEYS=str(folder / KEYS), JUDGE_ADDRESS=ADDRESS)
        promise("key", str(DkimKeys(folder / KEYS).selector_in_use()))


def run_daemon(folder: Path) -> None:
    places = {"JUDGE_DATABASE": str(folder / STORE), "JUDGE_MAILDIR": str(folder / ANSWERS)}
    with Daemon(folder, CONFIGURED | places, forked=False) as daemon:
        daemon.start()
        player, start = seated(daemon, "FRANCE")
        for number in range(ORDERS):
            mail = player.answering(start, f"A Par-Bur\n\nThis is number {number}.\nSTATUS\n")
            daemon.send(mail)
            promise("order", str(mail["Message-ID"]))
        daemon.come_to_rest()
        daemon.stop()


def set_up(folder: Path) -> None:
    with listening() as smarthost:
        run(setup_words(folder), JUDGE_SMARTHOST=f"127.0.0.1:{smarthost.port}")
    promise("setup", "done")


def setup_words(folder: Path) -> list[str]:
    answers = {"kind": "server", "address": ADDRESS, "backups": "-", "game": "baltic"}
    named = [word for name, answer in answers.items() for word in (f"--{name}", answer)]
    return ["setup", "--folder", str(folder / MADE), *named]


def run(words: Sequence[str], **environment: str) -> None:
    """Run `judge` with *words*."""
    done = CliRunner().invoke(root, words, env=environment, input="mx.judge.example\n")
    assert done.exit_code == 0, done.output


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
    main(sys.argv[1], Path(sys.argv[2]))
