"""Text to clauses: what stands between commas and semicolons, whose it is, and if in doubt."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from judge.notation.lexer import Token, tokenize
from judge.notation.names import Names
from judge.notation.reading import NotUnderstood, Prose, Why
from judge.notation.words import BLOCK_CLOSERS, BLOCK_OPENERS, DENIALS, DOUBTS
from judge.rules.vocabulary import Power

LINES_MAX = 500  # The longest legal order set is 34 units; this leaves room for press.
LINE_CHARACTERS_MAX = 1000  # A paragraph that a mail program did not wrap.

HEADING = re.compile(r"[^\w:]*([^\W\d_]+)[^\w:]*:[*\s]*")  # `Austria:`, `**AUSTRIA**:`
ANNOTATION = re.compile(
    r"\(\*[^()]*\)"
)  # `(*bounce, dislodged*)`, as judges write behind an order
NOTHING_ORDERED = re.compile(r"\bno order\b", re.IGNORECASE)  # `Army Paris, No Order Processed.`
SENTENCE = re.compile(r"[^;]+")
AND_A_UNIT = re.compile(  # `Build A Par and F Bre`, `... and the army in Paris holds`
    r"\band(?=\s+(?:(?:the|a|an|my|our)\s+)?(?:army|fleet|[AF][\s(]+[A-Z][a-z]{2}))", re.IGNORECASE
)
CLAUSE = re.compile(r"(?:\([^()]*\)|[^,;])+")


@dataclass(frozen=True, slots=True)
class Clause:
    """A piece of a line, its *tokens*, and the *power* named before its line."""

    line: int
    column: int
    text: str
    tokens: tuple[Token, ...]
    power: Power | None
    doubtful: bool


def clauses(text: str, names: Names) -> Iterator[Clause | NotUnderstood | Prose]:
    """Cut *text* into clauses, or say why a line is not cut; blank lines and headings give none.

    A heading (`Austria:` alone) holds until the next one, a doubtful block (`IF ...` and orders
    below it) until ENDIF, or where there is none until a blank line.
    """
    lines = text.split("\n", LINES_MAX)
    rest = lines.pop() if len(lines) > LINES_MAX else ""
    power, in_block = None, False
    closers = [index for index, line in enumerate(lines) if _first_word(line) in BLOCK_CLOSERS]
    for index, line in enumerate(lines):
        closes_later = bool(closers) and index < closers[-1]
        owner, start = _heading(line, names)
        power = owner if owner and start == len(line) else power
        in_block = _in_block(line, in_block=in_block, closes_later=closes_later)
        yield from _line(index + 1, line, start, owner or power, in_block=in_block)
    if rest.strip():
        yield NotUnderstood(len(lines) + 1, 1, "", Why.TOO_MANY, "", 1)


def _first_word(line: str) -> str:
    words = line[:LINE_CHARACTERS_MAX].split(maxsplit=1)
    return words[0].casefold() if words else ""


def _heading(line: str, names: Names) -> tuple[Power | None, int]:
    found = HEADING.match(line[:LINE_CHARACTERS_MAX])
    power = names.powers.get(found[1].casefold()) if found else None
    return (power, found.end()) if found and power else (None, 0)


def _in_block(line: str, *, in_block: bool, closes_later: bool) -> bool:
    first = _first_word(line)
    if first in BLOCK_CLOSERS or (not first and not closes_later):
        return False
    if in_block or first not in BLOCK_OPENERS:
        return in_block
    return closes_later or line.rstrip().casefold().endswith((",", ":", "then"))


def _line(
    number: int, line: str, start: int, power: Power | None, *, in_block: bool
) -> Iterator[Clause | NotUnderstood | Prose]:
    if len(line) > LINE_CHARACTERS_MAX:
        yield NotUnderstood(number, 1, line[:LINE_CHARACTERS_MAX], Why.TOO_LONG, "", 1)
        return
    if NOTHING_ORDERED.search(line):
        yield Prose(number, 1, line.strip())
        return
    shown = ANNOTATION.sub(lambda found: " " * len(found[0]), line)
    if not _denied(tokenize(shown)):
        shown = AND_A_UNIT.sub(",  ", shown)
    for sentence in SENTENCE.finditer(shown, start):
        doubtful = in_block or any(token.key in DOUBTS for token in tokenize(sentence[0]))
        for piece in CLAUSE.finditer(shown, *sentence.span()):
            if text := piece[0].strip():
                column = piece.start() + piece[0].index(text) + 1
                tokens = tokenize(text, column)
                yield Clause(number, column, text, tokens, power, doubtful or _denied(tokens))


def _denied(tokens: tuple[Token, ...]) -> bool:
    return any(token.key in DENIALS or token.key.endswith("n't") for token in tokens)
