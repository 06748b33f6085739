"""Read orders where nobody knows which units there will be: for a later phase, or in one line.

A unit stands wherever the text orders one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.notation.strict_orders import neighbors
from judge.notation.terms import names_of
from judge.reading.matching import Matcher
from judge.reading.policy import Given, ReadOrder, Status, TextRead
from judge.reading.reader import read_text
from judge.reading.segment import TARGET, WITHOUT_VERB
from judge.reading.world import ADJACENT, BY_CONVOY, FAR, IMPOSSIBLE, World
from judge.rules import types
from judge.rules.board import Map, Terrain
from judge.rules.types import PhaseKind, Power, Province, Unit, UnitKind

BOARDS_CACHED_MAX = 16
DUE = 99  # builds, or removals
MEANINGS_MAX = 5  # of words about units, or for one
TWO_PLACES = WITHOUT_VERB + TARGET[""]  # the cost of a move without a word between its places
KINDS = {"army": UnitKind.ARMY, "fleet": UnitKind.FLEET}
BETWEEN = frozenset({"of", "in", "from", "at", "on", "det"})  # a kind and its place
ANYBODY: Power = "anybody"
NOBODY: Power = ""


@dataclass(frozen=True, slots=True)
class Anywhere(World):
    """A board with a unit in each province, of either kind where the text *says* none."""

    says: frozenset[Province] = frozenset()

    def reach(self, unit: Unit, place: Province) -> float:
        """Return the cost of *unit* moving to *place*."""
        if place == unit.province:
            return IMPOSSIBLE
        kinds = (unit.kind,) if unit.province in self.says else (*UnitKind,)
        if any(place in neighbors(self.board, kind, unit.province) for kind in kinds):
            return ADJACENT
        ends = {self.board.places[each].terrain for each in (unit.province, place)}
        by_sea = UnitKind.ARMY in kinds and ends == {Terrain.COAST}
        return BY_CONVOY if by_sea and self.kind is PhaseKind.MOVEMENT else FAR


def read_anywhere(
    text: str,
    board: Map,
    kind: PhaseKind,
    power: Power | None = None,
    given: Sequence[Given] = (),
) -> TextRead:
    """Read *text* as orders for a phase of *kind*, of *power* or of anybody.

    All units without an order cannot be told, so nothing is ordered to them.
    """
    world = _anywhere(text, board, kind, power)
    read = read_text(text, world, given=given)
    orders = [each for each in read.orders if not each.implied or _waives(each)]
    if kind is PhaseKind.RETREATS:  # `Munich and Burgundy` names no retreat
        orders = [each for each in orders if each.strict or each.cost < TWO_PLACES]
    if kind is PhaseKind.ADJUSTMENTS:
        orders = _with_removals(orders, read_text(text, replace(world, due=-DUE), given=given))
    at = Counter(each.start for each in orders if each.given is None)
    told = tuple(
        _as_said(each, world)
        for each in orders
        if not each.several and max(at[each.start], len(each.orders)) <= MEANINGS_MAX
    )
    return replace(read, orders=told, talk=())


def _waives(read: ReadOrder) -> bool:
    return isinstance(read.order, types.Waive)


def _with_removals(builds: Sequence[ReadOrder], removing: TextRead) -> list[ReadOrder]:
    """Return *builds*, and what is cheaper to read as removals, which are said to be some."""
    removals = [
        each
        for each in removing.orders
        if each.status is Status.PLAIN and each.given is None and each.cost < WITHOUT_VERB
    ]

    def beaten(one: ReadOrder, others: Sequence[ReadOrder]) -> bool:
        return any(
            one.start < each.end and each.start < one.end and each.cost <= one.cost
            for each in others
        )

    kept = [each for each in builds if each.given is not None or not beaten(each, removals)]
    orders = [*kept, *(each for each in removals if not beaten(each, kept))]
    return sorted(orders, key=lambda each: each.start)


def _as_said(read: ReadOrder, world: Anywhere) -> ReadOrder:
    """Return *read* with the kinds of units that the text names; notation is as it is."""
    if read.given is not None:
        return replace(read, status=Status.PLAIN) if read.loose else read

    def said(unit: types.UnitName) -> types.UnitName:
        return unit if unit.province in world.says else replace(unit, kind=None)

    def each_said(order: types.Order) -> types.Order:
        match order:
            case types.Waive() | types.Build():
                return order
            case types.SupportHold(unit, other) | types.SupportMove(unit, other):
                return replace(order, unit=said(unit), supported=said(other))
            case types.Convoy(unit, army):
                return replace(order, unit=said(unit), army=said(army))
            case _:
                return replace(order, unit=said(order.unit))

    return replace(read, orders=tuple(map(each_said, read.orders)))


def _anywhere(text: str, board: Map, kind: PhaseKind, power: Power | None) -> Anywhere:
    nowhere = _nowhere(board, kind, power)
    said = _kinds_said(text, nowhere)
    units = {
        place: replace(unit, kind=said.get(place, unit.kind))
        for place, unit in _units(board, nowhere.power).items()
    }
    standing = {place: replace(unit, power=NOBODY) for place, unit in units.items()}
    return replace(nowhere, own=units, standing=standing, says=frozenset(said))


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def _nowhere(board: Map, kind: PhaseKind, power: Power | None) -> Anywhere:
    """Return the empty *board*, where *power* may build in its homes, and anybody in each."""
    adjusts = kind is PhaseKind.ADJUSTMENTS
    homes = {
        code
        for code, place in board.places.items()
        if place.home_of and (power is None or power in place.home_of)
    }
    return Anywhere(
        board=board,
        names=names_of(board),
        kind=kind,
        power=power or ANYBODY,
        own={},
        standing={},
        retreats={},
        sites=frozenset(homes if adjusts else ()),
        due=DUE if adjusts else 0,
        plans=True,
    )


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def _units(board: Map, power: Power | None) -> Mapping[Province, Unit]:
    return {
        code: Unit(
            power or ANYBODY,
            UnitKind.FLEET if place.terrain is Terrain.SEA else UnitKind.ARMY,
            code,
        )
        for code, place in board.places.items()
        if place.terrain is not Terrain.IMPASSABLE
    }


def _kinds_said(text: str, nowhere: Anywhere) -> Mapping[Province, UnitKind]:
    """Return the kinds of units that *text* names before, or behind, their places."""
    matcher = Matcher(text, nowhere)
    matcher.run()
    said: dict[Province, UnitKind] = {}
    kind: UnitKind | None = None
    for word in matcher.words:
        if word.role in KINDS:
            kind = KINDS[word.role]
        elif word.role in {"name", "adjective"}:
            if kind:
                said.update(dict.fromkeys(word.places, kind))
            kind = None
        elif word.role not in BETWEEN:
            kind = None
    return said
