"""`judge game begin`, `rollback`, `rules` and others: the operator as the moderator."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, TextIO

import click

from judge.cli.game_source import chosen_rules, game_named, open_existing_store, report_outcome
from judge.cli.options import settings_options
from judge.cli.terminal import BAD_INPUT, USAGE, OpenFile, fail, reading_text
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.game.commands import GameCommand


@click.command()
@click.argument("name")
@settings_options
def begin(settings: Settings, name: str) -> None:
    """Start a game with the players who have joined. Other powers are dummies."""
    from judge.app.admin.game_admin import begin_game

    with open_existing_store(settings) as judge:
        report_outcome(begin_game(judge, name), f"{name} has started")


def _command(
    settings: Settings, name: str, ordered_by: Callable[[str], GameCommand], done: str
) -> None:
    """Apply the operator's command to the game *name*."""
    from judge.app.admin.game_admin import apply_operator_command
    from judge.app.game.apply import OPERATOR

    with open_existing_store(settings) as judge:
        report_outcome(apply_operator_command(judge, name, ordered_by(OPERATOR)), done)


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def admit(settings: Settings, name: str, address: str) -> None:
    """Admit the player at ADDRESS, who asked to join, and tell them by email."""
    _decide_admission(settings, name, address, granted=True)


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def refuse(settings: Settings, name: str, address: str) -> None:
    """Refuse the player at ADDRESS, who asked to join, and tell them by email."""
    _decide_admission(settings, name, address, granted=False)


def _decide_admission(settings: Settings, name: str, address: str, *, granted: bool) -> None:
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        done = f"{address} is {'' if granted else 'not '}admitted to {name}"
        report_outcome(game_admin.admit_by_address(judge, name, address, granted=granted), done)


@click.command()
@click.argument("name")
@click.argument("file", type=OpenFile("r", encoding="utf-8"), default="-")
@settings_options
def password(settings: Settings, name: str, file: TextIO) -> None:
    """Set the password of a game with entry=password to the first line of FILE."""
    from judge.app.admin import game_admin

    with reading_text(file):
        word = file.readline().strip()
    if not word or len(word.split()) > 1:
        fail("the password must be one word", BAD_INPUT)
    with open_existing_store(settings) as judge:
        game_admin.set_game_password(judge, game_named(judge, name), word)
    click.echo(f"players can join with JOIN {name} PASSWORD and the word")


@click.command()
@click.argument("name")
@click.argument("address")
@settings_options
def moderator(settings: Settings, name: str, address: str) -> None:
    """Make the person at ADDRESS the moderator of a game."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        game_named(judge, name)
        report_outcome(
            game_admin.appoint_moderator(judge, name, address), f"{address} moderates {name}"
        )


@click.command()
@click.argument("name")
@click.argument("power")
@settings_options
def dummy(settings: Settings, name: str, power: str) -> None:
    """Make POWER a dummy: it is in civil disorder, and the game does not wait for it."""
    from judge.game.players.seats import MakeDummy

    _command(settings, name, partial(MakeDummy, power.upper()), f"{power.upper()} is a dummy")


REASON = click.option("--reason", required=True, help="The reason; all players see it.")


@click.command()
@click.argument("name")
@click.option(
    "--to", "phase", metavar="F1901M", help="The phase to reopen.  [default: the last closed one]"
)
@click.option("--restore", is_flag=True, help="Restore the orders of that phase.")
@REASON
@settings_options
def rollback(
    settings: Settings, name: str, phase: str | None, reason: str, *, restore: bool
) -> None:
    """Reopen an earlier phase. Nothing is deleted from the log."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        done = game_admin.roll_back(judge, name, phase, reason, restore=restore)
        after = done.game.position.phase if done.game and done.game.position else ""
        report_outcome(done, f"{name} is again in {after}")


@click.command()
@click.argument("name")
@REASON
@settings_options
def rollforward(settings: Settings, name: str, reason: str) -> None:
    """Undo the last rollback, or several in a row, if nothing was played since."""
    from judge.app.admin import game_admin

    with open_existing_store(settings) as judge:
        done = game_admin.roll_forward(judge, name, reason)
        after = done.game.position.phase if done.game and done.game.position else ""
        report_outcome(done, f"{name} is again in {after}")


@click.command()
@click.argument("name")
@REASON
@settings_options
def unstart(settings: Settings, name: str, reason: str) -> None:
    """Reopen the sign-up of a game in its first phase: powers are taken back until it begins."""
    from judge.game.rollback import Unstart

    _command(settings, name, partial(Unstart, reason), f"{name} is open for sign-up again")


@click.command()
@click.argument("name")
@click.argument("file", type=OpenFile("r"))
@REASON
@settings_options
def correct(settings: Settings, name: str, file: TextIO, reason: str) -> None:
    """Correct the open phase's board. FILE is the edited output of `judge game show --json`."""
    from judge.app.admin.game_admin import apply_operator_command
    from judge.app.game.apply import OPERATOR
    from judge.archive.json_input import require_object
    from judge.archive.position_json import read_position
    from judge.game.rollback import CorrectPosition

    with open_existing_store(settings) as judge:
        game = game_named(judge, name)
        try:
            written = require_object(json.load(file), "the file")
            position = read_position(judge.board_of(game), written, game.rulebook)
        except ValueError as error:
            fail(f"{file.name} is not a position: {error}", BAD_INPUT)
        command = CorrectPosition(position, reason, OPERATOR)
        report_outcome(apply_operator_command(judge, name, command), f"board of {name} corrected")


@click.command()
@click.argument("name")
@REASON
@settings_options
def pause(settings: Settings, name: str, reason: str) -> None:
    """Pause a game: its clock stops, but the judge still takes press and orders."""
    from judge.game.deadlines import Pause

    _command(settings, name, partial(Pause, reason), f"{name} is paused")


@click.command()
@click.argument("name")
@settings_options
def resume(settings: Settings, name: str) -> None:
    """Resume a paused game with the time that was left."""
    from judge.game.deadlines import ResumeGame

    _command(settings, name, ResumeGame, f"{name} resumed")


@click.command()
@click.argument("name")
@settings_options
def terminate(settings: Settings, name: str) -> None:
    """End a game without a result."""
    from judge.game.moderator_actions import Terminate

    _command(settings, name, Terminate, f"{name} is over")


@click.command()
@click.argument("name")
@click.argument("power")
@settings_options
def eject(settings: Settings, name: str, power: str) -> None:
    """Remove the player of POWER, which others can then take over."""
    from judge.game.players.seats import Eject

    _command(settings, name, partial(Eject, power.upper()), f"{power.upper()} is vacant")


@click.command()
@click.argument("name")
@click.argument("pairs", nargs=-1, metavar="[RULE=VALUE]...")
@click.option("--json", "as_json", is_flag=True, help="Show them as one JSON object.")
@settings_options
def rules(settings: Settings, name: str, pairs: tuple[str, ...], *, as_json: bool) -> None:
    """Show or change the house rules of a game. Players get the changes by email."""
    from judge.app.admin import game_admin
    from judge.app.game import apply
    from judge.game.house_rules import as_text
    from judge.game.moderator_actions import ChangeRules
    from judge.rules.rulebook import rulebook_name

    if pairs and as_json:
        fail("--json shows the rules: leave out RULE=VALUE", USAGE)
    with open_existing_store(settings) as judge:
        game = game_named(judge, name)
        if not pairs:
            chosen = {"rulebook": rulebook_name(game.rulebook), **as_text(game.house_rules)}
            lines = (f"{rule}={text}" for rule, text in chosen.items())
            click.echo(json.dumps(chosen) if as_json else "\n".join(lines))
            return
        changed, rulebook = chosen_rules(
            pairs, None, game=name, like=game.house_rules, default=game.rulebook
        )
        if rulebook != game.rulebook:
            fail("the rulebook of a game never changes", USAGE)
        command = ChangeRules(changed, apply.OPERATOR)
        report_outcome(
            game_admin.apply_operator_command(judge, name, command),
            f"rules of {name} changed",
        )
