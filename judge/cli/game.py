"""`judge game`: what the operator does with games."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO

import click

from judge.cli.exits import UNAVAILABLE, USAGE, fail
from judge.cli.options import settings_options
from judge.settings import Settings

if TYPE_CHECKING:
    from judge.app.conduct import Conducted
    from judge.app.judge import Judge


@click.group()
def game() -> None:
    """Create games, look at them, write to their players, move a deadline, close a phase."""


@game.command()
@click.argument("name")
@click.option(
    "--rule", "rules", multiple=True, metavar="KEY=VALUE", help="A house rule; repeatable."
)
@click.option(
    "--rulebook",
    show_default="datc",
    metavar="NAME[,QUESTION=ANSWER]...",
    help="The law of the board, which `--rule rulebook=...` says too; see `judge rulebook`.",
)
@click.option("--moderator", metavar="ADDRESS", help="Who gets the moderator's mails.")
@settings_options
def new(
    settings: Settings,
    name: str,
    rules: tuple[str, ...],
    rulebook: str | None,
    moderator: str | None,
) -> None:
    """Open a game; it starts when as many have joined as there are powers."""
    from judge.app import operate
    from judge.game.choices import SeveralRulebooksError, choose
    from judge.game.house_rules import UnknownHouseRuleError
    from judge.rules.rulebook import UnknownRulebookError

    try:
        told = operate.NewGame(name, *choose(rules, rulebook), moderator=moderator)
    except (UnknownHouseRuleError, UnknownRulebookError, SeveralRulebooksError) as error:
        fail(str(error), USAGE)
    with _judge(settings) as judge:
        _report(operate.create(judge, told), f"{name} can be joined: JOIN {name}")


@game.command("list")
@click.option("--json", "as_json", is_flag=True, help="One JSON line a game.")
@settings_options
def list_games(settings: Settings, *, as_json: bool) -> None:
    """List every game."""
    from judge.app import operate
    from judge.cli.show import as_line, as_row

    with _existing(settings) as judge:
        for each in operate.games(judge):
            click.echo(json.dumps(as_row(each)) if as_json else as_line(each))


@game.command()
@click.argument("name")
@click.option(
    "--json", "as_json", is_flag=True, help="The position, in the shape of `judge adjudicate`."
)
@click.option("--orders", is_flag=True, help="The orders held as well; this is recorded.")
@click.option("--reason", help="Why you look at the orders; the next results say it.")
@settings_options
def show(
    settings: Settings, name: str, *, as_json: bool, orders: bool, reason: str | None
) -> None:
    """Show one game, its position and who must order."""
    from judge.app import operate
    from judge.cli.show import as_page, as_position

    if orders and not reason:
        fail("--orders needs --reason: everybody is told that you looked, and why", USAGE)
    with _existing(settings) as judge:
        if orders:
            _report(operate.view_orders(judge, name, reason or ""), None)
        found = operate.game(judge, name)
        if found is None:
            fail(f"there is no game {name!r}", UNAVAILABLE)
        if as_json:
            click.echo(json.dumps(as_position(found, orders=orders)))
        else:
            click.echo(as_page(found, orders=orders))


@game.command()
@click.argument("name")
@click.argument("file", type=click.File("r"))
@settings_options
def press(settings: Settings, name: str, file: TextIO) -> None:
    """Write to every player of a game; FILE holds the text, - is standard input."""
    from judge.app import operate

    letter = file.read()
    if not letter.strip():
        fail("there is nothing to write", USAGE)
    with _existing(settings) as judge:
        _report(operate.broadcast(judge, name, letter), f"written to the players of {name}")


@game.command()
@click.argument("name")
@click.argument("deadline")
@click.option("--reason", required=True, help="Printed in the notice to the players.")
@settings_options
def extend(settings: Settings, name: str, deadline: str, reason: str) -> None:
    """Move the deadline of the open phase; DEADLINE is ISO 8601, in UTC if it names no zone."""
    from judge.app import operate

    try:
        instant = datetime.fromisoformat(deadline)
    except ValueError:
        fail(f"{deadline!r} is no date and time, such as 2026-11-27T20:00", USAGE)
    if instant.tzinfo is None:
        instant = instant.replace(tzinfo=UTC)
    with _existing(settings) as judge:
        moved = operate.extend(judge, name, instant.astimezone(UTC), reason)
        _report(moved, f"the deadline of {name} is {instant.isoformat()}")


@game.command()
@click.argument("name")
@click.option("--phase", help="Only if this is the open phase: a guard against being too late.")
@settings_options
def process(settings: Settings, name: str, phase: str | None) -> None:
    """Close the open phase now, with whatever orders are there."""
    from judge.app import operate

    with _existing(settings) as judge:
        done = operate.process(judge, name, phase)
        after = done.game.position.phase.code if done.game and done.game.position else ""
        _report(done, f"{name} is processed; the phase is {after}")


@contextmanager
def _judge(settings: Settings) -> Iterator[Judge]:
    """Open the store, beside a daemon that may run: a command is a short transaction."""
    from contextlib import closing

    from judge.adapters.database import open_database
    from judge.daemon import judge_of

    with closing(open_database(settings.database)) as database:
        yield judge_of(settings, database)


def _existing(settings: Settings) -> AbstractContextManager[Judge]:
    """Open a store that is there: only `new` may make one."""
    if not settings.database.is_file():
        fail(f"there is no database {settings.database}", UNAVAILABLE)
    return _judge(settings)


def _report(conducted: Conducted, done: str | None) -> None:
    """Say what was *done*, or why not."""
    from judge.game.decision import Refused
    from judge.reports.words import refusal

    if isinstance(conducted.decision, Refused):
        fail(refusal(conducted.decision.why), UNAVAILABLE)
    if done:
        click.echo(done)
