"""`judge player` and `judge forget`: addresses and tokens of a player, and their erasure."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from judge.cli.command_group import CommandGroup
from judge.cli.game_source import open_existing_store
from judge.cli.options import settings_options
from judge.cli.terminal import UNAVAILABLE, USAGE, counted, fail
from judge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from judge.app.admin.erase_person import Erasure
    from judge.app.ports.database import Transaction
    from judge.app.ports.people import Person


@click.group(cls=CommandGroup)
def player() -> None:
    """Show a player's addresses, or invalidate reply tokens. ADDRESS is any of their addresses."""


@player.command()
@click.argument("address")
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def show(settings: Settings, address: str, *, as_json: bool) -> None:
    """Show the addresses of a player, and when email to them last bounced."""
    with open_existing_store(settings) as judge, judge.database.read() as transaction:
        person = _known_person(transaction, address)
        addresses = [*transaction.people.addresses(person.id)]
        returned = transaction.outbox.last_bounce(person.id)
    bounced = returned.isoformat() if returned else None
    if as_json:
        known = {"id": person.id, "handle": person.handle, "name": person.name}
        click.echo(json.dumps({**known, "addresses": addresses, "bounced_utc": bounced}))
        return
    click.echo(f"id         {person.id}")
    click.echo(f"handle     {person.handle}")
    click.echo(f"name       {person.name or 'none'}")
    for each in addresses:
        click.echo(f"address    {each}")
    click.echo(f"bounced    {bounced or 'no recent email'}")


@player.command("new-tokens")
@click.argument("address")
@settings_options
def new_tokens(settings: Settings, address: str) -> None:
    """Invalidate the reply addresses in all emails the player has received so far."""
    with open_existing_store(settings) as judge, judge.database.write() as transaction:
        transaction.people.raise_key_version(_known_person(transaction, address).id)
    click.echo("the reply addresses in all earlier emails no longer work")


def _known_person(transaction: Transaction, address: str) -> Person:
    person = transaction.people.by_address(address)
    if person is None:
        fail(f"{address!r} is not registered", UNAVAILABLE)
    return person


ELSEWHERE = (
    "copies on mail servers, in mailboxes and in the outgoing Maildir",
    "earlier backups",
)


@click.command()
@click.argument("address")
@click.option("--from-games", is_flag=True, help="Remove them from their games first.")
@click.option(
    "--yes", "really", is_flag=True, help="Erase; without this, only list what would go."
)
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@settings_options
def forget(
    settings: Settings, address: str, *, from_games: bool, really: bool, as_json: bool
) -> None:
    """Erase the person at ADDRESS: all their addresses, emails, passwords, and what they wrote.

    Logs stay valid and games can still be replayed: the person becomes an anonymous id, and their
    press becomes unreadable. The command lists what goes and what stays; only --yes erases. If
    they are not a player, it erases their emails. It can be repeated, and the daemon may keep
    running.
    """
    from judge.app.admin.erase_person import StillPlaying
    from judge.app.admin.erase_person import erase_person as forget_person
    from judge.mail.headers import strict_mailbox

    exact = strict_mailbox(address)
    if exact is None:
        fail(f"{address!r} is not an address such as ann@example.org", USAGE)
    with open_existing_store(settings) as judge:
        erasure = forget_person(judge, exact, from_games=from_games, really=really)
        if isinstance(erasure, StillPlaying):
            games = ", ".join(erasure.games)
            fail(f"they take part in {games}: use --from-games to remove them", UNAVAILABLE)
        clean = not really or judge.database.compact()
    click.echo(
        json.dumps(_as_json(erasure, done=really)) if as_json else "\n".join(_lines(erasure))
    )
    if not clean:
        why = "the store is in use or its disk is full, so traces may remain on disk"
        fail(f"{exact} is erased, but {why}: repeat the command", UNAVAILABLE)
    if not really and not as_json:
        click.echo("nothing was done; --yes erases, and cannot be undone")


def _lines(erasure: Erasure) -> Iterator[str]:
    games = counted(len(erasure.games), "game")
    is_player = f"the player {erasure.person}, of {games}" if erasure.person else "not a player"
    yield f"is     {is_player}"
    for what, number in erasure.erased.goes.items():
        yield f"goes   {number:6} {what}"
    for what, number in erasure.erased.stays.items():
        yield f"stays  {number:6} {what}"
    for what in ELSEWHERE:
        yield f"stays         {what}"


def _as_json(erasure: Erasure, *, done: bool) -> dict[str, object]:
    return {
        "done": done,
        "person": erasure.person,
        "games": erasure.games,
        "goes": erasure.erased.goes,
        "stays": {**erasure.erased.stays},
        "elsewhere": ELSEWHERE,
    }
