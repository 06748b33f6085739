"""The hash chain over the events of a game: seal events, and verify a stored log.

`hash = sha256(previous hash || canonical)`: of what is stored and before any upcasting, so that a
chain stays valid whatever the present types are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from hashlib import sha256

from judge.events.codec import Codec, canonical_json
from judge.events.store import Event, Head, Recorded, Row, Vouched


def seal(
    codec: Codec, game: str, head: Head, position: int, events: Sequence[Event], now: datetime
) -> Iterator[Row]:
    """Yield *events* as the rows that follow *head* in *game* and *position* in the store."""
    recorded_utc = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    previous = head.hash
    for count, event in enumerate(events, 1):
        encoded = codec.encode(event)
        row = Row(
            position=position + count,
            game=game,
            version=head.version + count,
            type=encoded.type,
            schema=encoded.schema,
            recorded_utc=recorded_utc,
            payload=encoded.payload,
            hash="",
        )
        previous = chain_hash(previous, canonical_row(row))
        yield replace(row, hash=previous)


def unseal(codec: Codec, row: Row) -> Recorded:
    """Read the event in *row*, brought up to the present types."""
    return Recorded(
        game=row.game,
        version=row.version,
        position=row.position,
        recorded_utc=datetime.fromisoformat(row.recorded_utc),
        event=codec.decode(row.type, row.schema, row.payload),
        hash=row.hash,
    )


def canonical_row(row: Row) -> bytes:
    """Return what the hash of *row* covers: JSON with sorted keys, no spaces and no floats.

    The payload stands in it letter by letter as it is stored, so that no byte of it can change.
    """
    return (
        f'{{"game":{canonical_json(row.game)},"payload":{row.payload},'
        f'"recorded_utc":{canonical_json(row.recorded_utc)},"schema":{row.schema},'
        f'"type":{canonical_json(row.type)},"version":{row.version}}}'
    ).encode()


def chain_hash(previous_hash: str, canonical: bytes) -> str:
    """Return the hash of the event that follows the one with *previous_hash*."""
    return sha256(previous_hash.encode("ascii") + canonical).hexdigest()


class Damage(Enum):
    """What is wrong with an event of the log."""

    MISSING = "missing"  # the log goes on without it
    ALTERED = "altered"  # it is not what was written here
    TRUNCATED = "truncated"  # the log ends before it, though the head counts it
    ADDED = "added"  # the head knows nothing of it
    UNREADABLE = "unreadable"  # it is no event, or has an order that cannot be read


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first damaged event of the log of *game*."""

    game: str
    version: int
    damage: Damage


def digest_rows(rows: Iterable[Row]) -> str:
    """Return what tells *rows* from any others."""
    found = sha256()
    for row in rows:
        found.update(canonical_row(row) + b"\n")
    return found.hexdigest()


def vouched_head(rows: Sequence[Row], vouched: Vouched | None) -> Head:
    """Return how far *rows* stand because somebody *vouched* for what they are."""
    if vouched and digest_rows(rows[: vouched.head.version]) == vouched.digest:
        return vouched.head
    return Head()


def verify_chain(
    game: str, rows: Sequence[Row], head: Head, vouched: Vouched | None = None
) -> Flaw | None:
    """Walk the *rows* of *game*, in order of version, to its *head*; None if nothing is wrong.

    What a person has *vouched* for is right, as long as it is what he saw.
    """
    known = vouched_head(rows, vouched)
    previous, version = known.hash, known.version
    for version, row in enumerate(rows[known.version :], known.version + 1):
        if version > head.version:
            return Flaw(game, version, Damage.ADDED)
        if row.version != version:
            return Flaw(game, version, Damage.MISSING)
        if row.hash != chain_hash(previous, canonical_row(row)):
            return Flaw(game, version, Damage.ALTERED)
        previous = row.hash
    if version < head.version:
        return Flaw(game, version + 1, Damage.TRUNCATED)
    if previous != head.hash:  # Every hash was made anew, but the head was kept.
        return Flaw(game, version, Damage.ALTERED)
    return None
