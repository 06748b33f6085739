"""`judge player` and `judge forget`: addresses and tokens of a player, and their erasure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from judge.cli.game_source import open_existing_store
from judge.cli.options import settings_options
from judge.cli.terminal import UNAVAILABLE, USAGE, counted, fail
from judge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.app.admin.erase_person import Erasure
    from judge.app.ports.people import Person
    from judge.app.ports.storage import Transaction


@click.group()
def player() -> None:
    """Look after a player, named by an address of his."""


@player.command()
@click.argument("address")
@settings_options
def show(settings: Settings, address: str) -> None:
    """Show the addresses of a player, and which of his mails came back lately."""
    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        person = _known(transaction, address)
        click.echo(f"id         {person.id}")
        click.echo(f"handle     {person.handle}")
        click.echo(f"name       {person.name or 'none'}")
        for each in transaction.people.addresses(person.id):
            click.echo(f"address    {each}")
        returned = transaction.outbox.last_bounce(person.id)
        click.echo(f"came back  {returned.isoformat() if returned else 'nothing lately'}")


@player.command("new-tokens")
@click.argument("address")
@settings_options
def new_tokens(settings: Settings, address: str) -> None:
    """Make the addresses worthless by which the player answers the mails that he had so far."""
    with open_existing_store(settings) as judge, judge.database.write() as transaction:
        transaction.people.raise_key_version(_known(transaction, address).id)
    click.echo("the reply addresses in all mails to him so far are worthless")


def _known(transaction: Transaction, address: str) -> Person:
    person = transaction.people.by_address(address)
    if person is None:
        fail(f"nobody has registered {address!r}", UNAVAILABLE)
    return person


ELSEWHERE = (
    "what mail servers, mailboxes and the Maildir of outgoing mail hold, his own among them",
    "backups made before, until they go",
)


@click.command()
@click.argument("address")
@click.option("--from-games", is_flag=True, help="Also if he plays: he leaves his games first.")
@click.option("--yes", "really", is_flag=True, help="Do it; else it is only said what would go.")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def forget(
    settings: Settings, address: str, *, from_games: bool, really: bool, as_json: bool
) -> None:
    """Erase whoever has ADDRESS: all his addresses, mails, passwords, and what he wrote.

    Logs stay valid and games replayable: there he is an id that nobody can tie to him, and his
    press cannot be read any more. What goes and what stays is listed; without --yes, that is all.
    Of strangers go their mails. It can be done twice, and beside a daemon that runs.
    """
    from judge.app.admin.erase_person import StillPlaying
    from judge.app.admin.erase_person import erase_person as forget_person
    from judge.mail.mail_addresses import strict_mailbox

    exact = strict_mailbox(address)
    if exact is None:
        fail(f"{address!r} is no address, such as ann@example.org", USAGE)
    with open_existing_store(settings) as judge:
        told = forget_person(judge, exact, from_games=from_games, really=really)
        if isinstance(told, StillPlaying):
            games = ", ".join(told.games)
            fail(f"he takes part in {games}: --from-games takes him out of there", UNAVAILABLE)
        clean = not really or judge.database.compact()
    click.echo(json.dumps(_as_json(told, done=really)) if as_json else "\n".join(_lines(told)))
    if not clean:
        why = "the store is in use, or its disk full, so that the disk may still hold it"
        fail(f"{exact} is erased, but {why}: do it again", UNAVAILABLE)
    if not really and not as_json:
        click.echo("nothing was done; --yes does it, and cannot be undone")


def _lines(told: Erasure) -> Iterator[str]:
    who = f"the player {told.person}" if told.person else "nobody who plays"
    yield f"is     {who}, of {counted(len(told.games), 'game')}"
    for what, number in told.erased.goes.items():
        yield f"goes   {number:6} {what}"
    for what, number in told.erased.stays.items():
        yield f"stays  {number:6} {what}"
    for what in ELSEWHERE:
        yield f"stays         {what}"


def _as_json(told: Erasure, *, done: bool) -> dict[str, object]:
    return {
        "done": done,
        "person": told.person,
        "games": told.games,
        "goes": told.erased.goes,
        "stays": {**told.erased.stays},
        "elsewhere": ELSEWHERE,
    }
