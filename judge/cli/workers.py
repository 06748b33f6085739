"""Run the work of a command in processes or on a cluster; answers keep the order of the tasks."""

from __future__ import annotations

import functools
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from importlib.util import find_spec
from itertools import chain, islice
from pathlib import Path
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    ParamSpec,
    Protocol,
    TypeAlias,
    TypeVar,
    cast,
)

import click

from judge.cli.progress import progress_bar
from judge.cli.terminal import SOFTWARE, STANDARD_STREAM, UNAVAILABLE, USAGE, fail

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    from judge.adapters.archive.shards import Shard

P = ParamSpec("P")
R = TypeVar("R")
Task = TypeVar("Task")
Answer = TypeVar("Answer")
Work: TypeAlias = Callable[[Task], Iterable[Answer]]
Worker: TypeAlias = "Connection[Any, Any]"  # our end of the pipe; objects are pickled

AHEAD_MAX = 4  # tasks per process handed out before the oldest is done
WAITS_FOR_FILES = hasattr(os, "fork")  # Windows waits for workers only
KEPT_MAX = 64  # answers of a later task stored before its worker has to wait


PROCESSES = click.IntRange(min=1, max=64)  # for more cores, use several machines


def cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):  # Linux
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Engine(Protocol):
    """Runs work here, in processes or on a cluster; answers keep the order of the tasks."""

    def __call__(
        self, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
    ) -> Iterator[Answer]:
        """Yield the answers of *work* to each of *tasks*."""


JOBS = click.option(
    "--jobs",
    type=PROCESSES,
    help="Maximum number of processes.  [default: one per core]",
)
CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Use the workers of the Dask scheduler at this address, such as tcp://host:8786.",
)


def engine_option(command: Callable[Concatenate[Engine, P], R]) -> Callable[P, R]:
    """Add the options --jobs and --cluster; *command* gets the engine as its first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        jobs, cluster = cast("int | None", kwargs.pop("jobs")), kwargs.pop("cluster")
        if jobs and cluster:
            fail("--jobs does not apply to --cluster", USAGE)
        if cluster:
            paths = cast(
                "Sequence[Path]", kwargs["paths"]
            )  # the paths hold on other machines, too
            kwargs["paths"] = tuple(
                path if path == STANDARD_STREAM else path.absolute() for path in paths
            )
            return command(functools.partial(on_cluster, str(cluster)), *args, **kwargs)
        return command(functools.partial(in_processes, jobs or cores()), *args, **kwargs)

    return JOBS(CLUSTER(functools.update_wrapper(run, command)))


def in_processes(
    jobs: int, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Run *work* in at most *jobs* processes."""
    try:
        yield from run_in_order(work, tasks, jobs)
    except WorkerDiedError:
        fail("a worker process died; the results printed so far are valid", SOFTWARE)


def on_cluster(
    address: str, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Run *work* on the Dask cluster whose scheduler is at *address*."""
    if find_spec("distributed") is None:
        fail("--cluster needs Dask: pip install distributed pyarrow", UNAVAILABLE)
    from judge.adapters.archive.cluster import NoClusterError, TaskLostError, spread_on_cluster

    try:
        yield from spread_on_cluster(address, work, tasks)
    except NoClusterError as error:
        fail(str(error), UNAVAILABLE)
    except TaskLostError:
        fail(
            "every worker that tried one task died; the results printed so far are valid", SOFTWARE
        )


@contextmanager
def progress(total: int) -> Iterator[Callable[[Iterable[Shard]], Iterable[Shard]]]:
    """Yield a function that passes shards on and shows how many of the *total* paths are done."""
    with progress_bar(total) as advance:

        def counted(tasks: Iterable[Shard]) -> Iterator[Shard]:
            before = None
            for shard in tasks:
                yield shard
                if shard.path != before:
                    advance()
                    before = shard.path

        yield counted


class WorkerDiedError(Exception):
    """A process died before it finished its task."""


@dataclass(slots=True)
class _PendingAnswers(Generic[Answer]):
    """The answers to a task not yielded yet, and whether more will come."""

    answers: deque[Answer] = field(default_factory=deque)
    whole: bool = False


def run_in_order(
    work: Work[Task, Answer], tasks: Iterable[Task], processes: int
) -> Iterator[Answer]:
    """Yield the answers of *work* to *tasks*, without other processes if there is one task.

    Raises `WorkerDiedError`.
    """
    rest = iter(tasks)
    first = list(islice(rest, processes))
    if len(first) <= 1:
        for task in chain(first, rest):
            yield from work(task)
    else:
        yield from spread_over_processes(work, chain(first, rest), len(first))


def spread_over_processes(
    work: Work[Task, Answer], tasks: Iterator[Task], processes: int, source: int | None = None
) -> Iterator[Answer]:
    """Yield the answers of *work* to *tasks* in order, as soon as they are known.

    If the tasks come from the file descriptor *source*, the next one is taken only when it can be
    read, and skipped if empty. Processes are started as tasks come. Raises `WorkerDiedError`.
    """
    from multiprocessing.connection import wait

    with _worker_starter(work) as start:
        idle: list[Worker] = []
        busy: dict[Worker, _PendingAnswers[Answer]] = {}
        pending: deque[_PendingAnswers[Answer]] = deque()
        ended = False
        while pending or not ended:
            full = ended or len(busy) == processes or len(pending) == processes * AHEAD_MAX
            readable: list[Worker | int] = [
                worker
                for worker, answers in busy.items()
                if answers is pending[0] or len(answers.answers) < KEPT_MAX
            ]
            asked = None if full else source
            block = full or asked is not None
            for ready in wait(
                readable if asked is None else [*readable, asked], None if block else 0
            ):
                if ready is not asked:
                    _receive(cast("Worker", ready), busy, idle)
            if not full and (source is None or wait([source], 0)):
                if (task := next(tasks, None)) is None:
                    ended = True
                elif task or source is None:
                    pending.append(_PendingAnswers())
                    worker = idle.pop() if idle else start()
                    _send(worker, task)
                    busy[worker] = pending[-1]
            yield from _complete_answers(pending)


def _receive(
    worker: Worker, busy: dict[Worker, _PendingAnswers[Answer]], idle: list[Worker]
) -> None:
    try:
        received = worker.recv()
    except (EOFError, ConnectionError) as error:
        raise WorkerDiedError from error
    if received is None:
        busy.pop(worker).whole = True
        idle.append(worker)
    else:
        busy[worker].answers.append(received[0])


def _complete_answers(pending: deque[_PendingAnswers[Answer]]) -> Iterator[Answer]:
    while pending:
        while pending[0].answers:
            yield pending[0].answers.popleft()
        if not pending[0].whole:
            return
        pending.popleft()


@contextmanager
def _worker_starter(work: Work[Task, Answer]) -> Iterator[Callable[[], Worker]]:
    """Yield a function that starts a worker; end all workers after the block.

    Workers are forked, which is quick, except where Python itself spawns: Windows cannot fork, and
    macOS not safely. A spawned process knows nothing of ours.
    """
    from multiprocessing import get_context, get_start_method

    from judge.adapters.variant_files import own_folder

    spawns = get_start_method() == "spawn"
    context = get_context("spawn") if spawns else get_context("fork")
    with ExitStack() as stack:

        def start() -> Worker:
            ours, theirs = context.Pipe()
            known = (None, own_folder()) if spawns else (ours, None)
            process = context.Process(target=_serve, args=(work, theirs, *known), daemon=True)
            process.start()
            stack.callback(process.join)
            stack.callback(process.terminate)
            theirs.close()
            return stack.enter_context(ours)

        yield start


def _serve(
    work: Work[Task, Answer], ours: Worker, parents: Worker | None, variants: Path | None
) -> None:
    """Run tasks until the parent closes the connection; the parent handles interruptions.

    A forked process has the *parents* end, too; a spawned one must be told of the operator's
    *variants*.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if parents:
        parents.close()
    if variants:
        from judge.adapters.variant_files import use_own_variants

        use_own_variants(variants)
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
