"""JSON as RFC 8259 has it, which Python's own reader takes more loosely."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import dataclass

SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a letter that takes two


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a text holds; if it was *mended*, a question mark is where half a letter was."""

    value: object
    mended: bool


def parse(text: str) -> Parsed:
    """Return what *text* holds.

    Raises `ValueError` if it is no JSON, or has a key twice in one object, and `RecursionError` if
    it is too deep.
    """
    value = DECODER.decode(text)
    if not SURROGATE.search(text):
        return Parsed(value, mended=False)
    mended: object = json.loads(json.dumps(value, ensure_ascii=False).encode(errors="replace"))
    return Parsed(mended, mended=mended != value)


def _object(pairs: list[tuple[str, object]]) -> dict[str, object]:
    value = dict(pairs)
    if len(value) < len(pairs):
        (key, _), *_ = Counter(key for key, _ in pairs).most_common(1)
        raise ValueError(f"{key!r} comes twice in one object")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


DECODER = json.JSONDecoder(object_pairs_hook=_object, parse_constant=_constant)
