"""The judge's database: its transactions, their parts, and how several judges share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from typing import Protocol, TypeAlias, TypeVar

from judge.app.ports.inbox import Inbox, Mailboxes
from judge.app.ports.outbox import Outbox
from judge.app.ports.people import People, PersonalData
from judge.app.ports.summaries import GameSummaries
from judge.checkpoints import Checkpoints, WitnessedCheckpoints
from judge.event_log import EventStore, StaleStreamError


class Blame(Enum):
    """The cause of an error that came up while an email was processed."""

    STORE = "store"
    UNCLEAR = "unclear"  # the store's or the system's, or caused by the email
    OTHERS = "others"  # a lock, another judge that was faster, or the connection
    DATA = "data"  # what it was to store, or our code


@dataclass(frozen=True, slots=True)
class DiskRoom:
    """The *free* bytes of the disk that holds the database, and the share of it that is *used*."""

    free: int
    used: float


class Database(Protocol):
    """The source of transactions."""

    def blame(self, error: Exception) -> Blame:
        """Return the cause of *error*."""

    def is_damage(self, error: Exception) -> bool:
        """Return whether *error* says that the file of the database is damaged."""

    def probe(self, *, writes: bool) -> None:
        """Read each table, and write nothing into it if *writes*; raises what fails."""

    @property
    def claims(self) -> Claims:
        """Return the claims of this judge among those on the same store."""

    def write(self) -> AbstractContextManager[Transaction]:
        """Begin to write; the end of the block commits, an exception in it rolls back.

        Where several judges write, anything read before may have changed: see `retry_overtaken`.
        """

    def read(self) -> AbstractContextManager[Transaction]:
        """Begin to read one consistent state."""

    def settle(self) -> None:
        """Bring what was committed to its last place on the disk, if there is nothing else to do.

        To be called at each tick.
        """

    def compact(self) -> bool:
        """Remove deleted data from the disk; False if the database is in use."""

    def disk_room(self) -> DiskRoom | None:
        """Return the room on the disk of the database; None if it is another machine's."""


class Transaction(Protocol):
    """All that a use case may read and write, committed together or not at all."""

    @property
    def events(self) -> EventStore:
        """Return the log of every game."""

    def is_older(self) -> bool:
        """Return whether the store is older than this judge has seen it: a dump was restored.

        Until a new epoch has begun, any transaction that queues an email fails then.
        """

    @property
    def has_appended(self) -> bool:
        """Return whether this transaction has changed a game."""

    @property
    def summaries(self) -> GameSummaries:
        """Return the table of games."""

    @property
    def checkpoints(self) -> Checkpoints:
        """Return the checkpoints of the log."""

    @property
    def witnessed(self) -> WitnessedCheckpoints:
        """Return the checkpoints that witnesses were asked to cosign."""

    @property
    def inbox(self) -> Inbox:
        """Return the incoming emails."""

    @property
    def outbox(self) -> Outbox:
        """Return the outgoing emails."""

    @property
    def people(self) -> People:
        """Return the people."""

    @property
    def budgets(self) -> Budgets:
        """Return the rate limits."""

    @property
    def missed(self) -> MissedSentences:
        """Return the sentences that were not understood."""

    @property
    def agenda(self) -> Agenda:
        """Return the agenda."""

    @property
    def secrets(self) -> Secrets:
        """Return the judge's secrets."""

    @property
    def mailboxes(self) -> Mailboxes:
        """Return the progress of reading each mailbox."""

    @property
    def tallies(self) -> Tallies:
        """Return the statistics."""

    @property
    def personal_data(self) -> PersonalData:
        """Return the erasable data about people."""


class Claims(Protocol):
    """The work that this judge has claimed; a claim ends with its process.

    Claims keep two judges from doing the same work, but correctness does not depend on them: the
    store detects the second writer.
    """

    def take(self, name: str) -> bool:
        """Claim *name*; False if another judge holds it."""

    def take_next(self, names: Sequence[str]) -> Sequence[str]:
        """Claim the first of *names* that no other judge holds; all if there is no other judge."""

    def leave(self, name: str) -> None:
        """Release *name*."""


def claim_on(game: str) -> str:
    """Return the claim of the judge that decides on *game*."""
    return f"decide on {game}"


def claim_on_sender(sender: str) -> str:
    """Return the claim of the judge that answers an email of *sender*."""
    return f"answer {sender}"


class OvertakenError(Exception):
    """Another judge on the same store was faster: nothing was written; read and decide again."""


class OlderStoreError(Exception):
    """An older dump was restored under this judge: nothing was written."""

    def __init__(self) -> None:
        super().__init__("an older store was restored under the running judge")


TRIES = 5  # after another judge was faster; then it counts as a failure

Result = TypeVar("Result")


def retry_overtaken(work: Callable[[], Result]) -> Result:
    """Run *work*, one transaction, and repeat it while another judge is faster."""
    for _ in range(TRIES - 1):
        try:
            return work()
        except (OvertakenError, StaleStreamError):
            continue
    return work()


class Agenda(Protocol):
    """The times at which games are next due, as a hint, and the judge's heartbeat."""

    def record_heartbeat(self, now: datetime) -> None:
        """Record a heartbeat."""

    def last_heartbeat(self) -> datetime | None:
        """Return the last heartbeat."""

    def record_backup(self, now: datetime) -> None:
        """Record that a backup was completed."""

    def last_backup(self) -> datetime | None:
        """Return when the last backup was completed, None if none ever was."""

    def set_store_damaged(self, since: datetime | None) -> None:
        """Record *since* when the store is known to be damaged; None if it is sound."""

    def store_damaged_since(self) -> datetime | None:
        """Return since when the store is known to be damaged."""

    def set_clock_behind(self, since: datetime | None) -> None:
        """Record *since* when the clock has been behind the last heartbeat; None if it is not."""

    def clock_behind_since(self) -> datetime | None:
        """Return since when the clock has been behind the last heartbeat."""

    def set(self, game: str, due_utc: datetime | None) -> None:
        """Set when *game* is next due, None for never."""

    def due(self, now: datetime, limit: int = 100) -> Sequence[str]:
        """Return games that are due; those still to be credited for an outage come last."""

    def begin_outage(self, began: datetime, now: datetime, game: str | None = None) -> None:
        """Record an outage since *began*, and make every game, or only *game*, due *now*.

        A game that has not yet been credited for an earlier outage gets both.
        """

    def outage_since(self, game: str) -> datetime | None:
        """Return the beginning of the outage that *game* is still to be credited for."""

    def end_outage(self, game: str) -> None:
        """Record that *game* has been credited for its outage."""

    def unscheduled_games(self) -> Sequence[str]:
        """Return the games that have not ended and have no entry."""

    def is_due(self, game: str, now: datetime) -> bool:
        """Return whether *game* is due."""

    def next_due(self) -> datetime | None:
        """Return when the next game is due."""


class Secrets(Protocol):
    """The secrets of this judge, generated once and stored."""

    def token_key(self) -> bytes:
        """Return the key of this judge, generated at the first call."""

    def epoch(self) -> str:
        """Return `NUMBER-RANDOM`, another since each restored backup; empty before the first."""

    def begin_epoch(self) -> str:
        """Begin the next epoch, and return it: a backup has been restored."""

    def id_key(self) -> bytes:
        """Return the key of Message-IDs and tokens: the judge's own, another in each epoch.

        What was sent after the backup's moment had the same causes as what is sent from now on.
        """

    def log_key(self) -> bytes:
        """Return the seed of the key that signs checkpoints, generated at the first call."""

    def leaf_key(self) -> bytes:
        """Return the key of the salts in the Merkle tree, generated at the first call."""


Budget: TypeAlias = tuple[str, int, timedelta]  # its name: so many at once, then one per pause


class Budgets(Protocol):
    """Rate limits: each allowance refills over time."""

    def spend(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Spend one unit: *most* at once, then one per *pause*; False if none is left."""

    def spend_each(self, budgets: Sequence[Budget], now: datetime) -> bool:
        """Spend one unit of each; False, and none is spent, if one has none left."""

    def has_left(self, name: str, most: int, pause: timedelta, now: datetime) -> bool:
        """Return whether `spend` would succeed."""

    def forget_unspent(self, now: datetime) -> None:
        """Remove the budgets of which nothing is spent any more."""


class MissedSentences(Protocol):
    """Sentences that were not understood as wishes: masked, without writer, game or email."""

    def note(self, text: str, now: datetime) -> None:
        """Store *text*, once."""

    def latest(self, limit: int) -> Sequence[tuple[str, datetime]]:
        """Return the sentences with their last times, newest first."""

    def forget(self, before: datetime) -> None:
        """Remove the sentences that nobody has written since *before*."""


class Tallies(Protocol):
    """The statistics of the store."""

    def count(self, now: datetime, failures_since: datetime, games: int) -> Tally:
        """Count emails by state, and failures since then; include the next *games* due."""

    def stored_bytes(self) -> int:
        """Return the size of the database."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Numbers of emails by state, and the times that show whether they move.

    *refused* counts the emails given up since yesterday, *given_up* those of them and of earlier
    ones that the judge or its mail server is to blame for, *retried* those that failed and wait,
    *unsent* these and all that are due. *failures* are the reasons that emails wait, latest first,
    *unrendered* the errors of templates for which others do, *replaced* those of operators'
    templates for which emails got the shipped words since yesterday.
    """

    inbox: Mapping[str, int]
    outbox: Mapping[str, int]
    oldest_waiting: datetime | None
    oldest_queued: datetime | None
    retried: int
    refused: int
    given_up: int
    unsent: int
    failures: Sequence[DeliveryFailure]
    unrendered: Sequence[DeliveryFailure]
    replaced: Sequence[DeliveryFailure]
    games: Sequence[tuple[str, datetime]]  # the next to become due, and when


@dataclass(frozen=True, slots=True)
class DeliveryFailure:
    """A *reason* for which emails wait; *ours* if the judge or its mail server is at fault."""

    reason: str
    ours: bool
    mails: int
    since: datetime
    last: datetime
