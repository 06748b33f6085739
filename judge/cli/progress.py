"""A progress bar on standard error, if that is a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TypeVar

T = TypeVar("T")

REFRESH_SECONDS = 0.1


@contextmanager
def progress_bar(total: int | None = None) -> Iterator[Callable[[], None]]:
    """Yield a function that counts one more of *total*, or of a number that is not known.

    The bar has no thread, so processes can be forked beside it.
    """
    if not sys.stderr.isatty():
        yield lambda: None
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
        task, shown = bar.add_task("", total=total), 0.0

        def advance() -> None:
            nonlocal shown
            bar.advance(task)
            if monotonic() - shown >= REFRESH_SECONDS:
                bar.refresh()
                shown = monotonic()

        yield advance


def counting(things: Iterable[T], total: int | None = None) -> Iterator[T]:
    """Yield *things*, and show how many there were."""
    with progress_bar(total) as advance:
        for each in things:
            yield each
            advance()
