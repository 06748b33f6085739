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
from judge.events.store import EventStore, StaleStreamError


class Agenda(Protocol):
    """When each game next is due: a hint, never the truth; and when anybody last looked."""

    def beat(self, now: datetime) -> None:
        """Note that the judge is awake."""
        ...

    def last_beat(self) -> datetime | None:
        """Return when the judge was last known to be awake."""
        ...

    def doubt(self, since: datetime | None) -> None:
        """Note *since* when the clock shows less than at the last beat; None if it does not."""
        ...

    def doubted_since(self) -> datetime | None:
        """Return since when the clock shows less than at the last beat."""
        ...

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Note when *game* is due, None for never."""
        ...

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Name some games that are due: first those to which no time is to be given back."""
        ...

    def miss(self, began: datetime, now: datetime) -> None:
        """Note that the judge was away since *began*, and that every game is due *now*.

        A game to which the time of an earlier outage is still to be given back gets both.
        """
        ...

    def missed_since(self, game: str) -> datetime | None:
        """Return since when time is to be given back to *game*."""
        ...

    def made_up(self, game: str) -> None:
        """Note that *game* has its time back."""
        ...

    def forgotten(self) -> Sequence[str]:
        """Name the games that want none, though they do not end with their end."""
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
        """Do it once more: at most so often at once, and then once in each *pause*, or False."""
        ...

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Return whether `spend` would."""
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
        """Have *name* in hand, or have it already; False if another judge does."""
        ...

    def leave(self, name: str) -> None:
        """Let others have *name*."""
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
        """Count emails, and those given up since; name so many games that next are due."""
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
        """Return who is who."""
        ...

    @property
    def budgets(self) -> Budgets:
        """Return what may still be tried and answered."""
        ...

    @property
    def agenda(self) -> Agenda:
        """Return when each game is due."""
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
        """Leave nothing on the disk of what was removed; False if somebody is using it."""
        ...
