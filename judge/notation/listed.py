"""Lists of builds and removals: `Remove Brest and Paris`, `2 armies in Par and Mar`, `+A +B`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from judge.notation.clauses import Clause
from judge.notation.cursor import Cursor
from judge.notation.lexer import Token
from judge.notation.meaning import Reader
from judge.notation.reading import Reading, Understood
from judge.notation.runs import part
from judge.notation.sentence import is_readable, read_clause
from judge.notation.terms import terms_of
from judge.notation.words import AND, SEVERAL_KINDS
from judge.rules.order import Build, Disband


def pieces(clause: Clause, reader: Reader) -> tuple[Clause, ...]:
    """Return the parts of *clause* between `and` and before `+`, if each can be read."""
    one = replace(clause, tokens=tuple(map(_single, clause.tokens)))
    parts = tuple(_parts(one))
    fit = all(_is_place(each, reader) or is_readable(each, reader) for each in parts)
    return parts if fit and not clause.in_doubt else (one,)


def kind_of_several(clause: Clause) -> Token | None:
    """Return the word for a kind that *clause* says of several units: `armies`."""
    return next((each for each in clause.tokens if each.text.casefold() in SEVERAL_KINDS), None)


def another(
    clause: Clause, last: Understood, several: Token | None, reader: Reader
) -> Reading | None:
    """Read *clause*, which only names a place, as what *last* before it is, of the same kind."""
    if not isinstance(last.order, Build | Disband) or not _is_place(clause, reader):
        return None
    if last.bare and several is None:
        return None
    verb = "build" if isinstance(last.order, Build) else "remove"
    tokens = (several, *clause.tokens) if several else clause.tokens
    reading = read_clause(replace(clause, tokens=tokens, verb=verb), reader)
    return replace(reading, bare=last.bare) if isinstance(reading, Understood) else reading


def _single(token: Token) -> Token:
    return replace(token, key=SEVERAL_KINDS.get(token.key, token.key))


def _parts(clause: Clause) -> Iterator[Clause]:
    start = 0
    for at, token in enumerate((*clause.tokens, Token("&", "&", 0))):
        if token.key in AND or (token.key == "+" and at > start):
            if at > start:
                yield part(clause, start, at)
            start = at if token.key == "+" else at + 1


def _is_place(clause: Clause, reader: Reader) -> bool:
    cursor = Cursor(terms_of(clause.tokens, reader.names), reader.names)
    return bool(cursor.place()) and cursor.ended
