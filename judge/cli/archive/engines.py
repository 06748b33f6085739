"""Where the work of a command runs: in processes or on a cluster, with a progress bar."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

import click

from judge.adapters.archive.shards import Shard
from judge.cli.archive.shard_results import Engine
from judge.cli.terminal import SOFTWARE, UNAVAILABLE, USAGE, fail
from judge.cli.worker_pool import PROCESSES, cores

P = ParamSpec("P")
R = TypeVar("R")
Task = TypeVar("Task")
Answer = TypeVar("Answer")

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
    """Give *command* the option of how it is spread, and what does its work as first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        jobs, cluster = cast("int | None", kwargs.pop("jobs")), kwargs.pop("cluster")
        if jobs and cluster:
            fail("--jobs does not apply to --cluster", USAGE)
        if cluster:
            paths = cast("Sequence[Path]", kwargs["paths"])  # which are as good elsewhere
            kwargs["paths"] = tuple(path.absolute() for path in paths)
            return command(functools.partial(on_cluster, str(cluster)), *args, **kwargs)
        return command(functools.partial(in_processes, jobs or cores()), *args, **kwargs)

    return JOBS(CLUSTER(functools.update_wrapper(run, command)))


def in_processes(
    jobs: int, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Work with *jobs* processes at most."""
    from judge.cli.worker_pool import WorkerDiedError, run_in_order

    try:
        yield from run_in_order(work, tasks, jobs)
    except WorkerDiedError:
        fail("a worker process died; the results printed so far are valid", SOFTWARE)


def on_cluster(
    address: str, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Work with the cluster of the scheduler at *address*."""
    if find_spec("distributed") is None:
        fail("--cluster needs Dask: pip install 'pbem-judge[cluster]'", UNAVAILABLE)
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
    """Yield what counts shards as they are taken, of *total* paths; only a terminal shows it.

    The bar has no thread of its own, so that processes can be forked beside it.
    """
    if not sys.stderr.isatty():
        yield lambda tasks: tasks
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    with Progress(
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        auto_refresh=False,
        transient=True,
        redirect_stdout=sys.stdout.isatty(),
    ) as bar:
        task = bar.add_task("", total=total)

        def counted(tasks: Iterable[Shard]) -> Iterator[Shard]:
            before = None
            for shard in tasks:
                yield shard
                if shard.path != before:
                    bar.advance(task)
                    bar.refresh()
                    before = shard.path

        yield counted
