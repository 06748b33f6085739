"""Spread tasks over a Dask cluster; this needs the extra `cluster`.

A task whose worker is lost goes to another worker. Anyone who can reach the scheduler can run any
code on its workers, so give the cluster a network of its own (docs/archive.md).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from distributed import Client, Future, KilledWorker

AHEAD_MAX = 4  # tasks a thread that are given out before the first is done
CONNECT_SECONDS = 10
WORKERS_SECONDS = 60  # to wait for a worker

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class NoClusterError(Exception):
    """The scheduler does not respond, or has no workers."""


class TaskLostError(Exception):
    """Several workers were lost with the same task."""


def spread_on_cluster(
    address: str, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Yield the results of *work* on each of *tasks*, in order, as soon as they are known.

    The scheduler is at *address*. Raises `NoClusterError`, `TaskLostError`.
    """
    with _connected(address) as client:
        given: deque[Future[list[Answer]]] = deque()
        for task in tasks:
            given.append(client.submit(_all, work, task, pure=False))
            if len(given) >= AHEAD_MAX * max(1, sum(client.nthreads().values())):
                yield from _result(given.popleft())
        while given:
            yield from _result(given.popleft())


def _connected(address: str) -> Client:
    try:
        connect: Callable[..., Client] = Client
        client = connect(address, timeout=CONNECT_SECONDS, set_as_default=False)
        close: Callable[[], object] = client.close
    except (OSError, ValueError) as error:  # includes TimeoutError
        raise NoClusterError(f"no scheduler answers at {address}") from error
    try:
        client.wait_for_workers(1, timeout=WORKERS_SECONDS)
    except TimeoutError as error:
        close()
        raise NoClusterError(f"the scheduler at {address} has no workers") from error
    return client


def _all(work: Callable[[Task], Iterable[Answer]], task: Task) -> list[Answer]:
    return list(work(task))


def _result(future: Future[list[Answer]]) -> list[Answer]:
    try:
        return future.result()
    except KilledWorker as error:
        raise TaskLostError(str(error)) from error
