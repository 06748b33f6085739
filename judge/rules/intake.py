"""The orders of all powers in the order given: which are possible, and which of them count."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.legality import counts_as_move, loosely_named, obstacle
from judge.rules.order import Build, Order, Waive
from judge.rules.outcome import Illegal, Impossible, Outcome, Verdict
from judge.rules.questions import Repeated
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power, Province

OVERRULED: Mapping[Repeated, Impossible] = {
    Repeated.FIRST: Impossible.DUPLICATE,
    Repeated.LAST: Impossible.DUPLICATE_LAST,
    Repeated.NONE: Impossible.DUPLICATE_NONE,
}


@dataclass(frozen=True, slots=True)
class Intake:
    """Each order *given*, with its power; by index its fault; by province the one that counts.

    A waived build is for no province: it counts if it has no fault.
    """

    given: Sequence[tuple[Power, Order]]
    faults: Mapping[int, Impossible]
    counting: Mapping[Province, int]


def take_in(scene: Scene, orders: Mapping[Power, Sequence[Order]]) -> Intake:
    """Judge each of *orders* by itself, then let one count a province (DATC 4.D.3, 4.D.5)."""
    given = [(power, order) for power, several in orders.items() for order in several]
    faults: dict[int, Impossible] = {}
    counting: dict[Province, int] = {}
    rivals: dict[Province, list[int]] = {}
    for index, (power, order) in enumerate(given):
        fault = obstacle(scene, power, order)
        if fault is not None and not counts_as_move(scene, order, fault):
            faults[index] = fault
        elif not isinstance(order, Waive):
            first = counting.setdefault(order.unit.province, index)
            if first != index:
                rivals.setdefault(order.unit.province, [first]).append(index)
    for province, several in rivals.items():
        overruled = _overruled(scene, given, several)
        faults.update(overruled)
        del counting[province]
        counting.update((province, index) for index in several if index not in overruled)
    return Intake(given, faults, counting)


def sole_orders(
    scene: Scene, orders: Mapping[Power, Sequence[Order]]
) -> Mapping[Power, Sequence[Order]]:
    """Return those of *orders* that count, one for a unit."""
    intake = take_in(scene, orders)
    indices = iter(range(len(intake.given)))
    return {
        power: [order for order in several if next(indices) not in intake.faults]
        for power, several in orders.items()
    }


def _overruled(
    scene: Scene, given: Sequence[tuple[Power, Order]], several: Sequence[int]
) -> Mapping[int, Impossible]:
    """Return why all but one of *several* orders for one province, or all, do not count."""
    proper = [i for i in several if not loosely_named(scene, given[i][1])] or several
    orders = [given[index][1] for index in proper]
    if isinstance(orders[0], Build):
        rule = scene.rulebook.builds_in_one_center
        why = OVERRULED[rule]
    elif orders.count(orders[0]) == len(orders):
        rule, why = Repeated.FIRST, Impossible.DUPLICATE_SAME  # It is no second order.
    else:
        rule = scene.rulebook.orders_for_one_unit
        why = OVERRULED[rule]
    kept = _kept(proper, rule)
    faults = {index: Impossible.DUPLICATE_NAMED for index in several if index not in proper}
    return {**faults, **{index: why for index in proper if index != kept}}


def _kept(several: Sequence[int], rule: Repeated) -> int | None:
    match rule:
        case Repeated.FIRST:
            return several[0]
        case Repeated.LAST:
            return several[-1]
        case Repeated.NONE:
            return None
        case _:
            assert_never(rule)


def tell(
    intake: Intake, faults: Mapping[int, Impossible], verdict: Callable[[Order], Verdict]
) -> tuple[Outcome, ...]:
    """Return an outcome for each order of *intake*: its fault, or what *verdict* says."""
    return tuple(
        Outcome(power, order, Illegal(faults[index]) if index in faults else verdict(order))
        for index, (power, order) in enumerate(intake.given)
    )
