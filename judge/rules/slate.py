"""The orders of a movement phase, unit by unit: which are possible, and which of them count."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from judge.rules.intake import kept
from judge.rules.legality import counts_as_move, obstacle
from judge.rules.order import Convoy, Hold, Move, MovementOrder, Order, SupportHold, SupportMove
from judge.rules.outcome import Impossible
from judge.rules.scene import Scene
from judge.rules.vocabulary import Power

NONE = -1  # no unit, no order


@dataclass(frozen=True, slots=True)
class Slate:
    """Each order *given*, with its power; by index there its fault, if it has one.

    By unit, *counting* is the index of the order that counts for it, or `NONE`, and *orders* that
    order. *futile* are faults of orders that count all the same (DATC 4.E.1).
    """

    given: Sequence[tuple[Power, Order]]
    faults: Mapping[int, Impossible]
    futile: Mapping[int, Impossible]
    counting: Sequence[int]
    orders: Sequence[MovementOrder | None]


def slate_of(scene: Scene, orders: Mapping[Power, Sequence[Order]]) -> Slate:
    """Judge each of *orders* by itself, then let one count for a unit (DATC 4.D.3)."""
    given = [(power, order) for power, several in orders.items() for order in several]
    faults: dict[int, Impossible] = {}
    futile: dict[int, Impossible] = {}
    rivals: dict[int, list[int]] = {}
    counting = [NONE] * len(scene.posts)
    forgiving = scene.forgiving
    for index, (power, order) in enumerate(given):
        unit = _at_first_sight(scene, power, order) if forgiving else NONE
        if unit == NONE:
            fault = obstacle(scene, power, order)
            if fault and not counts_as_move(scene, order, fault):
                faults[index] = fault
                continue
            assert isinstance(order, MovementOrder)
            unit = scene.at[order.unit.province]
            if fault:
                futile[index] = fault
        if counting[unit] == NONE:
            counting[unit] = index
        else:
            rivals.setdefault(unit, [counting[unit]]).append(index)
    for unit, several in rivals.items():
        winner = kept(scene, given, several)
        counting[unit] = NONE if winner is None else winner
        faults.update((index, Impossible.DUPLICATE) for index in several if index != winner)
    return Slate(given, faults, futile, counting, [_order(given, index) for index in counting])


def _order(given: Sequence[tuple[Power, Order]], index: int) -> MovementOrder | None:
    order = None if index == NONE else given[index][1]
    assert order is None or isinstance(order, MovementOrder)
    return order


def _at_first_sight(scene: Scene, power: Power, order: Order) -> int:
    """Return the unit that *order* is for, if it is plainly possible.

    That is, under whatever rulebook that forgives slips: places are named exactly, and no convoy
    has to be looked for. `NONE` means only that a closer look is needed.
    """
    if not isinstance(order, MovementOrder):
        return NONE
    unit = scene.standing.get(order.unit.location, NONE)
    if unit == NONE or scene.powers[unit] != power:
        return NONE
    post = scene.posts[unit]
    match order:
        case Move():
            plain = order.target in post.touches and not order.via_convoy
        case SupportMove():
            other = scene.standing.get(order.supported.location, NONE)
            plain = (
                other not in {NONE, unit}
                and order.target in scene.posts[other].touches
                and scene.reach.province[order.target] in post.landings
            )
        case SupportHold():
            other = scene.standing.get(order.supported.location, NONE)
            plain = other != NONE and scene.provinces[other] in post.landings
        case Convoy():
            army = scene.standing.get(order.army.location, NONE)
            goal = scene.reach.shore.get(order.target, 0)
            plain = (
                army != NONE
                and order.target != scene.provinces[army]
                and bool(post.sea & scene.posts[army].shore & goal)
            )
        case Hold():
            plain = True
        case _:
            assert_never(order)
    return unit if plain else NONE
