"""The phases that the bench adjudicates: from real games, and from random positions."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterable, Iterator, Mapping
from random import Random
from sys import intern
from typing import TypeAlias, TypeVar

from judge.archive.position_json import read_position, read_written_orders, write_position
from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.rulebook import DATC
from judge.rules.types import Position
from tests.games.records import Game
from tests.properties.random_positions import Orders, crowd, tangle

SEED = 1901

Value = TypeVar("Value")
Phase: TypeAlias = tuple[Position, Orders]


def movement_phases(board: Map, games: Iterable[Game]) -> list[Phase]:
    """Return the movement phases of *games*."""
    return [
        (read_position(board, recorded, DATC), orders_in(board, recorded["orders"]))
        for game in games
        for recorded in game
        if recorded["phase"].endswith("M")
    ]


def orders_in(board: Map, texts: Mapping[str, Iterable[str]]) -> Orders:
    """Read recorded orders."""
    return {intern(power): read_written_orders(board, several) for power, several in texts.items()}


def full_boards(board: Map, count: int) -> Iterator[Phase]:
    """Draw *count* boards, a unit for each center; always the same ones.

    Supports and convoys mostly match.
    """
    chance = Random(SEED)
    for _ in range(count):
        position = crowd(board, chance, len(board.centers))
        yield position, tangle(board, chance, position)


def fresh(values: Iterable[Value]) -> list[Value]:
    """Return equal *values* that share no object, so that nothing is known by its identity."""
    return [pickle.loads(pickle.dumps(value)) for value in values]  # noqa: S301 - our own bytes


def question(phase: Phase) -> bytes:
    """Return *phase* as a line for `judge adjudicate`."""
    position, orders = phase
    texts = {power: [write_order(order) for order in several] for power, several in orders.items()}
    return json.dumps(write_position(position) | {"orders": texts}).encode() + b"\n"
