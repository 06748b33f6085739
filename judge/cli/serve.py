"""`judge serve`: the daemon."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import click

from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import daemon_options, read_again
from judge.errors import ConfigurationError
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.daemon import Listening


@click.command()
@daemon_options
def serve(settings: Settings) -> None:
    """Run the judge until it is told to stop (SIGTERM or Ctrl-C).

    With no configuration at all: judge.db, SMTP on 127.0.0.1:8025, and outgoing mail into the
    Maildir "outgoing", all in the current folder. SIGHUP lets it read settings and templates
    again; if they are wrong, it goes on with those it has.
    """
    from judge import daemon
    from judge.adapters import journal
    from judge.cli.own_words import OwnWords

    def listening(where: Listening) -> None:
        way_out = settings.smarthost or f"the Maildir {settings.maildir}"
        click.echo(f"judge: listening on {_taking(settings, where)}, sending to {way_out}")

    if not (settings.smtp or settings.lmtp or settings.socket or settings.imap):
        raise ConfigurationError("no mail can come: set smtp, lmtp, socket or imap")
    words = OwnWords()
    again = daemon.Again(read_again(), words.take)
    journal.set_up(settings.log_level, settings.log_format)
    words.take(settings)
    try:
        asyncio.run(daemon.serve(settings, listening, again))
    except OSError as error:
        where = (
            error.filename or settings.smtp or settings.lmtp
        )  # a file has a name, a socket has none
        fail(f"{where}: {error.strerror or error}", UNAVAILABLE)
    finally:
        words.leave()


def _taking(settings: Settings, where: Listening) -> str:
    """Name where mail is taken: by SMTP, or else each other way in."""
    if where.smtp:
        host, port = where.smtp
        return f"{host}:{port}"
    others = (settings.lmtp, settings.socket, settings.imap)
    return ", ".join(str(each) for each in others if each)
