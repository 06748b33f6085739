"""Random positions in eight styles, each made to provoke one kind of conflict."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

from tests.oracle.solver import Convoy, Hold, Move, Order, Support, Unit, province
from tests.oracle.standard_board import Board

Case: TypeAlias = tuple[dict[str, Unit], dict[str, Order]]
POWERS = ("AUSTRIA", "ENGLAND", "FRANCE", "GERMANY", "ITALY", "RUSSIA", "TURKEY")
COASTAL = ("BUL", "SPA", "STP")  # the provinces with two coasts
NARROW_SEAS = ("ENG", "NTH", "SKA", "BAL", "BOT", "ION", "AEG", "TYS", "ADR", "MAO", "LYO", "BLA")


class Maker:
    """Makes one position on *board* by the *random* numbers given."""

    def __init__(self, board: Board, random: Random) -> None:
        self.board, self.random = board, random
        self.units: dict[str, Unit] = {}
        self.orders: dict[str, Order] = {}
        self.powers: tuple[str, ...] = POWERS

    def reach(self, unit: Unit) -> list[str]:
        """Return the locations where *unit* may move without a convoy."""
        return sorted(self.board.borders[unit.location, "F" if unit.is_fleet else "A"])

    def place(self, location: str, *, fleet: bool) -> None:
        """Put a unit of any power at *location* if its province is free."""
        if province(location) not in self.units:
            power = self.random.choice(self.powers)
            self.units[province(location)] = Unit(power, fleet, location)

    def crowd(self, count: int) -> None:
        """Put *count* units near each other."""
        kinds = self.board.locations
        if not self.units:
            self.place(self.random.choice(kinds["A"]), fleet=False)
        while len(self.units) < count:
            near = [
                (other, kind)
                for kind in "AF"
                for other in kinds[kind]
                if province(other) not in self.units and self._is_near(other, kind)
            ]
            location, kind = self.random.choice(near)
            self.place(location, fleet=kind == "F")

    def _is_near(self, location: str, kind: str) -> bool:
        around = self.board.borders[location, kind]
        return any(province(each) in self.units for each in around)

    def seas_with_coasts(self, fleets: int, armies: int) -> None:
        """Put fleets at sea and armies on the coasts that they border."""
        start = self.random.choice(NARROW_SEAS)
        seas = [start]
        while len(seas) < fleets:
            near = {n for s in seas for n in self.board.borders[s, "F"] if self.board.is_sea(n)}
            if not near - set(seas):
                break  # The Black Sea borders no other.
            seas.append(self.random.choice(sorted(near - set(seas))))
        for sea in seas:
            self.place(sea, fleet=True)
        coasts = {province(n) for s in seas for n in self.board.borders[s, "F"]}
        landable = sorted(c for c in coasts if (c, "A") in self.board.borders)
        for coast in self.random.sample(landable, min(armies, len(landable))):
            self.place(coast, fleet=False)

    def convoy(self, army: str) -> None:
        """Order *army* by sea to a coast that the fleets on the board can reach, if any."""
        seas, reached = {u for u in self.units if self.board.is_sea(u)}, {army}
        chain: list[str] = []
        while more := sorted(
            s for s in seas - reached if any(self.board.touch(s, r) for r in reached)
        ):
            chain.append(self.random.choice(more))
            reached.add(chain[-1])
        if self.units[army].is_fleet or not chain:
            return
        chain = chain[: self.random.randint(1, len(chain))]
        coasts = {province(n) for s in chain for n in self.board.borders[s, "F"]} - {army}
        targets = sorted(c for c in coasts if (c, "A") in self.board.borders)
        taken = [each for each in targets if each in self.units]
        target = self.random.choice(taken if taken and self.random.random() < 0.5 else targets)
        beside = self.board.are_adjacent(army, target, fleet=False)
        self.orders[army] = Move(target, via=beside)
        for fleet in chain:
            if fleet not in self.orders:
                self.orders[fleet] = Convoy(army, target)

    def move(self, unit: str) -> None:
        """Order *unit* to a neighbor, more often to one where there is a unit."""
        places = self.reach(self.units[unit])
        taken = [each for each in places if province(each) in self.units]
        self.orders[unit] = Move(
            self.random.choice(taken if taken and self.random.random() < 0.6 else places)
        )

    def support(self, unit: str) -> None:
        """Order *unit* to support something that happens within its reach."""
        reached = {province(each) for each in self.reach(self.units[unit])}
        choices: list[Order] = [
            Support(mover, province(order.target))
            for mover, order in self.orders.items()
            if isinstance(order, Move) and province(order.target) in reached and mover != unit
        ]
        choices += choices  # Attacks matter more than holds.
        choices += [Support(each) for each in sorted(reached & self.units.keys())]
        self.orders[unit] = self.random.choice(choices) if choices else Hold()

    def order_the_rest(self, moving: float) -> None:
        """Order all units that have no order: the share *moving* moves, the others help."""
        rest = [unit for unit in sorted(self.units) if unit not in self.orders]
        self.random.shuffle(rest)
        movers = [unit for unit in rest if self.random.random() < moving]
        for unit in movers:
            self.move(unit)
        for unit in rest:
            if unit not in movers:
                self.support(unit)

    def convoy_some(self, share: float) -> None:
        """Try to order a *share* of the armies by sea."""
        armies = [u for u in sorted(self.units) if not self.units[u].is_fleet]
        self.random.shuffle(armies)
        for army in armies:
            if army not in self.orders and self.random.random() < share:
                self.convoy(army)


def crowded(maker: Maker) -> None:
    """Make many units in little room."""
    maker.crowd(maker.random.randint(6, 16))
    maker.order_the_rest(0.5)


def convoys(maker: Maker) -> None:
    """Make convoys of several fleets, attacked and supported."""
    maker.seas_with_coasts(maker.random.randint(2, 6), maker.random.randint(2, 7))
    maker.convoy_some(0.8)
    maker.crowd(len(maker.units) + maker.random.randint(0, 5))
    maker.order_the_rest(0.6)


def paradoxes(maker: Maker) -> None:
    """Make convoys that land on the supporters of attacks on convoying fleets."""
    choice, borders = maker.random.choice, maker.board.borders
    maker.seas_with_coasts(maker.random.randint(1, 4), maker.random.randint(1, 5))
    seas = sorted(maker.units.keys() & maker.board.terrain.keys() - _coasts_of(maker.board))
    landings: list[str] = []
    for sea in seas:
        coasts = sorted({province(n) for n in borders[sea, "F"]} - set(seas))
        armies = [c for c in coasts if c in maker.units and c not in maker.orders]
        landable = [c for c in coasts if (c, "A") in borders and c not in (*armies[:1], *landings)]
        if armies and landable and not maker.units[armies[0]].is_fleet:
            landings.append(choice(landable))
            beside = maker.board.are_adjacent(armies[0], landings[-1], fleet=False)
            maker.orders[armies[0]] = Move(landings[-1], via=beside)
            maker.orders[sea] = Convoy(armies[0], landings[-1])
    for landing in landings:
        docks = [loc for loc, kind in borders if kind == "F" and province(loc) == landing]
        maker.place(choice(docks), fleet=True)
        reached = sorted(set(maker.reach(maker.units[landing])) & set(seas))
        if not reached or landing in maker.orders:
            continue
        besieged = choice(reached)
        maker.place(choice(sorted(borders[besieged, "F"])), fleet=True)
        for unit in sorted(maker.units):
            near = besieged in maker.reach(maker.units[unit]) and unit != landing
            if near and maker.orders.get(unit, Move(besieged)) == Move(besieged):
                maker.orders[unit] = Move(besieged)
                maker.orders[landing] = Support(unit, besieged)
                break
    maker.crowd(len(maker.units) + maker.random.randint(0, 3))
    maker.order_the_rest(0.3)


def _coasts_of(board: Board) -> set[str]:
    return {each for each in board.terrain if not board.is_sea(each)}


def swaps(maker: Maker) -> None:
    """Make circular movements and swaps, by land and by convoy."""
    maker.crowd(maker.random.randint(4, 12))
    maker.convoy_some(0.3)
    for unit in sorted(maker.units):
        places = [p for p in maker.reach(maker.units[unit]) if province(p) in maker.units]
        if unit not in maker.orders and places and maker.random.random() < 0.7:
            maker.orders[unit] = Move(maker.random.choice(places))
    maker.order_the_rest(0.2)


def own_units(maker: Maker) -> None:
    """Make battles among the units of two powers."""
    maker.powers = tuple(maker.random.sample(POWERS, 2))
    maker.crowd(maker.random.randint(5, 14))
    maker.convoy_some(0.2)
    maker.order_the_rest(0.5)


def coasts(maker: Maker) -> None:
    """Make battles over the provinces with two coasts."""
    for each in maker.random.sample(COASTAL, 2):
        maker.place(f"{each}/{'SC' if maker.random.random() < 0.5 else _other(each)}", fleet=True)
        for (location, kind), touches in sorted(maker.board.borders.items()):
            near = each in {province(other) for other in touches}
            if near and maker.random.random() < 0.5:
                maker.place(location, fleet=kind == "F")
    maker.order_the_rest(0.5)


def _other(code: str) -> str:
    return "EC" if code == "BUL" else "NC"


def big(maker: Maker) -> None:
    """Make a board with a unit in every province."""
    maker.crowd(maker.random.randint(28, 40))
    maker.convoy_some(0.3)
    maker.order_the_rest(0.5)


def mixed(maker: Maker) -> None:
    """Make any number of units with any share of moves and convoys."""
    if maker.random.random() < 0.5:
        maker.seas_with_coasts(maker.random.randint(1, 5), maker.random.randint(0, 5))
    maker.crowd(maker.random.randint(3, 24))
    maker.convoy_some(maker.random.random())
    maker.order_the_rest(maker.random.random())


STYLES: dict[str, Callable[[Maker], None]] = {
    each.__name__: each
    for each in (crowded, convoys, paradoxes, swaps, own_units, coasts, big, mixed)
}


def make(board: Board, style: str, seed: int) -> Case:
    """Return the position with orders number *seed* in *style*."""
    maker = Maker(board, Random(f"{style} {seed}"))
    STYLES[style](maker)
    return maker.units, maker.orders
