"""The log that anybody can check: checkpoints when phases close, and the public events."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from functools import partial
from urllib.parse import quote

from judge import checkpoints
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Encryption, Judge
from judge.checkpoints import (
    EMPTY_TREE,
    Checkpoint,
    Closing,
    ClosingEvent,
    OpenedLeaf,
    StoredCheckpoint,
    Verifier,
)
from judge.event_log import Row
from judge.game.game_state import Game


def promise_checkpoint(
    judge: Judge, transaction: Transaction, game: str, version: int
) -> ClosingEvent:
    """Add the events of *game* up to *version*, which closes a phase, to the tree, and sign it.

    Events enter the tree only then. So its size shows nothing of a phase that is open. All but the
    tree itself is computed now: while it grows, other closings wait.
    """
    kept = transaction.checkpoints
    leaves = _leaves(transaction, game, kept.version(game), version)
    signer = log_verifier(judge, transaction)
    add = partial(_add_checkpoint, judge, transaction, game, version, leaves, signer)
    kept.promise(game, version, add)
    return ClosingEvent(game, version, whole=True)


def _leaves(transaction: Transaction, game: str, after: int, until: int) -> tuple[bytes, ...]:
    key = transaction.secrets.leaf_key()
    rows = transaction.events.rows(game, after, until)
    return tuple(checkpoints.leaf_of(key, row) for row in rows)


def _add_checkpoint(
    judge: Judge,
    transaction: Transaction,
    game: str,
    version: int,
    leaves: Sequence[bytes],
    signer: Verifier,
) -> None:
    newest = transaction.checkpoints.newest()
    tree = (newest.tree if newest else EMPTY_TREE).extended(leaves)
    checkpoint = Checkpoint(signer.name, tree.size, tree.root)
    signature = judge.encryption.sign(checkpoint.body.encode(), transaction.secrets.log_key())
    note = checkpoints.signed_note(checkpoint, signer, signature)
    transaction.checkpoints.add(StoredCheckpoint(game, version, tree, note))


def log_verifier(judge: Judge, transaction: Transaction) -> Verifier:
    """Return the name of the log and its public key."""
    key = judge.encryption.public_key(transaction.secrets.log_key())
    return Verifier(log_name(judge, transaction), key)


def log_name(judge: Judge, transaction: Transaction) -> str:
    """Return the name of the log, another since each restored backup."""
    local, _, domain = judge.address.rpartition("@")
    return "/".join(filter(None, (domain, quote(local, safe=""), transaction.secrets.epoch())))


def note_verifier(encryption: Encryption, seed: bytes, note: str) -> Verifier:
    """Return the public key that *note* was signed with, under the name that the log had then."""
    origin = checkpoints.read_checkpoint(note).origin
    return Verifier(origin, encryption.public_key(seed))


def closing_at(judge: Judge, transaction: Transaction, event: ClosingEvent) -> Closing | None:
    """Return the checkpoint made when *event* closed a phase, if any."""
    kept, game, version = transaction.checkpoints, event.game, event.version
    made = kept.of(game, version)
    if made is None:
        return None
    before, leaves = EMPTY_TREE, tuple[bytes, ...]()
    if event.whole:
        leaves = _leaves(transaction, game, kept.version(game, before=version), version)
        earlier = kept.at(made.tree.size - len(leaves))
        before = earlier.tree if earlier else EMPTY_TREE
    seed = transaction.secrets.log_key()
    return Closing(
        game=game,
        version=version,
        before=before,
        leaves=leaves,
        checkpoint=checkpoints.read_checkpoint(made.note),
        note=made.note,
        key=str(note_verifier(judge.encryption, seed, made.note)),
    )


ORDER_EVENTS = ("orders_submitted", "orders_cleared", "orders_planned")


def recorded_orders(
    transaction: Transaction, game: str, power: str, mail: str
) -> tuple[OpenedLeaf, ...]:
    """Return what the tree will have of the orders of *power* in the email with digest *mail*."""
    key = transaction.secrets.leaf_key()
    rows = transaction.events.rows(game, transaction.checkpoints.version(game))
    own = {"power": power, "mail": mail}.items()
    return tuple(
        checkpoints.open_leaf(key, row)
        for row in rows
        if row.type in ORDER_EVENTS and own <= json.loads(row.payload).items()
    )


# These name no person and quote nobody. Everything else stays a hash.
PUBLIC_EVENTS = frozenset(
    {
        *("board_recorded", "civil_disorder_declared", "deadline_passed", "game_ended"),
        *("game_restored", "phase_closed", "phase_opened", "phase_recorded"),
    }
)


def is_public(game: Game) -> bool:
    """Return whether strangers may know the results of *game*."""
    rules = game.house_rules
    return rules.listed and rules.observers and not rules.blind


def rows_in_tree(transaction: Transaction, after: int = 0) -> Iterator[tuple[int, Row]]:
    """Yield the number of each leaf above *after*, from 1, with its event."""
    kept = transaction.checkpoints
    for each in kept.all(after):
        rows = transaction.events.rows(
            each.game, kept.version(each.game, before=each.version), each.version
        )
        numbered = enumerate(rows, each.tree.size - len(rows) + 1)
        yield from ((number, row) for number, row in numbered if number > after)


def published_leaf(judge: Judge, transaction: Transaction, row: Row) -> OpenedLeaf | None:
    """Return what the leaf of *row* covers, if strangers may know that."""
    if row.type not in PUBLIC_EVENTS:
        return None
    game = judge.game_cache.load(transaction, judge.boards, row.game)
    if game is None or not is_public(game):
        return None
    return checkpoints.open_leaf(transaction.secrets.leaf_key(), row)
