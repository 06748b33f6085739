"""Find lines among orders that only resemble commands.

No list has all words of prose, and rejected orders cost a phase. So orders are accepted below
unknown words, and the receipt warns about them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from judge.mail.language.command_syntax import OrderText, ParsedLine, UnknownCommand, order_text
from judge.mail.reader.courtesies import GREETINGS, NEUTRAL
from judge.mail.reader.game_headings import GAME_WORDS
from judge.mail.reader.phase_hints import holds_order, is_of_heading
from judge.mail.words import phrases
from judge.notation.terms import names_of
from judge.rules.board import Map

SHOUTED = re.compile(r"[A-Z]{4,20}")
ODD_GAME_NAME = re.compile(r"[a-z][a-z0-9-]{0,15}")
STATEMENTS = frozenset({"if", "else", "endif", "unless"})
KNOWN = NEUTRAL | GREETINGS | STATEMENTS | GAME_WORDS | {*phrases("partings")}


def name_odd_words(parsed: Sequence[ParsedLine], board: Map) -> tuple[ParsedLine, ...]:
    """Return *parsed* with lines that only resemble commands as unknown commands."""
    return tuple(part for each in parsed for part in _parts(each, board, alone=len(parsed) == 1))


def _parts(parsed: ParsedLine, board: Map, *, alone: bool) -> Iterator[ParsedLine]:
    lines = parsed.lines if isinstance(parsed, OrderText) else ()

    def is_odd(at: int) -> bool:
        words = lines[at].text.strip(" .!").split()
        if not words or not SHOUTED.fullmatch(words[0]):  # before its neighbors are read
            return False
        beside = (lines[at - 1], lines[at + 1]) if 0 < at < len(lines) - 1 else ()
        between = bool(beside) and all(holds_order(each.text, board) for each in beside)
        single = between or (alone and len(lines) == 1)
        return _is_like_command(words, lines[at].text, board, single=single)

    runs = [(odd, [*run]) for odd, run in groupby(range(len(lines)), is_odd)]
    if not any(odd for odd, _ in runs):
        yield parsed
        return
    for odd, run in runs:
        some = [lines[at] for at in run]
        names = (UnknownCommand(x.text.split()[0], None, line=x.number, text=x.text) for x in some)
        yield from names if odd else order_text(some)


def _is_like_command(words: Sequence[str], text: str, board: Map, *, single: bool) -> bool:
    word = words[0].casefold()
    named = word in KNOWN or is_of_heading(word, board) or names_of(board).longest([word])[0]
    if named or holds_order(text, board):
        return False
    match words:
        case [_]:
            return single
        case [_, name]:
            return ODD_GAME_NAME.fullmatch(name) is not None and name not in KNOWN
        case _:
            return False
