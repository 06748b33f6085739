"""Spread work over processes; the answers come in the order of the tasks."""

from __future__ import annotations

import os
import signal
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from itertools import chain, islice
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, Generic, TypeAlias, TypeVar

import click

PROCESSES = click.IntRange(
    min=1, max=64
)  # More cores than that are a matter for several machines.


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if sys.platform == "linux" else os.cpu_count() or 1


AHEAD_MAX = 4  # tasks a process: how many are given out while the first of them is not done
KEPT_MAX = 64  # answers of a task whose turn has not come; who works on it then has to wait
SEVERAL = 2

Task = TypeVar("Task")
Answer = TypeVar("Answer")
Work: TypeAlias = Callable[[Task], Iterable[Answer]]
Worker: TypeAlias = "Connection[Any, Any]"  # its end here; what goes over it is pickled


class WorkerDiedError(Exception):
    """A process that had work to do is gone."""


@dataclass(slots=True)
class _Turn(Generic[Answer]):
    """The answers to a task that are not told yet, and whether all are here."""

    answers: deque[Answer] = field(default_factory=deque)
    whole: bool = False


def run_in_order(
    work: Work[Task, Answer], tasks: Iterable[Task], processes: int
) -> Iterator[Answer]:
    """Yield what *work* makes of each of *tasks*, all of it here if one process is enough.

    Raises `WorkerDiedError`.
    """
    rest = iter(tasks)
    first = list(islice(rest, processes))
    if len(first) < SEVERAL:
        for task in chain(first, rest):
            yield from work(task)
    else:
        yield from spread_over_processes(work, chain(first, rest), len(first))


def spread_over_processes(
    work: Work[Task, Answer], tasks: Iterator[Task], processes: int, source: int | None = None
) -> Iterator[Answer]:
    """Yield what *work* makes of each of *tasks*, as soon as that and all before it are known.

    Where a file descriptor *source* is given, of which the tasks are made, one is asked for only
    when that can be read, and is not done if it is empty. A process is started when there is a
    task for it. Raises `WorkerDiedError`.
    """
    with _hiring(work) as hire:
        idle: list[Worker] = []
        busy: dict[Worker, _Turn[Answer]] = {}
        turns: deque[_Turn[Answer]] = deque()
        ended = False
        while turns or not ended:
            full = ended or len(busy) == processes or len(turns) == processes * AHEAD_MAX
            for ready in _ready(busy, turns, None if full else source, block=full):
                _receive(ready, busy, idle)
            if not full and (source is None or wait([source], 0)):
                if (task := next(tasks, None)) is None:
                    ended = True
                elif task or source is None:
                    turns.append(_Turn())
                    worker = idle.pop() if idle else hire()
                    _send(worker, task)
                    busy[worker] = turns[-1]
            yield from _told(turns)


def _ready(
    busy: dict[Worker, _Turn[Answer]],
    turns: deque[_Turn[Answer]],
    source: int | None,
    *,
    block: bool,
) -> list[Worker]:
    """Return who has something to say that can be kept; wait for that, or for *source*."""
    heard = [
        worker for worker, turn in busy.items() if turn is turns[0] or len(turn.answers) < KEPT_MAX
    ]
    block = block or source is not None
    several = wait(heard if source is None else [*heard, source], None if block else 0)
    return [each for each in several if isinstance(each, Connection)]


def _receive(worker: Worker, busy: dict[Worker, _Turn[Answer]], idle: list[Worker]) -> None:
    """Take an answer of *worker*, or note that it has given the last one."""
    try:
        said = worker.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerDiedError from error
    if said is None:
        busy.pop(worker).whole = True
        idle.append(worker)
    else:
        busy[worker].answers.append(said[0])


def _told(turns: deque[_Turn[Answer]]) -> Iterator[Answer]:
    """Yield what is known of the first task, and of those after it if that is all of it."""
    while turns:
        while turns[0].answers:
            yield turns[0].answers.popleft()
        if not turns[0].whole:
            return
        turns.popleft()


@contextmanager
def _hiring(work: Work[Task, Answer]) -> Iterator[Callable[[], Worker]]:
    """Yield what starts a process, which knows all that is known here; end all of them."""
    fork = get_context("fork")
    with ExitStack() as stack:

        def hire() -> Worker:
            ours, theirs = fork.Pipe()
            process = fork.Process(target=_serve, args=(work, ours, theirs), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(process.terminate)
            theirs.close()
            return stack.enter_context(ours)

        yield hire


def _serve(work: Work[Task, Answer], parents: Worker, ours: Worker) -> None:
    """Answer until nobody asks any more. An interruption is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parents.close()
    try:
        while True:
            for answer in work(ours.recv()):
                ours.send((answer,))
            ours.send(None)
    except (EOFError, ConnectionError):
        pass


def _send(worker: Worker, task: object) -> None:
    try:
        worker.send(task)
    except ConnectionError as error:
        raise WorkerDiedError from error
