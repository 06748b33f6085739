"""What an order is read as where its words say another thing (DATC 4.B, 4.C)."""

from __future__ import annotations

from dataclasses import replace

from judge.rules.geography import Map
from judge.rules.legality import impossible, understood
from judge.rules.order import (
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    SupportHold,
    SupportMove,
    UnitName,
)
from judge.rules.position import Position
from judge.rules.rulebook import DATC, Rulebook
from judge.rules.vocabulary import Power


def corrected(
    board: Map, position: Position, power: Power, order: Order, rulebook: Rulebook = DATC
) -> Order | None:
    """Return what *order* of *power* means, if it can be carried out and is not what it says.

    To leave out the kind of a unit, the coast on which it stands or its owner is to be brief; to
    leave out the coast to which it goes, or on which it is built, lets the rulebook choose.
    """
    if impossible(board, position, power, order, rulebook):
        return None
    meant = _as_brief(order, understood(board, position, order, rulebook))
    if isinstance(order, Move) and isinstance(meant, Retreat):
        order = Retreat(order.unit, order.target)
    return None if meant == order else meant


def _as_brief(order: Order, meant: Order) -> Order:
    """Leave out of *meant* what *order* leaves out."""
    match order, meant:
        case (
            Hold(unit) | Move(unit) | Retreat(unit) | Disband(unit),
            Hold() | Move() | Retreat() | Disband(),
        ):
            return replace(meant, unit=_name(unit, meant.unit))
        case SupportHold(unit, other) | SupportMove(unit, other), SupportHold() | SupportMove():
            supported = _name(other, meant.supported)
            return replace(meant, unit=_name(unit, meant.unit), supported=supported)
        case Convoy(unit, army), Convoy():
            return replace(meant, unit=_name(unit, meant.unit), army=_name(army, meant.army))
        case _:
            return meant


def _name(written: UnitName, meant: UnitName) -> UnitName:
    return UnitName(
        meant.kind if written.kind else None,
        meant.location if "/" in written.location else meant.province,
        meant.power if written.power else None,
    )
