"""`All others hold`: an order for each unit that has none, so that each is shown back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from judge.game.orders.order_set_update import ordered_province
from judge.notation.order_text import write_short
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
    WhyNotUnderstood,
)
from judge.reports.emails.receipts import RestHolds
from judge.rules.board import Map
from judge.rules.types import Hold, Order, Position, Power, Province, UnitName


def resting(
    board: Map,
    position: Position,
    power: Power,
    standing: Sequence[Order],
    readings: Sequence[Reading],
) -> tuple[tuple[Reading, ...], tuple[RestHolds, ...]]:
    """Put orders for *readings* that let all others hold; say which units keep another order.

    What is *standing* from before stays where only the others are to hold: nobody takes it back by
    a word about units that are not named. `Hold all units` names them all. Nothing is held beside
    a line that may be meant for one of them.
    """
    said = next((each for each in readings if isinstance(each, Prose) and each.hold), None)
    if said is None:
        return tuple(readings), ()
    if any(isinstance(each, NotUnderstood | Unclear) for each in readings):
        unread = NotUnderstood(
            said.line, said.column, said.text, WhyNotUnderstood.NOT_AN_ORDER, "", said.column
        )
        return (*readings, unread), ()
    named = set(_places(readings))
    stays = [] if said.every else standing
    kept = {ordered_province(each): each for each in stays if ordered_province(each) not in named}
    held = tuple(
        Understood(said.line, said.column, said.text, Hold(UnitName(unit.kind, unit.location)))
        for unit in position.units_of(power)
        if unit.province not in named | kept.keys()
    )
    others = tuple(write_short(each, board) for each in kept.values() if not _holds(each))
    return (*readings, *held), ((RestHolds(said.line, said.text, others),) if others else ())


def _holds(order: Order) -> bool:
    return isinstance(order, Hold)


def _places(readings: Sequence[Reading]) -> Iterator[Province]:
    for each in readings:
        if isinstance(each, Understood) and (place := ordered_province(each.order)):
            yield place
