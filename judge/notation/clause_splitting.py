"""Split a clause that holds several orders: run-on orders, lists.

Nothing here reads an order: the caller tries each cut and keeps it if all parts can be read.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.notation import vocabulary
from judge.notation.clauses import Clause, asks_to_repeat
from judge.notation.terms import Cursor, Names, Token, terms_of, tokenize

STOP = re.compile(r"[.!](?=\s)")
SHORTENED_MAX = 2  # letters of a name that may be a shortened verb: `A Mar st. A Par-Bur`
WORDS_BETWEEN_MAX = 3  # `A Mar gives some help. A Par-Bur`
OPEN_ENDS = vocabulary.TOWARD | {vocabulary.STANDS, "("}  # More must follow these.


@dataclass(frozen=True, slots=True)
class PossibleCut:
    """A token at which another order may start; *sentence* after a full stop."""

    at: int
    sentence: bool


def possible_cuts(clause: Clause, names: Names) -> tuple[PossibleCut, ...]:
    """Return where *clause* may be split into orders, including its start and end."""
    tokens = clause.tokens
    keys = [token.key for token in tokens]
    columns = [token.column for token in tokens]
    stops = {
        bisect_right(columns, clause.column + found.start())
        for found in STOP.finditer(clause.text)
    }
    units = {
        at
        for at in range(len(keys))
        if (not at or keys[at - 1] not in vocabulary.FILLERS) and begins_with_unit(keys, at, names)
    }
    sentences = {at for at in stops if at < len(keys) and _opens_sentence(tokens, at, names)}
    places = {
        at
        for at in range(1, len(keys) - 1)
        if keys[at] in vocabulary.AND and names.longest(keys[at + 1 : at + 1 + names.words_max])[1]
    }
    inner = sorted((units | sentences | places) - {0})
    return (
        PossibleCut(0, sentence=True),
        *(PossibleCut(at, sentence=at in stops) for at in inner),
        PossibleCut(len(tokens), sentence=True),
    )


def sub_clause(clause: Clause, start: int, end: int) -> Clause:
    """Return the tokens from *start* to *end* with their text."""
    tokens = clause.tokens[start:end]
    column = tokens[0].column
    stop = clause.tokens[end].column if end < len(clause.tokens) else None
    text = clause.text[column - clause.column : stop and stop - clause.column]
    return replace(clause, column=column, text=text.strip(), tokens=tokens)


def exception_at(clause: Clause) -> int | None:
    """Return the index of the word before an exception: `same orders but Munich to Tyrolia`."""
    keys = [token.key for token in clause.tokens]
    at = next((at for at, key in enumerate(keys[:-1]) if key in vocabulary.EXCEPTIONS), 0)
    return at if at and asks_to_repeat(keys[:at]) else None


def repeats_orders(clause: Clause) -> bool:
    """Return whether *clause* asks for earlier orders, perhaps with an exception."""
    return exception_at(clause) is not None or asks_to_repeat(each.key for each in clause.tokens)


def begins_with_unit(keys: Sequence[str], at: int, names: Names) -> bool:
    """Return whether a unit with its kind starts *at* a token: `A Par`, `the army in Paris`."""
    while at < len(keys) and (
        keys[at] in vocabulary.FILLERS
        or (keys[at] == "a" and keys[at + 1 : at + 2] and keys[at + 1] in vocabulary.AFTER_ARTICLE)
    ):
        at += 1
    if at >= len(keys) or keys[at] not in vocabulary.KINDS:
        return False
    behind = keys[at + 1 : at + 1 + 2 * names.words_max]
    place = [key for key in behind if key != "(" and key not in vocabulary.FILLERS]
    return bool(names.longest(place[: names.words_max])[0])


def _opens_sentence(tokens: Sequence[Token], at: int, names: Names) -> bool:
    """Return whether a sentence may start *at* a token, unlike after `St.` or `S.`."""
    token = tokens[at]
    if (
        (len(token.key) == 1 and token.key != "i")
        or not token.text[0].isupper()
        or token.key in vocabulary.COASTS
        or _is_within_name(tokens, at, names)
    ):
        return False
    return token.key not in vocabulary.UNIT_ORDER_WORDS or begins_with_unit(
        [each.key for each in tokens], at + 1, names
    )


def _is_within_name(tokens: Sequence[Token], at: int, names: Names) -> bool:
    """Return whether a name before *at* goes on there, as in `St. Petersburg`."""
    keys = [token.key for token in tokens[: at + names.words_max]]
    return any(
        names.longest(keys[start : start + names.words_max])[0] > at - start
        for start in range(max(0, at - names.words_max + 1), at)
    )


def ends_openly(clause: Clause) -> bool:
    """Return whether *clause* is incomplete: `A Par -`, `A Bud S.`."""
    return clause.tokens[-1].key in OPEN_ENDS


def may_help_next(clause: Clause, names: Names) -> bool:
    """Return whether *clause* is a unit and a few words without a target.

    The last word may be a verb shortened by a full stop: `A Mar helps.`, `A Mar st.`.
    """
    keys = [token.key for token in clause.tokens]
    if not begins_with_unit(keys, 0, names) or not keys[-1].isalpha():
        return False
    between = terms_of(clause.tokens, names)[2:]
    place = any(term.places for term in between[-1:]) and len(keys[-1]) > SHORTENED_MAX
    toward = any(term.key in vocabulary.TOWARD for term in between)
    return 0 < len(between) <= WORDS_BETWEEN_MAX and not place and not toward


def ends_with_place(text: str, names: Names) -> bool:
    """Return whether the last word of *text* is a province."""
    keys = [token.key for token in tokenize(text)]
    return bool(names.longest(keys[-1:])[0])


def retreat_at(clause: Clause, names: Names) -> int | None:
    """Return the index of the retreat verb after an order: `A Mar H ret Gas`."""
    keys = [token.key for token in clause.tokens]
    at = next((at for at, key in enumerate(keys) if key in vocabulary.RETREAT), None)
    return at if at is not None and not begins_with_unit(keys, at + 1, names) else None


def is_retreat_place(clause: Clause, names: Names) -> bool:
    """Return whether *clause* is only a place to retreat to: `Gas`, `Spa(nc)`, `OTB`."""
    cursor = Cursor(terms_of(clause.tokens, names), names)
    return leaves_the_board(clause) or (bool(cursor.place()) and cursor.ended)


def leaves_the_board(clause: Clause) -> bool:
    """Return whether *clause* is only `OTB` or the like."""
    keys = tuple(token.key for token in clause.tokens if token.key not in vocabulary.FILLERS)
    return keys == vocabulary.OFF_THE_BOARD or (len(keys) == 1 and keys[0] in vocabulary.DISBAND)
