"""Match the orders of a naive solution with each other: moves, convoys and supports.

Only the test of legality is shared with the resolver. A unit is known by the province in which it
begins.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import TypeAlias, assert_never

from judge.rules.board import Map
from judge.rules.legality import completed_order, impossibility
from judge.rules.rule_options import (
    ConvoyedAttackFrom,
    ConvoyRoutes,
    ConvoyToNeighbor,
    SupportedCoast,
    ViaWithoutConvoy,
    WrittenRoute,
)
from judge.rules.rulebook import Rulebook
from judge.rules.types import (
    Convoy,
    Hold,
    Location,
    Move,
    MovementOrder,
    Order,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    UnitKind,
    province_of,
)

Route: TypeAlias = frozenset[Province]

# Those that send an army by sea and nowhere else (DATC 4.A.3, 6.G.8).
BOUND = (
    ConvoyToNeighbor.INTENT_NO_FALLBACK,
    ConvoyToNeighbor.VIA_OR_FALLBACK,
    ConvoyToNeighbor.EXPLICIT,
)
# Those that let it go by land after all if the convoy fails (6.G.20).
FALLING_BACK = (ConvoyToNeighbor.INTENT_FALLBACK, ConvoyToNeighbor.OPPOSITE_UNDISRUPTED)


class Way(Enum):
    """The way in which a unit moves to its target (DATC 4.A.3)."""

    LAND = "land"  # and every fleet
    SEA = "sea"
    NONE = "none"  # no chain of fleets was ordered for an army that needs one


class Field:
    """The valid orders, and how they relate to each other.

    *fallen_back* are armies that move by land because their convoy failed.
    """

    def __init__(
        self,
        board: Map,
        position: Position,
        orders: Mapping[Power, Sequence[Order]],
        rulebook: Rulebook,
        fallen_back: Collection[Province] = (),
    ) -> None:
        self.board = board
        self.rulebook = rulebook
        self.units = {unit.province: unit for unit in position.units}
        self.orders = _counting(board, position, orders, rulebook)
        self.landings: dict[Province, Location] = {}  # of those who move, with the coast
        for start, order in self.orders.items():
            if isinstance(order, Move):
                read = completed_order(board, position, order, rulebook)
                assert isinstance(read, Move)
                army = self.units[start].kind is UnitKind.ARMY
                self.landings[start] = province_of(read.target) if army else read.target
        self.moves = {start: province_of(end) for start, end in self.landings.items()}
        self.supports: dict[Province, tuple[Province, Province]] = {}  # whom, and where to
        self.convoys: dict[Province, Province] = {}  # the army of a fleet
        for start, order in self.orders.items():
            self._match(start, order)
        self._fallen_back = fallen_back
        self._ways = {start: self._way(start) for start in self.moves}

    @property
    def decisions(self) -> list[Province]:
        """Return the units with a decision to make, in alphabetical order."""
        moving = [start for start in self.moves if self.goes(start)]
        return sorted([*moving, *self.supports, *self.convoys])

    def goes(self, unit: Province) -> bool:
        """Return whether *unit* is ordered to move, and can by land or convoy."""
        return unit in self.moves and self._ways[unit] is not Way.NONE

    def by_sea(self, unit: Province) -> bool:
        """Return whether *unit* moves by convoy."""
        return self._ways.get(unit) is Way.SEA

    def may_fall_back(self, army: Province) -> bool:
        """Return whether *army* moves by land instead if its convoy fails."""
        near = self.moves[army] in self.board.army.get(army, ())
        return self.by_sea(army) and near and self._lets_fall_back(army)

    def _lets_fall_back(self, army: Province) -> bool:
        rule, order = self.rulebook.convoy_to_neighbor, self.orders[army]
        if rule is ConvoyToNeighbor.VIA_OR_FALLBACK:
            return isinstance(order, Move) and not order.via_convoy
        return rule in FALLING_BACK

    def attackers(self, province: Province) -> list[Province]:
        """Return the units that move to *province*."""
        return [start for start, end in self.moves.items() if end == province and self.goes(start)]

    def same_power(self, one: Province, other: Province) -> bool:
        """Return whether two units belong to one power."""
        return self.units[one].power == self.units[other].power

    def origin(self, unit: Province) -> Province:
        """Return the province that *unit* attacks from; for a convoyed army see DATC 4.A.4."""
        return self._last_sea(unit) if self.by_sea(unit) and self._from_fleet() else unit

    def head_on(self, unit: Province, other: Province) -> bool:
        """Return whether the two are in a head-to-head battle, by land but for 4.A.4 (VIII)."""
        over_land = not self.by_sea(unit) and not self.by_sea(other)
        return (
            (over_land or self._from_fleet())
            and other in self.attackers(self.origin(unit))
            and unit in self.attackers(self.origin(other))
        )

    def routes(self, army: Province) -> list[Route]:
        """Return the convoy paths of *army* that count, if it is convoyed (DATC 4.A.1)."""
        routes = self._ordered_routes(army) if self.by_sea(army) else []
        if self.rulebook.convoy_routes is not ConvoyRoutes.ONE_ROUTE_OWN_FIRST:
            return routes
        own = [route for route in routes if all(self.same_power(army, sea) for sea in route)]
        return own or routes

    def spared(self, fleet: Province) -> bool:
        """Return whether the fleets ordered to convoy an army have a path without *fleet*."""
        army = self.convoys[fleet]
        return any(fleet not in route for route in self._least_chains(army, self._fleets(army)))

    def _from_fleet(self) -> bool:
        return self.rulebook.convoyed_attack_from is ConvoyedAttackFrom.FROM_FLEET

    def _fleets(self, army: Province) -> list[Province]:
        return sorted(fleet for fleet, carrying in self.convoys.items() if carrying == army)

    def _match(self, start: Province, order: MovementOrder) -> None:
        """Match a support or a convoy with the other unit's order."""
        match order:
            case SupportHold():
                helped = order.supported.province
                if helped not in self.moves:
                    self.supports[start] = helped, helped
            case SupportMove():
                helped, end = order.supported.province, province_of(order.target)
                if self.moves.get(helped) == end and not self._other_coast(helped, order.target):
                    self.supports[start] = helped, end
            case Convoy():
                army = order.army.province
                if self.moves.get(army) == province_of(order.target):
                    self.convoys[start] = army
            case Hold() | Move():
                pass
            case _:
                assert_never(order)

    def _other_coast(self, helped: Province, named: Location) -> bool:
        """Return whether a support names another coast than the fleet's target (DATC 4.B.4)."""
        fleet = self.units[helped].kind is UnitKind.FLEET
        coast = named in self.board.locations and "/" in named
        matters = self.rulebook.supported_coast is not SupportedCoast.IGNORED
        return matters and fleet and coast and named != self.landings[helped]

    def _ordered_routes(self, army: Province) -> list[Route]:
        """Return the ordered convoy paths of *army*.

        If its own order names the fleets, only those count if the rulebook says so (DATC 4.A.6).
        """
        order, fleets, rule = self.orders[army], self._fleets(army), self.rulebook.written_route
        written = frozenset(order.route) if isinstance(order, Move) else frozenset()
        if written and rule is not WrittenRoute.IGNORED:
            return [written] if written <= {*fleets} and self._links(army, written) else []
        return [] if rule is WrittenRoute.REQUIRED else self._least_chains(army, fleets)

    def _least_chains(self, army: Province, fleets: Collection[Province]) -> list[Route]:
        """Return the minimal sets of *fleets* that form a convoy path for *army*."""
        chains: list[Route] = []
        for size in range(1, len(fleets) + 1):
            for several in combinations(sorted(fleets), size):
                chain = frozenset(several)
                if not any(less < chain for less in chains) and self._links(army, chain):
                    chains.append(chain)
        return chains

    def _last_sea(self, army: Province) -> Province:
        """Return the last sea of a shortest convoy path of *army*, the first alphabetically."""
        chains = self._least_chains(army, frozenset().union(*self.routes(army)))
        ways = [self._in_order(army, chain) for chain in chains]
        return min(ways, key=lambda way: (len(way), way))[-1]

    def _in_order(self, army: Province, chain: Route) -> list[Province]:
        ordered = [army]
        while len(ordered) <= len(chain):
            ordered += [s for s in chain if self._touch(ordered[-1], s) and s not in ordered]
        return ordered[1:]

    def _links(self, army: Province, chain: Route) -> bool:
        reached = {sea for sea in chain if self._touch(army, sea)}
        for _ in chain:
            reached |= {sea for sea in chain for other in reached if self._touch(sea, other)}
        return any(self._touch(self.moves[army], sea) for sea in reached)

    def _touch(self, place: Province, sea: Province) -> bool:
        """Return whether a fleet can move from *sea* to *place*, on any coast of it."""
        return place in {province_of(end) for end in self.board.fleet[sea]}

    def _way(self, start: Province) -> Way:
        end, order = self.moves[start], self.orders[start]
        assert isinstance(order, Move)
        if self.units[start].kind is UnitKind.FLEET or start in self._fallen_back:
            return Way.LAND
        chain = bool(self._ordered_routes(start))
        if end not in self.board.army.get(start, ()):
            return Way.SEA if chain else Way.NONE
        chosen = self._to_neighbor(start, order)
        if chain or chosen is Way.LAND:
            return chosen
        rule, without = self.rulebook.convoy_to_neighbor, self.rulebook.via_without_convoy
        bound = rule in BOUND and (
            rule is not ConvoyToNeighbor.VIA_OR_FALLBACK or order.via_convoy
        )
        return Way.NONE if bound and without is ViaWithoutConvoy.INVALID else Way.LAND

    def _to_neighbor(self, start: Province, order: Move) -> Way:
        """Return how an army moves to a neighbor when a convoy is ordered."""
        unnamed = self.rulebook.written_route is WrittenRoute.REQUIRED and not order.route
        own = not unnamed and any(self.same_power(fleet, start) for fleet in self._fleets(start))
        intent = order.via_convoy or own
        opposite = self.moves.get(self.moves[start]) == start
        match self.rulebook.convoy_to_neighbor:
            case (
                ConvoyToNeighbor.INTENT_NO_FALLBACK
                | ConvoyToNeighbor.INTENT_FALLBACK
                | ConvoyToNeighbor.VIA_OR_FALLBACK
            ):
                return Way.SEA if intent else Way.LAND
            case ConvoyToNeighbor.EXPLICIT:
                return Way.SEA if order.via_convoy else Way.LAND
            case ConvoyToNeighbor.ALWAYS_CONVOY:
                return Way.SEA
            case ConvoyToNeighbor.OPPOSITE_MOVE | ConvoyToNeighbor.OPPOSITE_UNDISRUPTED:
                return Way.SEA if opposite else Way.LAND
            case rule:
                assert_never(rule)


def _counting(
    board: Map,
    position: Position,
    orders: Mapping[Power, Sequence[Order]],
    rulebook: Rulebook,
) -> dict[Province, MovementOrder]:
    """Return the first possible order for each unit (DATC 4.D.3, 4.E.1)."""
    counting: dict[Province, MovementOrder] = {}
    for power, several in orders.items():
        for order in several:
            if impossibility(board, position, power, order, rulebook) is None:
                assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
                counting.setdefault(order.unit.province, order)
    return counting
