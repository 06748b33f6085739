"""What came out of JSON, told apart: a value that is not what it should be is complained about."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast


class MalformedError(ValueError):
    """Part of a record is not what it should be; the message shows that part and says why."""

    def __init__(self, part: object, fault: str) -> None:
        super().__init__(f"{str(part) or repr(part)}: {fault}")


def an_object(value: object, name: str) -> Mapping[str, object]:
    """Return *value*, which must be an object; null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MalformedError(name, "must be an object")
    return cast("Mapping[str, object]", value)


def some_texts(value: object, name: str) -> Sequence[str]:
    """Return *value*, which must be a list of texts; null is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list) or not {*map(type, value)} <= {str}:
        raise MalformedError(name, "must be a list of texts")
    return cast("Sequence[str]", value)


def a_text(value: object, name: str) -> str:
    """Return *value*, which must be a text."""
    if not isinstance(value, str):
        raise MalformedError(name, "must be a text")
    return value


def a_count(value: object, name: str) -> int:
    """Return *value*, which must be a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedError(name, "must be a whole number")
    return value


def a_truth(value: object, name: str) -> bool:
    """Return *value*, which must be true or false."""
    if not isinstance(value, bool):
        raise MalformedError(name, "must be true or false")
    return value


def some_objects(value: object, name: str) -> Sequence[Mapping[str, object]]:
    """Return *value*, which must be a list of objects; null is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise MalformedError(name, "must be a list")
    return [an_object(each, f"each of {name}") for each in value]
