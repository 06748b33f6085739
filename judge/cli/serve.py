"""`judge serve`: the daemon."""

from __future__ import annotations

import asyncio

import click

from judge.cli.options import settings_options
from judge.settings import Settings


@click.command()
@settings_options
def serve(settings: Settings) -> None:
    """Run the judge until it is told to stop (SIGTERM or Ctrl-C).

    With no configuration at all: judge.db, SMTP on 127.0.0.1:8025, and outgoing mail into the Maildir "outgoing", all in
    the current folder.
    """
    from judge import daemon

    def listening(where: daemon.Listening) -> None:
        out = settings.smarthost or f"the Maildir {settings.maildir}"
        click.echo(f"judge: listening on {where.host}:{where.port}, sending to {out}")

    asyncio.run(daemon.serve(settings, listening))
