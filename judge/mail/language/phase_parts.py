"""A line that says for which phase it is beside what it orders: before that, or behind it.

`Spring: A Par-Bur; Fall: A Bur-Mun` has a part for each; in `A Bur-Mun (F1901M)` the phase stands
behind its order, and is that of this line alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import islice, takewhile
from typing import TYPE_CHECKING

from judge.mail.body import Line
from judge.mail.language.commands import read_command
from judge.mail.language.phase_headings import (
    LINE_MAX,
    WORD,
    Heading,
    heading,
    is_dated,
    is_of_heading,
)
from judge.mail.language.phase_hints import hint, hint_before, says_next
from judge.mail.language.phase_names import is_of_phase, phase_said
from judge.mail.language.phase_slips import plain, spelled
from judge.mail.language.said import Clear, SetReady, SetWait
from judge.notation.parser import parse
from judge.notation.readings import Prose, Understood

if TYPE_CHECKING:
    from judge.rules.board import Map

PARTS_MAX = 10  # of a line; more is no letter that people write
BEHIND = re.compile(r"[;,]\s+(?!\s)|(?<=\))\s+(?=\w)")
APART = re.compile(r"[;,.|/]\s+")
OF_A_PHASE = (SetWait, SetReady, Clear)
ENCLOSED = re.compile(r"[(\[{]\s*$")
SEASONS = "SFW"
WORD_MAX = 40  # characters in which the first word of a part stands
LEADING = spelled(
    "phase in then for next following later im dann en puis au nächste prochain"
    " plan option variant variante alternative alternativ backup fallback"
)
INTO = spelled("in for im für en pour")
BEFORE = " \t([{<,;:*_-\u2013\u2014"  # what may stand between an order and the name of its phase


@dataclass(frozen=True, slots=True)
class Part:
    """*text* is for the phase of *heading*, or of that above the line if there is none.

    So is what stands below, unless the phase stands behind the text and counts for it *alone*.
    """

    heading: Heading | None
    text: str
    alone: bool = False
    written: str = field(default="", compare=False)


def parts_of(line: str, board: Map) -> tuple[Part, ...]:
    """Return the parts of *line*, none if it says nothing of a phase."""
    if len(line) > LINE_MAX:
        return ()
    starts = _starts(line, board)
    ends = [*starts[1:], len(line)]
    told = [line[start:end] for start, end in zip(starts, ends, strict=True)]
    texts = [each for text in told for each in _each_behind(text.rstrip(" \t;,|/"), board)]
    parts = tuple(replace(_part(text, board), written=text) for text in texts)
    return parts if any(part.heading for part in parts) else ()


def _starts(line: str, board: Map) -> list[int]:
    """Return where the parts of *line* begin: each but the first with the name of a phase."""
    likely = (found.end() for found in APART.finditer(line) if _may_start(line, found.end()))
    named = ((at, _before(line[at:], board)) for at in islice(likely, PARTS_MAX - 1))
    return [0, *(at for at, heading in named if heading and heading.rest)]


def _may_start(line: str, at: int) -> bool:
    """Say whether a word of a phase, or before one, stands there in *line* outside brackets."""
    word = WORD.search(plain(line[at : at + WORD_MAX]))
    within = line.count("(", 0, at) > line.count(")", 0, at)
    return bool(word and not within and (is_of_phase(word[0]) or word[0].casefold() in LEADING))


def _before(text: str, board: Map) -> Heading | None:
    named = heading(text, board)
    if named and named.said[0] not in SEASONS and says_next(text):  # `Next season's moves:`
        return hint(text, board) or named
    return named or hint(text, board) or hint_before(text, board)


def _part(text: str, board: Map) -> Part:
    named = _before_command(text, board) or _before(text, board)
    return Part(named, named.rest) if named else _behind(text, board)


def _before_command(text: str, board: Map) -> Heading | None:
    """Read `F1901M WAIT`."""
    first, _, rest = plain(text).strip().partition(" ")
    said = phase_said([first])
    if said is None or not is_dated(said):
        return None
    command = read_command(Line(0, rest), board, first=False)
    return Heading(said, rest) if isinstance(command, OF_A_PHASE) else None


def _each_behind(text: str, board: Map) -> list[str]:
    """Part `A Par-Bur (spring), A Bur-Mun (fall)`, where each order has its phase behind it."""
    pieces = BEHIND.split(text, PARTS_MAX)
    each_has = len(pieces) > 1 and all(_behind(piece, board).heading for piece in pieces)
    return pieces if each_has else [text]


def _behind(text: str, board: Map) -> Part:
    """Read `A Par-Gas (F1901M)`, `A Par-Gas in Fall 1901`, `A Par-Gas, Fall 1901`."""
    line = plain(text)
    found = list(WORD.finditer(line))
    run = list(takewhile(lambda each: is_of_heading(each[0], board), reversed(found)))[::-1]
    words = [each[0] for each in run]
    said = phase_said(words)
    if said is None or len(run) == len(found):
        return Part(None, text)
    before = line[: run[0].start()]
    parted = is_dated(said) or words[0].casefold() in INTO or ENCLOSED.search(before)
    body = before.strip(BEFORE)
    if said[0] not in SEASONS or not parted or not _is_order(body, board):
        return Part(None, text)
    return Part(Heading(said), body, alone=True)


def _is_order(text: str, board: Map) -> bool:
    readings = parse(text, board)
    return any(isinstance(each, Understood) for each in readings) and not any(
        isinstance(each, Prose) for each in readings
    )
