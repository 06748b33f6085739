"""The grammar of one order: terms, each place with one meaning, to an `Order` or to the place where it ends.

The forms are those of the rulebook (VII.7, IX.1), of the judges by e-mail, of postal gamemasters and of plain
sentences; their words are in `words`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from judge.notation import words
from judge.notation.names import Names
from judge.notation.terms import Term
from judge.rules.order import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
    Waive,
)
from judge.rules.phase import PhaseKind
from judge.rules.vocabulary import Location, Power, UnitKind, province_of

END = Term("", "", 0)
COAST_LETTERS = 2  # `nc`; also one that no province has, such as `xc`, which the rulebook judges.


@dataclass(frozen=True, slots=True)
class Stuck:
    """No order can be read; *at* is the first term that fits nowhere."""

    at: int


@dataclass(frozen=True, slots=True)
class Read:
    """An *order*, and the *remark* in parentheses behind it."""

    order: Order
    remark: str = ""


def read_order(terms: Sequence[Term], names: Names, kind: PhaseKind) -> Read | Stuck:
    """Read all of *terms* as one order of a phase of *kind*."""
    cursor = _Cursor(terms, names)
    order = _order(cursor, kind)
    cursor.skip(frozenset("*"))
    remark = cursor.remark()
    return Read(order, remark) if order and cursor.ended else Stuck(cursor.furthest)


class _Cursor:
    """A place in the terms, moving forward; it may be set back to try another form."""

    def __init__(self, terms: Sequence[Term], names: Names) -> None:
        self.terms = terms
        self.names = names
        self.at = 0
        self.furthest = 0

    def peek(self, ahead: int = 0) -> Term:
        return self.terms[self.at + ahead] if self.at + ahead < len(self.terms) else END

    @property
    def ended(self) -> bool:
        return self.at >= len(self.terms)

    def step(self, count: int = 1) -> None:
        self.at += count
        self.furthest = max(self.furthest, self.at)

    def take(self, keys: frozenset[str]) -> bool:
        """Step over the next term if it is one of *keys*."""
        if self.ended or self.peek().key not in keys:
            return False
        self.step()
        return True

    def skip(self, keys: frozenset[str]) -> bool:
        """Step over all next terms that are of *keys*; tell whether there were any."""
        start = self.at
        while self.take(keys):
            pass
        return self.at > start

    def place(self) -> Location | None:
        if not self.peek().places:
            return None
        province = self.peek().places[0]
        self.step()
        coast = self._coast()
        return f"{province}/{coast}" if coast else province

    def _coast(self) -> str | None:
        """Step over a coast: `/nc`, `(nc)`, `(north coast)`, `nc`, `north coast`."""
        mark = self.peek().key if self.peek().key in ("/", "(") else ""
        ahead = 1 if mark else 0
        coast = _coast_of(self.peek(ahead).key)
        named = self.peek(ahead + 1).key == "coast"
        if not coast or not (mark or named or len(self.peek().key) == COAST_LETTERS):
            return None
        ahead += 2 if named else 1
        if mark == "(" and self.peek(ahead).key != ")":
            return None
        self.step(ahead + (mark == "("))
        return coast

    def remark(self) -> str:
        """Step over all that is left, if it stands in parentheses."""
        rest = self.terms[self.at :]
        if len(rest) < 2 or rest[0].key != "(" or rest[-1].key != ")":  # noqa: PLR2004 - an opening and a closing one
            return ""
        self.step(len(rest))
        return " ".join(term.text for term in rest[1:-1])


def _coast_of(key: str) -> str | None:
    if len(key) == COAST_LETTERS and key.endswith("c"):
        return key.upper()
    return words.COASTS.get(key)


def _order(cursor: _Cursor, kind: PhaseKind) -> Order | None:
    if " ".join(term.key for term in cursor.terms) in words.WAIVES:
        cursor.step(len(cursor.terms))
        return Waive()
    _leaders(cursor)
    if kind is PhaseKind.ADJUSTMENTS and cursor.peek().key in ("+", "-"):
        return _adjusted_by_sign(cursor)
    cursor.skip(frozenset("-"))  # `- A Par - Bur` in a list
    start = cursor.at
    if cursor.take(words.BUILD) and (unit := _unit(cursor)):
        return Build(unit)
    cursor.at = start
    if cursor.take(words.REMOVE | words.DISBAND) and (unit := _unit(cursor)):
        return Disband(unit)
    cursor.at = start
    unit = _unit(cursor)
    return _ordered(cursor, unit, kind) if unit else None


def _leaders(cursor: _Cursor) -> None:
    """Step over what stands before an order in a list: a star, a number, an `and`."""
    cursor.skip(words.LEADERS)
    if cursor.peek().key.isdigit():
        cursor.step()
        cursor.take(frozenset(")"))


def _adjusted_by_sign(cursor: _Cursor) -> Order | None:
    builds = cursor.peek().key == "+"
    cursor.step()
    unit = _unit(cursor)
    if not unit:
        return None
    return Build(unit) if builds else Disband(unit)


def _unit(cursor: _Cursor) -> UnitName | None:
    """Read a unit: `A Par`, `A(Par)`, `army in Paris`, `Par`, each with or without an owner before it."""
    start = cursor.at
    power = _owner(cursor)
    kind = words.KINDS.get(cursor.peek().key)
    if kind:
        cursor.step()
    enclosed = bool(kind) and cursor.take(frozenset("("))
    location = cursor.place()
    if location and enclosed and cursor.take(frozenset(")")):
        coast = cursor._coast()
        location = f"{location}/{coast}" if coast else location
        enclosed = False
    if location is None or enclosed:
        cursor.at = start
        return None
    return UnitName(kind, location, power)


def _owner(cursor: _Cursor) -> Power | None:
    """Read whose unit follows: `German`, `[GERMANY]`, `(German)`, `*German*`, `G)`."""
    start = cursor.at
    enclosed = cursor.take(frozenset("[(*"))
    key = cursor.peek().key
    power = cursor.names.powers.get(key)
    if enclosed or cursor.peek(1).key == ")":
        power = power or cursor.names.letters.get(key)
    if power:
        cursor.step()
        cursor.skip(frozenset("])*:"))
        if cursor.peek().key in words.KINDS or cursor.peek().places:
            return power
    cursor.at = start
    return None


def _ordered(cursor: _Cursor, unit: UnitName, kind: PhaseKind) -> Order | None:
    """Read what *unit* is to do. A verb that leads nowhere may be a place: `F Aeg-Con`, `F Aeg Con`."""
    if cursor.ended:
        return Build(unit) if kind is PhaseKind.ADJUSTMENTS and unit.kind else None
    start = cursor.at
    for read in (_support, _convoy, _single_word, _retreat):
        if order := read(cursor, unit):
            return order
        cursor.at = start
    return _move(cursor, unit, kind)


def _single_word(cursor: _Cursor, unit: UnitName) -> Order | None:
    cursor.skip(frozenset("-"))  # `A Mun -H`, `A Mun - OTB`
    if cursor.take(words.HOLD):
        return Hold(unit)
    if cursor.take(words.DISBAND):
        return Disband(unit)
    if cursor.take(words.BUILD):
        return Build(unit)
    return None


def _support(cursor: _Cursor, unit: UnitName) -> Order | None:
    kind = words.SUPPORT_WITH_KIND.get(cursor.peek().key)
    if kind:
        cursor.step()
    elif not cursor.take(words.SUPPORT):
        return None
    supported = _other_unit(cursor, kind)
    if supported is None:
        return None
    target = _goal(cursor, supported)
    if target:
        _via(cursor)
        return SupportMove(unit, supported, target)
    cursor.skip(frozenset("-"))
    cursor.take(words.HOLD)
    return SupportHold(unit, supported)


def _convoy(cursor: _Cursor, unit: UnitName) -> Order | None:
    kind = words.CONVOY_WITH_KIND.get(cursor.peek().key)
    if kind:
        cursor.step()
    elif not cursor.take(words.CONVOY):
        return None
    army = _other_unit(cursor, kind)
    target = _goal(cursor, army) if army else None
    return Convoy(unit, army, target) if army and target else None


def _other_unit(cursor: _Cursor, kind: UnitKind | None) -> UnitName | None:
    unit = _unit(cursor)
    return replace(unit, kind=unit.kind or kind) if unit else None


def _retreat(cursor: _Cursor, unit: UnitName) -> Order | None:
    """Read `A Vie R Boh`, or `A Vie R`, where the letter is for remove."""
    removes = cursor.peek().key in words.REMOVE
    if not cursor.take(words.RETREAT | words.REMOVE):
        return None
    cursor.skip(words.TOWARD)
    if target := cursor.place():
        return Retreat(unit, target)
    return Disband(unit) if removes or cursor.take(words.DISBAND) else None


def _goal(cursor: _Cursor, unit: UnitName) -> Location | None:
    """Read `- Bur`, `moves to Bur`; nothing between the places will do if the kind of the unit is given."""
    start = cursor.at
    moves = cursor.take(words.MOVE)
    if cursor.skip(words.TOWARD) or moves or unit.kind:
        target = cursor.place()
        if target:
            return target
    cursor.at = start
    return None


def _move(cursor: _Cursor, unit: UnitName, kind: PhaseKind) -> Order | None:
    target = _goal(cursor, unit)
    if target is None:
        return None
    stops = [unit.location, target]
    while stop := _next_stop(cursor):
        stops.append(stop)
    via = _via(cursor)
    route = tuple(province_of(stop) for stop in (*stops[1:-1], *(via or ())))
    if kind is PhaseKind.RETREATS and not route and via is None:
        return Retreat(unit, target)
    return Move(unit, stops[-1], via_convoy=bool(route) or via is not None, route=route)


def _next_stop(cursor: _Cursor) -> Location | None:
    start = cursor.at
    stop = cursor.place() if cursor.skip(words.TOWARD) else None
    if stop is None:
        cursor.at = start
    return stop


def _via(cursor: _Cursor) -> tuple[Location, ...] | None:
    """Read `via`, `via convoy`, `by convoy`, `via Nth - Nwg`, `(via convoy)`; return the seas named."""
    start = cursor.at
    enclosed = cursor.take(frozenset("("))
    if not cursor.take(words.VIA):
        cursor.at = start
        return None
    cursor.take(words.BY_SEA)
    seas = []
    while sea := cursor.place():
        seas.append(sea)
        cursor.skip(words.TOWARD | words.LEADERS)
    if enclosed and not cursor.take(frozenset(")")):
        cursor.at = start
        return None
    return tuple(seas)
