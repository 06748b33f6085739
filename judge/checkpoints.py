"""The Merkle tree over the events of closed phases, and signed checkpoints of it.

The tree is that of RFC 9162, 2.1. A checkpoint is a signed note (c2sp.org/signed-note) of the form
c2sp.org/tlog-checkpoint. Other judges cosign it (c2sp.org/tlog-cosignature).
"""

from __future__ import annotations

import hmac
import json
from base64 import b64decode, b64encode
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import Enum
from hashlib import sha256
from typing import Protocol, TypeAlias

from judge.event_log import VERSION_MAX, Json, Row, canonical_json, canonical_row

SALT_BYTES = 16  # 128 bits: a leaf shows nothing of an event with few possible payloads
LEAF, NODE = b"\0", b"\1"  # RFC 9162 2.1.1: no leaf is an inner node
HASH_BYTES = 32
EMPTY_ROOT = sha256(b"").digest()


def salt_of(key: bytes, row: Row) -> bytes:
    """Return the salt of the leaf of *row*, which nobody can compute without *key*."""
    return hmac.digest(key, row.hash.encode(errors="surrogateescape"), sha256)[:SALT_BYTES]


def leaf_hash(salt: bytes, canonical: bytes) -> bytes:
    """Return the leaf of the event whose canonical form is given."""
    return sha256(LEAF + salt + canonical).digest()


def leaf_of(key: bytes, row: Row) -> bytes:
    """Return the leaf of *row*."""
    return leaf_hash(salt_of(key, row), canonical_row(row))


@dataclass(frozen=True, slots=True)
class OpenedLeaf:
    """The content of a leaf: the *salt*, and the *canonical* form of the event."""

    salt: bytes
    canonical: str

    @property
    def leaf(self) -> bytes:
        """Return the leaf."""
        return leaf_hash(self.salt, self.canonical.encode())

    @property
    def event(self) -> Json:
        """Return the event as the log has it: game, version, type and payload among others."""
        event: Json = json.loads(self.canonical)
        return event

    def as_json(self) -> Json:
        """Return it as attachments and the published log have it."""
        return {"salt": self.salt.hex(), "event": self.event}

    def without_number(self) -> Json:
        """Return it as receipts have it, in an open phase: see `UnnumberedLeaf`."""
        event = {name: value for name, value in self.event.items() if name != "version"}
        return {"salt": self.salt.hex(), "event": event}


@dataclass(frozen=True, slots=True)
class UnnumberedLeaf:
    """The content of a leaf without the version of the event.

    In an open phase, that would show how many events others have caused.
    """

    salt: bytes
    event: Json

    def numbered(self, version: int) -> OpenedLeaf:
        """Return what the leaf covers if the event has this *version*."""
        return OpenedLeaf(self.salt, canonical_json({**self.event, "version": version}))


def open_leaf(key: bytes, row: Row) -> OpenedLeaf:
    """Return what the leaf of *row* covers."""
    return OpenedLeaf(salt_of(key, row), canonical_row(row).decode())


def read_unnumbered_leaf(read: object) -> UnnumberedLeaf:
    """Read the output of `OpenedLeaf.without_number`. Raises `ValueError`."""
    match read:
        case {
            "salt": str(salt),
            "event": {
                "game": str(),
                "type": str(),
                "recorded_utc": str(),
                "payload": {"phase": str()},
            } as event,
        }:
            found = UnnumberedLeaf(bytes.fromhex(salt), event)
            _ = found.numbered(0).leaf  # which raises if it cannot be written
            return found
        case _:
            raise ValueError("no event of a log")


def read_leaf(read: object) -> OpenedLeaf:
    """Read the output of `OpenedLeaf.as_json`. Raises `ValueError`."""
    match read:
        case {
            "salt": str(salt),
            "event": {
                "game": str(),
                "version": int(),
                "type": str(),
                "recorded_utc": str(),
                "payload": {},
            } as event,
        }:
            return OpenedLeaf(bytes.fromhex(salt), canonical_json(event))
        case _:
            raise ValueError("no event of a log")


@dataclass(frozen=True, slots=True)
class Tree:
    """A Merkle tree of *size* leaves, by the roots of its perfect subtrees, largest first."""

    size: int = 0
    nodes: tuple[bytes, ...] = ()

    def extended(self, leaves: Iterable[bytes]) -> Tree:
        """Return the tree with more *leaves*; each takes O(log size) hashes at most."""
        size, nodes = self.size, [*self.nodes]
        for leaf in leaves:
            node, full = leaf, size
            while full & 1:
                node, full = _parent(nodes.pop(), node), full >> 1
            nodes.append(node)
            size += 1
        return Tree(size, tuple(nodes))

    @property
    def root(self) -> bytes:
        """Return the hash of the whole tree."""
        if not self.nodes:
            return EMPTY_ROOT
        *others, root = self.nodes
        for node in reversed(others):
            root = _parent(node, root)
        return root

    def packed(self) -> bytes:
        """Return the nodes as the store has them."""
        return b"".join(self.nodes)


EMPTY_TREE = Tree()


def unpacked_tree(size: int, packed: bytes) -> Tree:
    """Return the tree that was stored."""
    starts = range(0, len(packed), HASH_BYTES)
    return Tree(size, tuple(packed[start : start + HASH_BYTES] for start in starts))


def _parent(left: bytes, right: bytes) -> bytes:
    return sha256(NODE + left + right).digest()


def consistency_proof(old: Tree, later: Sequence[bytes]) -> tuple[bytes, ...]:
    """Return the hashes that prove that the tree of *old* and the leaves *later* extends *old*.

    RFC 9162 2.1.4.1.
    """
    return tuple(_subproof(old, later, whole=True)) if old.size else ()


def _subproof(old: Tree, later: Sequence[bytes], *, whole: bool) -> Iterator[bytes]:
    if not later:
        if not whole:
            yield old.root
        return
    half = 1 << (old.size + len(later) - 1).bit_length() - 1
    if old.size <= half:
        yield from _subproof(old, later[: half - old.size], whole=whole)
        yield Tree().extended(later[half - old.size :]).root
    else:
        yield from _subproof(Tree(old.size - half, old.nodes[1:]), later, whole=False)
        yield old.nodes[0]


def is_consistent(old: Checkpoint, new: Checkpoint, proof: Sequence[bytes]) -> bool:
    """Return whether *proof* shows that the larger tree *new* extends *old*.

    RFC 9162 2.1.4.2.
    """
    if not 0 < old.size < new.size:
        return False
    steps = [*proof] if old.size & (old.size - 1) else [old.root, *proof]
    first, last = old.size - 1, new.size - 1
    while first & 1:
        first, last = first >> 1, last >> 1
    small = large = steps[0] if steps else b""
    for step in steps[1:]:
        if last == 0:
            return False
        if first & 1 or first == last:
            small, large = _parent(step, small), _parent(step, large)
            while not first & 1 and first:
                first, last = first >> 1, last >> 1
        else:
            large = _parent(large, step)
        first, last = first >> 1, last >> 1
    return last == 0 and (small, large) == (old.root, new.root)


ED25519, COSIGNATURE = b"\x01", b"\x04"  # c2sp.org/signed-note: the types of keys
KEY_ID_BYTES, TIME_BYTES, SIGNATURE_BYTES = 4, 8, 64
SIGNATURE_MARK = "\N{EM DASH} "
NOTE_LETTERS_MAX = 10_000  # of a note that is read
CHECKPOINT_LINES = 3

Verify: TypeAlias = Callable[[bytes, bytes, bytes], bool]  # public key, message, signature


@dataclass(frozen=True, slots=True)
class Verifier:
    """A public key with the *name* that it signs under, as c2sp.org/signed-note writes it."""

    name: str
    key: bytes
    kind: bytes = ED25519

    @property
    def key_id(self) -> bytes:
        """Return the hash that a signature line begins with."""
        return sha256(self.name.encode() + b"\n" + self.kind + self.key).digest()[:KEY_ID_BYTES]

    @property
    def cosigner(self) -> Verifier:
        """Return the key as that of a witness.

        It may be the key of a log too: no cosigned text is a checkpoint, as its second line is no
        size.
        """
        return replace(self, kind=COSIGNATURE)

    def __str__(self) -> str:
        return f"{self.name}+{self.key_id.hex()}+{_text64(self.kind + self.key)}"


def read_verifier(text: str) -> Verifier:
    """Read a public key as `str` writes it. Raises `ValueError`."""
    name, _, rest = text.strip().partition("+")
    raw = _bytes64(rest.partition("+")[2])
    found = Verifier(name, raw[1:])
    if str(found) != text.strip() or len(found.key) != HASH_BYTES:
        raise ValueError("no public key: " + text)
    return found


@dataclass(frozen=True, slots=True)
class Witness:
    """Another judge that cosigns our checkpoints, and we its: its *log* and mail *address*."""

    log: Verifier
    address: str


def read_witness(text: str) -> Witness:
    """Read an entry of the setting `witnesses`, a public key and an address.

    Raises `ValueError`.
    """
    key, _, address = text.strip().partition(" ")
    return Witness(read_verifier(key), address.strip())


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """The size and root of a tree, under the name of its log (its *origin*)."""

    origin: str
    size: int
    root: bytes

    @property
    def body(self) -> str:
        """Return the text that is signed."""
        return f"{self.origin}\n{self.size}\n{_text64(self.root)}\n"

    @property
    def line(self) -> str:
        """Return what results print of it: the size and the whole root.

        A shorter root would not do: whoever makes the log chooses both of two trees, and two with
        the same 64 bits are found in minutes.
        """
        return f"{self.size} {_text64(self.root)}"


def signed_note(checkpoint: Checkpoint, signer: Verifier, signature: bytes) -> str:
    """Return *checkpoint* as a note with one signature."""
    return f"{checkpoint.body}\n{signature_line(signer, signature)}"


def signature_line(signer: Verifier, signature: bytes) -> str:
    """Return the line of a note for *signature*."""
    return f"{SIGNATURE_MARK}{signer.name} {_text64(signer.key_id + signature)}\n"


def read_checkpoint(note: str) -> Checkpoint:
    """Read the checkpoint in *note*, whatever its signatures. Raises `ValueError`."""
    body, _, _ = note.partition("\n\n")
    lines = body.split("\n")
    if len(note) > NOTE_LETTERS_MAX or len(lines) < CHECKPOINT_LINES:
        raise ValueError("no checkpoint of a log")
    origin, size, root = lines[:CHECKPOINT_LINES]
    if not origin or not size.isascii() or not size.isdigit() or size != str(int(size)):
        raise ValueError("no checkpoint of a log")
    found = Checkpoint(origin, int(size), _bytes64(root))
    if len(found.root) != HASH_BYTES:
        raise ValueError("no checkpoint of a log")
    return found


def is_signed(note: str, signer: Verifier, verify: Verify) -> bool:
    """Return whether *note* has a valid signature of *signer*."""
    body = note.partition("\n\n")[0] + "\n"
    return any(verify(signer.key, body.encode(), each) for each in _signatures(note, signer))


def cosigned_text(body: str, seconds: int) -> bytes:
    """Return what a witness signs at *seconds* since 1970: c2sp.org/tlog-cosignature."""
    return f"cosignature/v1\ntime {seconds}\n{body}".encode()


def cosignature_of(note: str, witness: Verifier, verify: Verify) -> str | None:
    """Return the line with the valid cosignature of *witness* in *note*, if any."""
    body = note.partition("\n\n")[0] + "\n"
    for each in _signatures(note, witness.cosigner, TIME_BYTES + SIGNATURE_BYTES):
        text = cosigned_text(body, int.from_bytes(each[:TIME_BYTES]))
        if verify(witness.key, text, each[TIME_BYTES:]):
            return signature_line(witness.cosigner, each)
    return None


def _signatures(note: str, signer: Verifier, length: int = SIGNATURE_BYTES) -> Iterator[bytes]:
    for line in note.partition("\n\n")[2].split("\n"):
        name, _, packed = line.removeprefix(SIGNATURE_MARK).rpartition(" ")
        if not line.startswith(SIGNATURE_MARK) or name != signer.name:
            continue
        try:
            raw = _bytes64(packed)
        except ValueError:
            continue
        if raw[:KEY_ID_BYTES] == signer.key_id and len(raw) == KEY_ID_BYTES + length:
            yield raw[KEY_ID_BYTES:]


def _text64(raw: bytes) -> str:
    return b64encode(raw).decode("ascii")


def _bytes64(text: str) -> bytes:
    return b64decode(text, validate=True)


@dataclass(frozen=True, slots=True)
class ClosingEvent:
    """Event *version* of *game*, which closed a phase.

    Its checkpoint is made just before the commit. So emails get it, as a `Closing`, when they are
    rendered: if *whole*, with all that it added to the tree.
    """

    game: str
    version: int
    whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Closing(ClosingEvent):
    """A checkpoint, and what it added to the tree *before*.

    *leaves* are those of the events of *game* up to *version*, in order, since the last closing of
    that game; *note* is the signed checkpoint, *key* verifies it.
    """

    before: Tree
    leaves: tuple[bytes, ...]
    checkpoint: Checkpoint
    note: str
    key: str


@dataclass(frozen=True, slots=True)
class StoredCheckpoint:
    """A checkpoint as the store has it; the newest has the state of the tree."""

    game: str
    version: int
    tree: Tree
    note: str


class Checkpoints(Protocol):
    """The checkpoints of the log; each batch of events in the tree ends with one."""

    def newest(self) -> StoredCheckpoint | None:
        """Return the newest."""

    def version(self, game: str, before: int = VERSION_MAX) -> int:
        """Return the version, below *before*, of the last event of *game* in the tree.

        A promised checkpoint counts as made.
        """

    def of(self, game: str, version: int) -> StoredCheckpoint | None:
        """Return the checkpoint made when event *version* of *game* closed a phase."""

    def at(self, size: int) -> StoredCheckpoint | None:
        """Return the checkpoint of the tree with *size* leaves."""

    def all(self, after: int = 0) -> Iterator[StoredCheckpoint]:
        """Yield all of trees with more than *after* leaves, oldest first."""

    def promise(self, game: str, version: int, make: Callable[[], None]) -> None:
        """Have *make* add the checkpoint of event *version* of *game* just before the commit.

        Until then no other transaction is kept from adding one.
        """

    def add(self, checkpoint: StoredCheckpoint) -> None:
        """Store a checkpoint."""


class Witnessed(Enum):
    """The states of a checkpoint that a witness was asked to cosign."""

    ASKED = "asked"
    COSIGNED = "cosigned"
    REFUSED = "refused"  # not shown to extend what the witness had cosigned


@dataclass(frozen=True, slots=True)
class WitnessedCheckpoint:
    """A *checkpoint* that *witness* was asked to cosign.

    Either it is ours, or this judge is the witness. *note* has the cosignature if there is one;
    *at* is when the state was reached.
    """

    checkpoint: Checkpoint
    witness: str
    note: str
    state: Witnessed
    at: datetime


class WitnessedCheckpoints(Protocol):
    """The checkpoints that witnesses were asked to cosign."""

    def put(self, witnessed: WitnessedCheckpoint) -> None:
        """Store the new state of a checkpoint."""

    def get(self, checkpoint: Checkpoint, witness: str) -> WitnessedCheckpoint | None:
        """Return what became of *checkpoint* with *witness*."""

    def newest(self, log: str, witness: str, state: Witnessed) -> WitnessedCheckpoint | None:
        """Return the largest checkpoint of *log* in that *state* with *witness*.

        A transaction that writes keeps others from asking that.
        """

    def of(self, log: str, witness: str, state: Witnessed) -> Sequence[WitnessedCheckpoint]:
        """Return the checkpoints of *log* in that *state* with *witness*, the smallest first."""

    def all(self, state: Witnessed) -> Sequence[WitnessedCheckpoint]:
        """Return all in that *state*, of each log the smallest first."""
