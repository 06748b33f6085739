"""`judge receive`, as the table of the commands knows it; `judge.__main__` takes a shorter way."""

from __future__ import annotations

import click

from judge.adapters import pipe_in


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("words", nargs=-1, type=click.UNPROCESSED)
def receive(words: tuple[str, ...]) -> None:
    """Take one mail from standard input, and hand it to the judge that runs."""
    raise SystemExit(pipe_in.main(list(words)))
