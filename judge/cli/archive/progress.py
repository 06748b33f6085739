"""A bar on the terminal that says how far a long run is."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from judge.adapters.shards import Shard


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
