"""The grammar of one order: terms, each place with one meaning, to an `Order`.

The forms are those of the rulebook (VII.7, IX.1), of the judges by e-mail, of postal gamemasters
and of plain sentences; their words are in `words`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from judge.notation import words
from judge.notation.cursor import Cursor
from judge.notation.names import Names
from judge.notation.terms import Term
from judge.notation.tongues import BY_CONVOY, REFLEXIVE
from judge.notation.waives import waived
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
from judge.rules.vocabulary import Location, UnitKind, province_of


@dataclass(frozen=True, slots=True)
class Read:
    """An *order*, the column of a remark in parentheses behind it, how many *times* it is so."""

    order: Order
    remark_column: int | None
    times: int = 1


@dataclass(frozen=True, slots=True)
class Stuck:
    """No order can be read; *at* is the first term that fits nowhere."""

    at: int


def read_order(terms: Sequence[Term], names: Names, kind: PhaseKind) -> Read | Stuck:
    """Read all of *terms* as one order of a phase of *kind*."""
    cursor = Cursor(terms, names)
    times = _waived(cursor, kind)
    if times is not None:
        return Read(Waive(), None, times)
    order = _order(cursor, kind)
    cursor.skip({"*"})  # `**A Par-Bur**`
    remark = cursor.remark()
    return Read(order, remark) if order and cursor.ended else Stuck(cursor.furthest)


def _order(cursor: Cursor, kind: PhaseKind) -> Order | None:
    _skip_leaders(cursor)
    _skip_speaker(cursor, kind)
    if kind is PhaseKind.ADJUSTMENTS and cursor.peek().key in {"+", "-"}:
        return _verb_first(cursor, builds=frozenset("+"), removes=frozenset("-"))
    cursor.skip({"-"})  # `- A Par-Bur` in a list
    order = _imperative(cursor, kind) or _verb_first(
        cursor, builds=words.BUILD, removes=words.REMOVE | words.DISBAND
    )
    if order:
        return order
    unit = _adjusted(cursor) if kind is PhaseKind.ADJUSTMENTS else cursor.unit()
    return _unit_first(cursor, unit, kind) if unit else None


def _skip_leaders(cursor: Cursor) -> None:
    """Step over what stands before an order in a list: a star, a number, an `and`."""
    cursor.skip(words.LEADERS)
    if cursor.peek().key.isdigit():
        cursor.step()
        cursor.take({")"})


def _skip_speaker(cursor: Cursor, kind: PhaseKind) -> None:
    """Step over who says what he does, if he says it: `I will build A Par`."""
    start = cursor.at
    if kind is not PhaseKind.MOVEMENT and any(map(cursor.take_all, words.SPEAKERS)):
        cursor.at = cursor.at if cursor.peek().key in words.DOING else start


def _waived(cursor: Cursor, kind: PhaseKind) -> int | None:
    """Read how many builds are waived; `no builds` is said of other phases, too."""
    start = cursor.at
    cursor.skip(words.LEADERS)
    if cursor.peek(1).key == ")":
        cursor.step(2)
    _skip_speaker(cursor, kind)
    keys = [term.key for term in cursor.terms[cursor.at :]]
    cursor.at = start
    return waived(keys) if kind is PhaseKind.ADJUSTMENTS or words.WAIVE & set(keys) else None


def _imperative(cursor: Cursor, kind: PhaseKind) -> Order | None:
    """Read `Move the army in Paris to Burgundy`, `Retreat A Mun-Ber`, `Hold with A Par`."""
    start = cursor.at
    for verbs, read in ((words.MOVE, _move), (words.RETREAT, _move), (words.HOLD, _held)):
        if cursor.take(verbs):
            cursor.take({"with"})
            unit = cursor.unit()
            named = unit and (unit.kind or kind is PhaseKind.RETREATS)
            order = read(cursor, unit, kind) if unit and named else None
            if order:
                return order
        cursor.at = start
    return None


def _held(cursor: Cursor, unit: UnitName, _: PhaseKind) -> Order | None:
    return Hold(unit) if cursor.ended else None


def _verb_first(
    cursor: Cursor, *, builds: frozenset[str], removes: frozenset[str]
) -> Order | None:
    start = cursor.at
    if cursor.take(builds) and (unit := _adjusted(cursor)):
        return Build(unit)
    cursor.at = start
    if cursor.take(removes) and (unit := _adjusted(cursor)):
        return Disband(unit)
    cursor.at = start
    return None


def _adjusted(cursor: Cursor) -> UnitName | None:
    """Read a unit, perhaps behind how many they are; `Paris army` is one, too."""
    if cursor.peek().key in words.NUMBERS and not cursor.peek().places:
        cursor.step()
    unit = cursor.unit()
    return _kind_behind(cursor, unit) if unit else None


def _kind_behind(cursor: Cursor, unit: UnitName) -> UnitName:
    """Step over the kind of *unit*, if nothing follows it: `Par A`, `Brest (fleet)`."""
    start = cursor.at
    cursor.take({"(", ":", "="})
    kind = None if unit.kind else words.KINDS.get(cursor.peek().key)
    cursor.step()
    cursor.take({")"})
    if kind and cursor.ended:
        return replace(unit, kind=kind)
    cursor.at = start
    return unit


def _unit_first(cursor: Cursor, unit: UnitName, kind: PhaseKind) -> Order | None:
    """Read what *unit* is to do; a verb that leads nowhere may be a place, as in `F Aeg Con`."""
    if cursor.ended:
        return Build(unit) if kind is PhaseKind.ADJUSTMENTS and unit.kind else None
    start = cursor.at
    for read in (_support, _convoy, _retreat, _alone):
        if order := read(cursor, unit):
            return order
        cursor.at = start
    return _move(cursor, unit, kind)


def _support(cursor: Cursor, unit: UnitName) -> Order | None:
    supported = _whom(cursor, words.SUPPORT, words.SUPPORT_WITH_KIND)
    if supported is None:
        return None
    if target := _goal(cursor):
        _via(cursor)
        return SupportMove(unit, supported, target)
    start = cursor.at
    cursor.skip({"-"})
    if not cursor.take(words.HOLD if not cursor.is_last else words.HOLD | {words.STANDS}):
        cursor.at = start  # A dash at the end is half a move.
    return SupportHold(unit, supported)


def _convoy(cursor: Cursor, unit: UnitName) -> Order | None:
    may_be_kind = cursor.peek().key in words.KINDS and unit.kind is not None
    army = _whom(cursor, words.CONVOY, words.CONVOY_WITH_KIND)
    target = _goal(cursor) if army else None
    if army is None or target is None:
        return None
    if may_be_kind and army.kind is None:
        return None  # In `F Iri F Wes-Mao` a verb is lost.
    _via(cursor)
    return Convoy(unit, army, target)


def _whom(
    cursor: Cursor, verbs: frozenset[str], with_kind: Mapping[str, UnitKind]
) -> UnitName | None:
    """Read a verb and the unit that it serves; the verb may tell the unit's kind: `SA Mun`."""
    _to(cursor, verbs)
    kind = with_kind.get(cursor.peek().key)
    if not cursor.take(verbs | with_kind.keys()):
        return None
    cursor.take({"of"})
    return cursor.unit(kind)


def _to(cursor: Cursor, verbs: frozenset[str]) -> None:
    """Step over what stands before one of *verbs* in full: `to support`, `in support of`."""
    verb = cursor.peek(1).key
    if cursor.peek().key in {"to", "in"} and verb in verbs and len(verb) > 1:
        cursor.step()


def _retreat(cursor: Cursor, unit: UnitName) -> Order | None:
    """Read `A Vie R Boh`, or `A Vie R`, where the letter is for remove."""
    cursor.take(REFLEXIVE)
    removes = cursor.peek().key in words.REMOVE
    if not cursor.take(words.RETREAT | words.REMOVE):
        return None
    cursor.skip(words.TOWARD)
    if target := cursor.place():
        return Retreat(unit, target)
    disbands = cursor.take(words.DISBAND) or cursor.take_all(words.OFF_THE_BOARD)
    return Disband(unit) if removes or disbands else None


def _alone(cursor: Cursor, unit: UnitName) -> Order | None:
    """Read a verb that needs nothing more, with a dash before it or not: `-H`, `- OTB`."""
    cursor.skip({"-"})
    _to(cursor, words.HOLD)
    if cursor.take(words.HOLD) or (cursor.is_last and cursor.take({words.STANDS})):
        cursor.skip(words.HOLD)  # `bleibt stehen`
        return Hold(unit)
    if cursor.take(words.DISBAND) or cursor.take_all(words.OFF_THE_BOARD):
        return Disband(unit)
    return Build(unit) if cursor.take(words.BUILD) else None


def _move(cursor: Cursor, unit: UnitName, kind: PhaseKind) -> Order | None:
    convoyed = cursor.take(words.CONVOYED)
    target = _goal(cursor)
    if target is None:
        return None
    stops = [target]
    while stop := _next_stop(cursor):
        stops.append(stop)
    named = _via(cursor)
    via = () if convoyed and named is None else named
    if kind is PhaseKind.RETREATS and len(stops) == 1 and via is None:
        return Retreat(unit, target)
    route = tuple(province_of(stop) for stop in (*stops[:-1], *(via or ())))
    return Move(unit, stops[-1], via_convoy=bool(route) or via is not None, route=route)


def _goal(cursor: Cursor) -> Location | None:
    """Read `- Bur`, `moves to Bur`, or only `Bur`, as in `F Mao Iri`."""
    start = cursor.at
    cursor.take(words.MOVE)
    cursor.skip(words.TOWARD)
    if target := cursor.place():
        return target
    cursor.at = start
    return None


def _next_stop(cursor: Cursor) -> Location | None:
    start = cursor.at
    stop = cursor.place() if cursor.skip(words.TOWARD) else None
    if stop is None:
        cursor.at = start
    return stop


def _via(cursor: Cursor) -> tuple[Location, ...] | None:
    """Read `via`, `by convoy`, `(via convoy)`, `via Nth and Nwg`; return the seas named."""
    start = cursor.at
    enclosed = cursor.take({"("})
    if any(map(cursor.take_all, BY_CONVOY)) or cursor.take(words.VIA):
        cursor.take(words.BY_SEA)
        seas = []
        while sea := cursor.place():
            seas.append(sea)
            cursor.skip(words.TOWARD | words.LEADERS)
        if not enclosed or cursor.take({")"}):
            return tuple(seas)
    cursor.at = start
    return None
