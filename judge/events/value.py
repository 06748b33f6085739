"""What a payload is made of: primitives only."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeAlias

from typing_extensions import TypeAliasType

Value = TypeAliasType("Value", "str | int | bool | tuple[Value, ...] | Mapping[str, Value] | None")
Payload: TypeAlias = Mapping[str, Value]


class Event:
    """The base of all events: each is a frozen dataclass of payload values."""

    __slots__ = ()
