"""Who does the work of a command: processes here, or the workers of a cluster."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

import click

from judge.cli.archive.sharing import Engine
from judge.cli.cores import PROCESSES, cores
from judge.cli.exits import SOFTWARE, UNAVAILABLE, USAGE, fail

P = ParamSpec("P")
R = TypeVar("R")
Task = TypeVar("Task")
Answer = TypeVar("Answer")

JOBS = click.option(
    "--jobs",
    type=PROCESSES,
    help="Work with so many processes at most.  [default: one a core]",
)
CLUSTER = click.option(
    "--cluster",
    metavar="ADDRESS",
    help="Work with the workers of the Dask scheduler at this address, such as tcp://host:8786.",
)


def engine_option(command: Callable[Concatenate[Engine, P], R]) -> Callable[P, R]:
    """Give *command* the option of how it is spread, and what does its work as first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        jobs, cluster = cast("int | None", kwargs.pop("jobs")), kwargs.pop("cluster")
        if jobs and cluster:
            fail("--jobs is for processes here; a cluster has as many workers as it has", USAGE)
        if cluster:
            paths = cast("Sequence[Path]", kwargs["paths"])  # which are as good elsewhere
            kwargs["paths"] = tuple(path.absolute() for path in paths)
            return command(functools.partial(there, str(cluster)), *args, **kwargs)
        return command(functools.partial(here, jobs or cores()), *args, **kwargs)

    return JOBS(CLUSTER(functools.update_wrapper(run, command)))


def here(
    jobs: int, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Work with *jobs* processes at most."""
    from judge.cli.spreading import WorkerDiedError, in_order

    try:
        yield from in_order(work, tasks, jobs)
    except WorkerDiedError:
        fail("a process died that had work to do; all that is told holds", SOFTWARE)


def there(
    address: str, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Work with the cluster of the scheduler at *address*."""
    if find_spec("distributed") is None:
        fail("--cluster needs Dask: pip install 'pbem-judge[cluster]'", UNAVAILABLE)
    from judge.adapters.cluster import NoClusterError, TaskLostError, spread

    try:
        yield from spread(address, work, tasks)
    except NoClusterError as error:
        fail(str(error), UNAVAILABLE)
    except TaskLostError:
        fail("a task was lost with each worker that tried it; all that is told holds", SOFTWARE)
