"""Choose among the meanings of an ambiguous order those that fit the board best.

`F Tyr` is the Tyrrhenian Sea because a fleet cannot be in Tyrolia; `F Edi-Nor` is not Norway
because Edinburgh does not touch it. Legality is not checked here.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise, product
from math import prod
from typing import assert_never

from judge.notation.grammar import ReadOrder, read_terms
from judge.notation.names import Names
from judge.notation.terms import Term
from judge.rules.board import Map, Terrain
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Location,
    Move,
    Order,
    PhaseKind,
    Province,
    Retreat,
    SupportHold,
    SupportMove,
    UnitKind,
    UnitName,
    Waive,
    province_of,
)

MEANINGS_MAX = 125  # Three places of five meanings each, as in `F Nor S F Nor-Nor`.


@dataclass(frozen=True, slots=True)
class Meaning:
    """The order of terms with one of *places* for each (None for a word that is no name)."""

    places: tuple[Province | None, ...]
    read: ReadOrder


@dataclass(frozen=True, slots=True)
class OrderReader:
    """The settings that all clauses of a text share."""

    board: Map
    names: Names
    kind: PhaseKind
    s_stands: bool = False  # `A Par S` is a hold

    def meanings(self, terms: Sequence[Term]) -> tuple[Meaning, ...]:
        """Return the possible meanings of *terms*: none, one, or several that fit equally well."""
        choices = [term.places or (None,) for term in terms]
        if prod(map(len, choices)) > MEANINGS_MAX:
            return ()
        first = self._meaning(terms, [choice[0] for choice in choices])
        if first is None or prod(map(len, choices)) == 1:
            return (first,) if first else ()
        return self._best([self._meaning(terms, places) for places in product(*choices)])

    def _meaning(self, terms: Sequence[Term], places: Sequence[Province | None]) -> Meaning | None:
        chosen = [
            replace(term, places=(place,)) if place else term
            for term, place in zip(terms, places, strict=True)
        ]
        match read_terms(chosen, self.names, self.kind):
            case ReadOrder() as read:
                return Meaning(tuple(places), read)
            case _:
                return None

    def _best(self, found: Sequence[Meaning | None]) -> tuple[Meaning, ...]:
        """Return those of *found* that fit best, one for each different order."""
        fit = fit_of(self.board)
        by_order = {each.read.order: each for each in found if each}
        misfits = {order: fit.misfit(order) for order in by_order}
        least = min(misfits.values())
        return tuple(each for order, each in by_order.items() if misfits[order] == least)


BOARDS_CACHED_MAX = 16  # Boards whose borders are kept at hand.

# The misfit of one step of an order; many small ones never outweigh a greater.
ADJACENT = 0
BY_CONVOY = 1
OUT_OF_REACH = 10
CANNOT_STAND = 100

ProvincePairs = frozenset[tuple[Province, Province]]


@dataclass(frozen=True, slots=True)
class BoardFit:
    """The borders of a board between whole provinces, whatever the coast."""

    board: Map
    by_army: ProvincePairs
    by_fleet: ProvincePairs

    def misfit(self, order: Order) -> int:  # noqa: PLR0911 - one return a kind of order
        """Return how badly *order* fits: 0 if every step of it is between neighbors."""
        match order:
            case Hold(unit) | Disband(unit):
                return self._stand(unit.kind, unit.province)
            case Build(unit):
                home = self.board.places[unit.province].home_of is not None
                return self._stand(unit.kind, unit.province) + (ADJACENT if home else OUT_OF_REACH)
            case Move(unit, target):
                return self._march(unit, order.route, target)
            case Retreat(unit, target):
                return self._step(unit.kind, unit.province, target)
            case SupportHold(unit, supported):
                return self._stand(supported.kind, supported.province) + self._step(
                    unit.kind, unit.province, supported.location
                )
            case SupportMove(unit, supported, target):
                return self._march(supported, (), target) + self._step(
                    unit.kind, unit.province, target
                )
            case Convoy(unit, army, target):
                return self._carry(unit, army, target)
            case Waive():
                return ADJACENT
            case _:
                assert_never(order)

    def _stand(self, kind: UnitKind | None, province: Province) -> int:
        """Return whether a unit of *kind* can be in *province* at all."""
        unfit = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}
        terrain = self.board.places[province].terrain
        return CANNOT_STAND if kind and unfit[kind] is terrain else ADJACENT

    def _step(self, kind: UnitKind | None, origin: Province, target: Location) -> int:
        goal = province_of(target)
        kinds = (kind,) if kind else tuple(UnitKind)
        if any(self._touch(each, origin, goal) for each in kinds):
            return ADJACENT
        return OUT_OF_REACH + min(
            self._stand(each, origin) + self._stand(each, goal) for each in kinds
        )

    def _touch(self, kind: UnitKind, origin: Province, goal: Province) -> bool:
        pairs = self.by_army if kind is UnitKind.ARMY else self.by_fleet
        return (origin, goal) in pairs

    def _march(self, unit: UnitName, route: tuple[Province, ...], target: Location) -> int:
        goal = province_of(target)
        if route:
            stops = (unit.province, *route, goal)
            unfit = self._stand(unit.kind, unit.province) + self._stand(unit.kind, goal)
            return unfit + sum(
                ADJACENT if self._touch(UnitKind.FLEET, *leg) else OUT_OF_REACH
                for leg in pairwise(stops)
            )
        step = self._step(unit.kind, unit.province, target)
        if step == ADJACENT or unit.kind is UnitKind.FLEET:
            return step
        ends = {self.board.places[each].terrain for each in (unit.province, goal)}
        return BY_CONVOY if ends == {Terrain.COAST} else step

    def _carry(self, fleet: UnitName, army: UnitName, target: Location) -> int:
        """Return the misfit of a convoy: best if the fleet touches both shores."""
        ends = (army.province, province_of(target))
        return sum(
            self._stand(UnitKind.ARMY, end)
            + (ADJACENT if self._touch(UnitKind.FLEET, fleet.province, end) else BY_CONVOY)
            for end in ends
        ) + self._stand(UnitKind.FLEET, fleet.province)


@lru_cache(maxsize=BOARDS_CACHED_MAX)
def fit_of(board: Map) -> BoardFit:
    """Return the measure of orders on *board*."""

    def pairs(kind: UnitKind) -> ProvincePairs:
        touches = board.army if kind is UnitKind.ARMY else board.fleet
        return frozenset(
            (province_of(origin), province_of(target))
            for origin, targets in touches.items()
            for target in targets
        )

    return BoardFit(board, pairs(UnitKind.ARMY), pairs(UnitKind.FLEET))
