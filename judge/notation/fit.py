"""How well an order fits the board: what decides between the meanings of one word.

`F Tyr` is the Tyrrhenian Sea because a fleet cannot be in Tyrolia; `F Edi-Nor` is not Norway
because Edinburgh does not touch it. Nothing here says that an order is legal.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import assert_never

from judge.rules.geography import Map, Terrain
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
from judge.rules.vocabulary import Location, Province, UnitKind, province_of

BOARDS_MAX = 16  # Boards whose borders are kept at hand.

# The misfit of one step of an order; many small ones never outweigh a greater.
NEXT = 0
BY_CONVOY = 1
OUT_OF_REACH = 10
CANNOT_STAND = 100

Pairs = frozenset[tuple[Province, Province]]


@dataclass(frozen=True, slots=True)
class Fit:
    """The borders of a board between whole provinces, whatever the coast."""

    board: Map
    by_army: Pairs
    by_fleet: Pairs

    def misfit(self, order: Order) -> int:  # noqa: PLR0911 - one return a kind of order
        """Return how badly *order* fits: 0 if every step of it is between neighbors."""
        match order:
            case Hold(unit) | Disband(unit):
                return self._stand(unit.kind, unit.province)
            case Build(unit):
                home = self.board.places[unit.province].home_of is not None
                return self._stand(unit.kind, unit.province) + (NEXT if home else OUT_OF_REACH)
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
                return NEXT
            case _:
                assert_never(order)

    def _stand(self, kind: UnitKind | None, province: Province) -> int:
        """Return whether a unit of *kind* can be in *province* at all."""
        unfit = {UnitKind.ARMY: Terrain.SEA, UnitKind.FLEET: Terrain.INLAND}
        terrain = self.board.places[province].terrain
        return CANNOT_STAND if kind and unfit[kind] is terrain else NEXT

    def _step(self, kind: UnitKind | None, origin: Province, target: Location) -> int:
        goal = province_of(target)
        kinds = (kind,) if kind else tuple(UnitKind)
        if any(self._touch(each, origin, goal) for each in kinds):
            return NEXT
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
                NEXT if self._touch(UnitKind.FLEET, *leg) else OUT_OF_REACH
                for leg in pairwise(stops)
            )
        step = self._step(unit.kind, unit.province, target)
        if step == NEXT or unit.kind is UnitKind.FLEET:
            return step
        ends = {self.board.places[each].terrain for each in (unit.province, goal)}
        return BY_CONVOY if ends == {Terrain.COAST} else step

    def _carry(self, fleet: UnitName, army: UnitName, target: Location) -> int:
        """Return the misfit of a convoy: best if the fleet touches both shores."""
        ends = (army.province, province_of(target))
        return sum(
            self._stand(UnitKind.ARMY, end)
            + (NEXT if self._touch(UnitKind.FLEET, fleet.province, end) else BY_CONVOY)
            for end in ends
        ) + self._stand(UnitKind.FLEET, fleet.province)


@lru_cache(maxsize=BOARDS_MAX)
def fit_of(board: Map) -> Fit:
    """Return the measure of orders on *board*."""

    def pairs(kind: UnitKind) -> Pairs:
        touches = board.army if kind is UnitKind.ARMY else board.fleet
        return frozenset(
            (province_of(origin), province_of(target))
            for origin, targets in touches.items()
            for target in targets
        )

    return Fit(board, pairs(UnitKind.ARMY), pairs(UnitKind.FLEET))
