"""Blind games: each power sees what it borders, and nothing else until the game is over.

It sees its own units and centers, and who stands in or owns a province next to one of them.
"""

from __future__ import annotations

from collections.abc import Collection

from judge.game.game import Game, Stage
from judge.game.sight import Sight, within
from judge.rules.board import Map
from judge.rules.types import Position, Power, Province, province_of


def is_blind(game: Game) -> bool:
    """Say whether anything of the board of *game* is hidden now."""
    return game.house_rules.blind and game.stage is not Stage.ENDED


def sight_of(board: Map, game: Game, position: Position, power: Power | None) -> Sight:
    """Return the provinces of *position* that *power* sees; nobody's eyes see none."""
    if not is_blind(game):
        return None
    if power is None:
        return frozenset()
    own = held(position, power)
    return frozenset(own | _near(board, own))


def touch(board: Map, position: Position, power: Power, other: Power) -> bool:
    """Say whether *power* and *other* have units or centers next to each other."""
    own = held(position, power)
    return not (own | _near(board, own)).isdisjoint(held(position, other))


def held(position: Position, power: Power) -> set[Province]:
    """Return where *power* has a unit or owns a center."""
    units = {unit.province for unit in position.units_of(power)}
    units |= {each.unit.province for each in position.dislodged_of(power)}
    return units | {*position.centers_of(power)}


def seen(board: Map, game: Game, position: Position, power: Power | None) -> Position:
    """Return *position* as *power* sees it in *game*."""
    return within(position, sight_of(board, game, position, power), power)


def _near(board: Map, provinces: Collection[Province]) -> set[Province]:
    return {
        province_of(there)
        for borders in (board.army, board.fleet)
        for here, reached in borders.items()
        if province_of(here) in provinces
        for there in reached
    }
