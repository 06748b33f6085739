"""Read one order in strict notation, as programs and zines print it, exactly or not at all.

Of the meanings of ambiguous names, those that fit the board best are chosen: `F Tyr` is the
Tyrrhenian Sea because a fleet cannot be in Tyrolia. Legality is not checked here. What people
write in their own words is for `judge.reading`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, TypeAlias, assert_never

from judge.notation.terms import Names, keys_of, names_of
from judge.rules import types
from judge.rules.board import Map, Terrain
from judge.rules.types import PhaseKind, UnitKind

PART = re.compile(r"(?:\([^()]*\)|[^,;\n])+")
LINE_CHARACTERS_MAX = 4000  # an unwrapped paragraph of 34 orders in full
WORDS_MAX = 60  # The longest order, with full names and owners, has about 20.
MEANINGS_MAX = 125  # three places with five meanings each, as in `F Nor S F Nor-Nor`
NEIGHBORS_CACHED_MAX = 4096  # provinces of all boards in use

KINDS = {"a": UnitKind.ARMY, "army": UnitKind.ARMY, "f": UnitKind.FLEET, "fleet": UnitKind.FLEET}
TOWARD = frozenset({"-", "->", "to", "into"})
MOVE = frozenset({"m", "move", "moves"})
HOLD = frozenset({"h", "hold", "holds", "stand", "stands"})
STANDS = "s"  # hold at the end of an order: zines write `A Par S`
SUPPORT = {
    **dict.fromkeys(("s", "sup", "supp", "support", "supports")),
    "sa": UnitKind.ARMY,
    "sf": UnitKind.FLEET,  # `A Ber SA Mun-Sil`
}
CONVOY = {
    **dict.fromkeys(("c", "con", "conv", "convoy", "convoys", "t", "transport", "transports")),
    "ca": UnitKind.ARMY,
}
RETREAT = frozenset({"r", "ret", "retreat", "retreats"})
DISBAND = frozenset({"d", "disband", "disbands", "disbanded", "otb"})
REMOVE = frozenset({"r", "remove", "removes", "removed"})
BUILD = frozenset({"b", "build", "builds", "built"})
WAIVE = frozenset({"w", "waive", "waives", "waived"})
VIA = frozenset({"via", "by", "through"})
BY_SEA = frozenset({"convoy", "sea"})
FILLERS = frozenset({"the", "in", "at", "an", "from", "of", "unit"})
AFTER_ARTICLE = frozenset({"army", "fleet", "unit", "build"})  # before these, `a` is an article
BRACKETS = {"(": ")", "[": "]"}
COASTS = {
    f"{form}{coast}": f"{word[0].upper()}C"
    for word in ("north", "south", "east", "west")
    for form in (word, f"{word}ern", word[0], f"{word[0]}c")
    for coast in ("", "coast")
}
COAST_WORDS_MAX = 3  # `north - coast`
COAST_LETTERS = 2  # `nc`, also unknown ones such as `xc`, which the rulebook decides


UnitOrder: TypeAlias = types.MovementOrder | types.Retreat | types.Build | types.Disband


class Word(NamedTuple):
    """A word or sign of a line, and the provinces that it may name."""

    key: str
    places: tuple[types.Province, ...] = ()


END = Word("")


@dataclass(frozen=True, slots=True)
class StrictOrder:
    """An *order* of *power*, None if unnamed; *remark* says that words in brackets follow."""

    order: types.Order
    power: types.Power | None = None
    remark: bool = False


def read_strictly(text: str, board: Map, kind: PhaseKind) -> tuple[StrictOrder, ...]:
    """Return the order that is all of *text*, or several if its names are unclear."""
    names = names_of(board)
    words = words_of(keys_of(text), names)
    keys = {word.key for word in words}
    if keys & WAIVE and keys <= WAIVE | BUILD | {"a", "one", "1"}:
        return (StrictOrder(types.Waive()),)
    meanings = prod(len(word.places) or 1 for word in words)
    if not words or len(words) > WORDS_MAX or meanings > MEANINGS_MAX:
        return ()
    choices = (
        [Word(word.key, (place,)) for place in word.places] if len(word.places) > 1 else [word]
        for word in words
    )
    read = (Line(line, names).read(kind) for line in product(*choices))
    found = dict(each for each in read if each)
    if len(found) > 1:
        misfits = {order: misfit(board, order) for order in found}
        best = min(misfits.values())
        found = {order: found[order] for order in found if misfits[order] == best}
    return tuple(
        StrictOrder(replace(order, unit=replace(order.unit, power=None)), order.unit.power, remark)
        for order, remark in found.items()
    )


def read_parts(text: str, board: Map, kind: PhaseKind) -> list[tuple[StrictOrder, ...]]:
    """Return the order, or the possible ones, that each part of *text* is, between commas."""
    parts = (found[0] for found in PART.finditer(text))
    return [read_strictly(part, board, kind) for part in parts if part.strip()]


def read_unit(text: str, board: Map) -> types.UnitName | None:
    """Return the unit with kind that is all of *text*, None if there is none."""
    match read_strictly(f"{text} disband", board, PhaseKind.MOVEMENT):
        case (StrictOrder(order=types.Disband(unit=unit)),) if unit.kind:
            return unit
        case _:
            return None


def read_location(text: str, board: Map) -> types.Location | None:
    """Return the location that is all of *text*, None if there is not exactly one."""
    names = names_of(board)
    line = Line(words_of(keys_of(text), names), names)
    location = line.place() if len(line.peek().places) == 1 else None
    return None if line.peek().key or location not in board.locations else location


def words_of(keys: Sequence[str], names: Names) -> tuple[Word, ...]:
    """Find the longest names in *keys*, and leave out articles and the like."""
    found: list[Word] = []
    at = 0
    while at < len(keys):
        count, places = names.longest(keys[at : at + names.words_max])
        of_power = names.longest_power(keys[at:]) if keys[at] in names.power_words_behind else 0
        if of_power > count:
            count, places = of_power, ()
        article = keys[at] == "a" and keys[at + 1 : at + 2] and keys[at + 1] in AFTER_ARTICLE
        if count or not (keys[at] in FILLERS or article):
            found.append(Word(" ".join(keys[at : at + (count or 1)]), places))
        at += count or 1
    return tuple(found)


class Line:
    """The words of a line, each name with one meaning, read from left to right.

    To backtrack, set *at*.
    """

    def __init__(self, words: Sequence[Word], names: Names) -> None:
        self.words = words
        self.names = names
        self.at = 0

    def read(self, kind: PhaseKind) -> tuple[UnitOrder, bool] | None:
        """Return the order that is the whole line, and whether a remark follows it."""
        order = self._order(adjusts=kind is PhaseKind.ADJUSTMENTS)
        if isinstance(order, types.Move) and kind is PhaseKind.RETREATS and not order.via_convoy:
            order = types.Retreat(order.unit, order.target)
        self._skip({"*"})  # `**A Par-Bur**`
        rest = self.words[self.at :]
        remark = bool(rest) and BRACKETS.get(rest[0].key) == rest[-1].key
        return (order, remark) if order and (remark or not rest) else None

    def place(self) -> types.Location | None:
        """Read a province and its coast."""
        return self._on_coast(self.step().places[0]) if self.peek().places else None

    def peek(self, ahead: int = 0) -> Word:
        return self.words[self.at + ahead] if self.at + ahead < len(self.words) else END

    def unit(self, kind: UnitKind | None = None) -> types.UnitName | None:
        """Read a unit: `A Par`, `A(Par)`, `Par`, with or without its power."""
        start = self.at
        power = self._owner()
        if self.peek().key in KINDS:
            kind = KINDS[self.step().key]
        enclosed = bool(kind) and self.take({"("})
        location = self.place()
        if location and enclosed:
            enclosed = not self.take({")"})
            location = self._on_coast(location)  # `F(Spa)nc`
        if location is None or enclosed:
            self.at = start
            return None
        return types.UnitName(kind, location, power)

    def step(self) -> Word:
        self.at += 1
        return self.words[self.at - 1]

    def take(self, keys: AbstractSet[str]) -> bool:
        taken = self.peek().key in keys
        self.at += taken
        return taken

    def _order(self, *, adjusts: bool) -> UnitOrder | None:
        self._skip({"*"} if adjusts else {"*", "-"})  # in lists
        builds = self.take(BUILD | {"+"})
        removes = not builds and self.take(REMOVE | DISBAND | {"-"})
        if not (builds or removes):
            self.take(MOVE | RETREAT)
        unit = self.unit()
        if unit is None:
            return None
        if builds or (adjusts and unit.kind and not (removes or self.peek().key)):
            return types.Build(unit)
        if removes:
            return types.Disband(unit)
        start = self.at
        for read in (self._support, self._convoy, self._retreat, self._alone):
            if order_ := read(unit):
                return order_
            self.at = start
        return self._move(unit)

    def _support(self, unit: types.UnitName) -> UnitOrder | None:
        if self.peek().key not in SUPPORT:
            return None
        supported = self.unit(SUPPORT[self.step().key])
        if supported is None:
            return None
        if target := self._target():
            self._via()
            return types.SupportMove(unit, supported, target)
        start = self.at
        self._skip({"-"})
        if not (self.take(HOLD) or self._stands()):
            self.at = start  # a final dash is half a move
        return types.SupportHold(unit, supported)

    def _convoy(self, unit: types.UnitName) -> UnitOrder | None:
        if self.peek().key not in CONVOY:
            return None
        army = self.unit(CONVOY[self.step().key])
        target = self._target() if army else None
        self._via()
        return types.Convoy(unit, army, target) if army and target else None

    def _retreat(self, unit: types.UnitName) -> UnitOrder | None:
        """Read `A Vie R Boh`, or `A Vie R`, which means remove."""
        removes = self.peek().key in REMOVE
        if not self.take(RETREAT | REMOVE):
            return None
        self._skip(TOWARD)
        if target := self.place():
            return types.Retreat(unit, target)
        return types.Disband(unit) if self.take(DISBAND) or removes else None

    def _alone(self, unit: types.UnitName) -> UnitOrder | None:
        """Read a verb that needs no object, with or without a dash: `-H`, `- OTB`."""
        self._skip({"-"})
        if self.take(HOLD) or self._stands():
            return types.Hold(unit)
        if self.take(DISBAND):
            return types.Disband(unit)
        return types.Build(unit) if self.take(BUILD) else None

    def _stands(self) -> bool:
        return self.at == len(self.words) - 1 and self.take({STANDS})

    def _move(self, unit: types.UnitName) -> UnitOrder | None:
        stops: list[types.Location] = []
        while (not stops or self.peek().key in TOWARD) and (stop := self._target()):
            stops.append(stop)
        if not stops:
            return None
        via = self._via()
        route = tuple(types.province_of(stop) for stop in (*stops[:-1], *(via or ())))
        return types.Move(unit, stops[-1], via_convoy=bool(route) or via is not None, route=route)

    def _target(self) -> types.Location | None:
        """Read `- Bur`, `moves to Bur`, or only `Bur`, as in `F Mao Iri`."""
        start = self.at
        self.take(MOVE)
        self._skip(TOWARD)
        target = self.place()
        self.at = self.at if target else start
        return target

    def _via(self) -> tuple[types.Location, ...] | None:
        """Read `via`, `by convoy`, `(via convoy)`, `via Nth and Nwg`; return the seas named."""
        start = self.at
        enclosed = self.take({"("})
        if self.take(VIA):
            self.take(BY_SEA)
            seas = []
            while sea := self.place():
                seas.append(sea)
                self._skip(TOWARD | {"and"})
            if not enclosed or self.take({")"}):
                return tuple(seas)
        self.at = start
        return None

    def _owner(self) -> types.Power | None:
        """Read a unit's power: `German`, `[GERMANY]`, `(German)`, `*German*`, `G)`."""
        start = self.at
        enclosed = self.take({"[", "(", "*"})
        key = self.peek().key
        power = self.names.powers.get(key)
        if enclosed or self.peek(1).key == ")":
            power = power or self.names.letters.get(key)
        if self.peek(1).key in KINDS:
            power = power or self.names.shortened_powers.get(key)
        if power:
            self.at += 1
            self._skip({"]", ")", "*", ":"})
            if self.peek().key in KINDS or self.peek().places:
                return power
        self.at = start
        return None

    def _on_coast(self, place: types.Location) -> types.Location:
        """Read a coast of *place*: `/nc`, `(n.c.)`, `[north coast]`, `-nc`, `north coast`."""
        mark = self.peek().key
        close = BRACKETS.get(mark, "")
        start = self.at + (1 if close or mark in {"/", "-"} else 0)
        for count in range(COAST_WORDS_MAX, 0, -1):
            keys = [word.key for word in self.words[start : start + count]]
            end = start + count
            closed = not close or (self.words[end : end + 1] and self.words[end].key == close)
            coast = self._coast(place, keys, mark) if len(keys) == count and closed else None
            if coast:
                self.at = end + bool(close)
                return f"{place}/{coast}"
        return place

    def _coast(self, place: types.Location, keys: Sequence[str], mark: str) -> str | None:
        own = self.names.coasts.get(place, {}).get(keys[0])
        if own and keys[1:] in ([], ["coast"]):
            return own  # called otherwise than `nc`, `sc`, `ec` or `wc`
        said = "".join(keys).replace(" ", "").replace("-", "")
        code = len(said) == COAST_LETTERS and said.endswith("c")
        if mark == "-":
            return COASTS.get(said) if code else None
        in_full = code or said.endswith("coast")
        if not (in_full or mark in {"/", *BRACKETS}):
            return None
        return COASTS.get(said) or (said.upper() if code else None)

    def _skip(self, keys: AbstractSet[str]) -> None:
        while self.take(keys):
            pass


# The misfit of one step of an order; many small ones never outweigh a larger one.
CONVOY_NEEDED, OUT_OF_REACH, CANNOT_STAND = 1, 10, 100
UNFIT = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}


def misfit(board: Map, order: types.Order) -> int:  # noqa: PLR0911 - one return a kind of order
    """Return how badly *order* fits, 0 if each step is between neighbors."""
    match order:
        case types.Hold(unit) | types.Disband(unit):
            return _stand(board, unit.kind, unit.province)
        case types.Build(unit):
            home = board.places[unit.province].home_of
            return _stand(board, unit.kind, unit.province) + (0 if home else OUT_OF_REACH)
        case types.Move(unit, target):
            return _go(board, unit, order.route, target)
        case types.Retreat(unit, target):
            return _step(board, unit.kind, unit.province, target)
        case types.SupportHold(unit, other):
            stand = _stand(board, other.kind, other.province)
            return stand + _step(board, unit.kind, unit.province, other.location)
        case types.SupportMove(unit, other, target):
            go = _go(board, other, (), target)
            return go + _step(board, unit.kind, unit.province, target)
        case types.Convoy(unit, army, target):
            at_sea = neighbors(board, UnitKind.FLEET, unit.province)
            return _stand(board, UnitKind.FLEET, unit.province) + sum(
                _stand(board, UnitKind.ARMY, end) + (0 if end in at_sea else CONVOY_NEEDED)
                for end in (army.province, types.province_of(target))
            )
        case types.Waive():
            return 0
        case _:
            assert_never(order)


def _stand(board: Map, kind: UnitKind | None, place: types.Province) -> int:
    """Return the misfit of a unit in *place*: an army at sea, a fleet inland."""
    return CANNOT_STAND if kind and UNFIT[kind] is board.places[place].terrain else 0


def _step(board: Map, kind: UnitKind | None, origin: types.Province, to: types.Location) -> int:
    goal = types.province_of(to)
    kinds = (kind,) if kind else tuple(UnitKind)
    if any(goal in neighbors(board, each, origin) for each in kinds):
        return 0
    return OUT_OF_REACH + min(
        _stand(board, each, origin) + _stand(board, each, goal) for each in kinds
    )


def _go(
    board: Map, unit: types.UnitName, route: Sequence[types.Province], to: types.Location
) -> int:
    goal = types.province_of(to)
    if route:
        legs = pairwise((unit.province, *route, goal))
        unfit = sum(_stand(board, unit.kind, end) for end in (unit.province, goal))
        by_sea = (end in neighbors(board, UnitKind.FLEET, start) for start, end in legs)
        return unfit + sum(0 if each else OUT_OF_REACH for each in by_sea)
    step = _step(board, unit.kind, unit.province, to)
    if step == 0 or unit.kind is UnitKind.FLEET:
        return step
    ends = {board.places[each].terrain for each in (unit.province, goal)}
    return CONVOY_NEEDED if ends == {Terrain.COAST} else step


@lru_cache(maxsize=NEIGHBORS_CACHED_MAX)
def neighbors(board: Map, kind: UnitKind, place: types.Province) -> frozenset[types.Province]:
    """Return the provinces next to *place* for units of *kind* on any of its coasts."""
    borders = board.army if kind is UnitKind.ARMY else board.fleet
    return frozenset(
        types.province_of(to)
        for at in (place, *board.coasts_of(place))
        for to in borders.get(at, ())
    )
