"""The event store: payloads, recorded events, stored rows, and what each store promises."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeAlias

from typing_extensions import TypeAliasType

Value = TypeAliasType("Value", "str | int | bool | tuple[Value, ...] | Mapping[str, Value] | None")
Payload: TypeAlias = Mapping[str, Value]


class Event:
    """The base of all events: each is a frozen dataclass of payload values."""

    __slots__ = ()


GENESIS = "0" * 64  # The hash before the first event of a game.


@dataclass(frozen=True, slots=True)
class Recorded:
    """An event as it stands in the log.

    *version* counts within the game from 1 without gaps; *position* counts all events of the
    store, in the order in which they were committed; *hash* is `sha256(previous hash ||
    canonical)`, in hexadecimal; *recorded_utc* is when.
    """

    game: str
    version: int
    position: int
    recorded_utc: datetime
    event: Event
    hash: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """An event as it is stored, before any upcasting; everything but *position* is hashed.

    *recorded_utc* and *payload* (canonical JSON) are text, letter by letter as it was hashed.
    """

    position: int
    game: str
    version: int
    type: str
    schema: int
    recorded_utc: str
    payload: str
    hash: str


@dataclass(frozen=True, slots=True)
class Head:
    """How far the log of one game goes: version 0 and `GENESIS` for a game without events."""

    version: int = 0
    hash: str = GENESIS


@dataclass(frozen=True, slots=True)
class Vouched:
    """A person has looked at the first events of a game up to *head*, and lets them stand.

    The *digest* is of those events as they were then, however they came to be so.
    """

    head: Head
    digest: str
    reason: str
    at: datetime


class StaleStreamError(Exception):
    """Another transaction appended first: read again and decide anew."""

    def __init__(self, game: str, expected: int) -> None:
        super().__init__(f"the log of {game!r} has moved past version {expected}")
        self.game = game
        self.expected = expected


class EventStore(Protocol):
    """The log of every game, append-only."""

    def games(self) -> Sequence[str]:
        """Return the games that have events, in the order in which they began."""
        ...

    def games_of(self, person: str) -> Sequence[str]:
        """Return the games whose logs name *person*, in alphabetical order."""
        ...

    def head(self, game: str) -> Head:
        """Return the head of the log of *game*."""
        ...

    def read(self, game: str, after: int = 0) -> Sequence[Recorded]:
        """Return the events of *game* with a version above *after*, as present types."""
        ...

    def read_all(self, after: int = 0) -> Iterator[Recorded]:
        """Yield the events of all games with a position above *after*, in order of commitment."""
        ...

    def rows(self, game: str) -> Sequence[Row]:
        """Return the log of *game* as it is stored, for those who check it."""
        ...

    def vouched(self, game: str) -> Vouched | None:
        """Return what an operator has accepted of the log of *game*, if anything."""
        ...

    def vouch(self, game: str, vouched: Vouched) -> None:
        """Record that an operator has accepted the log of *game* as it is."""
        ...

    def append(
        self, game: str, expected: int, events: Sequence[Event], now: datetime
    ) -> Sequence[Recorded]:
        """Write *events* after version *expected* of *game*, all or none.

        Raises `StaleStreamError` when the log has moved on.
        """
        ...


PERSON_FIELDS = (
    "person",
    "moderator",
)  # Whoever is seated, votes or writes has come by one of these.


def persons_in(events: Iterable[Event]) -> frozenset[str]:
    """Return the ids of the persons that *events* name."""
    found = (getattr(event, field, None) for event in events for field in PERSON_FIELDS)
    return frozenset(person for person in found if person)
