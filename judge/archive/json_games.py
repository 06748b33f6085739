"""Find the games in a JSON file, one a line or pretty-printed, and those that are cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import TypeAlias

from judge.archive.json_input import MalformedError, ParsedJson, parse_json
from judge.archive.positions import mark_destroyed
from judge.archive.reading import KEY, Doubts
from judge.archive.records import RecordedPhase
from judge.rules.types import Phase

JsonObject: TypeAlias = Mapping[str, object]

# An unterminated string extends to the end of the line, to avoid quadratic time.
STRING_OR_BRACKET = re.compile(r'"(?:[^"\\]|\\.?)*"?|(?P<opens>[{\[])|(?P<closes>[}\]])')
CLOSERS = {"{": "}", "[": "]"}
COMPLETED = "COMPLETED"  # in place of a phase code, after the end
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


def find_games(doubts: Doubts, lines: Iterable[str], first_line: int = 1) -> Iterator[JsonGame]:
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


def read_phases(
    doubts: Doubts,
    line: int,
    played: Iterable[JsonObject],
    read: Callable[[JsonObject, RecordedPhase | None], RecordedPhase | None],
    phase_in: Callable[[JsonObject], Phase | None],
) -> list[RecordedPhase]:
    """Return the phases of a game, each read with the one before it.

    One that cannot be read has no position. After the end there may be a state that is no phase:
    it says nothing of the units destroyed before.
    """
    phases: list[RecordedPhase] = []
    for source in played:
        before = phases[-1] if phases else None
        try:
            recorded = read(source, before)
        except MalformedError as error:
            lost = phase_in(source)
            if lost is None and not phases:
                raise
            recorded = doubts.gap(line, lost, error)
            if recorded is None:
                break
        if recorded is None:
            continue
        if before and recorded.position and source.get("name") != COMPLETED:
            phases[-1] = mark_destroyed(before, recorded.position)
        phases.append(recorded)
    return phases
