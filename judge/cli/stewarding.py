"""`judge game rollback`, `correct`: what the operator does to the course of a game."""

from __future__ import annotations

import json
from typing import TextIO

import click

from judge.cli.exits import BAD_INPUT, fail
from judge.cli.options import settings_options
from judge.cli.store import existing, known, report
from judge.settings import Settings

REASON = click.option("--reason", required=True, help="Everybody is told.")


@click.command()
@click.argument("name")
@click.option(
    "--to", "phase", metavar="F1901M", help="The phase to open again.  [default: the last closed]"
)
@click.option("--restore", is_flag=True, help="The orders of then stand again.")
@REASON
@settings_options
def rollback(
    settings: Settings, name: str, phase: str | None, reason: str, *, restore: bool
) -> None:
    """Go back to an earlier phase, which is open again; nothing of the log is deleted."""
    from judge.app import operate

    with existing(settings) as judge:
        done = operate.roll_back(judge, name, phase, reason, restore=restore)
        after = done.game.position.phase if done.game and done.game.position else ""
        report(done, f"{name} is back in {after}")


@click.command()
@click.argument("name")
@click.argument("file", type=click.File("r"))
@REASON
@settings_options
def correct(settings: Settings, name: str, file: TextIO, reason: str) -> None:
    """Put the board of the open phase right: FILE is as of `judge game show --json`, edited."""
    from judge.adapters.variant_files import load_map
    from judge.app import operate
    from judge.archive.positions import read_position
    from judge.archive.values import an_object

    with existing(settings) as judge:
        game = known(judge, name)
        try:
            told = an_object(json.load(file), "the file")
            position = read_position(load_map(game.variant), told, game.rulebook)
        except ValueError as error:
            fail(str(error), BAD_INPUT)
        report(operate.correct(judge, name, position, reason), f"the board of {name} is corrected")
