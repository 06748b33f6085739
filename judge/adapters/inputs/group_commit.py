"""Store emails that arrive at the same time in one transaction, on a thread of its own.

A commit waits for the disk, and ten commits in a row wait ten times. Everything that arrives
during one commit goes into the next one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from queue import SimpleQueue
from threading import Thread

from sqlalchemy.exc import OperationalError

from judge.app.ports.inbox import Envelope
from judge.app.ports.judge import Clock, Database

JOBS_A_COMMIT_MAX = 200  # More would only delay the first.


@dataclass(frozen=True, slots=True, eq=False)
class _Job:
    envelope: Envelope
    done: Future[None] = field(default_factory=Future)


class GroupCommit:
    """Stores emails in groups; *kept* is called on its own thread after each commit."""

    def __init__(self, database: Database, clock: Clock, kept: Callable[[], None]) -> None:
        self._database = database
        self._clock = clock
        self._kept = kept
        self._jobs: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = Thread(target=self._run, name="keeper", daemon=True)
        self._thread.start()

    async def keep(self, envelope: Envelope) -> None:
        """Return once every recipient's copy is on the disk; raises if it is not.

        Storing that has begun is completed even if the caller is cancelled.
        """
        await asyncio.wrap_future(self.submit(envelope))

    def submit(self, envelope: Envelope) -> Future[None]:
        """Return a future that is done once every recipient's copy is on the disk."""
        job = _Job(envelope)
        self._jobs.put(job)
        return job.done

    def close(self) -> None:
        self._jobs.put(None)
        self._thread.join()

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
            yield [job for job in taken if job and job.done.set_running_or_notify_cancel()]

    def _commit(self, jobs: Sequence[_Job]) -> None:
        """Store *jobs* together, or each alone if one of them cannot be stored."""
        try:
            self._store(jobs)
        except OperationalError as error:  # The disk is full, or another process holds the lock.
            _fail(jobs, error)
        except Exception as error:  # noqa: BLE001 - the caller gets any exception
            if len(jobs) == 1:
                _fail(jobs, error)
            else:
                for job in jobs:
                    self._commit([job])
        else:
            for job in jobs:
                job.done.set_result(None)
            self._kept()

    def _store(self, jobs: Sequence[_Job]) -> None:
        """Store the emails after `arrive`, received now or when the boundary server says.

        A phase that closes later finds them; one that closed before closed earlier.
        """
        with self._database.write() as transaction:
            transaction.inbox.arrive()
            now = self._clock.now()
            for job in jobs:
                mail = job.envelope
                received = min(mail.received_utc or now, now)
                for recipient in mail.recipients:
                    transaction.inbox.keep(mail.raw, mail.sender, recipient, mail.way_in, received)


def _fail(jobs: Sequence[_Job], error: Exception) -> None:
    for job in jobs:
        job.done.set_exception(error)
