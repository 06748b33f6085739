"""`judge receipt` and `judge log verify`: check commitments and log heads in emails.

Results have the hash of the event that closed the phase. Each event's hash depends on all events
before it, so an email whose head is in the log belongs to the same course of the game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from email import message_from_bytes
from email.policy import default
from pathlib import Path
from typing import BinaryIO

import click

from judge.adapters.store.transactions import SqlTransaction
from judge.cli.command_group import CommandGroup
from judge.cli.terminal import BAD_INPUT, FOUND_WRONG, UNAVAILABLE, USAGE, OpenFile, fail
from judge.event_log import Row
from judge.mail.envelope import BYTES_MAX
from judge.mail.proofs import (
    EmailCommitment,
    checkpoints_in,
    commitments_in,
    log_heads_in,
    recorded_in,
)


@click.group(cls=CommandGroup)
def receipt() -> None:
    """Check receipts against results."""


@receipt.command()
@click.argument("files", type=OpenFile("rb"), nargs=-1, required=True, metavar="MAIL...")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per verdict.")
def verify(files: Sequence[BinaryIO], *, as_json: bool) -> None:
    """Check the commitments in saved emails, and compare receipts with results.

    The attachment judge-proof.json of a receipt commits the judge to a set of orders; that of the
    results opens the commitment. Give the saved emails or the saved attachments. The check needs
    neither judge nor network: the digest is the SHA-256 of the nonce and the orders, one per line.
    """
    found = [(each.name, promise) for each in files for promise in commitments_in(each.read())]
    if not found:
        fail(
            "none of the emails contains a commitment: send SET RECEIPTS FULL to get them",
            BAD_INPUT,
        )
    opened = {promise.nonce: promise for _, promise in found if promise.power}
    verdicts = [each for name, promise in found for each in _verdicts(name, promise, opened)]
    for each in verdicts:
        line = f"{each.file}: {each.power or 'receipt'}: {each.text}"
        click.echo(json.dumps(asdict(each)) if as_json else line)
    if not all(each.ok for each in verdicts):
        raise SystemExit(FOUND_WRONG)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of a check of *file*: of the results of *power*, or of a receipt."""

    file: str
    power: str | None
    ok: bool
    text: str


def _verdicts(
    name: str, promise: EmailCommitment, opened: dict[str, EmailCommitment]
) -> Iterator[Verdict]:
    """Yield whether *promise* holds, and whether the results agree with a receipt."""
    yield Verdict(name, promise.power or None, promise.holds, _verdict(promise))
    if promise.power or not opened:
        return
    of = opened.get(promise.nonce)
    if of is None:
        text = "not in the results; did you send later orders?"
        yield Verdict(name, None, ok=False, text=text)
        return
    same = (of.orders, of.digest) == (promise.orders, promise.digest)
    text = f"adjudicated for {of.power}" if same else f"NOT adjudicated for {of.power}"
    yield Verdict(name, None, same, text)


def _verdict(promise: EmailCommitment) -> str:
    number = f"{len(promise.orders)} order{'s' if len(promise.orders) != 1 else ''}"
    return (
        f"the digest matches {number}" if promise.holds else "the digest does NOT match the orders"
    )


SHOWN_DIGITS = 16
HEX = re.compile(r"[0-9a-f]{16,64}")
NO_HEAD = ""


@dataclass(frozen=True, slots=True)
class Printed:
    """A *head* printed in *source*; empty if it has none.

    The *subject* is that of the email, if it is one with results.
    """

    source: str
    head: str
    subject: str = ""


@dataclass(frozen=True, slots=True)
class Compared:
    """A printed head, and its event, None if it is in no log."""

    printed: Printed
    found: Row | None

    @property
    def fits(self) -> bool:
        """Return whether the head is in a log, and that of results closed their phase."""
        return self.found is not None and not self.closed_another

    @property
    def closed_another(self) -> bool:
        """Return whether results have a head that is not that of the event that closed them."""
        row, subject = self.found, self.printed.subject
        if row is None or not subject:
            return False
        closed = row.type == "phase_closed" and json.loads(row.payload)["phase"]
        return not closed or closed not in subject.split()

    def as_line(self) -> str:
        """Return one line for people."""
        source, head = self.printed.source, self.printed.head
        if head == NO_HEAD:
            return f"{source}: it contains no head of a log"
        text = f"{source}: {head[:SHOWN_DIGITS]} "
        if self.found is None:
            return f"{text}is in none of these logs"
        row = self.found
        wrong = ", which did not close that phase" if self.closed_another else ""
        at = f"{row.type}, {row.recorded_utc[:19]}Z"
        return f"{text}is event {row.version} of {row.game} ({at}){wrong}"

    def as_json(self) -> str:
        """Return one line for programs."""
        row = self.found
        facts = {"source": self.printed.source, "head": self.printed.head, "found": self.fits}
        event = {"game": row.game, "version": row.version, "type": row.type} if row else {}
        return json.dumps(facts | event)


def is_email(argument: str) -> bool:
    """Return whether *argument* is a file: names of games have neither a dot nor a slash."""
    return "." in argument or "/" in argument


def typed_head(head: str) -> Printed:
    """Read a head from the command line."""
    written = head.strip().casefold()
    if not HEX.fullmatch(written):
        fail(f"{head!r} is not a head of a log: 16 to 64 digits of 0-9 and a-f", USAGE)
    return Printed("--head", written)


def heads_in(argument: str) -> Iterator[Printed]:
    """Yield the heads printed by the email in a file; none if *argument* names a game."""
    if not is_email(argument):
        return
    try:
        raw = Path(argument).read_bytes()[:BYTES_MAX]
    except OSError as error:
        fail(f"{argument} cannot be read: {error.strerror}", UNAVAILABLE)
    email = message_from_bytes(raw, policy=default)
    subject = str(email["Subject"]) if email["X-Judge-Kind"] == "phase_results" else ""
    none = () if checkpoints_in(raw) or recorded_in(raw) else (NO_HEAD,)
    for head in log_heads_in(raw) or none:
        yield Printed(argument, head, subject)


def compare_heads(
    transaction: SqlTransaction, games: Sequence[str], printed: Sequence[Printed]
) -> Iterator[Compared]:
    """Find each *printed* head in the logs of *games*."""
    rows = [row for name in games for row in transaction.events.rows(name)] if printed else []
    for each in printed:
        belongs = (row for row in rows if row.hash.startswith(each.head))
        yield Compared(each, next(belongs, None) if each.head else None)
