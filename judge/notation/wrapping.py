"""Lines that mail programs wrapped: where an order goes on in the next line.

Orders are text, not lines. Two lines are joined if the first cannot end where it does, or the
second cannot begin where it does, and both together are read better than each alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from judge.notation import words
from judge.notation.lexer import Token, tokenize
from judge.notation.names import Names, names_of
from judge.notation.parser import parse
from judge.notation.reading import Prose, Reading, Understood
from judge.notation.runs import is_unit
from judge.rules.geography import Map

CHARACTERS_MAX = 200  # of each line that are looked at around a break: an order has 100
SEPARATOR = re.compile(r"[,;](?![^(]*\))|[.!:](?=\s+[^\W\d_]{2})")
LISTED = (",", ";")
HEADS = ":"  # at the end of a line: it heads what stands below

# What cannot end an order.
OPENERS = (
    words.TOWARD
    | (words.SUPPORT - {"support", "supports"})
    | words.CONVOY
    | words.SUPPORT_WITH_KIND.keys()
    | words.CONVOY_WITH_KIND.keys()
    | {"support", "supports", "of", "(", "/", "["}
    | words.VIA
    | words.KINDS.keys()
    | words.BUILD
    | words.REMOVE
    | words.RETREAT
    | words.MOVE
    | words.FILLERS
    | words.AND
)
# What cannot begin one. Some of these begin sentences: what was meant shows in reading both lines.
FOLLOWERS = (
    words.TOWARD
    | words.SUPPORT
    | words.CONVOY
    | words.SUPPORT_WITH_KIND.keys()
    | words.CONVOY_WITH_KIND.keys()
    | words.HOLD
    | words.MOVE
    | words.RETREAT
    | words.DISBAND
    | words.VIA
    | words.BY_SEA
    | words.COASTS.keys()
    | words.CONVOYED
    | {"(", ")", "/", "coast", "otb"}
) - words.KINDS.keys()


def goes_on(text: str, line: str, board: Map) -> bool:
    """Return whether *line* continues *text*, all that was written above it in its paragraph."""
    if text.rstrip().endswith(HEADS) or line.rstrip().endswith(HEADS):
        return False
    tail, head = _tail(text), _head(line)
    before, behind = _tokens(tail), _tokens(head)
    if not before or not behind:
        return False
    names = names_of(board)
    if text.rstrip().endswith(LISTED):
        return _names_place(before, names) and _names_place(behind, names)
    if not _may_be_torn(before, behind, names):
        return False
    joined = parse(f"{tail} {head}", board)
    apart = (*parse(tail, board), *parse(head, board))
    return _defects(joined, names) < _defects(apart, names) or _is_one(joined, apart)


def _tail(text: str) -> str:
    """Return what stands behind the last separator of *text*."""
    text = text.rstrip()[-CHARACTERS_MAX:]
    if text.endswith(LISTED):
        text = text[:-1]
    ends = [found.end() for found in SEPARATOR.finditer(text)]
    return text[ends[-1] if ends else 0 :].strip()


def _head(line: str) -> str:
    """Return what stands before the first separator of *line*."""
    line = line.strip()[:CHARACTERS_MAX]
    found = SEPARATOR.search(line)
    return line[: found.start()] if found else line


@lru_cache(maxsize=4)
def _tokens(text: str) -> tuple[Token, ...]:
    return tokenize(text)


def _may_be_torn(before: Sequence[Token], behind: Sequence[Token], names: Names) -> bool:
    """Return whether a break between *before* and *behind* may have torn one order."""
    keys = [token.key for token in before]
    last, first = keys[-1], behind[0].key
    if not (_names_place(before, names) or words.KNOWN.issuperset(keys)):
        return False
    if last in OPENERS or last in names.powers or keys.count("(") > keys.count(")"):
        return True
    if first in FOLLOWERS or first == "-":
        return not is_unit([token.key for token in behind], 1, names) or first != "-"
    return _is_one_name(keys, [token.key for token in behind], names)


def _is_one_name(before: Sequence[str], behind: Sequence[str], names: Names) -> bool:
    """Return whether a name of several words reaches over the break: `North` and `Sea`."""
    most = names.words_max
    return any(
        " ".join((*before[-left:], *behind[:right])) in table
        for left in range(1, most)
        for right in range(1, most - left + 1)
        for table in (names.written, names.foreign)
    )


def _names_place(tokens: Sequence[Token], names: Names) -> bool:
    keys = [token.key for token in tokens]
    return any(names.longest(keys[at : at + names.words_max])[0] for at in range(len(keys)))


def _defects(readings: Sequence[Reading], names: Names) -> int:
    """Count what is left over of *readings*: what is not an order, but names a place."""
    return sum(
        not isinstance(each, Understood)
        and (not isinstance(each, Prose) or _names_place(tokenize(each.text), names))
        for each in readings
    )


def _is_one(joined: Sequence[Reading], apart: Sequence[Reading]) -> bool:
    """Return whether both make one order, the second alone none: `F Lon - English`, `Channel`."""
    return (
        len(joined) == 1 < len(apart)
        and isinstance(joined[0], Understood)
        and not isinstance(apart[-1], Understood)
    )
