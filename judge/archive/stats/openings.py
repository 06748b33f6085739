"""Openings: what each power ordered in the first phase, and the names of these lines."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import StringIO

from judge.archive.record import Record, WrittenOrder
from judge.notation.order_text import write_order
from judge.rules.board import Map
from judge.rules.types import (
    Convoy,
    Hold,
    Move,
    Order,
    Power,
    Province,
    SupportHold,
    SupportMove,
    Unit,
    UnitName,
)

BETWEEN = ", "  # the orders of a line


@dataclass(frozen=True, slots=True)
class Opening:
    """A *name* that people use for what *power* opens with, whatever else it orders."""

    power: Power
    name: str
    orders: frozenset[str]


@dataclass(frozen=True, slots=True)
class Openings:
    """The openings that have a name; those with more orders come first."""

    named: tuple[Opening, ...]

    def name_of(self, power: Power, line: str) -> str | None:
        """Return what the *line* of *power* is called."""
        orders = frozenset(line.split(BETWEEN))
        for each in self.named:
            if each.power == power and each.orders <= orders:
                return each.name
        return None


def read_openings(text: str) -> Openings:
    """Read the rows of `openings.csv`: power, name, and its orders with `;` between them."""
    rows = csv.DictReader(StringIO(text))
    named = (
        Opening(each["power"], each["name"], frozenset(each["orders"].split(";"))) for each in rows
    )
    return Openings(tuple(sorted(named, key=lambda each: -len(each.orders))))


def opening_lines(board: Map, record: Record) -> dict[Power, str]:
    """Return the opening of each power: an order for each unit, sorted by province.

    A unit without an order holds. A power has no opening if it ordered nothing, or an order was
    not understood; no power has one if the record begins later.
    """
    start = board.start
    first = next((each for each in record.played if each.phase == start.phase), None)
    if first is None or (first.position or start).units != start.units:
        return {}
    on_board = {unit.province: unit for unit in start.units}
    lines = {}
    for power in board.powers:
        written = [each for each in first.orders if each.power == power]
        if written and all(each.order for each in written):
            orders = dict(_by_place(on_board, written))
            units = sorted(start.units_of(power), key=lambda unit: unit.location)
            whole = (orders.get(unit.province) or Hold(_name(unit)) for unit in units)
            lines[power] = BETWEEN.join(write_order(each) for each in whole)
    return lines


def _by_place(
    on_board: Mapping[Province, Unit], written: Iterable[WrittenOrder]
) -> Iterator[tuple[Province, Order]]:
    for each in written:
        match each.order:
            case Hold() | Move() | SupportHold() | SupportMove() | Convoy() as order:
                yield order.unit.province, _plain(on_board, order)
            case _:
                pass


def _plain(
    on_board: Mapping[Province, Unit], order: Hold | Move | SupportHold | SupportMove | Convoy
) -> Order:
    """Return *order* with its units in full, and without its route."""

    def full(name: UnitName) -> UnitName:
        unit = on_board.get(name.province)
        return _name(unit) if unit else name

    match replace(order, unit=full(order.unit)):
        case Move() as move:
            return replace(move, via_convoy=False, route=())
        case SupportHold() | SupportMove() as support:
            return replace(support, supported=full(support.supported))
        case Convoy() as convoy:
            return replace(convoy, army=full(convoy.army))
        case hold:
            return hold


def _name(unit: Unit) -> UnitName:
    return UnitName(unit.kind, unit.location)
