"""Work spread over processes; the answers come in the order of the tasks."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator, Sized
from contextlib import ExitStack, contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any, TypeAlias, TypeVar

AHEAD_MAX = 4  # tasks a process: how many are answered while one before them is not

Task = TypeVar("Task", bound=Sized)
Answer = TypeVar("Answer")
Worker: TypeAlias = "Connection[Any, Any]"  # its end here; what goes over it is pickled


class WorkerDiedError(Exception):
    """A process that had work to do is gone."""


def spread(
    work: Callable[[Task], Answer], tasks: Iterator[Task], source: int, processes: int
) -> Iterator[Answer]:
    """Yield what *work* makes of each of *tasks*, as soon as that and all before it are known.

    A task is asked for only when the file descriptor *source*, which it is made of, can be read;
    an empty one is not done. Raises `WorkerDiedError`.
    """
    with _workers(work, processes) as idle:
        busy: dict[Worker, int] = {}
        known: dict[int, Answer] = {}
        given = told = 0
        ended = False
        while busy or not ended:
            full = not idle or given - told == processes * AHEAD_MAX
            for ready in wait([*busy] if ended or full else [*busy, source]):
                if isinstance(ready, Connection):
                    known[busy.pop(ready)] = _received(ready)
                    idle.append(ready)
                elif (task := next(tasks, None)) is None:
                    ended = True
                elif task:
                    _send(idle[-1], task)
                    busy[idle.pop()] = given
                    given += 1
            while told in known:
                yield known.pop(told)
                told += 1


@contextmanager
def _workers(work: Callable[[Task], Answer], count: int) -> Iterator[list[Worker]]:
    """Start *count* processes, which know all that is known here; end them."""
    fork = get_context("fork")
    with ExitStack() as stack:
        workers: list[Worker] = []
        for _ in range(count):
            ours, theirs = fork.Pipe()
            process = fork.Process(target=_serve, args=(work, ours, theirs), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(process.terminate)
            theirs.close()
            workers.append(stack.enter_context(ours))
        yield workers


def _serve(work: Callable[[Task], Answer], parents: Worker, ours: Worker) -> None:
    """Answer until nobody asks any more. An interruption is the parent's to handle."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parents.close()
    try:
        while True:
            ours.send(work(ours.recv()))
    except (EOFError, ConnectionError):
        pass


def _send(worker: Worker, task: Sized) -> None:
    try:
        worker.send(task)
    except ConnectionError as error:
        raise WorkerDiedError from error


def _received(worker: Worker) -> Any:  # noqa: ANN401 - what was pickled there
    try:
        return worker.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerDiedError from error
