"""The log that anybody can check: checkpoints when phases close, and the public events."""

from __future__ import annotations

import json
from collections.abc import Iterator
from urllib.parse import quote

from judge import checkpoints
from judge.app.ports.database import Transaction
from judge.app.ports.judge import Encryption, Judge
from judge.checkpoints import Checkpoint, Closing, OpenedLeaf, StoredCheckpoint, Tree, Verifier
from judge.event_log import Row
from judge.game.game_state import Game


def make_checkpoint(judge: Judge, transaction: Transaction, game: str, version: int) -> Closing:
    """Add the events of *game* up to *version*, which closes a phase, to the tree, and sign it.

    Events enter the tree only then. So its size shows nothing of a phase that is open.
    """
    kept, key = transaction.checkpoints, transaction.secrets.leaf_key()
    newest = kept.newest()
    before = newest.tree if newest else Tree()
    rows = transaction.events.rows(game, kept.version(game), version)
    leaves = tuple(checkpoints.leaf_of(key, row) for row in rows)
    tree = before.extended(leaves)
    signer = log_verifier(judge, transaction)
    checkpoint = Checkpoint(signer.name, tree.size, tree.root)
    signature = judge.encryption.sign(checkpoint.body.encode(), transaction.secrets.log_key())
    note = checkpoints.signed_note(checkpoint, signer, signature)
    kept.add(StoredCheckpoint(game, version, tree, note))
    return Closing(
        game=game,
        version=version,
        before=before,
        leaves=leaves,
        checkpoint=checkpoint,
        note=note,
        key=str(signer),
    )


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


def past_closing(
    judge: Judge, transaction: Transaction, game: str, version: int
) -> Closing | None:
    """Return the checkpoint made when event *version* of *game* closed a phase, if any."""
    made = transaction.checkpoints.of(game, version)
    if made is None:
        return None
    seed = transaction.secrets.log_key()
    return Closing(
        game=game,
        version=version,
        before=Tree(),
        leaves=(),
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
        "board_recorded",
        "civil_disorder_declared",
        "deadline_passed",
        "game_ended",
        "game_restored",
        "phase_closed",
        "phase_opened",
        "phase_recorded",
    }
)


def is_public(game: Game) -> bool:
    """Return whether strangers may know the results of *game*."""
    rules = game.house_rules
    return rules.listed and rules.observers and not rules.blind


def rows_in_tree(transaction: Transaction, after: int = 0) -> Iterator[tuple[int, Row]]:
    """Yield the number of each leaf above *after*, from 1, with its event."""
    last, number = dict[str, int](), 0
    for each in transaction.checkpoints.all():
        begins, last[each.game] = last.get(each.game, 0), each.version
        if each.tree.size <= after:
            number = each.tree.size
            continue
        for row in transaction.events.rows(each.game, begins, each.version):
            number += 1
            if number > after:
                yield number, row


def published_leaf(judge: Judge, transaction: Transaction, row: Row) -> OpenedLeaf | None:
    """Return what the leaf of *row* covers, if strangers may know that."""
    if row.type not in PUBLIC_EVENTS:
        return None
    game = judge.game_cache.load(transaction, judge.boards, row.game)
    if game is None or not is_public(game):
        return None
    return checkpoints.open_leaf(transaction.secrets.leaf_key(), row)
