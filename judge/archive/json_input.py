"""Strict JSON input: parse text and check values."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from judge.errors import abridged
from judge.rules.types import Phase


class MalformedError(ValueError):
    """A malformed part of the input; the message has that part and the fault."""

    def __init__(self, part: object, fault: str) -> None:
        super().__init__(f"{abridged(str(part)) or repr(part)}: {fault}")


def require_object(value: object, name: str) -> Mapping[str, object]:
    """Return *value* as an object; null is empty. Raises `MalformedError`."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MalformedError(name, "must be an object")
    return cast("Mapping[str, object]", value)


def phase_in(source: Mapping[str, object]) -> Phase | None:
    """Return the phase that *source* has as its name, None without a readable one."""
    try:
        return Phase.parse(require_text(source.get("name"), "name"))
    except ValueError:
        return None


def require_texts(value: object, name: str) -> Sequence[str]:
    """Return *value* as a list of strings; null is empty. Raises `MalformedError`."""
    if value is None:
        return ()
    if not isinstance(value, list) or not {*map(type, value)} <= {str}:
        raise MalformedError(name, "must be a list of texts")
    return cast("Sequence[str]", value)


def require_text(value: object, name: str) -> str:
    """Return *value* as a string. Raises `MalformedError`."""
    if not isinstance(value, str):
        raise MalformedError(name, "must be a text")
    return value


def require_whole_number(value: object, name: str) -> int:
    """Return *value* as a whole number. Raises `MalformedError`."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedError(name, "must be a whole number")
    return value


def require_bool(value: object, name: str) -> bool:
    """Return *value* as a boolean. Raises `MalformedError`."""
    if not isinstance(value, bool):
        raise MalformedError(name, "must be true or false")
    return value


def require_objects(value: object, name: str) -> Sequence[Mapping[str, object]]:
    """Return *value* as a list of objects; null is empty. Raises `MalformedError`."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise MalformedError(name, "must be a list")
    return [require_object(each, f"each of {name}") for each in value]


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a surrogate pair


@dataclass(frozen=True, slots=True)
class ParsedJson:
    """Parsed JSON; in a *mended* text, question marks replace lone surrogates."""

    value: object
    mended: bool


def parse_json(text: str) -> ParsedJson:
    """Parse *text*.

    Raises `ValueError` for malformed JSON or repeated keys, `RecursionError` for deep nesting.
    """
    value = DECODER.decode(text)
    if not SURROGATE.search(text):
        return ParsedJson(value, mended=False)
    mended: object = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    return ParsedJson(mended, mended=mended != value)


def _unique_keys(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{key!r} appears twice in one object")
    return value


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is not a number")


DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_reject_constant)
