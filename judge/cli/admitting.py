"""`judge game begin`, `admit`, `refuse`, `password`, `dummy`: the operator says who plays."""

from __future__ import annotations

from typing import TextIO

import click

from judge.cli.exits import USAGE, fail
from judge.cli.options import settings_options
from judge.cli.store import existing, known, report
from judge.settings import Settings


@click.command()
@click.argument("name")
@settings_options
def begin(settings: Settings, name: str) -> None:
    """Start a game with those who have joined; powers without a player are dummies."""
    from judge.app.admin import game_admin

    with existing(settings) as judge:
        report(game_admin.begin_game(judge, name), f"{name} has started")


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def admit(settings: Settings, name: str, address: str) -> None:
    """Let the player at ADDRESS into a game that he asked for; he is told."""
    _let_in(settings, name, address, granted=True)


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def refuse(settings: Settings, name: str, address: str) -> None:
    """Do not let the player at ADDRESS into a game that he asked for; he is told."""
    _let_in(settings, name, address, granted=False)


def _let_in(settings: Settings, name: str, address: str, *, granted: bool) -> None:
    from judge.app.admin import game_admin

    with existing(settings) as judge:
        done = f"{address} is {'' if granted else 'not '}let into {name}"
        report(game_admin.admit_by_address(judge, name, address, granted=granted), done)


@click.command()
@click.argument("name")
@click.argument("file", type=click.File("r"), default="-")
@settings_options
def password(settings: Settings, name: str, file: TextIO) -> None:
    """Set the password of a game with the house rule entry=password: the first line of FILE."""
    from judge.app.admin import game_admin

    word = file.readline().strip()
    if not word or len(word.split()) > 1:
        fail("a password is one word", USAGE)
    with existing(settings) as judge:
        game_admin.set_game_password(judge, known(judge, name), word)
    click.echo(f"who knows it may join: JOIN {name} PASSWORD and the word")


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def moderator(settings: Settings, name: str, address: str) -> None:
    """Let the person at ADDRESS moderate a game; everybody is told."""
    from judge.app.admin import game_admin

    with existing(settings) as judge:
        known(judge, name)
        report(game_admin.appoint_moderator(judge, name, address), f"{address} moderates {name}")


@click.command()
@click.argument("name")
@click.argument("power")
@settings_options
def dummy(settings: Settings, name: str, power: str) -> None:
    """Let nobody play POWER, and wait for nobody: it is in civil disorder."""
    from judge.app.admin import game_admin
    from judge.app.game import apply
    from judge.game.players.seats import MakeDummy

    with existing(settings) as judge:
        made = game_admin.apply_operator_command(
            judge, name, MakeDummy(power.upper(), apply.OPERATOR)
        )
        report(made, f"{power.upper()} is a dummy")
