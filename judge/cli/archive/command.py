"""`judge archive`: its table of commands."""

from __future__ import annotations

import click

from judge.cli.archive.convert import convert
from judge.cli.archive.index import index
from judge.cli.archive.search import search
from judge.cli.archive.show import show
from judge.cli.archive.stats import stats
from judge.cli.archive.verify import verify


@click.group()
def archive() -> None:
    """Read recorded games of many formats: verify, show, convert, count and find them."""


archive.add_command(convert)
archive.add_command(index)
archive.add_command(search)
archive.add_command(show)
archive.add_command(stats)
archive.add_command(verify)
