"""Commitments and checkpoints in our emails: the attachment, and the line in results.

Older judges printed commitments in the text, and the head of one game's log in place of the tree;
both are still read.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.message import Message as MimePart
from email.policy import compat32, default
from functools import lru_cache
from typing import Any

from judge.checkpoints import (
    EMPTY_TREE,
    Closing,
    OpenedLeaf,
    Tree,
    UnnumberedLeaf,
    read_checkpoint,
    read_unnumbered_leaf,
)
from judge.game.submission import commit_orders
from judge.mail.body import pieces_of

PROOF_FILENAME = "judge-proof.json"
BYTES_MAX = 1_000_000  # of an attachment that is read
PRINTED_COMMITMENT = re.compile(
    r"(?:^- (?P<power>[^\n]{1,40})\n)?^  (?P<nonce>[0-9a-f]{32})\n"
    r"(?P<orders>(?:  [^\n]{1,200}\n){0,200}?)^  (?P<digest>[0-9a-f]{64})$",
    re.MULTILINE,
)
LATER_MARK = "Commitment to what is kept"  # of older judges; opened only once the phase is
# May be wrapped and quoted by a mail program.
PRINTED_HEAD = re.compile(r"\bLog:[\s>|]{1,20}([0-9a-f]{64})\b")
HEAD = re.compile(r"[0-9a-f]{64}")
PRINTED_LINE = re.compile(r"\b(\d{1,12})[\s>|]{1,20}([A-Za-z0-9+/]{43}=)")  # in any language


@dataclass(frozen=True, slots=True)
class EmailCommitment:
    """The commitment to a set of orders; *power* is set if results open it, not a receipt."""

    power: str | None
    nonce: str
    orders: tuple[str, ...]
    digest: str

    @property
    def holds(self) -> bool:
        """Return whether the digest is the one of the orders."""
        return commit_orders(self.nonce, self.orders) == self.digest


@dataclass(frozen=True, slots=True)
class Proof:
    """The proofs that one email has of a phase.

    *phase* is a code. *kept* orders are for a later phase, and opened only in it. A receipt has
    the reader's orders as *recorded*, results have the *closing*; *log_head* is of older judges.
    """

    game: str
    phase: str
    commitments: tuple[EmailCommitment, ...] = ()
    log_head: str = ""
    kept: bool = False
    closing: Closing | None = None
    recorded: tuple[OpenedLeaf, ...] = ()


@lru_cache(maxsize=64)  # all readers of a phase get the same proofs
def proof_text(proofs: tuple[Proof, ...]) -> str:
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
        "recorded": [each.without_number() for each in proof.recorded],
        **(_closing_as_json(proof.closing) if proof.closing else {}),
    }
    return {name: value for name, value in written.items() if value}


def _closing_as_json(closing: Closing) -> dict[str, object]:
    before = closing.before
    tree = {
        "version": closing.version,
        "size": before.size,
        "nodes": [_text64(each) for each in before.nodes],
        "leaves": [_text64(each) for each in closing.leaves],
    }
    signed = {"checkpoint": closing.note, "key": closing.key}
    return signed | ({"tree": tree} if closing.leaves else {})


def _text64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenCheckpoint:
    """A checkpoint in a saved email: only the printed line, or all that an attachment has.

    *leaves* follow *before* and end with event *version* of *game*, which closed *phase*.
    """

    size: int
    root: bytes
    note: str = ""
    key: str = ""
    game: str = ""
    phase: str = ""
    version: int = 0
    before: Tree = EMPTY_TREE
    leaves: tuple[bytes, ...] = ()


def checkpoints_in(raw: bytes) -> tuple[SeenCheckpoint, ...]:
    """Return the checkpoints in a saved email; of two alike, that with more to check.

    Raises `ValueError` if an attached one cannot be read.
    """
    printed = (
        SeenCheckpoint(size=int(size), root=b64decode(root))
        for piece in pieces_of(message_from_bytes(raw, policy=compat32))
        for size, root in PRINTED_LINE.findall(re.sub(r"<[^<>]*>", "", piece.text))
    )
    attached = [_seen(each) for each in _proofs_in(raw) if "checkpoint" in each]
    found = {(each.size, each.root): each for each in (*printed, *attached)}
    return tuple(found.values())


def _seen(proof: dict[str, Any]) -> SeenCheckpoint:
    note, tree = str(proof["checkpoint"]), proof.get("tree")
    checkpoint = read_checkpoint(note)
    seen = SeenCheckpoint(
        size=checkpoint.size,
        root=checkpoint.root,
        note=note,
        key=str(proof.get("key", "")),
        game=str(proof.get("game", "")),
        phase=str(proof.get("phase", "")),
    )
    match tree:
        case {"version": int(version), "size": int(size), "nodes": [*nodes], "leaves": [*leaves]}:
            if size < 0 or len(nodes) != size.bit_count():
                raise ValueError("no tree of that size")
            return replace(
                seen,
                version=version,
                before=Tree(size, tuple(b64decode(str(each)) for each in nodes)),
                leaves=tuple(b64decode(str(each)) for each in leaves),
            )
        case _:
            return seen


def recorded_in(raw: bytes) -> tuple[UnnumberedLeaf, ...]:
    """Return the reader's own events in a saved email. Raises `ValueError`."""
    return tuple(
        read_unnumbered_leaf(each) for proof in _proofs_in(raw) for each in _recorded(proof)
    )


def _recorded(proof: dict[str, Any]) -> list[object]:
    found = proof.get("recorded")
    return found if isinstance(found, list) else []


def commitments_in(raw: bytes) -> tuple[EmailCommitment, ...]:
    """Return the commitments in a saved email, from its text or its attachment."""
    attached = tuple(_attached_commitments(raw))
    return attached or tuple(
        _printed_commitments(_text(raw).replace("\r\n", "\n").partition(LATER_MARK)[0])
    )


def log_heads_in(raw: bytes) -> tuple[str, ...]:
    """Return the distinct log heads in a saved email."""
    pieces = pieces_of(message_from_bytes(raw, policy=compat32))
    printed = (
        head
        for piece in pieces
        for head in PRINTED_HEAD.findall(re.sub(r"<[^<>]*>", "", piece.text))
    )
    attached = (str(each.get("log_head", "")) for each in _proofs_in(raw))
    return tuple(dict.fromkeys((*filter(HEAD.fullmatch, attached), *printed)))


def _proofs_in(raw: bytes) -> Iterator[dict[str, Any]]:
    for part in (raw, *_attached_proof(message_from_bytes(raw, policy=compat32))):
        try:
            read = json.loads(part) if len(part) <= BYTES_MAX else None
        except (ValueError, RecursionError):
            continue
        match read:
            case {"proofs": [*found]}:
                yield from (each for each in found if isinstance(each, dict))
            case _:
                continue


def _attached_proof(message: MimePart) -> Iterator[bytes]:
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
