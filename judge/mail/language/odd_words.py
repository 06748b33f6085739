"""Words in the place of a command that are none: `STANDINGS g1`, `FOOBAR` between two orders."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from judge.mail.language.introductions import GREETINGS, NEUTRAL
from judge.mail.language.phase_headings import holds_order, is_of_heading
from judge.mail.language.said import OrderText, Said, UnknownCommand
from judge.notation.names import names_of

if TYPE_CHECKING:
    from judge.mail.body import Line
    from judge.rules.board import Map

SHOUTED = re.compile(r"[A-Z]{4,20}")
GAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
PARTING = frozenset(
    ("regards", "cheers", "thanks", "sincerely", "yours", "best", "love", "grüße", "gruß", "danke")
)


def name_odd_words(said: Sequence[Said], board: Map) -> tuple[Said, ...]:
    """Return *said* with each line that is written as a command, and is none, as such."""
    alone = len(said) == 1
    return tuple(
        part
        for each in said
        for part in (_parts(each, board, alone=alone) if isinstance(each, OrderText) else (each,))
    )


def _parts(said: OrderText, board: Map, *, alone: bool) -> tuple[Said, ...]:
    parts: list[Said] = []
    kept: list[Line] = []
    lines = said.lines
    for at, line in enumerate(lines):
        between = 0 < at < len(lines) - 1 and all(
            holds_order(each.text, board) for each in (lines[at - 1], lines[at + 1])
        )
        if _is_odd(line.text, board, single=between or (alone and len(lines) == 1)):
            parts += _text(kept)
            kept = []
            word = line.text.split()[0]
            parts.append(UnknownCommand(word, None, line=line.number, text=line.text))
        else:
            kept.append(line)
    return (*parts, *_text(kept)) if parts else (said,)


def _is_odd(text: str, board: Map, *, single: bool) -> bool:
    """Return whether *text* is a word in capitals, with a game name or, if *single*, alone."""
    words = text.strip(" .!").split()
    if not words or not SHOUTED.fullmatch(words[0]) or holds_order(text, board):
        return False
    word = words[0].casefold()
    known = NEUTRAL | GREETINGS | PARTING
    if word in known or is_of_heading(word, board) or names_of(board).longest([word])[0]:
        return False
    match words:
        case [_]:
            return single
        case [_, name]:
            return GAME.fullmatch(name) is not None and name not in known
        case _:
            return False


def _text(lines: Sequence[Line]) -> tuple[Said, ...]:
    return (OrderText(tuple(lines), line=lines[0].number, text=lines[0].text),) if lines else ()
