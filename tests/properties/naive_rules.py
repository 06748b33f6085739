"""What the rulebook says of one decision if all others are known, straight from its sentences.

Nothing here is shared with the resolver but what is legal. A unit is known by the province in
which it begins; its decision is whether what it was ordered comes about: its move succeeds, its
support is given, its convoy is available. *says* answers that for any unit.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import Enum
from itertools import combinations
from typing import TypeAlias, assert_never

from judge.rules.geography import Map
from judge.rules.legality import impossible, understood
from judge.rules.order import (
    Convoy,
    Hold,
    Move,
    MovementOrder,
    Order,
    SupportHold,
    SupportMove,
)
from judge.rules.position import Position
from judge.rules.questions import (
    ConvoyParadoxes,
    ConvoyRoutes,
    ConvoyToNeighbor,
    DislodgedBounce,
    ViaWithoutConvoy,
)
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Location, Power, Province, UnitKind, province_of

Says: TypeAlias = Callable[[Province], bool]
Route: TypeAlias = frozenset[Province]

# Those that send an army by sea and nowhere else (DATC 4.A.3, 6.G.8).
BOUND = (ConvoyToNeighbor.INTENT_NO_FALLBACK, ConvoyToNeighbor.EXPLICIT)


class Way(Enum):
    """How a unit goes to where it is ordered (DATC 4.A.3)."""

    LAND = "land"  # and every fleet
    SEA = "sea"
    SEA_ELSE_LAND = "sea_else_land"
    NONE = "none"  # no chain of fleets was ordered for an army that needs one


class Field:
    """The orders that count, and what each means beside the others."""

    def __init__(
        self,
        board: Map,
        position: Position,
        orders: Mapping[Power, Sequence[Order]],
        rulebook: Rulebook,
    ) -> None:
        self.board = board
        self.rulebook = rulebook
        self.units = {unit.province: unit for unit in position.units}
        self.orders = _counting(board, position, orders, rulebook)
        self.landings: dict[Province, Location] = {}  # of those who move, with the coast
        for start, order in self.orders.items():
            if isinstance(order, Move):
                read = understood(board, position, order, rulebook)
                assert isinstance(read, Move)
                army = self.units[start].kind is UnitKind.ARMY
                self.landings[start] = province_of(read.target) if army else read.target
        self.moves = {start: province_of(end) for start, end in self.landings.items()}
        self.supports: dict[Province, tuple[Province, Province]] = {}  # whom, and where to
        self.convoys: dict[Province, Province] = {}  # the army of a fleet
        for start, order in self.orders.items():
            self._match(start, order)
        self.routes = {army: self._routes(army) for army in self.moves}
        self.ways = {start: self._way(start) for start in self.moves}

    @property
    def decisions(self) -> list[Province]:
        """Return who has something to be decided, in alphabetical order."""
        moving = [start for start, way in self.ways.items() if way is not Way.NONE]
        return sorted([*moving, *self.supports, *self.convoys])

    def comes_about(self, unit: Province, says: Says) -> bool:
        """Tell whether what *unit* was ordered comes about."""
        if unit in self.moves:
            return self.moves_on(unit, says)
        if unit in self.supports:
            return not any(self.cuts(attacker, unit, says) for attacker in self.attackers(unit))
        return not any(says(attacker) for attacker in self.attackers(unit))

    def attackers(self, province: Province) -> list[Province]:
        """Return who is ordered to go to *province* and has a way to."""
        return [
            start
            for start, end in self.moves.items()
            if end == province and self.ways[start] is not Way.NONE
        ]

    def carried(self, army: Province, says: Says, without: Province | None = None) -> bool:
        """Tell whether the convoy of *army* is intact, or would be *without* one of the seas."""
        fleets = [fleet for fleet, carrying in self.convoys.items() if carrying == army]
        intact = {fleet for fleet in fleets if fleet != without and says(fleet)}
        routes = self.routes[army]
        match self.rulebook.convoy_routes:
            case ConvoyRoutes.ALL_ROUTES:
                return any(route <= intact for route in routes)
            case ConvoyRoutes.ONE_ROUTE:
                return all(route <= intact for route in routes)
            case ConvoyRoutes.ONE_ROUTE_OWN_FIRST:
                own = [route for route in routes if all(self._same(army, sea) for sea in route)]
                return all(route <= intact for route in own or routes)
            case rule:
                assert_never(rule)

    def by_sea(self, unit: Province, says: Says) -> bool:
        """Tell whether *unit*, that attacks, does so by convoy."""
        way = self.ways[unit]
        return way is Way.SEA or (way is Way.SEA_ELSE_LAND and self.carried(unit, says))

    def arrives(self, unit: Province, says: Says) -> bool:
        """Tell whether the attack of *unit* takes place, whatever comes of it."""
        return self.ways[unit] is not Way.SEA or self.carried(unit, says)

    def head_on(self, unit: Province, other: Province, says: Says) -> bool:
        """Tell whether the two go against each other by land (rulebook VIII)."""
        return (
            self.moves[unit] == other
            and self.moves.get(other) == unit
            and self.ways[other] is not Way.NONE
            and not self.by_sea(unit, says)
            and not self.by_sea(other, says)
        )

    def stays(self, occupant: Province, attacker: Province, says: Says) -> bool:
        """Tell whether *attacker* finds *occupant* in its way."""
        if occupant not in self.units:
            return False
        if occupant not in self.moves or self.ways[occupant] is Way.NONE:
            return True
        return self.head_on(attacker, occupant, says) or not says(occupant)

    def moves_on(self, unit: Province, says: Says) -> bool:
        """Tell whether the move of *unit* succeeds (rulebook VIII, IX.2, IX.3)."""
        if not self.arrives(unit, says):
            return False
        end, supporters = self.moves[unit], self._supporters(unit, says)
        if self.stays(end, unit, says):
            if self._same(unit, end):
                return False  # IX.3: nobody dislodges his own,
            supporters = [each for each in supporters if not self._same(each, end)]  # nor helps to
            held = end not in self.moves or self.head_on(unit, end, says)
            if len(supporters) <= (len(self._supporters(end, says)) if held else 0):
                return False
        return all(
            len(supporters) > len(self._supporters(rival, says))
            for rival in self.attackers(end)
            if rival != unit and self.keeps_out(rival, says)
        )

    def keeps_out(self, rival: Province, says: Says) -> bool:
        """Tell whether *rival* can keep others out of where it goes, though it fails itself."""
        if not self.arrives(rival, says):
            return False
        end = self.moves[rival]
        if self.moves.get(end) != rival or self.ways[end] is Way.NONE or not says(end):
            return True
        # DATC 4.A.7: the unit there comes the other way and succeeds.
        if self.head_on(rival, end, says):
            return False
        return self.rulebook.dislodged_bounce is DislodgedBounce.ONLY_HEAD_ON or says(rival)

    def cuts(self, attacker: Province, supporter: Province, says: Says) -> bool:
        """Tell whether *attacker* cuts the support of *supporter* (rulebook IX.5, IX.6, XII.5)."""
        if self._same(attacker, supporter) or not self.arrives(attacker, says):
            return False
        if self.by_sea(attacker, says) and self._spared(attacker, supporter, says):
            return False
        _, aim = self.supports[supporter]
        return attacker != aim or says(attacker)

    def _spared(self, army: Province, supporter: Province, says: Says) -> bool:
        """Tell whether *supporter* is safe from an *army* at sea by the rule of 4.A.2."""
        _, sea = self.supports[supporter]
        if self.units[supporter].kind is UnitKind.ARMY:
            return False
        against = isinstance(self.orders[supporter], SupportMove) and self.convoys.get(sea) == army
        match self.rulebook.convoy_paradoxes:
            case ConvoyParadoxes.SZYKMAN | ConvoyParadoxes.ALL_HOLD | ConvoyParadoxes.DPTG:
                return False
            case ConvoyParadoxes.RULE_1971:
                return against
            case ConvoyParadoxes.RULE_1982:
                return sea in self.convoys
            case ConvoyParadoxes.RULE_2000:
                return against and not self.carried(army, says, without=sea)
            case rule:
                assert_never(rule)

    def _supporters(self, unit: Province, says: Says) -> list[Province]:
        return [
            each for each, (helped, _) in self.supports.items() if helped == unit and says(each)
        ]

    def _same(self, one: Province, other: Province) -> bool:
        return self.units[one].power == self.units[other].power

    def _match(self, start: Province, order: MovementOrder) -> None:
        """Note what a support or a convoy is for, if the other unit is ordered the same."""
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
        """Tell whether a support names another coast than the fleet goes to (DATC 4.B.4)."""
        fleet = self.units[helped].kind is UnitKind.FLEET
        coast = named in self.board.locations and "/" in named
        return fleet and coast and named != self.landings[helped]

    def _routes(self, army: Province) -> list[Route]:
        """Return the least sets of fleets that are ordered to carry *army* and link its shores."""
        fleets = sorted(fleet for fleet, carrying in self.convoys.items() if carrying == army)
        routes: list[Route] = []
        for size in range(1, len(fleets) + 1):
            for several in combinations(fleets, size):
                chain = frozenset(several)
                if not any(route < chain for route in routes) and self._links(army, chain):
                    routes.append(chain)
        return routes

    def _links(self, army: Province, chain: Route) -> bool:
        reached = {sea for sea in chain if self._touch(army, sea)}
        for _ in chain:
            reached |= {sea for sea in chain for other in reached if self._touch(sea, other)}
        return any(self._touch(self.moves[army], sea) for sea in reached)

    def _touch(self, place: Province, sea: Province) -> bool:
        """Tell whether a fleet can go from *sea* to *place*, on any coast of it."""
        return place in {province_of(end) for end in self.board.fleet[sea]}

    def _way(self, start: Province) -> Way:
        end, order = self.moves[start], self.orders[start]
        assert isinstance(order, Move)
        if self.units[start].kind is UnitKind.FLEET:
            return Way.LAND
        chain = bool(self.routes[start])
        if end not in self.board.army.get(start, ()):
            return Way.SEA if chain else Way.NONE
        chosen = self._to_neighbor(start, order)
        if chain or chosen is Way.LAND:
            return chosen
        rule, without = self.rulebook.convoy_to_neighbor, self.rulebook.via_without_convoy
        return Way.NONE if rule in BOUND and without is ViaWithoutConvoy.INVALID else Way.LAND

    def _to_neighbor(self, start: Province, order: Move) -> Way:
        """Return how an army goes to a neighbor if there is a convoy."""
        own = any(self._same(f, start) for f, army in self.convoys.items() if army == start)
        intent = order.via_convoy or own
        opposite = self.moves.get(self.moves[start]) == start
        match self.rulebook.convoy_to_neighbor:
            case ConvoyToNeighbor.INTENT_NO_FALLBACK:
                return Way.SEA if intent else Way.LAND
            case ConvoyToNeighbor.EXPLICIT:
                return Way.SEA if order.via_convoy else Way.LAND
            case ConvoyToNeighbor.INTENT_FALLBACK:
                return Way.SEA_ELSE_LAND if intent else Way.LAND
            case ConvoyToNeighbor.ALWAYS_CONVOY:
                return Way.SEA
            case ConvoyToNeighbor.OPPOSITE_MOVE:
                return Way.SEA if opposite else Way.LAND
            case ConvoyToNeighbor.OPPOSITE_UNDISRUPTED:
                return Way.SEA_ELSE_LAND if opposite else Way.LAND
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
            if impossible(board, position, power, order, rulebook) is None:
                assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
                counting.setdefault(order.unit.province, order)
    return counting
