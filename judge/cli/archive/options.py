"""What the commands have in common: which files they read, and how."""

from __future__ import annotations

import functools
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, TypeVar, cast

import click

from judge.adapters.archive_files import How
from judge.archive.reading import READERS

P = ParamSpec("P")
R = TypeVar("R")

PATHS = click.argument(
    "paths",
    metavar="PATH...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
)
READING = (
    click.option(
        "--from",
        "form",
        type=click.Choice([*READERS]),
        help="The format of all the files.  [default: what each is found to be]",
    ),
    click.option(
        "--lenient", is_flag=True, help="Go on where something is not understood, and list it."
    ),
    click.option(
        "--keep-addresses", is_flag=True, help="Keep the mail addresses that the files have."
    ),
)


def reading_options(command: Callable[Concatenate[How, P], R]) -> Callable[P, R]:
    """Give *command* the options by which files are read, and what they say as first argument."""

    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        form = cast("str | None", kwargs.pop("form"))
        strict, addresses = not kwargs.pop("lenient"), bool(kwargs.pop("keep_addresses"))
        return command(How(form, strict=strict, keep_addresses=addresses), *args, **kwargs)

    wrapped: Callable[P, R] = functools.update_wrapper(run, command)
    for option in reversed(READING):
        wrapped = option(wrapped)
    return wrapped
