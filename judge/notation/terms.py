"""Tokens to terms: a name of several words becomes one, and what only makes prose falls away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from judge.notation import tongues
from judge.notation.lexer import Token
from judge.notation.names import Names
from judge.notation.words import AFTER_ARTICLE, FILLERS, KINDS
from judge.rules.vocabulary import Province

DASHES = frozenset({"-", "->"})


@dataclass(frozen=True, slots=True)
class Term:
    """A word of an order; *places* are the provinces that it may name, whatever else it may be."""

    text: str
    key: str
    column: int
    places: tuple[Province, ...] = ()


def terms_of(tokens: Sequence[Token], names: Names) -> tuple[Term, ...]:
    """Find the names in *tokens*, longest first, and drop what only makes it a sentence."""
    return tuple(_terms(tokens, names))


def _terms(tokens: Sequence[Token], names: Names) -> Iterator[Term]:
    keys = [token.key for token in tokens]
    at = 0
    while at < len(tokens):
        count, places = names.longest(keys[at : at + names.words_max])
        if places:
            text = " ".join(token.text for token in tokens[at : at + count])
            yield Term(text, " ".join(keys[at : at + count]), tokens[at].column, places)
        elif not (_is_small(keys[at : at + 2]) or _is_foreign_filler(keys, at, names)):
            yield Term(tokens[at].text, keys[at], tokens[at].column)
        at += count or 1


def _is_foreign_filler(keys: Sequence[str], at: int, names: Names) -> bool:
    """Tell whether the word *at* only makes a German or French sentence of *keys*.

    It may be a slip of the pen in the name of a province behind a dash, at the end, or between a
    kind of unit and what is no name: `A War-Mon`, `A Dem H`.
    """
    if keys[at] not in tongues.FILLERS or (at and keys[at - 1] in DASHES):
        return False
    behind = [key for key in keys[at + 1 :] if key not in tongues.FILLERS]
    if at and keys[at - 1] in KINDS and not names.longest(behind[: names.words_max])[0]:
        return False
    return at + 1 < len(keys) or keys[at] in tongues.LAST


def _is_small(keys: Sequence[str]) -> bool:
    """Tell whether the first of *keys* is a filler, or the article of the second: `a fleet`."""
    return keys[0] in FILLERS or (keys[0] == "a" and keys[-1] in AFTER_ARTICLE)
