"""The number by which the `diplomacy` package knows a position: its Zobrist hash.

Each unit, center and home has random numbers, and the hash is what is left of all of them by
exclusive or. They are drawn from a seed that the map gives, so that they are always the same.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import xor
from random import Random  # noqa: TID251 - no dice: the seed is always the same
from typing import TypeAlias

from judge.rules.board import Map
from judge.rules.types import Location, Position, Power, Unit

BOARDS_MAX = 16  # boards whose numbers are kept at hand

Numbers: TypeAlias = Mapping[tuple[str, Location], int]  # by kind of unit, or power


@dataclass(frozen=True, slots=True)
class _Tables:
    """The numbers of one board, in the order in which they are drawn."""

    kinds: Numbers
    units: Numbers
    dislodged_kinds: Numbers
    dislodged: Numbers
    centers: Numbers
    homes: Numbers


def zobrist_hash(board: Map, position: Position) -> str:
    """Return the hash of *position*, as a text, which is how the package writes it."""
    return str(reduce(xor, _numbers(board, position), 0))


def _numbers(board: Map, position: Position) -> Iterator[int]:
    tables = _tables(board)
    yield from _of_units(position.units, tables.kinds, tables.units)
    driven = [each.unit for each in position.dislodged]
    yield from _of_units(driven, tables.dislodged_kinds, tables.dislodged)
    for center, owner in position.owners.items():
        yield tables.centers[owner, center]
    for power in board.powers:
        yield from (tables.homes[power, home] for home in board.homes_of(power))


def _of_units(units: Iterable[Unit], kinds: Numbers, powers: Numbers) -> Iterator[int]:
    for unit in units:
        yield kinds[unit.kind.value, unit.location]
        yield powers[unit.power, unit.location]


@lru_cache(BOARDS_MAX)
def _tables(board: Map) -> _Tables:
    kinds, powers = ("A", "F"), sorted(board.powers)
    locations = sorted(board.locations)
    centers = "-".join(sorted(name for name, place in board.places.items() if place.center))
    # 12345 and 7 are the package's own.
    letters = sum(ord(letter) * 7**index for index, letter in enumerate(centers))
    draw = Random((12345 + len(locations) + letters) % 2**32)  # noqa: S311 - no secret

    def drawn(rows: Iterable[Power]) -> Numbers:
        return {(row, each): draw.randint(1, sys.maxsize) for row in rows for each in locations}

    return _Tables(*map(drawn, (kinds, powers, kinds, powers, powers, powers)))
