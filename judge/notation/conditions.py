"""What an order for a later phase may hang on: who stands where, and who owns what, by then."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, assert_never

from judge.notation.cursor import Cursor
from judge.notation.lexer import Token
from judge.notation.names import Names
from judge.notation.terms import Term, terms_of
from judge.notation.words import KINDS
from judge.rules.geography import Map, Terrain
from judge.rules.order import UnitName
from judge.rules.vocabulary import Power, Province, UnitKind, province_of

TOKENS_MAX = 60  # As long as an order can be; nJudge needs no more for its longest example.
OWNS = "owns"
OWN = "own"  # is small talk in an order
ONESELF = frozenset({"i", "we"})
UNFIT = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}


@dataclass(frozen=True, slots=True)
class Stands:
    """A unit stands there: anybody's if its power is not said, of any kind likewise."""

    unit: UnitName


@dataclass(frozen=True, slots=True)
class Owns:
    """A power, None for whoever writes, owns the center in *province*."""

    province: Province
    power: Power | None = None


@dataclass(frozen=True, slots=True)
class Not:
    """It is otherwise."""

    condition: Condition


@dataclass(frozen=True, slots=True)
class Both:
    """The one and the other."""

    first: Condition
    second: Condition


@dataclass(frozen=True, slots=True)
class Either:
    """The one or the other, or both."""

    first: Condition
    second: Condition


Condition: TypeAlias = Stands | Owns | Not | Both | Either


def read_condition(tokens: Sequence[Token], board: Map, names: Names) -> Condition | None:
    """Read all of *tokens*: `[NOT] [power] [kind] province`, joined by AND and OR.

    As in nJudge these are read from left to right, and parentheses go first. Besides, `[power]
    OWNS province` asks for a center. None if it is anything else.
    """
    keys = [token.key for token in tokens]
    if len(tokens) > TOKENS_MAX or keys.count("(") != keys.count(")"):
        return None
    owned = [replace(each, key=OWNS) if each.key == OWN else each for each in tokens]
    terms = terms_of(owned, names)
    settled = [_settled(board, terms, at) for at in range(len(terms))]
    if not all(settled):
        return None
    cursor = Cursor([term for term in settled if term], names)
    condition = _joined(cursor)
    return condition if cursor.ended else None


def write_condition(condition: Condition) -> str:
    """Write *condition* so that `read_condition` reads it."""
    match condition:
        case Stands(unit):
            parts = (unit.power, unit.kind.value if unit.kind else None, unit.location)
            return " ".join(part for part in parts if part)
        case Owns(province, power):
            return f"{power} OWNS {province}" if power else f"OWNS {province}"
        case Not(denied):
            return f"NOT {_enclosed(denied)}"
        case Both(first, second):
            start = _enclosed(first) if isinstance(first, Either) else write_condition(first)
            return f"{start} AND {_enclosed(second)}"
        case Either(first, second):
            start = _enclosed(first) if isinstance(first, Both) else write_condition(first)
            return f"{start} OR {_enclosed(second)}"
        case _:
            assert_never(condition)


def _enclosed(condition: Condition) -> str:
    text = write_condition(condition)
    return f"({text})" if isinstance(condition, Both | Either) else text


def _settled(board: Map, terms: Sequence[Term], at: int) -> Term | None:
    """Return the term *at* with one meaning: that where a unit of the kind before it can stand."""
    term = terms[at]
    if len(term.places) < 2:  # noqa: PLR2004 - one meaning, or none
        return term
    kind = KINDS.get(terms[at - 1].key) if at else None
    fit = tuple(place for place in term.places if _may_stand(board, kind, place))
    return replace(term, places=fit) if len(fit) == 1 else None


def _may_stand(board: Map, kind: UnitKind | None, place: Province) -> bool:
    return kind is None or board.places[place].terrain is not UNFIT[kind]


def _joined(cursor: Cursor) -> Condition | None:
    condition = _single(cursor)
    while condition and cursor.peek().key in {"and", "or"}:
        join = Both if cursor.peek().key == "and" else Either
        cursor.step()
        second = _single(cursor)
        condition = join(condition, second) if second else None
    return condition


def _single(cursor: Cursor) -> Condition | None:
    if cursor.take({"not"}):
        denied = _single(cursor)
        return Not(denied) if denied else None
    start = cursor.at
    if cursor.take({"("}):
        enclosed = _joined(cursor)
        if enclosed and cursor.take({")"}):
            return enclosed
    cursor.at = start
    return _owned(cursor) or _stands(cursor)


def _owned(cursor: Cursor) -> Owns | None:
    start = cursor.at
    power = cursor.names.powers.get(cursor.peek().key)
    if power or cursor.peek().key in ONESELF:
        cursor.step()
    if cursor.take({OWNS}) and (place := cursor.place()):
        return Owns(province_of(place), power)
    cursor.at = start
    return None


def _stands(cursor: Cursor) -> Stands | None:
    unit = cursor.unit()
    return Stands(unit) if unit else None
