"""`judge orders read`: show how the judge reads orders, one JSON object per line."""

from __future__ import annotations

import json
from collections.abc import Mapping
from io import BufferedReader
from typing import assert_never

import click

from judge.app.commands.email_orders import EmailRead, Ignored, Ordered, read_email
from judge.app.commands.situation import Situation
from judge.app.commands.table import COMMANDS
from judge.archive.json_input import MalformedError, require_object, require_text
from judge.archive.position_json import read_position
from judge.cli.adjudicate import board_of, lines_of, read_object
from judge.cli.command_group import CommandGroup
from judge.cli.terminal import BAD_INPUT, UNAVAILABLE, USAGE, OpenFile, fail
from judge.game.house_rules import STANDARD, HouseRules, UnknownHouseRuleError, from_pairs
from judge.mail.body import split
from judge.mail.envelope import Unreadable, open_mail
from judge.mail.reader.email_text import with_subject_as_text
from judge.notation.order_text import write_order
from judge.notation.readings import NotUnderstood, Unclear, WhyNotUnderstood
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from judge.rules.types import Position, Power


class UnknownPowerError(MalformedError):
    """The board has no such power."""


@click.group(cls=CommandGroup)
def orders() -> None:
    """Show how the judge reads orders, without a game."""


@orders.command()
@click.argument("file", type=OpenFile("rb"), default="-")
@click.option("--mail", is_flag=True, help="FILE is one raw email, with its header.")
@click.option("--power", help="With --mail: the power that orders, such as GERMANY.")
@click.option(
    "--position",
    type=OpenFile("rb"),
    help="With --mail: a file with the position as JSON.  [default: the start of the game]",
)
@click.option(
    "--rule", "rules", multiple=True, metavar="KEY=VALUE", help="With --mail: a house rule."
)
def read(
    file: BufferedReader,
    power: str | None,
    position: BufferedReader | None,
    rules: tuple[str, ...],
    *,
    mail: bool,
) -> None:
    """Read the orders in FILE or on standard input as the judge reads them in an email.

    Each line of FILE is JSON: {"text": ..., "power": "GERMANY", "position": {"phase": "S1901M",
    "units": {...}, "centers": {...}}}, the position as in `judge adjudicate`. The answer is one
    line with the "orders" that result, what was "not_understood", what the judge "asked" about,
    and what it "ignored" and why. A line that cannot be read gets {"error": ..., "line": N}, and
    the exit code is then 65.
    """
    if mail:
        click.echo(json.dumps(_read_mail(file, power, position, rules)))
        return
    if power or position or rules:
        fail("--power, --position and --rule need --mail", USAGE)
    all_read = True
    for lines in lines_of(file):
        for number, line in lines:
            try:
                answer = _as_json(_read_json_line(read_object(line)))
            except MalformedError as error:
                answer, all_read = {"error": str(error), "line": number}, False
            click.echo(json.dumps(answer))
    if not all_read:
        raise SystemExit(BAD_INPUT)


def _read_json_line(source: Mapping[str, object]) -> EmailRead:
    for key in ("text", "power", "position"):
        if source.get(key) is None:
            raise MalformedError(key, "is missing")
    described = require_object(source["position"], "position")
    board = board_of(described)
    pairs = require_object(source.get("house_rules"), "house_rules")
    situation = Situation(
        board,
        _position(board, described),
        _power(board, require_text(source["power"], "power")),
        _rules([f"{key}={require_text(value, key)}" for key, value in pairs.items()]),
    )
    subject = require_text(source.get("subject", ""), "subject")
    return read_email(situation, split(require_text(source["text"], "text")), subject)


def _read_mail(
    file: BufferedReader,
    power: str | None,
    described: BufferedReader | None,
    rules: tuple[str, ...],
) -> dict[str, object]:
    if power is None:
        fail("--mail needs --power, the power that orders", USAGE)
    opened = open_mail(file.read())
    if isinstance(opened, Unreadable):
        fail(f"the email cannot be read: {opened.reason}", BAD_INPUT)
    try:
        house_rules = from_pairs(rules, STANDARD)
    except UnknownHouseRuleError as error:
        fail(str(error), USAGE)
    try:
        source = read_object(described.read()) if described else {}
        board = board_of(source)
        position = _position(board, source) if described else board.start
        situation = Situation(board, position, _power(board, power), house_rules)
    except UnknownPowerError as error:
        fail(str(error), UNAVAILABLE)
    except MalformedError as error:
        fail(str(error), BAD_INPUT)
    letter = with_subject_as_text(opened, board, COMMANDS)
    return _as_json(read_email(situation, letter.text, letter.subject))


def _position(board: Map, source: Mapping[str, object]) -> Position:
    for key in ("phase", "units"):
        if source.get(key) is None:
            raise MalformedError(f"{key} of the position", "is missing")
    return read_position(board, source, DATC)


def _power(board: Map, name: str) -> Power:
    if name.upper() not in board.powers:
        raise UnknownPowerError(name, f"not a power of the {board.name} map")
    return name.upper()


def _rules(pairs: list[str]) -> HouseRules:
    try:
        return from_pairs(pairs, STANDARD)
    except UnknownHouseRuleError as error:
        raise MalformedError("house_rules", str(error)) from None


def _as_json(found: EmailRead) -> dict[str, object]:
    """Return *found* as it is printed: orders in the exchange notation, the rest as written."""
    not_understood: list[object] = []
    asked: list[object] = []
    ignored: list[object] = []
    for piece in found.pieces:
        match piece:
            case Ordered():
                pass
            case NotUnderstood(text=text, why=WhyNotUnderstood.INCOMPLETE, nearest=nearest) if (
                nearest
            ):
                asked.append({"text": text, "readings": [write_order(nearest)]})
            case NotUnderstood(text=text, nearest=nearest):
                near = [write_order(nearest)] if nearest else []
                not_understood.append({"text": text, "nearest": near})
            case Unclear(text=text, orders=several):
                asked.append({"text": text, "readings": [write_order(each) for each in several]})
            case Ignored(text=text, why=why):
                ignored.append({"text": text, "why": why})
            case _:
                assert_never(piece)
    return {
        "orders": [write_order(each) for each in found.orders],
        "not_understood": not_understood,
        "asked": asked,
        "ignored": ignored,
    }
