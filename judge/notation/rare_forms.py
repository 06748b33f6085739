"""Bring rarer ways to write an order into the usual form: `FAnk H`, `Kie (F) - Den`.

Only clauses that cannot be read as written are brought into it, and the result must be an order as
a whole. Sentences in people's own words are read by `judge.reading`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge.notation import vocabulary
from judge.notation.clauses import Clause
from judge.notation.terms import COAST_CODES, Cursor, Names, Token, terms_of
from judge.rules.types import PhaseKind

Tokens = tuple[Token, ...]

GLUED_LETTERS_MIN = 4  # `FAnk`: a kind and an abbreviation
UNIT_TOKENS_MAX = 16  # `the French fleet in St. Petersburg (on the south - coast)`
LINKS = frozenset({":", "=", "/"})  # between a unit and a place
BEFORE_ORDERS = vocabulary.LEADERS | vocabulary.EXCEPTIONS | {"-"}
OF = frozenset({"of", "von", "de", "du", "d"})


def in_usual_form(clause: Clause, names: Names, kind: PhaseKind) -> Clause:
    """Return *clause* without the lines of a table, and with its unit first, kind before place."""
    tokens = tuple(token for token in clause.tokens if token.key != "|")
    tokens = _split_glued_kinds(tokens, names)
    if kind is not PhaseKind.ADJUSTMENTS:
        while len(tokens) > 1 and tokens[0].key in BEFORE_ORDERS:
            tokens = tokens[1:]
        tokens = _without_links(_move_kind_first(tokens, names), names)
    return replace(clause, tokens=tokens)


def _split_glued_kinds(tokens: Tokens, names: Names) -> Tokens:
    """Split the letter of a kind from the name of a place: `FAnk H`, `ARom - Ven`."""
    split: list[Token] = []
    for token in tokens:
        letter, name = token.key[:1], token.key[1:]
        glued = letter in {"a", "f"} and len(token.key) >= GLUED_LETTERS_MIN
        # `from` is not a fleet in Rome.
        read = token.key in vocabulary.KNOWN or names.meaning(token.key)
        if glued and not read and names.meaning(name):
            split.append(Token(token.text[0], letter, token.column))
            split.append(Token(token.text[1:], name, token.column + 1))
        else:
            split.append(token)
    return tuple(split)


def _move_kind_first(tokens: Tokens, names: Names) -> Tokens:
    """Move the kind before its place: `Kiel fleet to Holland`, `Kie (F) - Hol`."""
    keys = [token.key for token in tokens]
    if vocabulary.KINDS.keys().isdisjoint(keys):
        return tokens
    end = _unit_end(tokens, names)
    enclosed = keys[end : end + 1] == ["("] and keys[end + 2 : end + 3] == [")"]
    kind = end + 1 if enclosed else end
    behind = tokens[kind + (2 if enclosed else 1) :]
    named = any(key in vocabulary.KINDS for key in keys[:end])
    if (
        not end
        or named
        or not behind
        or keys[kind] not in vocabulary.KINDS
        or _unit_end(behind, names)
    ):
        return tokens
    return (tokens[kind], *tokens[:end], *behind)


def _without_links(tokens: Tokens, names: Names) -> Tokens:
    """Drop a colon after the unit, and replace a slash by a dash.

    `Kiel: Denmark`; the slash needs a unit kind, `F Lon/Eng`.
    """
    if LINKS.isdisjoint(token.key for token in tokens):
        return tokens
    end = _unit_end(tokens, names)
    if not 0 < end < len(tokens) - 1:
        return tokens
    link, behind = tokens[end], tokens[end + 1 :]
    if link.key in {":", "="}:
        return (*tokens[:end], *behind)
    if link.key == "/" and _is_place(behind, names) and tokens[0].key in vocabulary.KINDS:
        return (*tokens[:end], link._replace(key="-"), *behind)
    return tokens


def _unit_end(tokens: Tokens, names: Names) -> int:
    """Return the number of tokens of the leading unit, 0 if there is none."""
    seen = tokens[:UNIT_TOKENS_MAX]
    cursor = Cursor(terms_of(seen, names), names)
    if cursor.unit() is None:
        return 0
    column = cursor.peek().column
    return next((at for at, each in enumerate(seen) if each.column == column), len(seen))


def _is_place(tokens: Tokens, names: Names) -> bool:
    cursor = Cursor(terms_of(tokens, names), names)
    return cursor.place() is not None and cursor.ended


def move_coast_behind(tokens: Tokens, names: Names) -> Tokens:
    """Move a coast after its place: `the south coast of Bulgaria`, `la côte sud de Bulgarie`."""
    keys = [token.key for token in tokens]
    for at in range(len(keys)):
        first, second = keys[at : at + 1], keys[at + 1 : at + 2]
        if first[0] in vocabulary.COASTS and second == ["coast"]:
            named, behind = at, at + 2
        elif first[0] in {"côte", "cote"} and second and second[0] in vocabulary.COASTS:
            named, behind = at + 1, at + 2
        elif first[0] in vocabulary.COASTS_IN_ONE_WORD or (
            first[0] in COAST_CODES and _precedes_place(keys[:at])
        ):
            named, behind = at, at + 1
        else:
            continue
        is_of = bool(keys[behind : behind + 1]) and keys[behind] in OF
        if is_of or first[0] in COAST_CODES:
            behind += is_of
            length = names.longest(keys[behind : behind + names.words_max])[0]
            coast = (tokens[named], tokens[named]._replace(key="coast"))
            end = behind + length
            return (*tokens[:at], *tokens[behind:end], *coast, *tokens[end:]) if length else tokens
    return tokens


def _precedes_place(keys: Sequence[str]) -> bool:
    """Return whether a place may follow *keys*: `F Mao -`, `F`."""
    return bool(keys) and (keys[-1] in vocabulary.TOWARD or keys[-1] in vocabulary.KINDS)
