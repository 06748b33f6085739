"""A game as the operator reads it: a line, a row of JSON, a position or a page."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, assert_never

from judge.archive.position_json import write_position
from judge.cli.terminal import UNAVAILABLE, fail
from judge.game.game_state import Stage
from judge.game.house_rules import STANDARD, as_text
from judge.game.payloads import read_orders
from judge.game.players.creation import GameBranched, GameImported
from judge.game.visibility import Inspector, Operator, view
from judge.pictures.scene import scene_with_orders
from judge.rules.rulebook import rulebook_name

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from judge.game.game_state import Game
    from judge.game.players.creation import Origin
    from judge.pictures.scene import Scene
    from judge.rules.types import Power

DIGITS = 16  # of a hash, to be shown


def as_row(game: Game) -> dict[str, object]:
    """Return what `judge game list --json` says of *game*."""
    return {
        "game": game.name,
        "stage": game.stage.value,
        "variant": game.variant,
        "players": len(_people(game)),
        "phase": game.position.phase.code if game.position else None,
        "deadline": game.phase.deadline.isoformat() if game.phase else None,
        "result": game.ending.result if game.ending else None,
        "winners": list(game.ending.winners) if game.ending else [],
        "origin": asdict(game.origin) if game.origin else None,
    }


def _people(game: Game) -> Sequence[str]:
    """Return who joined, or plays or played a power last."""
    return [seat.person for seat in game.seats.values() if seat.person] or list(game.joined)


def as_line(game: Game) -> str:
    """Return the line of `judge game list`."""
    match game.stage:
        case Stage.FORMING:
            return f"{game.name:16} forming, {len(game.joined)} joined"
        case Stage.PLAYING:
            phase, deadline = as_row(game)["phase"], as_row(game)["deadline"]
            return f"{game.name:16} {phase}, due {deadline or 'now'}"
        case Stage.ENDED:
            assert game.ending, "it has ended"
            return f"{game.name:16} over: {game.ending.result}, {', '.join(game.ending.winners)}"


def as_position(game: Game, *, orders: bool) -> dict[str, object]:
    """Return *game* in the shape of `judge adjudicate`; with *orders*, those held."""
    if game.position is None:
        return as_row(game)
    shown = write_position(game.position) | {"rulebook": rulebook_name(game.rulebook)}
    if game.stage is Stage.ENDED:
        shown |= {"phase": "COMPLETED"}
    if orders:
        shown["orders"] = {power: list(held) for power, held in _held(game, orders=orders).items()}
    return shown


def as_page(game: Game, *, orders: bool) -> str:
    """Return what `judge game show` prints."""
    lines = [as_line(game), f"rulebook {rulebook_name(game.rulebook)}", *_origin(game.origin)]
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
    usual = as_text(STANDARD)
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
    """Return what a picture of *game* shows; with *orders*, those held."""
    if game.position is None:
        fail(f"{game.name} has not begun", UNAVAILABLE)
    held = {power: read_orders(texts) for power, texts in _held(game, orders=orders).items()}
    title = f"{game.name} \N{MIDDLE DOT} {game.position.phase}"
    return scene_with_orders(game.position, held, title)


def _held(game: Game, *, orders: bool) -> Mapping[Power, tuple[str, ...]]:
    """Return the orders held that the operator may see: none, unless his look was recorded."""
    phase = view(game, Inspector() if orders else Operator()).phase
    return phase.standing if phase else {}
