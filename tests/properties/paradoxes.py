"""Build positions with convoy paradoxes.

A knot is a ring of convoys: the army of each attacks a fleet that affects the next one, because it
supports an attack on a fleet there, or that fleet to hold. One convoy tied to itself is the simple
paradox (DATC 6.F.14), several are paradoxes of the second order (6.F.22 to 6.F.29). More units
make Pandin's paradox of them, offer other convoy paths, or break the knot. Other armies swap
places, by land or by convoy (6.G).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random  # noqa: TID251 the caller seeds it

from judge.rules.board import Map, Terrain
from judge.rules.types import (
    Convoy,
    Hold,
    Location,
    Move,
    MovementOrder,
    Phase,
    Position,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitKind,
    province_of,
)
from tests.properties.random_positions import Orders, name

TREASON = 0.15
ATTEMPTS = 20  # to close a ring
SIZES = (1, 1, 1, 2, 2, 2, 3, 3, 4, 5, 6)  # of knots, in convoys


def plot(board: Map, chance: Random) -> tuple[Position, Orders]:
    """Return a position with a knot or two, and its orders."""
    plotting = Plot(board, chance)
    for _ in range(chance.choice([1, 1, 2])):
        plotting.tie(chance.choice(SIZES))
    for _ in range(chance.choice([0, 0, 0, 1, 2])):
        plotting.trade()
    for _ in range(chance.randint(0, 8)):
        plotting.meddle()
    return plotting.told()


class Plot:
    """A position in the making: *units* by province, and what each is ordered."""

    def __init__(self, board: Map, chance: Random) -> None:
        self.board = board
        self.chance = chance
        self.carriers, self.raiders = _sides(board, chance)
        self.kept: set[Province] = set()  # free for who is to stand there
        self.units: dict[Province, Unit] = {}
        self.orders: dict[Province, MovementOrder] = {}

    def tie(self, count: int) -> None:
        """Tie *count* convoys to each other, or fewer if there is no room."""
        rings = (self._ring(count) for _ in range(ATTEMPTS))
        seas, shores = next(filter(all, rings), ([], []))
        self.kept = {*seas, *shores}
        armies = [self._embark(sea, end) for sea, end in zip(seas, shores, strict=True)]
        for index, shore in enumerate(shores):
            if armies[index]:
                self._interfere(shore, seas[(index + 1) % len(seas)])
        self.kept = set()

    def trade(self) -> None:
        """Order two adjacent armies to swap places, one or both by convoy."""
        pairs = [
            (one, other, sea)
            for sea in self._all(Terrain.SEA)
            if self._free(sea)
            for one in self._shores_of(sea)
            for other in self._shores_of(sea)
            if other in self.board.army[one]
        ]
        if pairs:
            one, other, sea = self.chance.choice(pairs)
            army = self._place(UnitKind.ARMY, one, self.carriers)
            self.orders[one] = Move(name(army), other, via_convoy=self._seldom())
            self._carry(sea, army, other)
            self._oppose(one, other)

    def meddle(self) -> None:
        """Add a unit nearby that supports, attacks, moves the other way or convoys."""
        if not self.units:
            return
        about = self.chance.choice(sorted(self.units))
        order = self.orders[about]
        end = province_of(order.target) if isinstance(order, Move) else about
        meddling = [self._support, self._attack, self._oppose, self._detour]
        self.chance.choice(meddling)(about, end)

    def told(self) -> tuple[Position, Orders]:
        """Return the position and its orders."""
        orders: dict[Power, list[MovementOrder]] = {}
        for province, order in self.orders.items():
            orders.setdefault(self.units[province].power, []).append(order)
        return Position(Phase.parse("S1901M"), tuple(self.units.values())), orders

    def _ring(self, count: int) -> tuple[list[Province], list[Province]]:
        """Return free seas in a ring, and a free shore between each and the next."""
        free = [sea for sea in self._all(Terrain.SEA) if sea not in self.units]
        if not free:
            return [], []
        seas = [self.chance.choice(free)]
        shores: list[Province] = []
        while len(seas) < count:
            steps = [
                (shore, sea)
                for shore in self._shores_of(seas[-1])
                for sea in self._seas_by(shore)
                if shore not in shores and sea not in seas and sea not in self.units
            ]
            if not steps:
                break
            shore, sea = self.chance.choice(steps)
            shores.append(shore)
            seas.append(sea)
        closing = [
            shore
            for shore in self._shores_of(seas[-1])
            if shore not in shores and seas[0] in self._seas_by(shore)
        ]
        return (seas, [*shores, self.chance.choice(closing)]) if closing else ([], [])

    def _embark(self, sea: Province, end: Province) -> bool:
        """Order an army to *end* by *sea*, sometimes over a second sea; return whether it can."""
        before = [o for o in self._seas_by(sea) if self._free(o)] if self._seldom() else []
        first = self.chance.choice(before) if before else sea
        starts = [shore for shore in self._shores_of(first) if shore not in self.kept]
        near = [shore for shore in starts if shore in self.board.army[end]]
        starts = near if near and self._seldom() else starts
        if not starts:
            return False
        army = self._place(UnitKind.ARMY, self.chance.choice(starts), self.carriers)
        route = (sea,) if first == sea else (first, sea)
        written = route if self._seldom() else ()
        self.orders[army.province] = Move(name(army), end, self._seldom(), written)
        for each in route:
            self._carry(each, army, end)
        return True

    def _carry(self, sea: Province, army: Unit, end: Province) -> None:
        powers = self.carriers if self._seldom() else [army.power]
        fleet = self._place(UnitKind.FLEET, sea, powers)
        self.orders[sea] = Convoy(name(fleet), name(army), end)

    def _interfere(self, shore: Province, sea: Province) -> None:
        """Attack the fleet in *sea*; support that attack from *shore*, or the fleet to hold."""
        attacker = self._attack(sea, sea)
        locations = [each for each in self._stands(shore) if self._goes(each, sea)]
        if shore in self.units or sea not in self.units or not locations or attacker is None:
            return
        fleet = self._place(UnitKind.FLEET, self.chance.choice(locations), self.raiders)
        if self._seldom() and self._seldom():
            self.orders[shore] = Move(name(fleet), sea)  # DATC 6.F.30
        elif self._seldom():
            self.orders[shore] = SupportHold(name(fleet), name(self.units[sea]))
            self._support(attacker.province, sea)
        else:
            self.orders[shore] = SupportMove(name(fleet), name(attacker), sea)

    def _oppose(self, start: Province, end: Province) -> None:
        """Order an army from *end* to *start*, by land or by convoy."""
        seas = [sea for sea in self._seas_by(start) if self._free(sea) and self._goes(sea, end)]
        by_land = start in self.board.army.get(end, ())
        if self._free(end) and end in self.board.army and (by_land or seas):
            army = self._place(UnitKind.ARMY, end, self.raiders)
            self.orders[end] = Move(name(army), start, via_convoy=bool(seas) and self._seldom())
            if seas and not (by_land and self._seldom()):
                self._carry(self.chance.choice(seas), army, start)

    def _detour(self, about: Province, _: Province) -> None:
        """Order one or two fleets on another path to convoy the army of the one in *about*."""
        order = self.orders[about]
        start = order.army.province if isinstance(order, Convoy) else about
        move, army = self.orders[start], self.units[start]
        if army.kind is not UnitKind.ARMY or not isinstance(move, Move):
            return
        firsts = [sea for sea in self._seas_by(start) if self._free(sea)]
        lasts = [sea for sea in self._seas_by(move.target) if self._free(sea)]
        ways = [(f, last) for f in firsts for last in lasts if f == last or self._goes(f, last)]
        if ways:
            for sea in dict.fromkeys(self.chance.choice(ways)):
                self._carry(sea, army, move.target)

    def _attack(self, about: Province, end: Province) -> Unit | None:
        """Order a new unit to move to one of the two provinces, if there is room for one."""
        end = self.chance.choice([about, end])
        unit = self._beside(end)
        if unit is not None:
            borders = self._borders(unit.kind)[unit.location]
            landings = sorted(each for each in borders if province_of(each) == end)
            self.orders[unit.province] = Move(name(unit), self.chance.choice(landings))
        return unit

    def _support(self, about: Province, end: Province) -> None:
        """Order a new unit to support the order of the one in *about*."""
        unit, helped, order = self._beside(end), self.units[about], self.orders[about]
        if unit is None:
            return
        self.orders[unit.province] = (
            SupportMove(name(unit), name(helped), order.target)
            if isinstance(order, Move)
            else SupportHold(name(unit), name(helped))
        )

    def _beside(self, end: Province) -> Unit | None:
        """Add a unit that can move to *end* without help."""
        options = [
            (kind, location)
            for kind in UnitKind
            for location, near in sorted(self._borders(kind).items())
            if self._free(province_of(location)) and end in map(province_of, near)
        ]
        return self._place(*self.chance.choice(options), self.raiders) if options else None

    def _place(self, kind: UnitKind, at: Location, side: Sequence[Power]) -> Unit:
        """Add a unit, most often of the *side* to which it belongs by what it does."""
        either = [*self.carriers, *self.raiders]
        power = self.chance.choice(either if self.chance.random() < TREASON else side)
        unit = Unit(power, kind, at)
        self.units[unit.province] = unit
        self.orders[unit.province] = Hold(name(unit))
        return unit

    def _free(self, province: Province) -> bool:
        return province not in self.units and province not in self.kept

    def _seldom(self) -> bool:
        return self.chance.random() < 0.3

    def _all(self, terrain: Terrain) -> list[Province]:
        return [p for p, place in sorted(self.board.places.items()) if place.terrain is terrain]

    def _seas_by(self, province: Province) -> list[Province]:
        return [sea for sea in self._all(Terrain.SEA) if self._goes(sea, province)]

    def _shores_of(self, sea: Province) -> list[Province]:
        free = [p for p in self._all(Terrain.COAST) if p not in self.units]
        return [shore for shore in free if self._goes(sea, shore)]

    def _stands(self, province: Province) -> list[Location]:
        return [each for each in sorted(self.board.fleet) if province_of(each) == province]

    def _goes(self, fleet: Location, end: Province) -> bool:
        return end in map(province_of, self.board.fleet[fleet])

    def _borders(self, kind: UnitKind) -> Mapping[Location, frozenset[Location]]:
        return self.board.army if kind is UnitKind.ARMY else self.board.fleet


def _sides(board: Map, chance: Random) -> tuple[list[Power], list[Power]]:
    count = chance.randint(2, len(board.powers))
    powers = chance.sample(board.powers, count)
    return powers[: count // 2], powers[count // 2 :]
