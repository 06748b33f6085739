"""Strict JSON input: parse text, check values, and find the games in a file."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import cast

from judge.archive.reading import KEY, Doubts
from judge.archive.records import abridged
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


# An unterminated string extends to the end of the line, to avoid quadratic time.
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*"?|(?P<opens>[{\[])|(?P<closes>[}\]])')
CLOSERS = {"{": "}", "[": "]"}
PHASE_DEPTH = 2  # brackets around a phase: those of the game and of its list of phases
BEGINS_A_GAME = '{"'  # A pretty-printed game has its first key on the second line.


@dataclass(frozen=True, slots=True)
class JsonGame:
    """A game and its lines in a file, from 1."""

    value: Mapping[str, object]
    first_line: int
    last_line: int


@lru_cache(1)  # All JSON formats check the same head.
def keys_of(head: str) -> frozenset[str]:
    """Return the keys in *head*, the start of a file; none if it is not a JSON object."""
    is_object = head.lstrip("\ufeff \r\n").startswith("{")
    return frozenset(KEY.findall(head)) if is_object else frozenset()


def json_games(doubts: Doubts, lines: Iterable[str], first_line: int = 1) -> Iterator[JsonGame]:
    """Yield the games in *lines*; a malformed or truncated one becomes a doubt."""
    kept: list[str] = []
    first, last, depth = 1, 0, 0
    for number, text in enumerate(lines, first_line):
        line = text.lstrip("\ufeff") if number == 1 else text
        if kept and line.startswith(BEGINS_A_GAME):
            doubts.leave_out(first, "the end of this game", "this game is cut off")
            yield from _games_before(doubts, "\n".join(kept), first, last)
            kept, depth = [], 0
        if not kept:
            if parsed := _game_of_a_line(line):
                yield from _checked_game(doubts, parsed, number, number)
                continue
            first = number
        if kept or line.strip():
            kept.append(line)
            last = number
            depth += _open_brackets(line)
        if kept and depth <= 0:
            yield from _game_of_lines(doubts, kept, first, last)
            kept, depth = [], 0
    if kept:
        yield from _game_of_lines(doubts, kept, first, last)


def _game_of_a_line(line: str) -> ParsedJson | None:
    if not line.startswith(BEGINS_A_GAME):
        return None
    try:
        parsed = parse_json(line)
    except (ValueError, RecursionError):
        return None
    return parsed if isinstance(parsed.value, dict) else None


def _open_brackets(line: str) -> int:
    found = [each.lastgroup for each in STRING_OR_BRACKET.finditer(line)]
    return found.count("opens") - found.count("closes")


def _game_of_lines(doubts: Doubts, kept: list[str], first: int, last: int) -> Iterator[JsonGame]:
    text = "\n".join(kept)
    try:
        parsed = parse_json(text)
    except json.JSONDecodeError as error:
        why = f"invalid JSON at column {error.colno}: {error.msg}"
        doubts.leave_out(first + error.lineno - 1, "the rest of this game", why)
        yield from _games_before(doubts, text[: error.pos], first, last)
    except (ValueError, RecursionError) as error:  # numbers too long, nesting too deep
        doubts.note(first, "", f"invalid JSON: {error}")
    else:
        yield from _checked_game(doubts, parsed, first, last)


def _games_before(doubts: Doubts, text: str, first: int, last: int) -> Iterator[JsonGame]:
    """Yield the game that breaks off in *text* with the phases before the break."""
    closers: list[str] = []
    whole = ""
    for found in STRING_OR_BRACKET.finditer(text):
        if found["opens"]:
            closers.append(CLOSERS[found["opens"]])
        elif found["closes"] and closers and closers.pop() != found["closes"]:
            break
        elif found["closes"] and 0 < len(closers) <= PHASE_DEPTH:
            whole = text[: found.end()] + "".join(reversed(closers))
    try:
        parsed = parse_json(whole)
    except (ValueError, RecursionError):
        return
    yield from _checked_game(doubts, parsed, first, last)


def _checked_game(doubts: Doubts, parsed: ParsedJson, first: int, last: int) -> Iterator[JsonGame]:
    if parsed.mended:
        doubts.note(first, "", "half of a surrogate pair, read as a question mark")
    if isinstance(parsed.value, dict):
        yield JsonGame(parsed.value, first, last)
    else:
        doubts.note(first, "", "a game must be an object")
