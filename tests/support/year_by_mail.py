"""Play the year of `judge demo` through the mail server of this machine, for `.ci/walk`.

As root: `python -m tests.support.year_by_mail ADDRESS PHASES`, with the judge's address and how
many phases to play. Players hand their emails to Postfix and read their mailboxes in Dovecot. The
mailbox of an observer disappears, and a player's mail program answers the judge that its owner is
on holiday.
"""

from __future__ import annotations

import mailbox
import os
import pwd
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from email.message import EmailMessage, Message
from pathlib import Path

from rich.console import Console

from judge.cli import demo

DOMAIN = "players.example.org"
MAILBOXES = Path("/var/vmail") / DOMAIN
JUDGE = "/opt/judge/bin/judge"
CONFIG = "/etc/judge/judge.toml"
OBSERVER = f"olga@{DOMAIN}"
UNKNOWN = "nobody-of-this-name@mx.example.org"
PATIENCE_SECONDS = 400.0  # phases stay open for `retry_seconds` after the judge starts


class MailboxPlayer(demo.Player):
    """A player whose emails go by SMTP to a mail server, which delivers into their Maildir."""

    def _unseen(self) -> Iterator[tuple[str, Message]]:
        if all((self.maildir / name).is_dir() for name in ("cur", "new")):  # at the first email
            box = mailbox.Maildir(self.maildir, create=False)
            yield from ((key, box[key]) for key in box.iterkeys() if key not in self.seen)

    def reply_automatically(self, mail: Message, text: str) -> None:
        """Answer *mail* as a vacation program does."""
        note = EmailMessage()
        note["From"], note["To"] = self.address, str(mail["Reply-To"])
        note["Subject"] = f"Away: {mail['Subject']}"
        note["Auto-Submitted"] = "auto-replied"
        note["In-Reply-To"] = mail["Message-ID"]
        note["Message-ID"] = f"<vacation.{time.time_ns()}@{DOMAIN}>"
        note.set_content(text)
        with smtplib.SMTP(*self.door) as connection:
            connection.send_message(note)


def judge(*arguments: str) -> str:
    """Run `judge` as its user, and return what it printed."""
    user = pwd.getpwnam("judge")
    return subprocess.run(
        [JUDGE, *arguments],
        check=True,
        cwd=user.pw_dir,
        env={"JUDGE_CONFIG": CONFIG, "PATH": os.environ["PATH"]},
        group=user.pw_gid,
        stdout=subprocess.PIPE,
        text=True,
        user=user.pw_uid,
    ).stdout


def player(address: str) -> MailboxPlayer:
    """Return the player with this *address*."""
    maildir = MAILBOXES / address.partition("@")[0]
    return MailboxPlayer(address, maildir, ("127.0.0.1", 25))


def wait_until_bounced(address: str) -> None:
    """Wait until the judge knows that an email to *address* came back."""
    patience = time.monotonic() + PATIENCE_SECONDS
    while "no recent email" in judge("player", "show", address):
        if time.monotonic() > patience:
            raise demo.NoMailError(f"the bounce of {address} did not arrive")
        time.sleep(1)


def play(console: Console, phases: int) -> None:
    """Play this many *phases*; raises an error if anything goes wrong."""
    script = demo.read_script()
    addresses = {
        power: address.replace("demo.example", DOMAIN) for power, address in script.players.items()
    }
    script = replace(script, players=addresses)
    players: dict[str, demo.Player] = {power: player(each) for power, each in addresses.items()}
    judge("game", "new", script.game, *(each for rule in demo.QUICK for each in ("--rule", rule)))

    observer = player(OBSERVER)
    observer.write(demo.ADDRESS, "hello", f"OBSERVE {script.game}\n")
    confirm = observer.wait_for(lambda mail: "confirm" in str(mail["X-Judge-Kind"]))
    observer.answer(confirm, "YES\n")
    observer.wait_for(lambda mail: mail["X-Judge-Kind"] not in (None, confirm["X-Judge-Kind"]))
    latest = demo._join(console, players, script)

    console.rule("A vacation program replies to the start of the game")
    away = players["FRANCE"]
    assert isinstance(away, MailboxPlayer)
    away.reply_automatically(latest["FRANCE"], "I am away.\nF Bre-Eng\nA Par-Pic\nA Mar-Bur\n")

    console.rule("The mailbox of the observer disappears")
    alias = f"virtual_alias_maps = inline:{{ {{ {OBSERVER} = {UNKNOWN} }} }}"
    subprocess.run(["postconf", "-e", alias], check=True)
    subprocess.run(["postfix", "reload"], check=True)

    for scene in script.scenes[:phases]:
        latest = demo._act(console, players, latest, scene, script.reader)
    wait_until_bounced(OBSERVER)
    answers = [mail for _, mail in away._unseen() if mail["X-Judge-Kind"] == "receipt"]
    assert not answers, f"the judge answered a vacation note: {answers[0]}"
    assert judge("inbox", "list", "--state", "ignored").strip(), "the note was not ignored"
    console.rule("The log, adjudicated again")
    console.print(judge("log", "verify"), end="")


if __name__ == "__main__":
    demo.ADDRESS = sys.argv[1]
    demo.PATIENCE_SECONDS = PATIENCE_SECONDS
    play(Console(highlight=False, soft_wrap=True), int(sys.argv[2]))
