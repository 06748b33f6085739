"""What is to be done in order of preference, when the phase of it is open."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from judge.game.orders.order_set_update import ordered_province
from judge.notation.conditional_orders import PlanReading, ReadConditionalOrder, read_plan
from judge.notation.parser import parse
from judge.notation.readings import Prose, Reading, Understood
from judge.notation.vocabulary import DISBAND, REMOVE, RETREAT, SPEAKERS
from judge.rules.board import Map
from judge.rules.types import Build, Order, PhaseKind, Position, Power, Retreat, province_of

SPEAKER = "|".join(r"\s+".join(each) for each in SPEAKERS)
VERB = "|".join(sorted(RETREAT | DISBAND | REMOVE))
# What leaves out its unit: `retreat: Alb, OTB`, `I retreat to Tuscany`, `to Tus`, `disband it`.
UNNAMED = re.compile(
    rf"\W*(?:(?:{SPEAKER})\s+)?(?:(?=(?:{VERB})\b)|to\s+(?=\S))",
    re.IGNORECASE,
)
IT = re.compile(r"\s+(?:it|them|(?:my|the|that)\s+(?:unit|army|fleet))\b", re.IGNORECASE)


def first_possible(
    board: Map, position: Position, text: str, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Read each line of *text* that says what to do if something else cannot be as what can be.

    Such are lists of retreats, and builds for which there is another. Of other lines it yields
    the *readings*. A list with a condition is none here.
    """
    planned = read_plan(text, board, position.phase.kind)
    lists = {each.line for each in planned if _is_list(each)}
    yield from (each for each in readings if each.line not in lists)
    for each in planned:
        if each.line in lists:
            yield _chosen(position, each) if isinstance(each, ReadConditionalOrder) else each


def with_its_unit(board: Map, position: Position, power: Power | None, line: str) -> str:
    """Return *line*, `retreat: Alb, OTB`, with the one unit before it that *power* may mean."""
    own = [each.unit for each in position.dislodged if each.unit.power == power]
    found = UNNAMED.match(line)
    if len(own) != 1 or not found:
        return line
    said = IT.sub("", line[found.end() :].strip(), count=1).replace(":", " ", 1)
    verb = "retreat " if found[0].strip().casefold().endswith("to") else ""
    named = f"{own[0].kind.value} {own[0].location} {verb}{said}"
    retreats = PhaseKind.RETREATS
    read = any(
        isinstance(each, Understood) and ordered_province(each.order) == own[0].province
        for each in parse(line, board, retreats)
    )
    told = [each for each in read_plan(named, board, retreats) if not isinstance(each, Prose)]
    return (
        named
        if not read and all(isinstance(each, ReadConditionalOrder) for each in told)
        else line
    )


def _is_list(planned: PlanReading) -> bool:
    return (
        isinstance(planned, ReadConditionalOrder)
        and planned.wish.condition is None
        and len(planned.wish.orders) > 1
    )


def _chosen(position: Position, wished: ReadConditionalOrder) -> Understood:
    orders = wished.wish.orders
    order = next((each for each in orders if _can_be(position, each)), orders[0])
    return Understood(wished.line, wished.column, wished.text, order, wished.power, instead=orders)


def _can_be(position: Position, order: Order) -> bool:
    match order:
        case Retreat(unit, target):
            return any(
                province_of(target) in map(province_of, each.retreats)
                for each in position.dislodged
                if each.unit.province == province_of(unit.location)
            )
        case Build(unit):
            return all(each.province != unit.province for each in position.units)
        case _:
            return True
