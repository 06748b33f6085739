"""What the rulebook says of one decision if all others are known, straight from its sentences.

Nothing here is shared with the resolver but what is legal. A unit is known by the province in
which it begins; its decision is whether what it was ordered comes about: its move succeeds, its
support is given, its convoy is available. *says* answers that for any unit.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
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
    ConvoyedAttackFrom,
    ConvoyParadoxes,
    ConvoyRoutes,
    ConvoyToNeighbor,
    DislodgedBounce,
    SupportedCoast,
    ViaWithoutConvoy,
    WrittenRoute,
)
from judge.rules.rulebook import Rulebook
from judge.rules.vocabulary import Location, Power, Province, UnitKind, province_of

Says: TypeAlias = Callable[[Province], bool]
Route: TypeAlias = frozenset[Province]

# Those that send an army by sea and nowhere else (DATC 4.A.3, 6.G.8).
BOUND = (ConvoyToNeighbor.INTENT_NO_FALLBACK, ConvoyToNeighbor.EXPLICIT)
# Those that let it go by land after all if the convoy fails (6.G.20).
FALLING_BACK = (ConvoyToNeighbor.INTENT_FALLBACK, ConvoyToNeighbor.OPPOSITE_UNDISRUPTED)
FROM_FLEET = ConvoyedAttackFrom.FROM_FLEET


class Way(Enum):
    """How a unit goes to where it is ordered (DATC 4.A.3)."""

    LAND = "land"  # and every fleet
    SEA = "sea"
    NONE = "none"  # no chain of fleets was ordered for an army that needs one


class Field:
    """The orders that count, and what each means beside the others.

    *fallen_back* are armies that go by land because their convoy was tried, and failed.
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
        self._fallen_back = fallen_back
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

    def carried(self, army: Province, says: Says) -> bool:
        """Tell whether the convoy of *army* is intact (DATC 4.A.1)."""
        intact = {fleet for fleet in self._fleets(army) if says(fleet)}
        enough = any if self.rulebook.convoy_routes is ConvoyRoutes.ALL_ROUTES else all
        return enough(route <= intact for route in self._routes_that_count(army))

    def spared(self, fleet: Province) -> bool:
        """Tell whether the fleets ordered to carry an army could do so without *fleet*."""
        army = self.convoys[fleet]
        return any(fleet not in way for way in self._least_chains(army, self._fleets(army)))

    def by_sea(self, unit: Province) -> bool:
        """Tell whether *unit* comes by convoy, if it comes at all."""
        return self.ways.get(unit) is Way.SEA

    def may_fall_back(self, army: Province) -> bool:
        """Tell whether *army*, if its convoy fails, goes by land instead."""
        near = self.moves[army] in self.board.army.get(army, ())
        return self.by_sea(army) and near and self.rulebook.convoy_to_neighbor in FALLING_BACK

    def arrives(self, unit: Province, says: Says) -> bool:
        """Tell whether the attack of *unit* takes place, whatever comes of it."""
        return not self.by_sea(unit) or self.carried(unit, says)

    def origin(self, unit: Province) -> Province:
        """Return the province from which *unit* attacks (DATC 4.A.4)."""
        if self.by_sea(unit) and self.rulebook.convoyed_attack_from is FROM_FLEET:
            return self._shortest(unit)[-1]
        return unit

    def head_on(self, unit: Province, other: Province) -> bool:
        """Tell whether the two go against each other, by land but for 4.A.4 (rulebook VIII)."""
        over_land = not self.by_sea(unit) and not self.by_sea(other)
        return (
            (over_land or self.rulebook.convoyed_attack_from is FROM_FLEET)
            and other in self.attackers(self.origin(unit))
            and unit in self.attackers(self.origin(other))
        )

    def stays(self, occupant: Province, attacker: Province, says: Says) -> bool:
        """Tell whether *attacker* finds *occupant* in its way."""
        if occupant not in self.units:
            return False
        if occupant not in self.moves or self.ways[occupant] is Way.NONE:
            return True
        return self.head_on(attacker, occupant) or not says(occupant)

    def moves_on(self, unit: Province, says: Says) -> bool:
        """Tell whether the move of *unit* succeeds (rulebook VIII, IX.2, IX.3)."""
        if not self.arrives(unit, says):
            return False
        end, supporters = self.moves[unit], self._supporters(unit, says)
        if self.stays(end, unit, says):
            if self._same(unit, end):
                return False  # IX.3: nobody dislodges his own,
            supporters = [each for each in supporters if not self._same(each, end)]  # nor helps to
            held = end not in self.moves or self.head_on(unit, end)
            if len(supporters) <= (len(self._supporters(end, says)) if held else 0):
                return False
        rivals = [rival for rival in self.attackers(end) if rival != unit]
        return all(
            len(supporters) > len(self._supporters(other, says))
            for other in [
                *(rival for rival in rivals if self.keeps_out(rival, says)),
                *(army for army in self.attackers(unit) if self._lands_against(army, unit, says)),
            ]
        )

    def _lands_against(self, army: Province, unit: Province, says: Says) -> bool:
        """Tell whether *army* comes from the sea that *unit* goes to, and meets it (4.A.4).

        It does if its convoy is intact, or if nobody but *unit* itself breaks it (DATC 6.F.30).
        """
        sea = self.moves[unit]

        def but_for_the_unit(fleet: Province) -> bool:
            return says(fleet) or (fleet == sea and says(unit))

        meet = self.by_sea(army) and self.head_on(unit, army)
        return meet and self.carried(army, but_for_the_unit)

    def keeps_out(self, rival: Province, says: Says) -> bool:
        """Tell whether *rival* can keep others out of where it goes, though it fails itself."""
        if not self.arrives(rival, says):
            return False
        # It cannot if it is beaten head-on (rulebook VIII), or maybe if dislodged (DATC 4.A.7).
        always = self.rulebook.dislodged_bounce is DislodgedBounce.ALWAYS_NONE
        return not any(
            says(other) and (self.head_on(rival, other) or (always and not says(rival)))
            for other in self.attackers(rival)
            if self.origin(other) == self.moves[rival]
        )

    def cuts(self, attacker: Province, supporter: Province, says: Says) -> bool:
        """Tell whether *attacker* cuts the support of *supporter* (rulebook IX.5, IX.6, XII.5)."""
        if self._same(attacker, supporter) or not self.arrives(attacker, says):
            return False
        if self.by_sea(attacker) and self._spared(attacker, supporter, says):
            return False
        _, aim = self.supports[supporter]
        return self.origin(attacker) != aim or says(attacker)

    def _spared(self, army: Province, supporter: Province, says: Says) -> bool:
        """Tell whether *supporter* is safe from an *army* at sea by the rule of 4.A.2."""
        _, sea = self.supports[supporter]
        if self.units[supporter].kind is UnitKind.ARMY:
            return False
        on_route = any(sea in route for route in self._routes_that_count(army))
        against = isinstance(self.orders[supporter], SupportMove) and on_route
        match self.rulebook.convoy_paradoxes:
            case ConvoyParadoxes.SZYKMAN | ConvoyParadoxes.ALL_HOLD | ConvoyParadoxes.DPTG:
                return False
            case ConvoyParadoxes.RULE_1971:
                return against
            case ConvoyParadoxes.RULE_1982:
                return self.by_sea(self.convoys.get(sea, ""))
            case ConvoyParadoxes.RULE_2000:
                return against and not self.carried(
                    army, lambda fleet: fleet != sea and says(fleet)
                )
            case rule:
                assert_never(rule)

    def _supporters(self, unit: Province, says: Says) -> list[Province]:
        return [
            each for each, (helped, _) in self.supports.items() if helped == unit and says(each)
        ]

    def _same(self, one: Province, other: Province) -> bool:
        return self.units[one].power == self.units[other].power

    def _fleets(self, army: Province) -> list[Province]:
        return sorted(fleet for fleet, carrying in self.convoys.items() if carrying == army)

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
        matters = self.rulebook.supported_coast is not SupportedCoast.IGNORED
        return matters and fleet and coast and named != self.landings[helped]

    def _routes(self, army: Province) -> list[Route]:
        """Return the ways over sea that are ordered for *army*.

        If its own order may name the fleets, or has to, only those will do (DATC 4.A.6).
        """
        order, fleets, rule = self.orders[army], self._fleets(army), self.rulebook.written_route
        written = frozenset(order.route) if isinstance(order, Move) else frozenset()
        if written and rule is not WrittenRoute.IGNORED:
            return [written] if written <= {*fleets} and self._links(army, written) else []
        return [] if rule is WrittenRoute.REQUIRED else self._least_chains(army, fleets)

    def _least_chains(self, army: Province, fleets: Collection[Province]) -> list[Route]:
        """Return the sets of *fleets* that link the shores of *army*, and no less of them do."""
        chains: list[Route] = []
        for size in range(1, len(fleets) + 1):
            for several in combinations(sorted(fleets), size):
                chain = frozenset(several)
                if not any(less < chain for less in chains) and self._links(army, chain):
                    chains.append(chain)
        return chains

    def _routes_that_count(self, army: Province) -> list[Route]:
        routes = self.routes[army]
        if self.rulebook.convoy_routes is not ConvoyRoutes.ONE_ROUTE_OWN_FIRST:
            return routes
        own = [route for route in routes if all(self._same(army, fleet) for fleet in route)]
        return own or routes

    def _shortest(self, army: Province) -> list[Province]:
        """Return the seas of a shortest way, the first by alphabet, in their order."""
        chains = self._least_chains(army, frozenset().union(*self._routes_that_count(army)))
        return min((self._in_order(army, chain) for chain in chains), key=_length)

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
        """Tell whether a fleet can go from *sea* to *place*, on any coast of it."""
        return place in {province_of(end) for end in self.board.fleet[sea]}

    def _way(self, start: Province) -> Way:
        end, order = self.moves[start], self.orders[start]
        assert isinstance(order, Move)
        if self.units[start].kind is UnitKind.FLEET or start in self._fallen_back:
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
        unnamed = self.rulebook.written_route is WrittenRoute.REQUIRED and not order.route
        own = not unnamed and any(self._same(fleet, start) for fleet in self._fleets(start))
        intent = order.via_convoy or own
        opposite = self.moves.get(self.moves[start]) == start
        match self.rulebook.convoy_to_neighbor:
            case ConvoyToNeighbor.INTENT_NO_FALLBACK | ConvoyToNeighbor.INTENT_FALLBACK:
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
            if impossible(board, position, power, order, rulebook) is None:
                assert isinstance(order, Hold | Move | SupportHold | SupportMove | Convoy)
                counting.setdefault(order.unit.province, order)
    return counting


def _length(route: list[Province]) -> tuple[int, list[Province]]:
    return len(route), route
