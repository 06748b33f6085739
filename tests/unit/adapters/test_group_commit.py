"""Group commit: emails that arrive together are stored in one transaction."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy.exc import OperationalError

from judge.adapters.inputs.group_commit import GroupCommit
from judge.adapters.store import sqlite
from judge.adapters.store.transactions import SqlDatabase
from judge.app.ports.inbox import Envelope, IncomingMail

NOON = datetime(2026, 11, 27, 12, tzinfo=UTC)
MINUTE = timedelta(minutes=1)
AHEAD = 2 * MINUTE  # the judge's clock, of this machine's


@dataclass
class StoppedClock:
    time: datetime = NOON

    def now(self) -> datetime:
        return self.time


@dataclass
class Woken:
    times: int = 0

    def __call__(self) -> None:
        self.times += 1


@dataclass
class CountedCommits:
    """A `GroupCommit`, with its clock, and a count of its wake-ups: one a commit."""

    keeper: GroupCommit
    clock: StoppedClock
    woken: Woken


@contextmanager
def counted_commits(database: SqlDatabase) -> Iterator[CountedCommits]:
    clock, woken = StoppedClock(), Woken()
    keeper = GroupCommit(database, clock, woken, translated=lambda instant: instant + AHEAD)
    with closing(keeper):
        yield CountedCommits(keeper, clock, woken)


def envelope(text: str, *recipients: str, sender: str = "anna@example.org") -> Envelope:
    return Envelope(text.encode(), sender, recipients or ("judge@localhost",), "smtp")


def stored(database: SqlDatabase) -> list[IncomingMail]:
    with database.write() as transaction:
        inbox = transaction.inbox
        return [inbox.begin_attempt(mail) for mail in inbox.waiting(limit=10_000)]


def keep(database: SqlDatabase, *envelopes: Envelope) -> list[BaseException | None]:
    async def all_at_once() -> list[BaseException | None]:
        with counted_commits(database) as counted:
            waiting = [counted.keeper.keep(each) for each in envelopes]
            return await asyncio.gather(*waiting, return_exceptions=True)

    return asyncio.run(all_at_once())


def test_an_email_is_stored_for_each_recipient(database: SqlDatabase) -> None:
    assert keep(database, envelope("A PAR H", "judge@localhost", "judge+x@localhost")) == [None]

    first, second = stored(database)
    assert (first.raw, first.received_utc, first.way_in) == (b"A PAR H", NOON, "smtp")
    assert {first.recipient, second.recipient} == {"judge@localhost", "judge+x@localhost"}


def test_a_redelivery_is_a_success_and_stores_nothing(database: SqlDatabase) -> None:
    assert keep(database, envelope("A PAR H"), envelope("A PAR H")) == [None, None]
    assert keep(database, envelope("A PAR H")) == [None]
    assert len(stored(database)) == 1


def test_emails_that_arrive_while_the_disk_is_busy_are_committed_together(
    database: SqlDatabase,
) -> None:
    async def come_together() -> int:
        with counted_commits(database) as counted:
            with database.write():  # another writer holds the lock
                tasks = [counted.keeper.keep(envelope(f"mail {n}")) for n in range(50)]
                await asyncio.sleep(0.05)
            await asyncio.gather(*tasks)
        return counted.woken.times

    assert asyncio.run(come_together()) <= 2
    assert len(stored(database)) == 50


def test_an_email_arrives_with_its_last_byte_however_long_the_store_is_busy(
    database: SqlDatabase,
) -> None:
    with counted_commits(database) as counted:
        with database.write():  # whoever keeps the judge busy
            early = counted.keeper.submit(envelope("A PAR H"))
            counted.clock.time += timedelta(minutes=1)
            late = counted.keeper.submit(envelope("A MAR H"))
            counted.clock.time += timedelta(minutes=1)
            waited_for = [counted.keeper.has_waiting(NOON + timedelta(seconds=n)) for n in (-1, 0)]
        early.result()
        late.result()

    assert waited_for == [False, True]
    assert not counted.keeper.has_waiting(NOON + timedelta(hours=1))
    assert [mail.received_utc for mail in stored(database)] == [NOON, NOON + timedelta(minutes=1)]


@pytest.mark.parametrize(
    ("way_in", "said", "received"),
    [
        pytest.param("lmtp", NOON - 5 * MINUTE, NOON - 3 * MINUTE, id="translated"),
        pytest.param("pipe", NOON - MINUTE, NOON, id="not after it came"),
        pytest.param("imap", NOON - 5 * MINUTE, NOON - 5 * MINUTE, id="a mailbox is believed"),
        pytest.param("imap", NOON + MINUTE, NOON, id="a mailbox ahead is not"),
        pytest.param("imap", None, NOON, id="a mailbox without dates"),
    ],
)
def test_the_time_of_a_server_before_the_judge_is_told_by_the_clock_of_the_judge(
    database: SqlDatabase, way_in: str, said: datetime | None, received: datetime
) -> None:
    keep(database, Envelope(b"A PAR H", "anna@example.org", ("judge@localhost",), way_in, said))

    assert [mail.received_utc for mail in stored(database)] == [received]


def test_an_email_that_cannot_be_stored_fails_alone(database: SqlDatabase) -> None:
    good, bad = envelope("A PAR H"), envelope("A PAR - BUR", sender="half a \ud800 pair")

    first, second, third = keep(database, good, bad, envelope("A MAR H"))

    assert (first, third) == (None, None)
    assert isinstance(second, UnicodeEncodeError)
    assert len(stored(database)) == 2


def test_a_store_that_is_locked_fails_everybody_and_recovers(
    database: SqlDatabase, store: Path
) -> None:
    library = sqlite.newest_library()
    with database._engine.connect() as connection:  # the pool reuses this connection
        connection.exec_driver_sql("PRAGMA busy_timeout = 50")
    with closing(library.connect(store, isolation_level=None)) as intruder:
        intruder.execute("BEGIN EXCLUSIVE")

        answers = keep(database, envelope("A PAR H"), envelope("A MAR H"))
        assert [type(answer) for answer in answers] == [OperationalError, OperationalError]

        intruder.execute("ROLLBACK")
        assert keep(database, envelope("A PAR H")) == [None]


def test_a_client_that_hangs_up_does_not_disturb_the_others(database: SqlDatabase) -> None:
    async def hang_up() -> None:
        with counted_commits(database) as counted:
            with database.write():
                begun = counted.keeper.keep(envelope("begun"))
                await asyncio.sleep(0.05)
                waiting = counted.keeper.keep(envelope("waiting"))
                other = counted.keeper.keep(envelope("other"))
                await asyncio.sleep(0.05)
                begun.cancel()
                waiting.cancel()
                await asyncio.wait([begun, waiting])
            await other

    asyncio.run(hang_up())

    assert {mail.raw for mail in stored(database)} == {b"begun", b"waiting", b"other"}


def test_closing_stores_waiting_emails(database: SqlDatabase) -> None:
    async def leave() -> list[None]:
        with counted_commits(database) as counted:
            tasks = [counted.keeper.keep(envelope(f"mail {n}")) for n in range(20)]
            await asyncio.sleep(0)
        return await asyncio.gather(*tasks)

    assert asyncio.run(leave()) == [None] * 20
    assert len(stored(database)) == 20
