"""`judge desk`: a page for the gamemaster, on this machine."""

from __future__ import annotations

import signal
import threading

import click

from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import desk_options
from judge.cli.store import existing
from judge.settings import Settings


@click.command()
@click.option(
    "--moderator",
    "address",
    metavar="ADDRESS",
    help="Who sits at the desk: he sees the orders of games that he moderates, if their rules let "
    "him, and none of games that he plays.",
)
@desk_options
def desk(settings: Settings, address: str | None) -> None:
    """Open the desk, until SIGTERM or Ctrl-C: a page in which games are looked after.

    The link that is printed lets its holder in, and holds while the desk is open. Each button is a
    command that `judge game` or `judge inbox` has, too, and works beside a daemon that runs.
    """
    from contextlib import closing
    from dataclasses import replace

    from judge.adapters import journal
    from judge.adapters.desk.guard import Keys
    from judge.adapters.desk.pages import Desk
    from judge.adapters.desk.server import DeskServer
    from judge.adapters.reading import ReadingProcess

    journal.set_up(settings.log_level, settings.log_format)
    with existing(settings) as store, closing(ReadingProcess()) as reader:
        judge = replace(store, opener=reader)
        with judge.database.read() as transaction:
            person = transaction.people.by_address(address) if address else None
        if address and person is None:
            fail(f"nobody has registered {address!r}", UNAVAILABLE)
        keys = Keys.made_by(judge.chance.nonce)
        try:
            server = DeskServer(Desk(judge, keys, person).app(), keys, settings.desk)
        except OSError as error:
            fail(f"{settings.desk}: {error.strerror or error}", UNAVAILABLE)
        with server:
            click.echo(f"judge: the desk is open at {server.link}")
            _told_to_stop().wait()


def _told_to_stop() -> threading.Event:
    """Return what is set by SIGTERM and SIGINT."""
    told = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told.set())
    return told
