"""The attachment with which readers hold the judge to its word: commitments and log heads.

Emails of older judges printed both in their text, which is still read.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from email.policy import compat32, default
from typing import TYPE_CHECKING, Any

from judge.game.orders.submission import commit_orders
from judge.mail.body import pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

FILENAME = "judge-proof.json"
BYTES_MAX = 1_000_000  # of an attachment that is read
PRINTED_COMMITMENT = re.compile(
    r"(?:^- (?P<power>[^\n]{1,40})\n)?^  (?P<nonce>[0-9a-f]{32})\n"
    r"(?P<orders>(?:  [^\n]{1,200}\n){0,200}?)^  (?P<digest>[0-9a-f]{64})$",
    re.MULTILINE,
)
LATER_MARK = "Commitment to what is kept"  # of older judges; opened only once its phase is
# Perhaps wrapped and quoted by a mail program.
PRINTED_HEAD = re.compile(r"\bLog:[\s>|]{1,20}([0-9a-f]{64})\b")
HEAD = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class EmailCommitment:
    """The commitment to a set of orders: of *power*, if results open it, and not a receipt."""

    power: str | None
    nonce: str
    orders: tuple[str, ...]
    digest: str

    @property
    def holds(self) -> bool:
        """Return whether the digest is that of the orders."""
        return commit_orders(self.nonce, self.orders) == self.digest


@dataclass(frozen=True, slots=True)
class Proof:
    """What one page of an email commits the judge to.

    *phase* is a code. Orders that are *kept* for it are opened only once it is open.
    """

    game: str
    phase: str
    commitments: tuple[EmailCommitment, ...]
    log_head: str = ""
    kept: bool = False


def proof_text(proofs: Iterable[Proof]) -> str:
    """Write *proofs* as JSON."""
    return json.dumps({"proofs": [_as_json(each) for each in proofs]}, indent=1) + "\n"


def _as_json(proof: Proof) -> dict[str, object]:
    written = {
        "game": proof.game,
        "phase": proof.phase,
        "kept": proof.kept,
        "commitments": [
            {
                "power": each.power,
                "nonce": each.nonce,
                "orders": each.orders,
                "digest": each.digest,
            }
            for each in proof.commitments
        ],
        "log_head": proof.log_head,
    }
    return {name: value for name, value in written.items() if value}


def commitments_in(raw: bytes) -> tuple[EmailCommitment, ...]:
    """Return the commitments in a saved email, its text or its attachment."""
    attached = tuple(_attached_commitments(raw))
    return attached or tuple(
        _printed_commitments(_text(raw).replace("\r\n", "\n").partition(LATER_MARK)[0])
    )


def log_heads_in(raw: bytes) -> tuple[str, ...]:
    """Return the log heads in a saved email, each once."""
    pieces = pieces_of(message_from_bytes(raw, policy=compat32))
    printed = (
        head
        for piece in pieces
        for head in PRINTED_HEAD.findall(re.sub(r"<[^<>]*>", "", piece.text))
    )
    attached = (str(each.get("log_head", "")) for each in _proofs_in(raw))
    return tuple(dict.fromkeys((*filter(HEAD.fullmatch, attached), *printed)))


def _proofs_in(raw: bytes) -> Iterator[dict[str, Any]]:
    """Yield what is attached, also to emails that are attached, as far as it is well formed."""
    for part in (raw, *_attached(message_from_bytes(raw, policy=compat32))):
        try:
            read = json.loads(part) if len(part) <= BYTES_MAX else None
        except (ValueError, RecursionError):
            continue
        match read:
            case {"proofs": [*found]}:
                yield from (each for each in found if isinstance(each, dict))
            case _:
                continue


def _attached(message: Message) -> Iterator[bytes]:
    for part in message.walk():
        content = part.get_payload(decode=True)
        if part.get_content_type() == "application/json" and isinstance(content, bytes):
            yield content


def _attached_commitments(raw: bytes) -> Iterator[EmailCommitment]:
    opened = (each for each in _proofs_in(raw) if not each.get("kept"))
    for proof in opened:
        commitments = proof.get("commitments")
        for each in commitments if isinstance(commitments, list) else ():
            match each:
                case {"nonce": str(nonce), "digest": str(digest), "orders": [*orders]}:
                    power = each.get("power")
                    yield EmailCommitment(
                        str(power) if power else None, nonce, tuple(map(str, orders)), digest
                    )
                case _:
                    continue


def _text(raw: bytes) -> str:
    message = message_from_bytes(raw, policy=default)
    part = message.get_body(("plain",)) if "content-type" in message else None
    return part.get_content() if part else raw.decode("utf-8", "replace")


def _printed_commitments(text: str) -> Iterator[EmailCommitment]:
    for each in PRINTED_COMMITMENT.finditer(text):
        orders = tuple(line.strip() for line in each["orders"].splitlines())
        yield EmailCommitment(each["power"], each["nonce"], orders, each["digest"])
