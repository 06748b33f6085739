"""`judge serve`: the daemon."""

from __future__ import annotations

import asyncio

import click

from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import daemon_options
from judge.settings import Settings


@click.command()
@daemon_options
def serve(settings: Settings) -> None:
    """Run the judge until it is told to stop (SIGTERM or Ctrl-C).

    With no configuration at all: judge.db, SMTP on 127.0.0.1:8025, and outgoing mail into the
    Maildir "outgoing", all in the current folder.
    """
    from judge import daemon
    from judge.adapters import journal

    def listening(where: daemon.Listening) -> None:
        way_out = settings.smarthost or f"the Maildir {settings.maildir}"
        click.echo(f"judge: listening on {where.host}:{where.port}, sending to {way_out}")

    journal.set_up(settings.log_level, settings.log_format)
    try:
        asyncio.run(daemon.serve(settings, listening))
    except OSError as error:
        where = error.filename or settings.smtp  # a file has a name, a socket has none
        fail(f"{where}: {error.strerror or error}", UNAVAILABLE)
