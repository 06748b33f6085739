"""Find lines that a mail program wrapped, where an order continues in the next line.

Two lines are joined if the first is incomplete at its end or the second at its start, and they
read better together than apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from judge.mail.reader.phase_hints import is_order
from judge.notation.strict_orders import COASTS, FILLERS, MOVE, PART, STANDS, read_parts
from judge.notation.terms import Names, Token, names_of, tokenize
from judge.reading.lookups import KIND_LETTERS
from judge.reading.tokens import WRAPPED_COLUMNS_MIN
from judge.reading.words import STRICT, words_for, words_of
from judge.rules.board import Map
from judge.rules.types import PhaseKind

CHARACTERS_MAX = 120  # examined on each side of a break; orders have about 100
LINES_MAX = 3  # examined below a break
COMPARED_MAX = 4_000  # characters read together and apart; 34 torn orders have as many
JOINTS_CACHED_MAX = 64  # An email that repeats a line is read as fast as another.
SEPARATOR = re.compile(r"[,;](?![^(]*\))|(?<=\w\w\w)[.!:](?=\s+[^\W\d_]{2})")
SENTENCE = re.compile(r"[.!?;:](?=\s|$)")
LISTED = (",", ";")
STATEMENTS = frozenset({"if", "else", "elseif", "endif"})  # they begin a line
ITEM = re.compile(r"\W*[A-Za-z]\)")  # `C) F Bre H`
HEADS = ":"  # ends a heading
BULLETS = ("- ", "=>", "->", "→", "➜")
ENDED = re.compile(r"[^\W\d_]{4}[.!?]$")

KINDS = KIND_LETTERS | {"armee", "armée", "flotte"}
ACTS = words_for("support", "convoy", "retreat", "disband") | MOVE | {"sa", "sf", "ca"}
HELPS = words_for("support", "convoy") - words_of(STRICT).known
SAID = frozenset({"it", "that", "this", "das", "dies", "es", "ça", "cela"})
PLACING = words_for("to", "via") | {"-", "->", "by"}
ARTICLES = FILLERS | {
    *("my", "our", "own", "please", "der", "die", "das", "den", "dem", "des", "im", "am", "vom"),
    *("aus", "von", "ein", "eine", "einen", "meine", "unsere", "le", "la", "les", "de", "du"),
    *("au", "aux", "à", "en", "dans", "un", "une", "ma", "mon", "mes", "notre", "nos"),
}
# Words that cannot end an order.
OPENERS = ACTS | PLACING | ARTICLES | KINDS | words_for("build", "and") | {"(", "/", "["}
DOUBTS = words_for("if", "else", "not") | {
    *("?", "maybe", "perhaps", "possibly", "hopefully", "should"),
    *("eventuell", "hoffentlich", "möglicherweise", "sollte", "sollten", "vielleicht"),
    *("peut", "éventuellement"),
}
# Words that cannot end a doubtful sentence: `Maybe I should send`, `What do you think about`.
UNFINISHED = OPENERS | {
    *("about", "consider", "considering", "could", "for", "i", "like", "may", "might"),
    *("prefer", "send", "should", "that", "think", "try", "want", "we", "will", "wish", "with"),
    "would",
    *("befehlen", "dass", "ich", "mit", "möchte", "würde", "wir"),
    *("avec", "je", "nous", "ordonner", "pour", "que", "voudrais"),
}
PARAGRAPH_MIN = 60  # characters of a sentence that may continue after any word
# Words that cannot start an order. Some start sentences, so both lines are read to be sure.
FOLLOWERS = (
    ACTS | PLACING | words_for("hold", "sea") | COASTS.keys() | {"(", ")", "/", "coast"}
) - KINDS
KNOWN = OPENERS | FOLLOWERS


@dataclass(slots=True)
class LineBreaks:
    """The breaks between the lines of an email; *left* characters around them may be compared."""

    board: Map
    left: int = COMPARED_MAX

    def is_continued(self, text: str, below: Sequence[str]) -> bool:
        """Return whether the first line *below* continues *text*, its paragraph so far.

        The lines after it show what it was meant to be.
        """
        if not below or text.rstrip().endswith(HEADS) or below[0].rstrip().endswith(HEADS):
            return False
        tail, heads = _tail(text), _heads(below)
        before, behind = _tokens(tail), _tokens(heads[-1]) if heads else ()
        listed = text.lstrip().startswith(BULLETS) and below[0].lstrip().startswith(BULLETS)
        ended = bool(ENDED.search(text.rstrip()))  # `Black Sea supports.`
        numbered = ITEM.match(below[0]) and text.count("(") <= text.count(")")
        ended = ended or _helps_what_was_said(text, tail, before)
        if listed or ended or numbered or not before or not behind or behind[0].key in STATEMENTS:
            return False
        names = names_of(self.board)
        if text.rstrip().endswith(LISTED):
            return _names_place(before, names) and _names_place(behind, names)
        if _is_one_name([token.key for token in before], [token.key for token in behind], names):
            return True
        torn_unit = _is_kind(before[-1]) and names.meaning(behind[0].key)
        if torn_unit or (_is_doubt(text, names) and _names_place(behind, names)):
            return True
        return _may_be_torn(before, behind, names) and any(
            self._is_torn(tail, head) for head in heads
        )

    def _is_torn(self, tail: str, head: str) -> bool:
        self.left -= len(tail) + len(head)
        return self.left >= 0 and _reads_better_joined(tail, head, self.board)


@lru_cache(maxsize=JOINTS_CACHED_MAX)
def _reads_better_joined(tail: str, head: str, board: Map) -> bool:
    joined = _orders_in(f"{tail} {head}", board)
    if _names_power([token.key for token in _tokens(tail)], names_of(board)):
        return None not in joined and False not in joined
    apart = (*_orders_in(tail, board), *_orders_in(head, board))
    whole = all(read_parts(f"{tail} {head}", board, PhaseKind.MOVEMENT)) and not all(apart)
    return joined.count(False) < apart.count(False) or whole


@lru_cache(maxsize=4)  # with each head, and as a head before
def _orders_in(text: str, board: Map) -> tuple[bool | None, ...]:
    """Return whether each part of *text* is an order, None for words that name no place."""
    return tuple(
        _is_whole(part, board)
        or (False if _names_place(tokenize(part), names_of(board)) else None)
        for part in (found[0] for found in PART.finditer(text))
        if part.strip()
    )


def _is_whole(part: str, board: Map) -> bool:
    """Return whether *part* is an order to which nothing may be lacking: not `A Par S`."""
    return tokenize(part)[-1].key != STANDS and is_order(part, board)


def _helps_what_was_said(text: str, tail: str, tokens: Sequence[Token]) -> bool:
    """Return whether a short line ends with support of the move in it: `A to B, C supports`."""
    line = text.rpartition("\n")[2]
    short = len(line) < WRAPPED_COLUMNS_MIN and tail != line.strip()
    said = bool(tokens) and tokens[-1].key in SAID  # `C supports it`
    acts = tokens[:-1] if said else tokens
    return short and len(acts) > 1 and acts[-1].key in HELPS and not _is_kind(tokens[0])


def _tail(text: str) -> str:
    text = text.rstrip()[-CHARACTERS_MAX:]
    if text.endswith(LISTED):
        text = text[:-1]
    ends = [found.end() for found in SEPARATOR.finditer(text)]
    return text[ends[-1] if ends else 0 :].strip()


def _heads(below: Sequence[str]) -> list[str]:
    """Return the text before the first separator, for one or more of the lines *below*."""
    heads: list[str] = []
    for line in takewhile(str.strip, below[:LINES_MAX]):
        text = " ".join((*heads[-1:], line.strip()))[:CHARACTERS_MAX]
        found = SEPARATOR.search(text)
        heads.append(text[: found.start()] if found else text)
        if found:
            break
    return heads


@lru_cache(maxsize=4)
def _tokens(text: str) -> tuple[Token, ...]:
    return tokenize(text)


def _is_kind(token: Token) -> bool:
    """Return whether *token* is a unit kind and not an article: `A`, `fleet`."""
    return token.key in KINDS and (token.text.isupper() or len(token.key) > 1)


def _is_doubt(text: str, names: Names) -> bool:
    """Return whether *text* ends within a doubtful sentence that continues below.

    `If Italy attacks me I would like`: the order on the next line must not be executed.
    """
    sentence = SENTENCE.split(text[-2 * CHARACTERS_MAX :].rstrip())[-1]
    tokens = tokenize(sentence)
    if not any(token.key in DOUBTS or token.key.endswith("n't") for token in tokens):
        return False
    long = len(sentence) >= PARAGRAPH_MIN and not _names_place(tokens, names)
    return long or tokens[-1].key in UNFINISHED


def _may_be_torn(before: Sequence[Token], behind: Sequence[Token], names: Names) -> bool:
    """Return whether a break between *before* and *behind* may split one order."""
    keys = [token.key for token in before]
    last, first = keys[-1], behind[0].key
    if not (_names_place(before, names) or KNOWN.issuperset(keys)):
        return False
    if last in OPENERS or _names_power(keys, names) or keys.count("(") > keys.count(")"):
        return True
    bullet = first == "-" and behind[1:] and behind[1].key in KIND_LETTERS
    return (first in FOLLOWERS or first == "-") and not bullet


def _names_power(keys: Sequence[str], names: Names) -> bool:
    """Return whether the last of *keys* is a power: `F Swe S ENGLISH`, but not `to Ayutthaya`."""
    return keys[-1] in names.powers and PLACING.isdisjoint(keys[-2:-1])


def _is_one_name(before: Sequence[str], behind: Sequence[str], names: Names) -> bool:
    """Return whether a name of several words spans the break: `North` and `Sea`."""
    most = names.words_max
    return any(
        " ".join((*before[-left:], *behind[:right])) in table
        for left in range(1, most)
        for right in range(1, most - left + 1)
        for table in (names.written, names.foreign)
    )


def _names_place(tokens: Sequence[Token], names: Names) -> bool:
    return names.is_place_in([token.key for token in tokens])
