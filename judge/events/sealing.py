"""Chains each event of a game by hash to the one before it, so that no change goes unnoticed.

`hash = sha256(previous hash || canonical)`: of what is stored and before any upcasting, so that a
chain stays valid whatever the present types are.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256

from judge.events.codec import Codec, canonical_json
from judge.events.store import Head, Recorded, Row
from judge.events.value import Event


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
        previous = chain(previous, canonical(row))
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


def canonical(row: Row) -> bytes:
    """Return what the hash of *row* covers: JSON with sorted keys, no spaces and no floats.

    The payload stands in it letter by letter as it is stored, so that no byte of it can change.
    """
    return (
        f'{{"game":{canonical_json(row.game)},"payload":{row.payload},'
        f'"recorded_utc":{canonical_json(row.recorded_utc)},"schema":{row.schema},'
        f'"type":{canonical_json(row.type)},"version":{row.version}}}'
    ).encode()


def chain(previous_hash: str, canonical: bytes) -> str:
    """Return the hash of the event that follows the one with *previous_hash*."""
    return sha256(previous_hash.encode("ascii") + canonical).hexdigest()
