"""Read orders where nobody knows which units there will be: for a later phase, or in one line.

A unit stands wherever the text orders one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from judge.notation.strict_orders import misfit, neighbors
from judge.notation.terms import names_of
from judge.reading.coasts import coast_at
from judge.reading.matching import Matcher
from judge.reading.policy import CARRIED_OUT_MAX, ReadOrder, Status, TextRead
from judge.reading.reader import read_text
from judge.reading.world import ADJACENT, BY_CONVOY, FAR, IMPOSSIBLE, World
from judge.rules import types
from judge.rules.board import BuildSites, Map, Terrain
from judge.rules.types import PhaseKind, Power, Province, Unit, UnitKind

BOARDS_CACHED_MAX = 16
DUE = 1  # builds, or removals
BUILDS, REMOVES = "build", "disband"  # roles of words
MEANINGS_MAX = 5  # of words about units, or for one
KINDS = {"army": UnitKind.ARMY, "fleet": UnitKind.FLEET}
BETWEEN = frozenset({"of", "in", "from", "at", "on", "det"})  # a kind and its place
ANYBODY: Power = "anybody"
NOBODY: Power = ""


@dataclass(frozen=True, slots=True)
class Anywhere(World):
    """A board with a unit in each province, of either kind where the text *says* none.

    *acts* are the places in the text where it builds or removes.
    """

    says: frozenset[Province] = frozenset()
    acts: tuple[tuple[int, str], ...] = ()

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


def read_anywhere(text: str, world: Anywhere) -> TextRead:
    """Read *text* as orders of the power of *world*, or of anybody.

    All units without an order cannot be told, so nothing is ordered to them.
    """
    read = _adjustments(text, world) if world.acts else read_text(text, world)
    others = dict.fromkeys((each.start, each.end) for each in read.orders if each.several)
    if world.kind is not PhaseKind.ADJUSTMENTS:
        read = _read_again(text, world, read)
    orders = [each for each in read.orders if not each.implied or _waives(each)]
    at = Counter(each.start for each in orders)
    told = tuple(
        _as_said(each, world)
        for each in orders
        if not each.several and max(at[each.start], len(each.orders)) <= MEANINGS_MAX
    )
    talk = tuple(each for each in read.talk if world.says.issuperset(each[2]))
    return replace(read, orders=told, talk=talk, others=tuple(others))


def _adjustments(text: str, world: Anywhere) -> TextRead:
    """Read *text* for a power that builds, and for one that removes units where it says so."""
    read = read_text(text, world)
    if all(act == BUILDS for _, act in world.acts):
        return read
    removing = read_text(text, replace(world, due=-DUE))
    orders = [each for each in read.orders if _act_of(each, world) == BUILDS]
    orders += [each for each in removing.orders if _act_of(each, world) == REMOVES]
    return replace(removing, orders=tuple(sorted(orders, key=lambda each: each.start)))


def _act_of(read: ReadOrder, world: Anywhere) -> str:
    """Return whether *read* stands below, or else above, a word for builds or removals."""
    above = [act for at, act in world.acts if at < read.end]
    return BUILDS if _waives(read) else (above or [world.acts[0][1]])[-1]


def _waives(read: ReadOrder) -> bool:
    return isinstance(read.order, types.Waive)


def _read_again(text: str, world: Anywhere, first: TextRead) -> TextRead:
    """Read *text* as if units stood only where it orders some, or names their kinds."""
    listed = types.Disband if world.says else types.Waive  # `A Mun R Ber, Kie, OTB`
    ordered = {
        order.unit.province
        for each in first.orders
        if not (each.several or each.implied) and len(each.orders) <= MEANINGS_MAX
        if each.strict or each.cost <= CARRIED_OUT_MAX
        for order in each.orders
        if not isinstance(order, types.Waive | listed)
    }
    kept = ordered | world.says
    units = {place: unit for place, unit in world.own.items() if place in kept}
    return read_text(text, replace(world, own=units)) if units else first


def _as_said(read: ReadOrder, world: Anywhere) -> ReadOrder:
    """Return *read* with the kinds of units that the text names, and the orders that fit best."""
    orders = read.orders
    if len(orders) > 1:
        misfits = {order: misfit(world.board, order) for order in orders}
        orders = tuple(each for each in orders if misfits[each] == min(misfits.values()))
    plain = len(orders) == 1 and read.status is Status.ASKED and not read.guessed

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

    status = Status.PLAIN if plain else read.status
    instead = tuple(map(each_said, read.instead))
    return replace(read, status=status, orders=tuple(map(each_said, orders)), instead=instead)


def anywhere(text: str, board: Map, kind: PhaseKind, power: Power | None = None) -> Anywhere:
    """Return *board* in a phase of *kind* with the units that *text* may be about."""
    nowhere = _nowhere(board, kind, power)
    matcher = Matcher(text, nowhere)
    matcher.run()
    said = {unit.province: unit for unit in _units_said(matcher, nowhere)}
    units = {**_units(board, nowhere.power), **said}
    standing = {place: replace(unit, power=NOBODY) for place, unit in units.items()}
    acts = tuple(_acts_said(matcher)) if kind is PhaseKind.ADJUSTMENTS else ()
    return replace(nowhere, own=units, standing=standing, says=frozenset(said), acts=acts)


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def _nowhere(board: Map, kind: PhaseKind, power: Power | None) -> Anywhere:
    """Return the empty *board*, where *power* may build in its homes, and anybody in each."""
    adjusts = kind is PhaseKind.ADJUSTMENTS
    sites = set(board.centers if board.build_sites is not BuildSites.HOME else ())
    for each in board.powers if power is None else (power,):
        sites.update(board.homes_of(each), board.extra_sites.get(each, ()))
    return Anywhere(
        board=board,
        names=names_of(board),
        kind=kind,
        power=power or ANYBODY,
        own={},
        standing={},
        retreats={},
        sites=frozenset(sites if adjusts else ()),
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


def _acts_said(matcher: Matcher) -> Iterator[tuple[int, str]]:
    """Yield where a text builds or removes, and which; a sign does so for its line."""
    heading = BUILDS
    for word in matcher.words:
        at = matcher.tokens[word.first]
        signs = at.key == "+" or (word.role == REMOVES and at.sort == "dash")
        if word.role == REMOVES or (word.role == "retreat" and word.strict):  # `R Vie`
            act = REMOVES
        elif word.role == BUILDS or at.key == "+":
            act = REMOVES if "ab" in matcher.keys else BUILDS  # `baut A Par ab`
        else:
            continue
        yield at.start, act
        if signs:
            yield matcher.text.find("\n", at.start) % (len(matcher.text) + 1), heading
        else:
            heading = act


def _units_said(matcher: Matcher, nowhere: Anywhere) -> Iterator[Unit]:
    """Yield the units of which a text names the kind, before or behind their places."""
    text, board, kind = matcher.text, nowhere.board, None
    for word in matcher.words:
        first, last = matcher.tokens[word.first], matcher.tokens[word.last]
        if word.role in KINDS:
            kind = KINDS[word.role]
        elif word.role in {"name", "adjective"}:
            coast = _coast_at(text, last.end, word.places, nowhere)
            fit = [place for place in word.places if kind and nowhere.can_stand(kind, place)]
            for place in fit or word.places:
                on_coast = f"{place}/{coast}" if coast else place
                location = on_coast if on_coast in board.locations else place
                if kind:
                    yield Unit(nowhere.power or ANYBODY, kind, location)
            kind = None
        elif word.role not in BETWEEN and first.key != "(":
            kind = None


def _coast_at(text: str, end: int, places: Sequence[Province], nowhere: Anywhere) -> str | None:
    """Return the coast behind the name of *places*, or behind the bracket that ends it."""
    coasts = nowhere.names.coasts
    named = {word: coast for place in places for word, coast in coasts.get(place, {}).items()}
    found = coast_at(text, end, named)
    if not found and text[end : end + 1] == ")":
        found = coast_at(text, end + 1, named)
    return found[0] if found else None
