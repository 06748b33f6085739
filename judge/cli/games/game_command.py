"""`judge game`: create, list and show games, and move their deadlines."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TextIO

import click

from judge.cli.game_source import (
    chosen_rules,
    game_named,
    open_existing_store,
    open_store,
    report_outcome,
)
from judge.cli.games import moderation
from judge.cli.games.game_import import branch, export, import_game
from judge.cli.map_options import PictureOptions, picture_options, save_picture
from judge.cli.options import rules_options, settings_options
from judge.cli.terminal import USAGE, fail
from judge.settings import Settings


@click.group()
def game() -> None:
    """Create, show and moderate games."""


game.add_command(import_game)
game.add_command(branch)
game.add_command(export)
game.add_command(moderation.rollback)
game.add_command(moderation.rollforward)
game.add_command(moderation.unstart)
game.add_command(moderation.correct)
game.add_command(moderation.pause)
game.add_command(moderation.resume)
game.add_command(moderation.terminate)
game.add_command(moderation.eject)
game.add_command(moderation.rules)
game.add_command(moderation.begin)
game.add_command(moderation.admit)
game.add_command(moderation.refuse)
game.add_command(moderation.password)
game.add_command(moderation.dummy)
game.add_command(moderation.moderator)


@game.command()
@click.argument("name")
@click.option(
    "--settings",
    "file",
    type=click.File("r", encoding="utf-8"),
    help="A file of house rules, one KEY = VALUE per line; - is standard input.",
)
@rules_options
@settings_options
def new(
    settings: Settings,
    file: TextIO | None,
    name: str,
    rules: tuple[str, ...],
    rulebook: str | None,
    moderator: str | None,
) -> None:
    """Create a game. It starts when it is full."""
    from judge.app.admin import game_admin

    written = _settings_in(file) if file else ()
    told = game_admin.NewGame(
        name, *chosen_rules((*written, *rules), rulebook), moderator=moderator
    )
    with open_store(settings) as judge:
        report_outcome(
            game_admin.create_game(judge, told),
            f"{name} is open; players can join with JOIN {name}",
        )


def _settings_in(file: TextIO) -> tuple[str, ...]:
    """Return the settings of a text that holds nothing else."""
    from judge.mail.reader.house_rule_text import settings_at_top

    lines = file.read().splitlines()
    pairs, length = settings_at_top(lines)
    rest = [
        (number, line) for number, line in enumerate(lines[length:], length + 1) if line.strip()
    ]
    if rest:
        fail(f"line {rest[0][0]} of the settings is not KEY = VALUE: {rest[0][1]}", USAGE)
    return pairs


@game.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game.")
@settings_options
def list_games(settings: Settings, *, as_json: bool) -> None:
    """List all games."""
    from judge.app.admin import game_admin
    from judge.cli.games.game_views import as_line, as_row

    with open_existing_store(settings) as judge:
        for each in game_admin.load_games(judge):
            click.echo(json.dumps(as_row(each)) if as_json else as_line(each))


@game.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="JSON, in the format of `judge adjudicate`.")
@click.option("--orders", is_flag=True, help="Also show the orders; this is recorded.")
@click.option("--reason", help="Your reason; the next results print it.")
@picture_options
@settings_options
def show(
    settings: Settings,
    picture: PictureOptions | None,
    name: str,
    *,
    as_json: bool,
    orders: bool,
    reason: str | None,
) -> None:
    """Show a game, its position and which powers must order."""
    from judge.app.admin import game_admin
    from judge.cli.games.game_views import as_page, as_position, as_scene

    if orders and not reason:
        fail("--orders needs --reason: the next results print it", USAGE)
    with open_existing_store(settings) as judge:
        if orders:
            report_outcome(game_admin.view_orders(judge, name, reason or ""), None)
        found = game_named(judge, name)
        if picture:
            scene = as_scene(found, orders=orders)
            save_picture(picture, found.variant, judge.boards(found.variant), scene)
        elif as_json:
            click.echo(json.dumps(as_position(found, orders=orders)))
        else:
            click.echo(as_page(found, orders=orders))


@game.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per player.")
@settings_options
def players(settings: Settings, name: str, *, as_json: bool) -> None:
    """Show the players of a game with names and addresses, unless its moderator plays."""
    from judge.app.identity.authenticate import contacts_of_players
    from judge.game.visibility import Operator, sees_contacts

    with open_existing_store(settings) as judge:
        found = game_named(judge, name)
        if not sees_contacts(found, Operator()):
            fail(
                f"the moderator of {name} plays in it: `judge player show ADDRESS` shows one",
                USAGE,
            )
        with judge.database.read() as transaction:
            for each in contacts_of_players(transaction, found):
                line = f"{each.power or 'joined':9} {each.handle:20} {each.name} <{each.address}>"
                click.echo(json.dumps(asdict(each)) if as_json else line)


@game.command()
@click.argument("name")
@click.argument("file", type=click.File("r"))
@settings_options
def press(settings: Settings, name: str, file: TextIO) -> None:
    """Send press to every player of a game. FILE holds the text; - is standard input."""
    from judge.app.admin import game_admin

    letter = file.read()
    if not letter.strip():
        fail("the text is empty", USAGE)
    with open_existing_store(settings) as judge:
        report_outcome(game_admin.broadcast(judge, name, letter), f"sent to the players of {name}")


@game.command()
@click.argument("name")
@click.argument("power")
@click.argument("address")
@settings_options
def seat(settings: Settings, name: str, power: str, address: str) -> None:
    """Give a vacant POWER of a game to the player at ADDRESS and tell them by email."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        seated = game_admin.seat_player(judge, name, power.upper(), address)
        report_outcome(seated, f"{power.upper()} of {name} is now played by {address}")


@game.command()
@click.argument("name")
@click.argument("deadline")
@click.option("--reason", required=True, help="The reason players are given.")
@settings_options
def extend(settings: Settings, name: str, deadline: str, reason: str) -> None:
    """Move the deadline of the open phase. DEADLINE is ISO 8601, in UTC if it names no zone."""
    from judge.app.admin import game_admin

    try:
        instant = datetime.fromisoformat(deadline)
    except ValueError:
        fail(f"{deadline!r} is not a date and time such as 2026-11-27T20:00", USAGE)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    with open_existing_store(settings) as judge:
        moved = game_admin.move_deadline(judge, name, instant.astimezone(UTC), reason)
        report_outcome(moved, f"the deadline of {name} is {instant.isoformat()}")


@game.command()
@click.argument("name")
@click.option("--phase", help="Close only this phase, if it is still open.")
@settings_options
def process(settings: Settings, name: str, phase: str | None) -> None:
    """Close the open phase now with the orders received."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        done = game_admin.close_phase_now(judge, name, phase)
        after = done.game.position.phase.code if done.game and done.game.position else ""
        report_outcome(done, f"phase closed; {name} is now in {after}")
