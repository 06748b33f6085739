"""The grammar of one order, and the choice among the meanings of an ambiguous one.

The forms are those of the rulebook (VII.7, IX.1), of email judges, of postal moderators and of
plain sentences; their words are in `vocabulary`. Of several meanings, those that fit the board
best are chosen: `F Tyr` is the Tyrrhenian Sea because a fleet cannot be in Tyrolia; `F Edi-Nor` is
not Norway because Edinburgh does not touch it. Legality is not checked here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod

from judge.notation import vocabulary
from judge.notation.readings import ALL_REMAINING
from judge.notation.strict_orders import misfit
from judge.notation.terms import Cursor, Names, Term
from judge.rules import types
from judge.rules.board import Map


@dataclass(frozen=True, slots=True)
class ReadOrder:
    """An *order*, the column of a remark after it, and its number of *times*."""

    order: types.Order
    remark_column: int | None
    times: int = 1


def read_terms(terms: Sequence[Term], names: Names, kind: types.PhaseKind) -> ReadOrder | None:
    """Read all of *terms* as one order in a phase of *kind*, None if that fails."""
    cursor = Cursor(terms, names)
    times = _waived(cursor, kind)
    if times is not None:
        return ReadOrder(types.Waive(), None, times)
    order = _order(cursor, kind)
    cursor.skip({"*"})  # `**A Par-Bur**`
    remark = cursor.remark()
    return ReadOrder(order, remark) if order and cursor.ended else None


def _order(cursor: Cursor, kind: types.PhaseKind) -> types.Order | None:
    _skip_leaders(cursor)
    _skip_speaker(cursor, kind)
    if kind is types.PhaseKind.ADJUSTMENTS and cursor.peek().key in {"+", "-"}:
        return _verb_first(cursor, builds=frozenset("+"), removes=frozenset("-"))
    cursor.skip({"-"})  # `- A Par-Bur` in a list
    order = _imperative(cursor, kind) or _verb_first(
        cursor, builds=vocabulary.BUILD, removes=vocabulary.REMOVE | vocabulary.DISBAND
    )
    if order:
        return order
    unit = _adjusted(cursor) if kind is types.PhaseKind.ADJUSTMENTS else cursor.unit()
    return _unit_first(cursor, unit, kind) if unit else None


def _skip_leaders(cursor: Cursor) -> None:
    cursor.skip(vocabulary.LEADERS | vocabulary.EXCEPTIONS)
    if cursor.peek().key.isdigit():
        cursor.step()
        cursor.take({")"})


def _skip_speaker(cursor: Cursor, kind: types.PhaseKind) -> None:
    """Skip the speaker: `I will build A Par`."""
    start = cursor.at
    if kind is not types.PhaseKind.MOVEMENT and any(map(cursor.take_all, vocabulary.SPEAKERS)):
        cursor.at = cursor.at if cursor.peek().key in vocabulary.DOING else start


def _waived(cursor: Cursor, kind: types.PhaseKind) -> int | None:
    """Read how many builds are waived, in other phases only with a word such as `waive`."""
    start = cursor.at
    cursor.skip(vocabulary.LEADERS)
    if cursor.peek(1).key == ")":
        cursor.step(2)
    _skip_speaker(cursor, kind)
    keys = [term.key for term in cursor.terms[cursor.at :]]
    cursor.at = start
    return (
        waived_builds(keys)
        if kind is types.PhaseKind.ADJUSTMENTS or vocabulary.WAIVE & set(keys)
        else None
    )


def _imperative(cursor: Cursor, kind: types.PhaseKind) -> types.Order | None:
    """Read `Retreat A Mun-Ber`, `Move the army in Paris to Burgundy`."""
    start = cursor.at
    unit = cursor.unit() if cursor.take(vocabulary.MOVE | vocabulary.RETREAT) else None
    named = unit and (unit.kind or kind is types.PhaseKind.RETREATS)
    order = _move(cursor, unit, kind) if unit and named else None
    cursor.at = cursor.at if order else start
    return order


def _verb_first(
    cursor: Cursor, *, builds: frozenset[str], removes: frozenset[str]
) -> types.Order | None:
    start = cursor.at
    if cursor.take(builds) and (unit := _adjusted(cursor)):
        return types.Build(unit)
    cursor.at = start
    if cursor.take(removes) and (unit := _adjusted(cursor)):
        return types.Disband(unit)
    cursor.at = start
    return None


def _adjusted(cursor: Cursor) -> types.UnitName | None:
    """Read a unit with an optional number before it and kind after it: `Paris army`."""
    if cursor.peek().key in vocabulary.NUMBERS and not cursor.peek().places:
        cursor.step()
    unit = cursor.unit()
    return _kind_behind(cursor, unit) if unit else None


def _kind_behind(cursor: Cursor, unit: types.UnitName) -> types.UnitName:
    """Read the kind after *unit* at the end of an order: `Par A`, `Brest (fleet)`."""
    start = cursor.at
    cursor.take({"(", ":", "="})
    kind = None if unit.kind else vocabulary.KINDS.get(cursor.peek().key)
    cursor.step()
    cursor.take({")"})
    if kind and cursor.ended:
        return replace(unit, kind=kind)
    cursor.at = start
    return unit


def _unit_first(cursor: Cursor, unit: types.UnitName, kind: types.PhaseKind) -> types.Order | None:
    """Read the order of *unit*; a verb that fits nothing may be a place, as in `F Aeg Con`."""
    if cursor.ended:
        return types.Build(unit) if kind is types.PhaseKind.ADJUSTMENTS and unit.kind else None
    start = cursor.at
    for read in (_support, _convoy, _retreat, _alone):
        if order := read(cursor, unit):
            return order
        cursor.at = start
    return _move(cursor, unit, kind)


def _support(cursor: Cursor, unit: types.UnitName) -> types.Order | None:
    supported = _helped_unit(cursor, vocabulary.SUPPORT, vocabulary.SUPPORT_WITH_KIND)
    if supported is None:
        return None
    if target := _target(cursor):
        _via(cursor)
        return types.SupportMove(unit, supported, target)
    start = cursor.at
    cursor.skip({"-"})
    if not cursor.take(
        vocabulary.HOLD if not cursor.is_last else vocabulary.HOLD | {vocabulary.STANDS}
    ):
        cursor.at = start  # a final dash is half a move
    return types.SupportHold(unit, supported)


def _convoy(cursor: Cursor, unit: types.UnitName) -> types.Order | None:
    may_be_kind = cursor.peek().key in vocabulary.KINDS and unit.kind is not None
    army = _helped_unit(cursor, vocabulary.CONVOY, vocabulary.CONVOY_WITH_KIND)
    target = _target(cursor) if army else None
    if army is None or target is None:
        return None
    if may_be_kind and army.kind is None:
        return None  # `F Iri F Wes-Mao` lacks a verb
    _via(cursor)
    return types.Convoy(unit, army, target)


def _helped_unit(
    cursor: Cursor, verbs: frozenset[str], with_kind: Mapping[str, types.UnitKind]
) -> types.UnitName | None:
    """Read a verb and the helped unit; the verb may include the unit's kind: `SA Mun`."""
    _skip_preposition(cursor, verbs)
    kind = with_kind.get(cursor.peek().key)
    if not cursor.take(verbs | with_kind.keys()):
        return None
    cursor.take({"of"})
    return cursor.unit(kind)


def _skip_preposition(cursor: Cursor, verbs: frozenset[str]) -> None:
    """Skip a preposition before a verb: `to support`, `in support of`."""
    verb = cursor.peek(1).key
    if cursor.peek().key in {"to", "in"} and verb in verbs and len(verb) > 1:
        cursor.step()


def _retreat(cursor: Cursor, unit: types.UnitName) -> types.Order | None:
    """Read `A Vie R Boh`, or `A Vie R`, which means remove."""
    cursor.take(vocabulary.REFLEXIVE_PRONOUNS)
    removes = cursor.peek().key in vocabulary.REMOVE
    if not cursor.take(vocabulary.RETREAT | vocabulary.REMOVE):
        return None
    cursor.skip_toward()
    if target := cursor.place():
        return types.Retreat(unit, target)
    disbands = cursor.take(vocabulary.DISBAND) or cursor.take_all(vocabulary.OFF_THE_BOARD)
    return types.Disband(unit) if removes or disbands else None


def _alone(cursor: Cursor, unit: types.UnitName) -> types.Order | None:
    """Read a verb that needs no object, with or without a dash: `-H`, `- OTB`."""
    cursor.skip({"-"})
    _skip_preposition(cursor, vocabulary.HOLD)
    if cursor.take(vocabulary.HOLD) or (cursor.is_last and cursor.take({vocabulary.STANDS})):
        cursor.skip(vocabulary.HOLD)  # `bleibt stehen`
        return types.Hold(unit)
    if cursor.take(vocabulary.DISBAND) or cursor.take_all(vocabulary.OFF_THE_BOARD):
        return types.Disband(unit)
    return types.Build(unit) if cursor.take(vocabulary.BUILD) else None


def _move(cursor: Cursor, unit: types.UnitName, kind: types.PhaseKind) -> types.Order | None:
    convoyed = cursor.take(vocabulary.CONVOYED)
    target = _target(cursor)
    if target is None:
        return None
    stops = [target]
    while stop := _next_stop(cursor):
        stops.append(stop)
    named = _via(cursor)
    via = () if convoyed and named is None else named
    if kind is types.PhaseKind.RETREATS and len(stops) == 1 and via is None:
        return types.Retreat(unit, target)
    route = tuple(types.province_of(stop) for stop in (*stops[:-1], *(via or ())))
    return types.Move(unit, stops[-1], via_convoy=bool(route) or via is not None, route=route)


def _target(cursor: Cursor) -> types.Location | None:
    """Read `- Bur`, `moves to Bur`, or only `Bur`, as in `F Mao Iri`."""
    start = cursor.at
    cursor.take(vocabulary.MOVE)
    cursor.skip_toward()
    if target := cursor.place():
        return target
    cursor.at = start
    return None


def _next_stop(cursor: Cursor) -> types.Location | None:
    start = cursor.at
    stop = cursor.place() if cursor.skip(vocabulary.TOWARD) else None
    if stop is None:
        cursor.at = start
    return stop


def _via(cursor: Cursor) -> tuple[types.Location, ...] | None:
    """Read `via`, `by convoy`, `(via convoy)`, `via Nth and Nwg`; return the seas named."""
    start = cursor.at
    enclosed = cursor.take({"("})
    if any(map(cursor.take_all, vocabulary.BY_CONVOY)) or cursor.take(vocabulary.VIA):
        cursor.take(vocabulary.BY_SEA)
        seas = []
        while sea := cursor.place():
            seas.append(sea)
            cursor.skip(vocabulary.TOWARD | vocabulary.LEADERS)
        if not enclosed or cursor.take({")"}):
            return tuple(seas)
    cursor.at = start
    return None


WAIVE_FILLERS = frozenset(
    {
        *("a", "of", "them", "it", "this", "that", "year", "winter", "time", "season", "phase"),
        *("for", "me", "us", "now", "more", "jahr", "dieses", "cette", "année"),
        *("my", "our", "next", "later", "other", "second", "third", "last"),
        *("auf", "den", "meinen", "andere", "anderen", "zweiten", "dritten", "autre", "deuxième"),
    }
)
SAVE_VERBS = frozenset({"save", "saving", "postpone", "defer", "bank"})  # of builds only


def waived_builds(keys: Sequence[str]) -> int | None:
    """Return how many builds *keys* waive, `ALL_REMAINING` for all, None if they do not."""
    if keys and keys[0].isdigit() and not {"waives", "builds"} & {*keys}:
        keys = keys[1:]  # `2. waive` in a list
    builds = [key for key in keys if key in vocabulary.BUILDING]
    if builds and keys[0] in SAVE_VERBS:
        keys = ["waive", *keys[1:]]
    others = [key for key in keys if key not in vocabulary.BUILDING and key not in WAIVE_FILLERS]
    if builds and len(others) == 1 and others[0] in vocabulary.NOTHING:
        return ALL_REMAINING
    verbs = [key for key in others if key in vocabulary.WAIVE]
    counts = [key for key in others if key not in vocabulary.WAIVE]
    if len(verbs) != 1 or len(counts) > 1:
        return None
    if not counts:
        return ALL_REMAINING if "builds" in builds else 1
    return (
        ALL_REMAINING if counts[0] in vocabulary.EVERYTHING else vocabulary.NUMBERS.get(counts[0])
    )


MEANINGS_MAX = 125  # three places with five meanings each, as in `F Nor S F Nor-Nor`


@dataclass(frozen=True, slots=True)
class Meaning:
    """The order of terms with one of *places* for each, None for words that are not names."""

    places: tuple[types.Province | None, ...]
    read: ReadOrder


@dataclass(frozen=True, slots=True)
class OrderReader:
    """The settings for all clauses of a text."""

    board: Map
    names: Names
    kind: types.PhaseKind
    s_stands: bool = False  # `A Par S` holds

    def meanings(self, terms: Sequence[Term]) -> tuple[Meaning, ...]:
        """Return the possible meanings of *terms* that fit equally well."""
        choices = [term.places or (None,) for term in terms]
        if prod(map(len, choices)) > MEANINGS_MAX:
            return ()
        first = self._meaning(terms, [choice[0] for choice in choices])
        if first is None or prod(map(len, choices)) == 1:
            return (first,) if first else ()
        return self._best([self._meaning(terms, places) for places in product(*choices)])

    def _meaning(
        self, terms: Sequence[Term], places: Sequence[types.Province | None]
    ) -> Meaning | None:
        chosen = [
            term._replace(places=(place,)) if len(term.places) > 1 and place else term
            for term, place in zip(terms, places, strict=True)
        ]
        read = read_terms(chosen, self.names, self.kind)
        return Meaning(tuple(places), read) if read else None

    def _best(self, found: Sequence[Meaning | None]) -> tuple[Meaning, ...]:
        by_order = {each.read.order: each for each in found if each}
        misfits = {order: misfit(self.board, order) for order in by_order}
        least = min(misfits.values())
        return tuple(each for order, each in by_order.items() if misfits[order] == least)
