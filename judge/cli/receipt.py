"""`judge receipt`: whether the orders in mails are those that the judge promised to judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import BinaryIO

import click

from judge.cli.exits import BAD_INPUT, FOUND_WRONG, fail
from judge.mail.compose import PrintedCommitment, commitments_in


@click.group()
def receipt() -> None:
    """Check receipts against results."""


@receipt.command()
@click.argument("files", type=click.File("rb"), nargs=-1, required=True, metavar="MAIL...")
def verify(files: Sequence[BinaryIO]) -> None:
    """Check each commitment in saved mails, and receipts against the results beside them.

    A receipt promises a set of orders by a digest; the results open it. Neither judge nor network
    is needed: the digest is the SHA-256 of the nonce and the orders, a line each.
    """
    found = [(each.name, promise) for each in files for promise in commitments_in(each.read())]
    if not found:
        fail("there is no commitment in it", BAD_INPUT)
    opened = {promise.nonce: promise for _, promise in found if promise.power}
    sound = [_told(name, promise, opened) for name, promise in found]
    if not all(sound):
        raise SystemExit(FOUND_WRONG)


def _told(name: str, promise: PrintedCommitment, opened: dict[str, PrintedCommitment]) -> bool:
    """Say whether *promise* holds, and whether results open it."""
    whose = promise.power or "receipt"
    click.echo(f"{name}: {whose}: {_verdict(promise)}")
    if promise.power or not opened:
        return promise.holds
    of = opened.get(promise.nonce)
    if of is None:
        click.echo(f"{name}: receipt: not opened by the results; did you send later orders?")
        return False
    same = (of.orders, of.digest) == (promise.orders, promise.digest)
    judged = f"judged as {of.power}" if same else f"NOT what was judged as {of.power}"
    click.echo(f"{name}: receipt: {judged}")
    return promise.holds and same


def _verdict(promise: PrintedCommitment) -> str:
    number = f"{len(promise.orders)} order{'s' if len(promise.orders) != 1 else ''}"
    return f"the digest is that of {number}" if promise.holds else "the digest is of OTHER orders"
