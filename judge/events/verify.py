"""Is the log of a game the one that was written? The first event that is not is named."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from hashlib import sha256

from judge.events.sealing import canonical, chain
from judge.events.store import Head, Row, Vouched


class Damage(Enum):
    """What is wrong with an event of the log."""

    MISSING = "missing"  # the log goes on without it
    ALTERED = "altered"  # it is not what was written here
    TRUNCATED = "truncated"  # the log ends before it, though the head counts it
    ADDED = "added"  # the head knows nothing of it


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first event of *game* at which the log is not what was written."""

    game: str
    version: int
    damage: Damage


def digest(rows: Iterable[Row]) -> str:
    """Return what tells *rows* from any others."""
    found = sha256()
    for row in rows:
        found.update(canonical(row) + b"\n")
    return found.hexdigest()


def stands(rows: Sequence[Row], vouched: Vouched | None) -> Head:
    """Return how far *rows* stand because somebody *vouched* for what they are."""
    if vouched and digest(rows[: vouched.head.version]) == vouched.digest:
        return vouched.head
    return Head()


def verify_chain(
    game: str, rows: Sequence[Row], head: Head, vouched: Vouched | None = None
) -> Flaw | None:
    """Walk the *rows* of *game*, in order of version, to its *head*; None if nothing is wrong.

    What a person has *vouched* for is right, as long as it is what he saw.
    """
    known = stands(rows, vouched)
    previous, version = known.hash, known.version
    for version, row in enumerate(rows[known.version :], known.version + 1):
        if version > head.version:
            return Flaw(game, version, Damage.ADDED)
        if row.version != version:
            return Flaw(game, version, Damage.MISSING)
        if row.hash != chain(previous, canonical(row)):
            return Flaw(game, version, Damage.ALTERED)
        previous = row.hash
    if version < head.version:
        return Flaw(game, version + 1, Damage.TRUNCATED)
    if previous != head.hash:  # Every hash was made anew, but the head was kept.
        return Flaw(game, version, Damage.ALTERED)
    return None
