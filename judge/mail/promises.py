"""Commitments, read again from the mails in which they were printed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.policy import default
from typing import TYPE_CHECKING

from judge.game.orders.submission import commit_orders

if TYPE_CHECKING:
    from collections.abc import Iterator

PROMISE = re.compile(
    r"(?:^- (?P<power>[^\n]{1,40})\n)?^  (?P<nonce>[0-9a-f]{32})\n"
    r"(?P<orders>(?:  [^\n]{1,200}\n){0,200}?)^  (?P<digest>[0-9a-f]{64})$",
    re.MULTILINE,
)
LATER = "Commitment to what is kept"  # opened only once its phase is


@dataclass(frozen=True, slots=True)
class Promise:
    """What a mail says of a set of orders: of *power*, if it is a mail of results."""

    power: str | None
    nonce: str
    orders: tuple[str, ...]
    digest: str

    @property
    def holds(self) -> bool:
        """Say whether the digest is that of the orders."""
        return commit_orders(self.nonce, self.orders) == self.digest


def promises_in(raw: bytes) -> tuple[Promise, ...]:
    """Return the promises in a mail, as it was saved, or in the text of one."""
    return tuple(_found(_text(raw).replace("\r\n", "\n").partition(LATER)[0]))


def _text(raw: bytes) -> str:
    message = message_from_bytes(raw, policy=default)
    part = message.get_body(("plain",)) if "content-type" in message else None
    return part.get_content() if part else raw.decode("utf-8", "replace")


def _found(text: str) -> Iterator[Promise]:
    for each in PROMISE.finditer(text):
        orders = tuple(line.strip() for line in each["orders"].splitlines())
        yield Promise(each["power"], each["nonce"], orders, each["digest"])
