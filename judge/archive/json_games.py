"""Games that are JSON objects: one a line, or one over many lines, each as soon as it is whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache

from judge.archive.reading import Doubts
from judge.archive.strict_json import Parsed, parse

# A text that does not end goes on to the end of its line, so that it is looked through only once.
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*"?|(?P<opens>[{\[])|(?P<closes>[}\]])')
KEY = re.compile(r'"(\w+)"\s*:')
BEGINS_A_GAME = '{"'  # A game over many lines has its first key on the second.


@dataclass(frozen=True, slots=True)
class JsonGame:
    """A game as it stands in a file, with the lines (from 1) that hold it."""

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
                yield from _game(doubts, parsed, number, number)
                continue
            first = number
        if kept or line.strip():
            kept.append(line)
            last = number
            depth += _depth(line)
        if kept and depth <= 0:
            yield from _whole(doubts, kept, first, last)
            kept, depth = [], 0
    if kept:
        yield from _whole(doubts, kept, first, last)


def _game_of_a_line(line: str) -> Parsed | None:
    """Return the game that *line* holds, None if it holds none, or not all of one."""
    if not line.startswith(BEGINS_A_GAME):
        return None
    try:
        parsed = parse(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed.value, dict) else None


def _depth(line: str) -> int:
    """Return how many brackets of *line* stay open."""
    found = [each.lastgroup for each in STRING_OR_BRACKET.finditer(line)]
    return found.count("opens") - found.count("closes")


def _whole(doubts: Doubts, kept: list[str], first: int, last: int) -> Iterator[JsonGame]:
    """Yield the game in the lines *kept*, which have all of it, unless that is no game."""
    try:
        parsed = parse("\n".join(kept))
    except json.JSONDecodeError as error:
        why = f"no JSON from column {error.colno} on: {error.msg}"
        doubts.note(first + error.lineno - 1, "", why)
    except (ValueError, RecursionError) as error:  # a number too long, lists in lists in lists
        doubts.note(first, "", f"no JSON that can be read: {error}")
    else:
        yield from _game(doubts, parsed, first, last)


def _game(doubts: Doubts, parsed: Parsed, first: int, last: int) -> Iterator[JsonGame]:
    if parsed.mended:
        doubts.note(first, "", "half of a letter that takes two; it is read as a question mark")
    if isinstance(parsed.value, dict):
        yield JsonGame(parsed.value, first, last)
    else:
        doubts.note(first, "", "a game must be an object")
