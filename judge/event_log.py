"""The log of events: their base class, their encoding, the store's port, the hash chain."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from hashlib import sha256
from typing import Any, NoReturn, Protocol, TypeAlias

from pydantic import TypeAdapter, ValidationError
from pydantic.json_schema import GenerateJsonSchema
from typing_extensions import TypeAliasType

Value = TypeAliasType("Value", "str | int | bool | tuple[Value, ...] | Mapping[str, Value] | None")
Payload: TypeAlias = Mapping[str, Value]


class Event:
    """The base of all events: each is a frozen dataclass of payload values."""

    __slots__ = ()


VERSION_MAX = 2**31 - 1
GENESIS = "0" * 64  # The hash before the first event of a game.


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event in the log.

    *version* counts within the game from 1 without gaps; *hash* is `sha256(previous hash ||
    canonical)`, in hexadecimal.
    """

    game: str
    version: int
    recorded_utc: datetime
    event: Event
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An event as stored, before any upcasting; the hash covers everything else.

    *recorded_utc* and *payload* (canonical JSON) are the exact text that was hashed. Bytes that
    are not UTF-8, because the disk has changed them, are lone surrogates in it (PEP 383).
    """

    game: str
    version: int
    type: str
    schema: int
    recorded_utc: str
    payload: str
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """The last event of a game's log: version 0 and `GENESIS` for a game without events."""

    version: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Vouched:
    """An operator has checked the events of a game up to *head*, and accepted them.

    The *digest* covers those events as they were at that time.
    """

    head: Head
    digest: str
    reason: str
    at: datetime


class StaleStreamError(Exception):
    """Another transaction appended first: read again and decide again."""

    def __init__(self, game: str, expected: int) -> None:
        super().__init__(f"the log of {game!r} has moved past version {expected}")
        self.game = game
        self.expected = expected


class EventStore(Protocol):
    """The append-only log of every game."""

    def games(self) -> Sequence[str]:
        """Return the games that have events, oldest first."""

    def head(self, game: str) -> Head:
        """Return the head of the log of *game*."""

    def read(self, game: str, after: int = 0, until: int = VERSION_MAX) -> Sequence[Recorded]:
        """Return the events of *game* above *after*, up to *until*, as current types."""

    def rows(self, game: str, after: int = 0, until: int = VERSION_MAX) -> Sequence[Row]:
        """Return the events of *game* above *after*, up to *until*, as stored."""

    def guards(self) -> str:
        """Return a mark of what keeps rows from being changed, empty if nothing does.

        Rows have not changed as long as the mark is the same.
        """

    def vouched(self, game: str) -> Vouched | None:
        """Return the part of the log of *game* that an operator has accepted, if any."""

    def vouch(self, game: str, vouched: Vouched) -> None:
        """Record that an operator has accepted the log of *game*."""

    def append(
        self,
        game: str,
        expected: int,
        events: Sequence[Event],
        now: datetime,
        *,
        known: Collection[str] = (),
    ) -> Sequence[Recorded]:
        """Append *events* after version *expected* of *game*, all or none.

        The store remembers who is named in a game; of those *known* to be named it does already.
        Raises `StaleStreamError` if the log has moved on.
        """


# Everyone who plays, votes or writes first appears in one of these.
PERSON_FIELDS = ("person", "moderator")


def persons_in(events: Iterable[Event]) -> frozenset[str]:
    """Return the ids of the persons that *events* name."""
    found = (getattr(event, field, None) for event in events for field in PERSON_FIELDS)
    return frozenset(person for person in found if person)


Json: TypeAlias = dict[str, Any]
Upcaster: TypeAlias = Callable[[Json], Json]
Upcasters: TypeAlias = Mapping[str, Sequence[Upcaster]]


class CodecError(ValueError):
    """An event cannot be encoded, or its stored form cannot be decoded."""


@dataclass(frozen=True, slots=True)
class EncodedEvent:
    """An event in its stored form; *payload* is canonical JSON."""

    type: str
    schema: int
    payload: str


class Codec:
    """Encodes and decodes the events of *types*, by their names in the log."""

    def __init__(self, types: Mapping[str, type[Event]], upcasters: Upcasters) -> None:
        self.types = types
        self._upcasters = upcasters
        self._names = {cls: name for name, cls in types.items()}
        self._adapters: dict[str, TypeAdapter[Event]] = {}

    def encode(self, event: Event) -> EncodedEvent:
        """Encode *event* under the current schema of its type."""
        name = self._names[type(event)]
        adapter = self._adapter(name)
        try:
            payload = canonical_json(adapter.dump_python(event, mode="json", warnings="error"))
        except ValueError as error:
            raise CodecError(f"{name} cannot be written: {error}") from error
        return EncodedEvent(name, self.schema_version(name), payload)

    def decode(self, name: str, schema: int, payload: str) -> Event:
        """Decode the output of `encode`, from the current or an older *schema*."""
        present = self.schema_version(name)
        if name not in self.types:
            raise CodecError(f"no event is called {name!r}")
        if not 1 <= schema <= present:
            raise CodecError(f"{name} has the schemas 1 to {present}, not {schema}")
        steps = self._upcasters.get(name, ())[schema - 1 :]
        try:
            return _validate(self._adapter(name), _upcast(payload, steps))
        except ValueError as error:
            why = _why(error)
            raise CodecError(f"{name} version {schema} cannot be read: {why}") from None

    def schema_version(self, name: str) -> int:
        """Return the current version of the schema of the type *name*."""
        return len(self._upcasters.get(name, ())) + 1

    def json_schema(self, name: str) -> Json:
        """Return the JSON Schema (2020-12) of the current payload of the type *name*."""
        described = self._adapter(name).json_schema(schema_generator=_Untitled)
        return {
            "$schema": GenerateJsonSchema.schema_dialect,
            "$id": f"{name}.v{self.schema_version(name)}.schema.json",
            **described,
            "title": name,
            "additionalProperties": False,
        }

    def _adapter(self, name: str) -> TypeAdapter[Event]:
        """Build the adapter of the type *name* when it is needed: all take 3 % of a start."""
        if name not in self._adapters:
            self._adapters[name] = TypeAdapter(self.types[name])
        return self._adapters[name]


def canonical_json(value: object) -> str:
    """Encode *value* in its only form: sorted keys, no spaces, minimal escapes, no floats.

    A float has several decimal forms, and the hash must not depend on the writer.
    """
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    json.loads(text, parse_float=_reject_float, parse_constant=_reject_float)
    text.encode()  # Half a surrogate pair is not UTF-8: refuse it here, not at the disk.
    return text


def _reject_float(number: str) -> NoReturn:
    raise CodecError(f"a float cannot be written canonically: {number}")


def _upcast(payload: str, steps: Sequence[Upcaster]) -> str:
    if not steps:
        return payload
    current = json.loads(payload)
    for step in steps:
        current = step(current)
    return canonical_json(current)


def _validate(adapter: TypeAdapter[Event], payload: str) -> Event:
    return adapter.validate_json(payload, strict=True, extra="forbid")


def _why(error: ValueError) -> str:
    """Return what is wrong with a payload, without its values, which may be secret."""
    if not isinstance(error, ValidationError):
        return type(error).__name__
    found = error.errors(include_url=False, include_context=False, include_input=False)
    return "; ".join(".".join([*map(str, each["loc"]), each["type"]]) for each in found)


class _Untitled(GenerateJsonSchema):
    """Leaves out titles that only repeat the name of the field."""

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ANN401, ARG002 - an override
        return False


def seal(
    codec: Codec, game: str, head: Head, events: Sequence[Event], now: datetime
) -> Iterator[Row]:
    """Yield *events* as rows that follow *head* in *game*; a store reads them before it writes."""
    recorded_utc = now.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    previous = head.hash
    for count, event in enumerate(events, 1):
        encoded = codec.encode(event)
        row = Row(
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
    """Decode the event in *row*, upcast to the current types."""
    try:
        recorded_utc = datetime.fromisoformat(row.recorded_utc)
    except ValueError as error:
        raise CodecError(f"{row.type} has no time at which it was recorded") from error
    return Recorded(
        game=row.game,
        version=row.version,
        recorded_utc=recorded_utc,
        event=codec.decode(row.type, row.schema, row.payload),
        hash=row.hash,
    )


def canonical_row(row: Row) -> bytes:
    """Return what the hash of *row* covers: JSON with sorted keys, no spaces and no floats.

    The payload is included as stored, so changing any byte of it changes the hash, also to one
    that is not UTF-8.
    """
    return (
        f'{{"game":{_quoted(row.game)},"payload":{row.payload},'
        f'"recorded_utc":{_quoted(row.recorded_utc)},"schema":{row.schema},'
        f'"type":{_quoted(row.type)},"version":{row.version}}}'
    ).encode(errors="surrogateescape")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def chain_hash(previous_hash: str, canonical: bytes) -> str:
    """Return the hash of the event that follows the one with *previous_hash*."""
    return sha256(previous_hash.encode("ascii") + canonical).hexdigest()


class Damage(Enum):
    """The kind of damage to an event of the log."""

    MISSING = "missing"  # missing, with later events present
    ALTERED = "altered"  # not the event that was written
    TRUNCATED = "truncated"  # the head counts events past the end of the log
    ADDED = "added"  # past the head
    UNREADABLE = "unreadable"  # not an event, or has an order that cannot be read


@dataclass(frozen=True, slots=True)
class Flaw:
    """The first damaged event of the log of *game*."""

    game: str
    version: int
    damage: Damage


def digest_rows(rows: Iterable[Row]) -> str:
    """Return a digest of *rows*."""
    found = sha256()
    for row in rows:
        found.update(canonical_row(row) + b"\n")
    return found.hexdigest()


def vouched_head(rows: Sequence[Row], vouched: Vouched | None) -> Head:
    """Return the end of the rows that an operator has *vouched* for; they must be unchanged."""
    if vouched and digest_rows(rows[: vouched.head.version]) == vouched.digest:
        return vouched.head
    return Head()


def verify_chain(
    game: str,
    rows: Sequence[Row],
    head: Head,
    vouched: Vouched | None = None,
    sound: Head | None = None,
) -> Flaw | None:
    """Check the *rows* of *game*, in order of version, up to its *head*; None if they are sound.

    Rows that an operator has *vouched* for are accepted, unless they changed since. With *sound*,
    the rows are those after it, and nobody has vouched for any.
    """
    known = sound or vouched_head(rows, vouched)
    previous, version = known.hash, known.version
    for version, row in enumerate(rows if sound else rows[known.version :], known.version + 1):
        if version > head.version:
            return Flaw(game, version, Damage.ADDED)
        if row.version != version:
            return Flaw(game, version, Damage.MISSING)
        if row.hash != chain_hash(previous, canonical_row(row)):
            return Flaw(game, version, Damage.ALTERED)
        previous = row.hash
    if version < head.version:
        return Flaw(game, version + 1, Damage.TRUNCATED)
    if previous != head.hash:  # All hashes were recomputed, but the head was kept.
        return Flaw(game, version, Damage.ALTERED)
    return None
