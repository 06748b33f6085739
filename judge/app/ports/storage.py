"""The database: its transactions, work claims, agenda, rate limits and counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Protocol, TypeVar

from judge.app.ports.inbox import Inbox, Mailboxes
from judge.app.ports.outbox import Outbox
from judge.app.ports.people import People, PersonalData
from judge.events import EventStore, StaleStreamError


class Agenda(Protocol):
    """When each game is next due, as a hint, and the heartbeat of the judge."""

    def record_heartbeat(self, now: datetime) -> None:
        """Record a heartbeat."""
        ...

    def last_heartbeat(self) -> datetime | None:
        """Return the last heartbeat."""
        ...

    def set_clock_behind(self, since: datetime | None) -> None:
        """Record *since* when the clock has been behind the last heartbeat; None if it is not."""
        ...

    def clock_behind_since(self) -> datetime | None:
        """Return since when the clock has been behind the last heartbeat."""
        ...

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Set when *game* is next due, None for never."""
        ...

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Return games that are due; those that are owed time after an outage come last."""
        ...

    def begin_outage(self, began: datetime, now: datetime) -> None:
        """Record an outage since *began*, and make every game due *now*.

        A game to which the time of an earlier outage is still to be given back gets both.
        """
        ...

    def outage_since(self, game: str) -> datetime | None:
        """Return when the outage began for which *game* is owed time."""
        ...

    def end_outage(self, game: str) -> None:
        """Record that *game* has been given its time back."""
        ...

    def unscheduled_games(self) -> Sequence[str]:
        """Return the games that have not ended and have no entry."""
        ...

    def is_due(self, game: str, now: datetime) -> bool:
        """Return whether *game* is due."""
        ...

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""
        ...


class Secrets(Protocol):
    """Secrets of this judge that are made once and kept."""

    def token_key(self) -> bytes:
        """Return the key of the tokens, made at the first call."""
        ...


class Budgets(Protocol):
    """How often something may still be done: what is spent is paid back as time goes by."""

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Spend one unit: *most* at once, then one per *pause*; False if none is left."""
        ...

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Return whether `spend` would succeed."""
        ...


TRIES = 5  # of what somebody else was faster at; then it waits like any other failure

Result = TypeVar("Result")


class OvertakenError(Exception):
    """Another judge on the same store was faster: nothing was written; read again, decide anew."""


class Claims(Protocol):
    """What is in the hand of this judge; whatever happens to it, others can have it then.

    A claim keeps two judges from doing the same work, and nothing depends on it: what they write
    shows in the store who was second.
    """

    def take(self, name: str) -> bool:
        """Claim *name*; False if another judge holds it."""
        ...

    def leave(self, name: str) -> None:
        """Release *name*."""
        ...


def retry_overtaken(work: Callable[[], Result]) -> Result:
    """Do *work*, one transaction, again while another judge is faster."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except (OvertakenError, StaleStreamError):
            continue
    return work()


@dataclass(frozen=True, slots=True)
class Tally:
    """What is counted in the store: mails by state, and the instants that tell whether they move.

    *refused* counts the emails given up since yesterday, *retried* those that failed and wait.
    """

    inbox: Mapping[str, int]
    outbox: Mapping[str, int]
    oldest_waiting: datetime | None
    oldest_queued: datetime | None
    retried: int
    refused: int
    games: Sequence[tuple[str, datetime]]  # that next want a look, and when


class Tallies(Protocol):
    """What can be counted."""

    def count(self, failures_since: datetime, games: int) -> Tally:
        """Count emails by state and failures since then; return the next *games* due."""
        ...


class Transaction(Protocol):
    """Everything a use case may read and write; all of it is committed together or not at all."""

    @property
    def events(self) -> EventStore:
        """Return the log of every game."""
        ...

    @property
    def inbox(self) -> Inbox:
        """Return the emails that came in."""
        ...

    @property
    def outbox(self) -> Outbox:
        """Return the emails to be sent."""
        ...

    @property
    def people(self) -> People:
        """Return the people."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Return what may still be tried and answered."""
        ...

    @property
    def agenda(self) -> Agenda:
        """Return the agenda."""
        ...

    @property
    def secrets(self) -> Secrets:
        """Return the secrets of this judge."""
        ...

    @property
    def mailboxes(self) -> Mailboxes:
        """Return how far the mailboxes have been read that mail comes by."""
        ...

    @property
    def tallies(self) -> Tallies:
        """Return what can be counted."""
        ...

    @property
    def personal_data(self) -> PersonalData:
        """Return what is kept of people, to be erased."""
        ...


class Database(Protocol):
    """Where transactions come from."""

    @property
    def claims(self) -> Claims:
        """Return what this judge has in hand, of those on the same store."""
        ...

    def write(self) -> AbstractContextManager[Transaction]:
        """Begin to write; the end of the block commits, an exception in it rolls back.

        What was read may have changed by then where several judges write: `persistently`.
        """
        ...

    def read(self) -> AbstractContextManager[Transaction]:
        """Begin to read one consistent state."""
        ...

    def compact(self) -> bool:
        """Remove deleted data from the disk; False if the database is in use."""
        ...
