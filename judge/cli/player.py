"""`judge player`: what the operator can do about one player, who is named by an address of his."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from judge.cli.exits import UNAVAILABLE, fail
from judge.cli.options import settings_options
from judge.cli.store import existing
from judge.settings import Settings

if TYPE_CHECKING:
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
    with existing(settings) as judge, judge.database.read() as transaction:
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
    with existing(settings) as judge, judge.database.write() as transaction:
        transaction.people.raise_key_version(_known(transaction, address).id)
    click.echo("the reply addresses in all mails to him so far are worthless")


def _known(transaction: Transaction, address: str) -> Person:
    person = transaction.people.by_address(address)
    if person is None:
        fail(f"nobody has registered {address!r}", UNAVAILABLE)
    return person
