"""Adjudicate movement by the decisions and equations of DATC 5.B alone.

Every decision is a yes or no. `Equations.value` computes a decision from the others, where an
undecided one is None. What follows without a guess is decided first; of the rest, the smallest
groups that depend on each other are solved by trying every combination and keeping the consistent
ones. One consistent solution is the result. Several that differ in moves alone are a circular
movement, which succeeds. Several or none with a convoy among them are a paradox, which Szykman's
rule (DATC 4.A.2) ends: its convoys are disrupted.

This module shares no code with the product: an error there is not an error here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Protocol, TypeAlias

from tests.oracle.standard_board import Board

GROUP_MAX = 14  # decisions of one group, 2 ** 14 combinations


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit; *location* is its province, or the coast of a fleet."""

    power: str
    is_fleet: bool
    location: str


@dataclass(frozen=True, slots=True)
class Hold:
    """Hold."""


@dataclass(frozen=True, slots=True)
class Move:
    """Move to *target*, a location; *via* asks for a convoy to a neighbor."""

    target: str
    via: bool = False


@dataclass(frozen=True, slots=True)
class Support:
    """Support the unit in *supported* to hold, or its move to the province *target*."""

    supported: str
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Convoy:
    """Convoy the army in *army* to *target*."""

    army: str
    target: str


Order: TypeAlias = Hold | Move | Support | Convoy
Decision: TypeAlias = tuple[str, str]  # "move", "support" or "path", and the province of the unit
Value: TypeAlias = bool | None


class Known(Protocol):
    """The decisions so far."""

    def __getitem__(self, decision: Decision, /) -> Value: ...


@dataclass(slots=True)
class Result:
    """*moved*, *dislodged* and *given* hold provinces: movers, dislodged units, good supports."""

    moved: set[str]
    dislodged: set[str]
    given: set[str]
    groups: list[tuple[int, str]] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Strength:
    """The least and the most that a strength can come to."""

    low: int
    high: int


def beats(ours: Strength, theirs: Strength) -> Value:
    """Return whether *ours* is greater than *theirs*, None if that is open."""
    if ours.low > theirs.high:
        return True
    return False if ours.high <= theirs.low else None


def both(values: Iterable[Value]) -> Value:
    """Return the conjunction of *values*."""
    found = list(values)
    return False if False in found else None if None in found else True


def negated(value: Value) -> Value:
    """Return the opposite of *value*."""
    return None if value is None else not value


def province(location: str) -> str:
    """Return the province of *location*."""
    return location.partition("/")[0]


class Equations:
    """The equations of DATC 5.B over one position and its orders, each by its province."""

    def __init__(
        self, board: Board, units: Mapping[str, Unit], orders: Mapping[str, Order]
    ) -> None:
        self.board, self.units, self.orders = board, units, orders
        self.disrupted: set[str] = set()  # armies whose convoy a paradox disrupted
        self.moves = {unit: o for unit, o in orders.items() if isinstance(o, Move)}
        self.targets = {unit: province(order.target) for unit, order in self.moves.items()}
        self.convoys = {
            (fleet, o.army)
            for fleet, o in orders.items()
            if isinstance(o, Convoy) and self.targets.get(o.army) == o.target
        }
        self.by_sea = {unit for unit in self.moves if self._goes_by_sea(unit)}
        self.supports = {
            unit: o for unit, o in orders.items() if isinstance(o, Support) and self._is_matched(o)
        }
        self.decisions: list[Decision] = [("move", unit) for unit in self.moves]
        self.decisions += [("support", unit) for unit in self.supports]
        self.decisions += [("path", army) for army in self.by_sea]

    def _goes_by_sea(self, unit: str) -> bool:
        if self.units[unit].is_fleet:
            return False
        order = self.moves[unit]
        if not self.board.are_adjacent(unit, order.target, fleet=False) or order.via:
            return True
        own = {f for f, a in self.convoys if a == unit and self._power(f) == self._power(unit)}
        return bool(own) and self._is_route(unit, dict.fromkeys(self._fleets(unit), True))

    def _fleets(self, army: str) -> list[str]:
        return [fleet for fleet, carried in self.convoys if carried == army]

    def _is_matched(self, order: Support) -> bool:
        if order.target is None:
            return order.supported in self.units and order.supported not in self.moves
        return self.targets.get(order.supported) == order.target

    def _power(self, unit: str) -> str:
        return self.units[unit].power

    def value(self, decision: Decision, known: Known) -> Value:
        """Return what *decision* comes to if the others are as *known*."""
        kind, unit = decision
        by_kind = {"move": self._move, "support": self._support, "path": self._path}
        return by_kind[kind](unit, known)

    # The decisions of 5.B.1 to 5.B.4.

    def _move(self, unit: str, known: Known) -> Value:
        target, attack = self.targets[unit], self._attack(unit, known)
        opponent = self._opponent(unit)
        against = self._defend(opponent, known) if opponent else self._hold(target, known)
        rivals = (r for r, aim in self.targets.items() if aim == target and r != unit)
        return both(
            [beats(attack, against), *(beats(attack, self._prevent(r, known)) for r in rivals)]
        )

    def _support(self, unit: str, known: Known) -> Value:
        order = self.supports[unit]
        uncut = [negated(self.dislodged(unit, known))]
        for attacker, aim in self.targets.items():
            if aim == unit and attacker != order.target:
                uncut.append(negated(beats(self._attack(attacker, known), Strength(0, 0))))
        return both(uncut)

    def dislodged(self, unit: str, known: Known) -> Value:
        """Return whether another unit moves to the province of *unit*, which stays."""
        stays = negated(known[("move", unit)]) if unit in self.moves else True
        entered = both(
            negated(known[("move", each)]) for each, aim in self.targets.items() if aim == unit
        )
        return both([stays, negated(entered)])

    def _path(self, unit: str, known: Known) -> Value:
        if unit in self.disrupted:
            return False
        lost = {fleet: self.dislodged(fleet, known) for fleet in self._fleets(unit)}
        if self._is_route(unit, {fleet: value is False for fleet, value in lost.items()}):
            return True
        return None if self._is_route(unit, {f: v is not True for f, v in lost.items()}) else False

    def _is_route(self, army: str, is_open: Mapping[str, bool]) -> bool:
        seas = {f for f, free in is_open.items() if free and self.board.is_sea(f)}
        reached, target = {army}, self.targets[army]
        while True:
            more = {s for s in seas - reached if any(self.board.touch(s, r) for r in reached)}
            if not more:
                return any(self.board.touch(s, target) for s in reached - {army})
            reached |= more

    # The strengths of 5.B.5 to 5.B.8.

    def _opponent(self, unit: str) -> str | None:
        """Return the opponent of *unit* in a head-to-head battle without convoys (DATC 5.B.9)."""
        target = self.targets[unit]
        met = self.targets.get(target) == unit and not {unit, target} & self.by_sea
        return target if met else None

    def _supported(self, unit: str, known: Known, without: str | None = None) -> Strength:
        """Return 1 and the supports of *unit*, but not those of the power *without*."""
        given = [
            known[("support", each)]
            for each, order in self.supports.items()
            if order.supported == unit and self._power(each) != without
        ]
        return Strength(1 + given.count(True), 1 + len(given) - given.count(False))

    def _attack(self, unit: str, known: Known) -> Strength:
        target = self.targets[unit]
        leaves: Value = False
        if target not in self.units:
            leaves = True
        elif target in self.moves and self._opponent(unit) is None:
            leaves = known[("move", target)]
        free = self._supported(unit, known)
        occupied = free
        if leaves is not True:
            power = self._power(target)
            same = power == self._power(unit)
            occupied = Strength(0, 0) if same else self._supported(unit, known, without=power)
        if leaves is True:
            strength = free
        elif leaves is False:
            strength = occupied
        else:
            strength = Strength(min(free.low, occupied.low), max(free.high, occupied.high))
        return self._if_path(unit, known, strength)

    def _prevent(self, unit: str, known: Known) -> Strength:
        strength = self._supported(unit, known)
        if opponent := self._opponent(unit):
            passed = known[("move", opponent)]
            if passed is not False:
                strength = Strength(0, 0 if passed else strength.high)
        return self._if_path(unit, known, strength)

    def _if_path(self, unit: str, known: Known, strength: Strength) -> Strength:
        path = known[("path", unit)] if unit in self.by_sea else True
        if path is True:
            return strength
        return Strength(0, strength.high if path is None else 0)

    def _hold(self, target: str, known: Known) -> Strength:
        if target not in self.units:
            return Strength(0, 0)
        if target in self.moves:
            left = known[("move", target)]
            return Strength(int(left is False), int(left is not True))
        return self._supported(target, known)

    def _defend(self, unit: str, known: Known) -> Strength:
        return self._supported(unit, known)


def solve(board: Board, units: Mapping[str, Unit], orders: Mapping[str, Order]) -> Result:
    """Decide everything; units without an order hold."""
    equations = Equations(board, units, orders)
    known: dict[Decision, Value] = dict.fromkeys(equations.decisions)
    groups: list[tuple[int, str]] = []
    while open_ones := _propagate(equations, known):
        group = _smallest_group(equations, known, open_ones)
        groups.append(_decide_group(equations, known, group))
    return Result(
        moved={unit for unit in equations.moves if known[("move", unit)]},
        dislodged={unit for unit in units if equations.dislodged(unit, known)},
        given={unit for unit in equations.supports if known[("support", unit)]},
        groups=groups,
    )


def _propagate(equations: Equations, known: dict[Decision, Value]) -> list[Decision]:
    """Decide all that follows from *known*, and return the decisions that are left."""
    changed = True
    while changed:
        changed = False
        for decision in [each for each, value in known.items() if value is None]:
            known[decision] = equations.value(decision, known)
            changed |= known[decision] is not None
    return [decision for decision, value in known.items() if value is None]


class _Reads:
    """The decisions so far, with a note of those that were looked up."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.seen: set[Decision] = set()

    def __getitem__(self, decision: Decision, /) -> Value:
        self.seen.add(decision)
        return self.known[decision]


def _smallest_group(
    equations: Equations, known: Known, open_ones: list[Decision]
) -> list[Decision]:
    """Return decisions that depend on each other and on no other open one."""
    needs: dict[Decision, set[Decision]] = {}
    for decision in open_ones:
        reads = _Reads(known)
        equations.value(decision, reads)
        needs[decision] = reads.seen & set(open_ones)
    closures = {decision: _closure(needs, decision) for decision in open_ones}
    return min(closures.values(), key=lambda group: (len(group), group))


def _closure(needs: Mapping[Decision, set[Decision]], first: Decision) -> list[Decision]:
    reached, waiting = {first}, [first]
    while waiting:
        waiting += (more := needs[waiting.pop()] - reached)
        reached |= more
    return sorted(reached)


def _decide_group(
    equations: Equations, known: dict[Decision, Value], group: list[Decision]
) -> tuple[int, str]:
    """Solve *group*, and return how many consistent solutions there were and what was done."""
    assert len(group) <= GROUP_MAX, group
    solutions: list[dict[Decision, Value]] = []
    for values in product((True, False), repeat=len(group)):
        tried = {**known, **dict(zip(group, values, strict=True))}
        if all(equations.value(each, tried) == tried[each] for each in group):
            solutions.append({each: tried[each] for each in group})
    if len(solutions) == 1:
        known.update(solutions[0])
        return 1, "one solution"
    armies = [unit for kind, unit in group if kind == "path"]
    differs = [army for army in armies if len({each["path", army] for each in solutions}) != 1]
    if solutions and not differs:
        most = max(solutions, key=lambda each: list(each.values()).count(True))
        known.update(most)
        return len(solutions), "circular movement"
    assert armies, group  # Moves alone always have a solution.
    equations.disrupted |= set(armies)
    return len(solutions), "paradox"
