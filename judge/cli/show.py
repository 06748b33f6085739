"""A game as the operator reads it: a line, a row, a position or a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from judge.archive.positions import write_position
from judge.game.game import Stage
from judge.rules.rulebook import name_of

if TYPE_CHECKING:
    from judge.game.game import Game


def as_row(game: Game) -> dict[str, object]:
    """Return what `judge game list --json` says of *game*."""
    return {
        "game": game.name,
        "stage": game.stage.value,
        "variant": game.variant,
        "players": len(game.seats or game.joined),
        "phase": game.position.phase.code if game.position else None,
        "deadline": game.phase.deadline.isoformat() if game.phase else None,
        "result": game.ending.result if game.ending else None,
        "winners": list(game.ending.winners) if game.ending else [],
    }


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
    """Return the position of *game* in the shape of `judge adjudicate`; with *orders*, those held."""
    if game.position is None:
        return as_row(game)
    shown = write_position(game.position) | {"rulebook": name_of(game.rulebook)}
    if game.stage is Stage.ENDED:
        shown |= {"phase": "COMPLETED"}
    if orders and game.phase:
        shown["orders"] = {power: list(held) for power, held in game.phase.standing.items()}
    return shown


def as_page(game: Game, *, orders: bool) -> str:
    """Return what `judge game show` prints."""
    lines = [as_line(game)]
    for power, seat in game.seats.items():
        lines.append(f"{power}: {seat.state.value.replace('_', ' ')}")
        if game.position:
            standing = (str(unit) for unit in game.position.units_of(power))
            dislodged = (f"*{each.unit}" for each in game.position.dislodged_of(power))
            lines.append(f"  units    {', '.join((*standing, *dislodged)) or 'none'}")
            lines.append(f"  centers  {', '.join(game.position.centers_of(power)) or 'none'}")
        if orders and game.phase:
            lines.append(f"  orders   {', '.join(game.phase.standing.get(power, ())) or 'none'}")
    return "\n".join(lines)
