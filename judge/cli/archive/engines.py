"""Who does the work of a command: processes here, or the workers of a cluster."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import Concatenate, ParamSpec, TypeVar, cast

import click

from judge.cli.archive.sharing import Engine
from judge.cli.cores import cores
from judge.cli.exits import SOFTWARE, fail

P = ParamSpec("P")
R = TypeVar("R")
Task = TypeVar("Task")
Answer = TypeVar("Answer")

JOBS = click.option(
    "--jobs",
    type=click.IntRange(min=1),
    help="Work with so many processes at most.  [default: one a core]",
)


def engine_option(command: Callable[Concatenate[Engine, P], R]) -> Callable[P, R]:
    """Give *command* the option of how it is spread, and what does its work as first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        jobs = cast("int | None", kwargs.pop("jobs"))
        return command(functools.partial(here, jobs or cores()), *args, **kwargs)

    return JOBS(functools.update_wrapper(run, command))


def here(
    jobs: int, work: Callable[[Task], Iterable[Answer]], tasks: Iterable[Task]
) -> Iterator[Answer]:
    """Work with *jobs* processes at most."""
    from judge.cli.spreading import WorkerDiedError, in_order

    try:
        yield from in_order(work, tasks, jobs)
    except WorkerDiedError:
        fail("a process died that had work to do; all that is told holds", SOFTWARE)
