"""Store emails that arrive at the same time in one transaction, on a thread of its own.

A commit waits for the disk, and ten commits in a row wait ten times. Everything that arrives
during one commit goes into the next one. An email arrives when its last byte has come, however
long it waits then.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from queue import SimpleQueue
from threading import Lock, Thread

from sqlalchemy.exc import OperationalError

from judge.app.ports.database import Database
from judge.app.ports.inbox import IN_MAILBOX, Envelope
from judge.app.ports.judge import Clock, StoreFaultError, StoreTrouble

JOBS_A_COMMIT_MAX = 200  # More would only delay the first.


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    """An email to store, and who waits for that: a task of *loop*, or a thread without one."""

    envelope: Envelope
    arrived: datetime
    waiter: asyncio.Future[None] | Future[None]
    loop: asyncio.AbstractEventLoop | None = None


class GroupCommit:
    """Stores emails in groups; *kept* is called on its own thread after each commit.

    *translated* returns an instant of this machine's clock by *clock*.
    """

    def __init__(
        self,
        database: Database,
        clock: Clock,
        kept: Callable[[], None],
        trouble: StoreTrouble | None = None,
        translated: Callable[[datetime], datetime] = lambda instant: instant,
    ) -> None:
        self._translated = translated
        self._trouble = trouble or StoreTrouble()
        self._database = database
        self._clock = clock
        self._kept = kept
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._arriving = Lock()
        self._waiting: set[_Job] = set()
        self._thread = Thread(target=self._run, name="keeper", daemon=True)
        self._thread.start()

    def keep(self, envelope: Envelope) -> asyncio.Future[None]:
        """Begin to store *envelope*; return a future that is done once each copy is on the disk.

        The email is stored even if the future is cancelled.
        """
        loop = asyncio.get_running_loop()
        kept = loop.create_future()
        kept.add_done_callback(_look_at_failure)
        self._put(envelope, kept, loop)
        return kept

    def submit(self, envelope: Envelope) -> Future[None]:
        """Return a future that is done once every recipient's copy is on the disk."""
        kept: Future[None] = Future()
        self._put(envelope, kept)
        return kept

    def has_waiting(self, since: datetime) -> bool:
        """Return whether an email that arrived by then is still to be stored.

        None that arrived by then, if that is in the past, can come later.
        """
        with self._arriving:
            return any(job.arrived <= since for job in self._waiting)

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

    def _put(
        self,
        envelope: Envelope,
        waiter: asyncio.Future[None] | Future[None],
        loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        with self._arriving:  # the time and the job at once, for `has_waiting`
            job = _Job(envelope, self._clock.now(), waiter, loop)
            self._waiting.add(job)
        self._jobs.put(job)

    def _run(self) -> None:
        for jobs in self._batches():
            if jobs:
                self._commit(jobs)

    def _batches(self) -> Iterator[Sequence[_Job]]:
        closing = False
        while not closing:
            taken = [self._jobs.get()]
            while len(taken) < JOBS_A_COMMIT_MAX and not self._jobs.empty():
                taken.append(self._jobs.get())
            closing = taken[-1] is None
            yield [job for job in taken if job]

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Store *jobs* together, or each alone if one of them cannot be stored."""
        try:
            self._store_or_fail(jobs)
        finally:
            with self._arriving:
                self._waiting.difference_update(jobs)

    def _store_or_fail(self, jobs: Sequence[_Job]) -> None:
        if self._trouble.since:  # Whoever sends the email keeps it meanwhile.
            _finish(jobs, StoreFaultError(self._trouble.reason))
            return
        try:
            self._store(jobs)
        except OperationalError as error:  # The disk is full, or another process holds the lock.
            _finish(jobs, error)
        except Exception as error:  # noqa: BLE001 - the caller gets any exception
            if len(jobs) == 1:
                _finish(jobs, error)
            else:
                for job in jobs:
                    self._store_or_fail([job])
        else:
            _finish(jobs)
            self._kept()

    def _store(self, jobs: Sequence[_Job]) -> None:
        """Store the emails, received when they arrived or when the boundary server says.

        A phase that closes before waits for them (`has_waiting`), unless another judge closes it:
        then the time after `arrive` counts.
        """
        with self._database.write() as transaction:
            alone = transaction.inbox.arrive()
            stored = None if alone else self._clock.now()
            transaction.inbox.keep(
                (job.envelope, self._received(job) or stored or job.arrived) for job in jobs
            )

    def _received(self, job: _Job) -> datetime | None:
        """Return when a server before us received an email, if it says so, by our clock.

        It has received it before we did. A mail server goes by the clock of this machine, a
        mailbox by one that nobody knows.
        """
        received = job.envelope.received_utc
        if received is None:
            return None
        if job.envelope.way_in != IN_MAILBOX:
            received = self._translated(received)
        return min(received, job.arrived)


def _look_at_failure(kept: asyncio.Future[None]) -> None:
    """Retrieve the exception, which nobody else does if the connection is gone."""
    if not kept.cancelled():
        kept.exception()


def _finish(jobs: Sequence[_Job], error: Exception | None = None) -> None:
    """Wake all who wait for *jobs*: each loop once, because a call from another thread is slow."""
    waiting: dict[asyncio.AbstractEventLoop | None, list[_Job]] = {}
    for job in jobs:
        waiting.setdefault(job.loop, []).append(job)
    for loop, its_jobs in waiting.items():
        if loop is None:
            _settle(its_jobs, error)
        else:
            with suppress(RuntimeError):  # The loop is closed.
                loop.call_soon_threadsafe(_settle, its_jobs, error)


def _settle(jobs: Sequence[_Job], error: Exception | None) -> None:
    for job in jobs:
        if job.waiter.cancelled():
            continue
        if error:
            job.waiter.set_exception(error)
        else:
            job.waiter.set_result(None)
