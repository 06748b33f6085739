"""Reading the primitives of a payload: each function says what it expects to find under a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from judge.events.value import Value


def text(payload: Mapping[str, Value], key: str) -> str:
    """Return the string under *key*."""
    return cast("str", payload[key])


def texts(payload: Mapping[str, Value], key: str) -> tuple[str, ...]:
    """Return the strings under *key*."""
    return tuple(cast("tuple[str, ...]", payload[key]))


def inner(payload: Mapping[str, Value], key: str) -> Mapping[str, Value]:
    """Return the payload under *key*."""
    return cast("Mapping[str, Value]", payload[key])
