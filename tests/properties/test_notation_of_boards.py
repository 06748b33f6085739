"""On every board, each possible order is read back from every notation we write."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from random import Random  # noqa: TID251 the caller seeds it

import pytest

from judge.adapters.variant_files import folder_of, load_map, read_folder, variants
from judge.app.commands.order_lines import read_for_phase
from judge.boards.variant_text import read_map
from judge.notation.order_text import (
    read_owned_order,
    write_long,
    write_order,
    write_owned_order,
    write_short,
)
from judge.notation.readings import Reading, Understood
from judge.notation.strict_orders import read_strictly
from judge.rules import types
from judge.rules.board import DEFAULT_VARIANT, Map
from judge.rules.legality import possible_orders
from judge.rules.rulebook import DATC
from tests.support.selection import one_in

UNITS, ORDERS = 12, 60
# Small and large boards, for two to many powers; the others are left to `.ci/run`.
QUICK = {"fva", "spice-islands", DEFAULT_VARIANT}


def positions(board: Map, chance: Random) -> Iterator[types.Position]:
    """Yield a position of each kind, with units anywhere that they can be."""
    places = [
        (kind, location)
        for kind, borders in (
            (types.UnitKind.ARMY, board.army),
            (types.UnitKind.FLEET, board.fleet),
        )
        for location in sorted(borders)
    ]
    taken: dict[types.Province, types.Unit] = {}
    for kind, location in chance.sample(places, min(UNITS, len(places))):
        unit = types.Unit(chance.choice([*board.nations]), kind, location)
        taken[unit.province] = unit
    units = tuple(taken.values())
    movement = types.Phase(board.calendar.turns[0].season, board.start.phase.year, types.MOVEMENT)
    yield types.Position(movement, units)
    retreats = types.Phase(movement.season, movement.year, types.RETREATS)
    dislodged = tuple(
        types.DislodgedUnit(
            unit, "", attacker_convoyed=False, retreats=tuple(sorted(_neighbors(board, unit)))
        )
        for unit in units
    )
    yield types.Position(retreats, (), dislodged=dislodged)
    adjustments = types.Phase(types.WINTER, movement.year, types.ADJUSTMENTS)
    owners = {center: chance.choice(board.powers) for center in board.centers}
    yield types.Position(adjustments, (), owners)
    yield types.Position(adjustments, units)


def _neighbors(board: Map, unit: types.Unit) -> frozenset[types.Location]:
    borders = board.army if unit.kind is types.UnitKind.ARMY else board.fleet
    return borders[unit.location]


def orders_of(board: Map, chance: Random) -> Iterator[tuple[types.PhaseKind, types.Order]]:
    for position in positions(board, chance):
        possible = [
            order
            for power in board.powers
            for _, orders in possible_orders(board, position, power, DATC)
            for order in orders
        ]
        for order in chance.sample(possible, min(ORDERS, len(possible))):
            yield position.phase.kind, order


def with_owners(order: types.Order, power: types.Power) -> types.Order:
    """Return *order* with the owner of the unit that it helps."""
    match order:
        case types.SupportHold(unit, supported):
            return types.SupportHold(unit, _owned(supported, power))
        case types.SupportMove(unit, supported, target):
            return types.SupportMove(unit, _owned(supported, power), target)
        case types.Convoy(unit, army, target):
            return types.Convoy(unit, _owned(army, power), target)
        case _:
            return order


def _owned(name: types.UnitName, power: types.Power) -> types.UnitName:
    return types.UnitName(name.kind, name.location, power)


def without_owners(order: object) -> object:
    """Return *order* as it is carried out: whose unit it helps is not looked at."""
    match order:
        case types.SupportHold(supported=unit) | types.SupportMove(supported=unit):
            return replace(order, supported=replace(unit, power=None))
        case types.Convoy(army=unit):
            return replace(order, army=replace(unit, power=None))
        case _:
            return order


def understood(readings: tuple[Reading, ...]) -> object:
    match readings:
        case (Understood(order=order),):
            return order
        case _:
            return readings


@pytest.mark.parametrize(
    "variant",
    [pytest.param(each, marks=[] if each in QUICK else [pytest.mark.gate]) for each in variants()],
)
def test_each_possible_order_is_read_back_on_every_board(variant: str) -> None:
    board, chance = load_map(variant), Random(variant)  # noqa: S311 - each run takes the same
    for kind, order in orders_of(board, chance):
        assert_read_back(board, kind, order, chance)


def assert_read_back(
    board: Map, kind: types.PhaseKind, order: types.Order, chance: Random
) -> None:
    owned = with_owners(order, chance.choice([*board.nations]))

    assert read_owned_order(write_owned_order(owned)) == owned
    for text, written in (
        (write_order(order), order),
        (write_short(owned, board), owned),
        (write_long(owned, board), owned),
    ):
        assert without_owners(understood(read_for_phase(text, board, kind))) == order
        assert [each.order for each in read_strictly(text, board, kind)] == [written]


CODES: Mapping[str, Callable[[int], str]] = {
    "two letters": lambda number: "QXZ"[number // 26] + chr(ord("A") + number % 26),
    "digits": lambda number: f"P{number}",
    "six letters": lambda number: (
        f"ZYX{chr(ord('A') + number // 26)}{chr(ord('A') + number % 26)}Q"
    ),
}


def recoded(codes: Callable[[int], str]) -> Map:
    """Return the standard board with other codes of provinces."""
    texts = read_folder(folder_of(DEFAULT_VARIANT)).texts
    rows = texts["provinces.csv"].splitlines()[1:]
    new = {row.partition(",")[0]: codes(number) for number, row in enumerate(rows)}
    code = re.compile(rf"\b(?:{'|'.join(new)})\b")
    return read_map(
        {name: code.sub(lambda found: new[found[0]], text) for name, text in texts.items()}
    )


@pytest.mark.parametrize("codes", one_in(3, CODES))
def test_codes_may_be_short_or_long_and_have_digits(codes: str) -> None:
    board, chance = recoded(CODES[codes]), Random(codes)  # noqa: S311 - each run takes the same
    for kind, order in orders_of(board, chance):
        assert_read_back(board, kind, order, chance)
