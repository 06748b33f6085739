"""Rename the provinces, coasts and powers in any value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from random import Random  # noqa: TID251 the caller seeds it
from typing import TypeAlias, TypeVar, cast

from judge.rules.board import Map
from judge.rules.types import province_of

Names: TypeAlias = Mapping[str, str]
Value = TypeVar("Value")


def shuffled_places(board: Map, chance: Random) -> Names:
    """Return another province's code for each province, its coasts with it."""
    codes = sorted(board.places)
    other = dict(zip(codes, chance.sample(codes, len(codes)), strict=True))
    coasts = {
        each: each.replace(province_of(each), other[province_of(each)]) for each in board.locations
    }
    return {**other, **coasts}


def shuffled_powers(board: Map, chance: Random) -> Names:
    """Return another power for each power."""
    powers = board.powers
    return dict(zip(powers, chance.sample(powers, len(powers)), strict=True))


def renamed(value: Value, names: Names) -> Value:
    """Return *value* with everything in *names* renamed in it."""
    return cast("Value", _renamed(value, names))


def _renamed(value: object, names: Names) -> object:
    match value:
        case Enum() | int() | None:
            return value
        case str():
            return names.get(value, value)
        case Mapping():
            return {_renamed(key, names): _renamed(each, names) for key, each in value.items()}
        case tuple() | list() | frozenset():
            return type(value)(_renamed(each, names) for each in value)
        case _:
            assert is_dataclass(value) and not isinstance(value, type)  # noqa: PT018 one condition
            parts = {
                f.name: _renamed(getattr(value, f.name), names) for f in fields(value) if f.init
            }
            return type(value)(**parts)
