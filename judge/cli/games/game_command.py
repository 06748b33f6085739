"""`judge game`: create, list and show games, and move their deadlines."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TextIO, assert_never

import click

from judge.archive.position_json import write_position
from judge.cli import game_source
from judge.cli.map_options import PictureOptions, picture_options, save_picture
from judge.cli.options import complete_variant, rules_options, settings_options
from judge.cli.terminal import (
    BAD_INPUT,
    UNAVAILABLE,
    USAGE,
    OpenFile,
    fail,
    reading_text,
    require_option,
)
from judge.game.calendar import is_short
from judge.game.game_state import Stage
from judge.game.game_summary import summarize
from judge.game.house_rules import as_text, standard_rules
from judge.game.payloads import orders_from_texts
from judge.game.players.creation import GameBranched, GameImported
from judge.game.visibility import Inspector, Operator, view
from judge.pictures.scene import scene_with_orders
from judge.rules.rulebook import rulebook_name
from judge.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from judge.game.game_state import Game
    from judge.game.game_summary import GameSummary
    from judge.game.players.creation import Origin
    from judge.pictures.scene import Scene
    from judge.rules.board import Map
    from judge.rules.types import Power

DIGITS = 16  # of a hash, as printed


def as_row(game: GameSummary) -> dict[str, object]:
    """Return *game* as `judge game list --json` prints it."""
    return {
        "game": game.name,
        "stage": game.stage.value,
        "variant": game.variant,
        "players": game.players,
        "phase": game.phase,
        "deadline": game.deadline.isoformat() if game.deadline else None,
        "result": game.result,
        "winners": list(game.winners),
        "origin": game.origin,
    }


def as_line(game: GameSummary) -> str:
    """Return the line of `judge game list`."""
    match game.stage:
        case Stage.FORMING:
            return f"{game.name:16} forming, {game.joined} joined"
        case Stage.PLAYING:
            phase, deadline = as_row(game)["phase"], as_row(game)["deadline"]
            return f"{game.name:16} {phase}, due {deadline or 'now'}"
        case Stage.ENDED:
            return f"{game.name:16} over: {game.result}, {', '.join(game.winners)}"


def as_position(board: Map, game: Game, *, orders: bool) -> dict[str, object]:
    """Return *game* in the format of `judge adjudicate`, with current *orders* if asked."""
    if game.position is None:
        return as_row(summarize(board, game))
    shown = write_position(game.position) | {"rulebook": rulebook_name(game.rulebook)}
    if game.stage is Stage.ENDED:
        shown |= {"phase": "COMPLETED"}
    if orders:
        shown["orders"] = {power: list(held) for power, held in _held(game, orders=orders).items()}
    return shown


def as_page(board: Map, game: Game, *, orders: bool) -> str:
    """Return *game* as `judge game show` prints it."""
    line = as_line(summarize(board, game))
    lines = [line, f"rulebook {rulebook_name(game.rulebook)}", *_origin(game.origin)]
    held = _held(game, orders=orders)
    for power, seat in game.seats.items():
        lines.append(f"{power}: {seat.state.value.replace('_', ' ')}")
        if game.position:
            standing = (str(unit) for unit in game.position.units_of(power))
            dislodged = (f"*{each.unit}" for each in game.position.dislodged_of(power))
            lines.append(f"  units    {', '.join((*standing, *dislodged)) or 'none'}")
            lines.append(f"  centers  {', '.join(game.position.centers_of(power)) or 'none'}")
        if orders:
            lines.append(f"  orders   {', '.join(held.get(power, ())) or 'none'}")
    return "\n".join((*lines, *_house_rules(game)))


def _house_rules(game: Game) -> Iterator[str]:
    usual = as_text(standard_rules(game.name))
    yield "house rules (* differs from the template `standard`)"
    for name, value in as_text(game.house_rules).items():
        yield f"{' ' if value == usual[name] else '*'} {name}={value}"


def _origin(origin: Origin | None) -> Iterator[str]:
    match origin:
        case GameImported():
            digest = origin.sha256[:DIGITS]
            yield f"imported from {origin.source}: {origin.format} {origin.record}, {digest}"
        case GameBranched():
            yield f"branch of {origin.parent}, event {origin.version}, {origin.head[:DIGITS]}"
        case None:
            pass
        case _:
            assert_never(origin)


def as_scene(game: Game, *, orders: bool) -> Scene:
    """Return the picture of *game*, with current *orders* if asked."""
    if game.position is None:
        fail(f"{game.name} has not begun", UNAVAILABLE)
    held = {power: orders_from_texts(texts) for power, texts in _held(game, orders=orders).items()}
    title = f"{game.name} \N{MIDDLE DOT} {game.position.phase}"
    return scene_with_orders(game.position, held, title)


def _held(game: Game, *, orders: bool) -> Mapping[Power, tuple[str, ...]]:
    """Return the current orders if the operator may see them: only after the look is recorded."""
    phase = view(game, Inspector() if orders else Operator()).phase
    return phase.standing if phase else {}


@click.command()
@click.argument("name")
@click.option(
    "--variant",
    metavar="NAME",
    shell_complete=complete_variant,
    help="The board; `judge variant list` lists them.",
)
@click.option(
    "--settings",
    "file",
    type=OpenFile("r", encoding="utf-8"),
    help="A file of house rules, one KEY = VALUE per line; - is standard input.",
)
@rules_options
@settings_options
def new(  # noqa: PLR0913, PLR0917 - one parameter per option
    settings: Settings,
    file: TextIO | None,
    name: str,
    variant: str | None,
    rules: tuple[str, ...],
    rulebook: str | None,
    moderator: str | None,
) -> None:
    """Create a game. It starts when it is full."""
    from judge.app.admin import game_admin
    from judge.game.house_rules import with_suggested

    board = game_source.variant_chosen(variant)
    written = (*(_settings_in(file) if file else ()), *rules)
    suggested = with_suggested(written, board.house_rules)
    house_rules, chosen = game_source.chosen_rules(suggested, rulebook, game=name)
    with game_source.open_store(settings) as judge:
        game_source.report_outcome(
            game_admin.create_game(
                judge, game_admin.NewGame(name, house_rules, chosen, board.name, moderator)
            ),
            f"{name} is open; players can join with JOIN {name}",
        )
    if house_rules.closing_time and not is_short(house_rules):
        click.echo(f"its phases close at {house_rules.closing_time} {house_rules.zone}")


def _settings_in(file: TextIO) -> tuple[str, ...]:
    from judge.mail.reader.house_rule_text import settings_at_top

    with reading_text(file):
        lines = file.read().splitlines()
    pairs, length = settings_at_top(lines)
    rest = [
        (number, line) for number, line in enumerate(lines[length:], length + 1) if line.strip()
    ]
    if rest:
        fail(f"line {rest[0][0]} of the settings is not KEY = VALUE: {rest[0][1]}", USAGE)
    return pairs


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON line per game.")
@settings_options
def list_command(settings: Settings, *, as_json: bool) -> None:
    """List all games."""
    from judge.app.admin import game_admin

    with game_source.open_existing_store(settings) as judge:
        for each in game_admin.list_games(judge):
            click.echo(json.dumps(as_row(each)) if as_json else as_line(each))


@click.command()
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
    from judge.app.game.apply import OPERATOR
    from judge.game.moderator_actions import ViewOrders

    if orders and not reason:
        fail("--orders needs --reason: the next results print it", USAGE)
    if not orders:
        require_option("--orders", "--reason")
    with game_source.open_existing_store(settings) as judge:
        if orders:
            look = ViewOrders(OPERATOR, reason or "")
            game_source.report_outcome(game_admin.apply_operator_command(judge, name, look), None)
        found = game_source.game_named(judge, name)
        board = judge.board_of(found)
        if picture:
            scene = as_scene(found, orders=orders)
            save_picture(picture, found.variant, board, scene)
        elif as_json:
            click.echo(json.dumps(as_position(board, found, orders=orders)))
        else:
            click.echo(as_page(board, found, orders=orders))


@click.command()
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="One JSON line per player.")
@settings_options
def players(settings: Settings, name: str, *, as_json: bool) -> None:
    """Show the players of a game with names and addresses, unless its moderator plays."""
    from judge.app.identity import contacts_of_players
    from judge.game.visibility import Operator, sees_contacts

    with game_source.open_existing_store(settings) as judge:
        found = game_source.game_named(judge, name)
        if not sees_contacts(found, Operator()):
            fail(
                f"the moderator of {name} plays in it: `judge player show ADDRESS` shows one",
                USAGE,
            )
        with judge.database.read() as transaction:
            for each in contacts_of_players(transaction, found):
                line = f"{each.power or 'joined':9} {each.handle:20} {each.name} <{each.address}>"
                click.echo(json.dumps(asdict(each)) if as_json else line)


@click.command()
@click.argument("name")
@click.argument("file", type=OpenFile("r", encoding="utf-8"))
@settings_options
def press(settings: Settings, name: str, file: TextIO) -> None:
    """Send press to every player of a game. FILE holds the text; - is standard input."""
    from judge.app.admin import game_admin

    with reading_text(file):
        letter = file.read()
    if not letter.strip():
        fail("the press is empty", BAD_INPUT)
    with game_source.open_existing_store(settings) as judge:
        game_source.report_outcome(
            game_admin.broadcast(judge, name, letter), f"sent to the players of {name}"
        )


@click.command()
@click.argument("name")
@click.argument("power")
@click.argument("address")
@settings_options
def seat(settings: Settings, name: str, power: str, address: str) -> None:
    """Give a vacant POWER of a game to the player at ADDRESS and tell them by email."""
    from judge.app.admin import game_admin

    with game_source.open_existing_store(settings) as judge:
        seated = game_admin.seat_player(judge, name, power.upper(), address)
        game_source.report_outcome(seated, f"{power.upper()} of {name} is now played by {address}")


@click.command()
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
    with game_source.open_existing_store(settings) as judge:
        moved = game_admin.move_deadline(judge, name, instant.astimezone(UTC), reason)
        game_source.report_outcome(moved, f"the deadline of {name} is {instant.isoformat()}")


@click.command()
@click.argument("name")
@click.option("--phase", help="Close only this phase, if it is still open.")
@settings_options
def process(settings: Settings, name: str, phase: str | None) -> None:
    """Close the open phase now with the orders received."""
    from judge.app.admin import game_admin

    with game_source.open_existing_store(settings) as judge:
        done = game_admin.close_phase_now(judge, name, phase)
        after = done.game.position.phase.code if done.game and done.game.position else ""
        game_source.report_outcome(done, f"phase closed; {name} is now in {after}")
