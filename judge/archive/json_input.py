"""Strict JSON input: parse text, check values, and find the games in a file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from judge.archive.reading import Doubts


class MalformedError(ValueError):
    """A malformed part of a record; the message shows that part and the reason."""

    def __init__(self, part: object, fault: str) -> None:
        super().__init__(f"{str(part) or repr(part)}: {fault}")


def require_object(value: object, name: str) -> Mapping[str, object]:
    """Return *value*, which must be an object; null is an empty one."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise MalformedError(name, "must be an object")
    return cast("Mapping[str, object]", value)


def require_texts(value: object, name: str) -> Sequence[str]:
    """Return *value*, which must be a list of texts; null is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list) or not {*map(type, value)} <= {str}:
        raise MalformedError(name, "must be a list of texts")
    return cast("Sequence[str]", value)


def require_text(value: object, name: str) -> str:
    """Return *value*, which must be a text."""
    if not isinstance(value, str):
        raise MalformedError(name, "must be a text")
    return value


def require_whole_number(value: object, name: str) -> int:
    """Return *value*, which must be a whole number."""
    if not isinstance(value, int) or isinstance(value, bool):
        raise MalformedError(name, "must be a whole number")
    return value


def require_bool(value: object, name: str) -> bool:
    """Return *value*, which must be true or false."""
    if not isinstance(value, bool):
        raise MalformedError(name, "must be true or false")
    return value


def require_objects(value: object, name: str) -> Sequence[Mapping[str, object]]:
    """Return *value*, which must be a list of objects; null is an empty one."""
    if value is None:
        return ()
    if not isinstance(value, list):
        raise MalformedError(name, "must be a list")
    return [require_object(each, f"each of {name}") for each in value]


SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")  # half of a letter that takes two


@dataclass(frozen=True, slots=True)
class ParsedJson:
    """A parsed text; if it was *mended*, a question mark replaces half a surrogate pair."""

    value: object
    mended: bool


def parse_json(text: str) -> ParsedJson:
    """Return what *text* holds.

    Raises `ValueError` if it is no JSON, or has a key twice in one object, and `RecursionError` if
    it is too deep.
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
        raise ValueError(f"{key!r} comes twice in one object")
    return value


def _reject_constant(name: str) -> float:
    raise ValueError(f"{name} is no number")


DECODER = json.JSONDecoder(object_pairs_hook=_unique_keys, parse_constant=_reject_constant)


# A text that does not end goes on to the end of its line, so that it is looked through only once.
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*"?|(?P<opens>[{\[])|(?P<closes>[}\]])')
KEY = re.compile(r'"(\w+)"\s*:')
BEGINS_A_GAME = '{"'  # A game over many lines has its first key on the second.


@dataclass(frozen=True, slots=True)
class JsonGame:
    """A game in a file, with its lines (from 1)."""

    value: Mapping[str, object]
    first_line: int
    last_line: int


@lru_cache(1)  # Each format of JSON asks for those of the same file.
def keys_of(head: str) -> frozenset[str]:
    """Return the keys in *head*, the beginning of a file, none if that is no JSON object."""
    is_object = head.lstrip("\ufeff \r\n").startswith("{")
    return frozenset(KEY.findall(head)) if is_object else frozenset()


def json_games(doubts: Doubts, lines: Iterable[str], first_line: int = 1) -> Iterator[JsonGame]:
    """Yield the games in *lines*; one that is cut off, or no JSON, is a doubt and left out."""
    kept: list[str] = []
    first, last, depth = 1, 0, 0
    for number, text in enumerate(lines, first_line):
        line = text.lstrip("\ufeff") if number == 1 else text
        if kept and line.startswith(BEGINS_A_GAME):
            doubts.note(first, "", "this game is cut off")
            kept, depth = [], 0
        if not kept:
            if parsed := _game_of_a_line(line):
                yield from _checked_game(doubts, parsed, number, number)
                continue
            first = number
        if kept or line.strip():
            kept.append(line)
            last = number
            depth += _depth(line)
        if kept and depth <= 0:
            yield from _game_of_lines(doubts, kept, first, last)
            kept, depth = [], 0
    if kept:
        yield from _game_of_lines(doubts, kept, first, last)


def _game_of_a_line(line: str) -> ParsedJson | None:
    """Return the game that *line* holds, None if it holds none, or not all of one."""
    if not line.startswith(BEGINS_A_GAME):
        return None
    try:
        parsed = parse_json(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed.value, dict) else None


def _depth(line: str) -> int:
    """Return how many brackets of *line* stay open."""
    found = [each.lastgroup for each in STRING_OR_BRACKET.finditer(line)]
    return found.count("opens") - found.count("closes")


def _game_of_lines(doubts: Doubts, kept: list[str], first: int, last: int) -> Iterator[JsonGame]:
    """Yield the game in the lines *kept*, which have all of it, unless that is no game."""
    try:
        parsed = parse_json("\n".join(kept))
    except json.JSONDecodeError as error:
        why = f"no JSON from column {error.colno} on: {error.msg}"
        doubts.note(first + error.lineno - 1, "", why)
    except (ValueError, RecursionError) as error:  # a number too long, lists in lists in lists
        doubts.note(first, "", f"no JSON that can be read: {error}")
    else:
        yield from _checked_game(doubts, parsed, first, last)


def _checked_game(doubts: Doubts, parsed: ParsedJson, first: int, last: int) -> Iterator[JsonGame]:
    if parsed.mended:
        doubts.note(first, "", "half of a letter that takes two; it is read as a question mark")
    if isinstance(parsed.value, dict):
        yield JsonGame(parsed.value, first, last)
    else:
        doubts.note(first, "", "a game must be an object")
