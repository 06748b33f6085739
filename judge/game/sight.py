"""What of a board is seen from some provinces."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from judge.rules.board import Map
from judge.rules.legality import impossibility
from judge.rules.outcome import Impossible
from judge.rules.rulebook import Rulebook
from judge.rules.types import Convoy, Order, Position, Power, Province, SupportHold, SupportMove

Sight: TypeAlias = frozenset[Province] | None  # None sees everything


def within(position: Position, sight: Sight, power: Power | None) -> Position:
    """Return of *position* what lies in *sight*; of another power's retreats nothing."""
    if sight is None:
        return position
    return replace(
        position,
        units=tuple(unit for unit in position.units if unit.province in sight),
        owners={place: owner for place, owner in position.owners.items() if place in sight},
        dislodged=tuple(
            each if each.unit.power == power else replace(each, retreats=())
            for each in position.dislodged
            if each.unit.province in sight
        ),
        contested=position.contested & sight,
        builds={each: due for each, due in position.builds.items() if each == power},
    )


def fault(
    board: Map, position: Position, power: Power, order: Order, law: Rulebook, sight: Sight
) -> Impossible | None:
    """Say what is wrong with *order* as far as *power* may know.

    Whether there is a unit to support or to carry where it does not see is told to nobody.
    """
    if sight is None:
        return impossibility(board, position, power, order, law)
    other = _other(order)
    if other is not None and other not in sight:
        return None
    return impossibility(board, within(position, sight, power), power, order, law)


def _other(order: Order) -> Province | None:
    match order:
        case SupportHold(supported=unit) | SupportMove(supported=unit) | Convoy(army=unit):
            return unit.province
        case _:
            return None
