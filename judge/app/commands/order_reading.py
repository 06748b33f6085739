"""Read lines of an email as orders for the open phase."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from judge.app.commands import other_text
from judge.app.commands.explained_orders import (
    explain_anywhere,
    explain_orders,
    read_for_phase,
)
from judge.game.house_rules import STANDARD, HouseRules, Typos
from judge.game.submission import ordered_province
from judge.game.visibility import VisibleProvinces, position_within, visible_fault
from judge.mail.body import Line
from judge.mail.reader.email_text import LEFT_OUT, FailingLine, read_all_others
from judge.mail.reader.prose import may_disclaim_orders
from judge.notation.clause_reader import with_coasts
from judge.notation.conditional_orders import PlanReading, ReadConditionalOrder, read_plan
from judge.notation.parser import parse
from judge.notation.readings import (
    ALL_REMAINING,
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
)
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.notation.vocabulary import DISBAND, REMOVE, RETREAT, SPEAKERS
from judge.reading.world import world_of
from judge.reports.emails.receipts import OtherUnitsHold
from judge.rules import types
from judge.rules.board import Map
from judge.rules.rulebook import DATC, Rulebook


@dataclass(frozen=True, slots=True)
class Situation:
    """The context in which the orders of *power* are read.

    *standing* are its current orders, *game* is the name of its game, and *visible* the provinces
    that it sees (None for all).
    """

    board: Map
    position: types.Position
    power: types.Power
    house_rules: HouseRules = STANDARD
    rulebook: Rulebook = DATC
    standing: tuple[types.Order, ...] = ()
    visible: VisibleProvinces = None
    game: str = ""

    @property
    def seen(self) -> types.Position:
        """Return the position as the power sees it."""
        return position_within(self.position, self.visible, self.power)


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """Lines of orders, each piece of their text as one reading.

    *slips* are the corrected readings, *rest* has the units that keep other orders, *aside* the
    text that is no order.
    """

    readings: tuple[Reading, ...]
    slips: frozenset[Reading] = frozenset()
    rest: tuple[OtherUnitsHold, ...] = ()
    aside: other_text.NotOrders = other_text.ALL_ORDERS

    @property
    def defects(self) -> tuple[tuple[int, str], ...]:
        """Return the lines on which our code failed, and where."""
        return tuple(
            (each.line, each.defect)
            for each in self.readings
            if isinstance(each, NotUnderstood) and each.why is Unread.FAILED
        )

    def orders(self, power: types.Power) -> tuple[types.Order, ...]:
        """Return the orders that are not marked as another power's."""
        understood = (each for each in self.readings if isinstance(each, Understood))
        return tuple(each.order for each in understood if each.power in (None, power))


def read_orders(situation: Situation, lines: Sequence[Line]) -> OrdersRead:
    """Read *lines* as orders for the open phase; a crash on one line affects no other."""
    found, failing = read_all_others(partial(_read_orders, situation), lines)
    if not failing:
        return found
    kept = (each for each in found.readings if each.text != LEFT_OUT)
    return replace(found, readings=(*kept, *map(_failed, failing)))


def _failed(failing: FailingLine) -> NotUnderstood:
    number, text = failing.line.number, failing.line.text.strip()
    return NotUnderstood(number, 1, text, Unread.FAILED, defect=failing.defect)


def _read_orders(situation: Situation, lines: Sequence[Line]) -> OrdersRead:
    board, power = situation.board, situation.power
    s_stands = situation.house_rules.s_stands
    readings = readings_of(board, situation.seen, power, lines, s_stands=s_stands)
    readings = tuple(_with_repeated(situation, readings))
    disowned = frozenset(lines_disowned(board, situation.game, lines, readings))
    explained = explain_orders(
        world_of(board, situation.seen, power),
        lines,
        readings,
        standing=situation.standing,
        disowned=disowned,
    )
    original = explained.readings
    corrected = with_typos_corrected(situation, original)
    return OrdersRead(
        readings=corrected,
        slips=frozenset(corrected) - frozenset(original),
        rest=explained.rest,
        aside=other_text.text_without_orders(
            board, situation.seen, power, lines, (*corrected, *explained.continued)
        ),
    )


def _with_repeated(situation: Situation, readings: Sequence[Reading]) -> Iterator[Reading]:
    """Yield *readings*; `same orders but ...` keeps the current ones."""
    ordered = any(isinstance(each, Understood) for each in readings)
    for each in readings:
        repeated = isinstance(each, NotUnderstood) and each.why is Unread.REPEATED
        if repeated and ordered and situation.standing:
            yield Prose(each.line, each.column, each.text)
        else:
            yield each


def read_with_rest(
    board: Map,
    position: types.Position | None,
    power: types.Power | None,
    lines: Sequence[Line],
) -> tuple[tuple[Reading, ...], other_text.NotOrders]:
    """Return the orders in *lines*, without a *position* those of any phase, and other text."""
    if position:
        readings = readings_of(board, position, power, lines)
        readings = explain_anywhere(board, position.phase.kind, power, lines, readings)
    else:
        found = read_for_phase("\n".join(line.text for line in lines), board)
        readings = tuple(replace(each, line=lines[each.line - 1].number) for each in found)
    rest = other_text.text_without_orders(board, position, power, lines, readings)
    return readings, rest


def readings_of(
    board: Map,
    position: types.Position,
    power: types.Power | None,
    lines: Sequence[Line],
    kind: types.PhaseKind | None = None,
    *,
    s_stands: bool = False,
) -> tuple[Reading, ...]:
    """Read *lines* as orders for the open phase; an own unit decides between two readings."""
    texts, of = [line.text for line in lines], kind or position.phase.kind
    if of is types.PhaseKind.RETREATS:
        texts = [with_dislodged_unit(board, position, power, each) for each in texts]
    text = "\n".join(texts)
    readings = parse(
        text,
        board,
        of,
        s_stands=s_stands,
    )
    if of is types.PhaseKind.MOVEMENT:
        readings = tuple(_ask_if_torn(board, position, power, lines, readings))
    else:
        readings = tuple(first_possible_choice(board, position, text, readings))
    readings = tuple(_ask_for_coast(board, each) for each in readings)
    numbered = (_as_written(each, lines[each.line - 1], texts[each.line - 1]) for each in readings)
    settled = [_without_doubt(position, power, each) for each in numbered]
    return tuple(_with_waives(position, power, settled))


def _ask_for_coast(board: Map, reading: Reading) -> Reading:
    """Ask for the coast if the one named does not exist in a province with two."""
    if not isinstance(reading, Understood):
        return reading
    place = _last_place(reading.order)
    if place is None or place in board.locations or not board.coasts_of(types.province_of(place)):
        return reading
    meant = with_coasts(reading.order, board.coasts_of(types.province_of(place)))
    line, column, text, power = reading.line, reading.column, reading.text, reading.power
    asked = Unclear(line, column, text, place, meant, power)
    return asked if meant else reading


def _last_place(order: types.Order) -> types.Location | None:
    match order:
        case (
            types.Move(target=place)
            | types.Retreat(target=place)
            | types.SupportMove(target=place)
        ):
            return place
        case (
            types.SupportHold(supported=unit)
            | types.Build(unit)
            | types.Disband(unit)
            | types.Hold(unit)
        ):
            return unit.location
        case types.Convoy() | types.Waive():
            return None
        case _:
            assert_never(order)


def _as_written(reading: Reading, line: Line, read_as: str) -> Reading:
    """Return *reading* with the original text and its line number.

    It may have been *read_as* other words of the same length, or with others at the start.
    """
    start, longer = reading.column - 1, len(read_as) - len(line.text)
    end = start + len(reading.text) - longer
    text = line.text[max(start - longer, 0) if start else 0 : end].strip()
    return replace(reading, line=line.number_at(start), text=text)


def _ask_if_torn(
    board: Map,
    position: types.Position,
    power: types.Power | None,
    lines: Sequence[Line],
    readings: Sequence[Reading],
) -> Iterator[Reading]:
    """Yield *readings*; ask about `A Den S`, `F Hel - Kie` if F Hel has no other order.

    The line break may separate two orders or be inside one. If the second unit has its own order
    elsewhere, only the joined order makes sense.
    """
    ordered = {ordered_province(each.order) for each in readings if isinstance(each, Understood)}
    own = {unit.province for unit in position.units if unit.power == power}
    for each in readings:
        alone = _order_after_break(board, each, lines[each.line - 1])
        place = ordered_province(alone) if alone else None
        if alone and isinstance(each, Understood) and place in own and place not in ordered:
            orders = (each.order, alone)
            line, column = each.line, each.column
            yield Unclear(line, column, each.text, "", orders, each.power)
        else:
            yield each


def _order_after_break(board: Map, reading: Reading, line: Line) -> types.Order | None:
    if not isinstance(reading, Understood):
        return None
    start, end = reading.column - 1, reading.column - 1 + len(reading.text)
    within = [at for at, _ in line.breaks if start < at < end]
    if not within:
        return None
    above = parse(line.text[start : within[-1]], board, s_stands=True)
    below = parse(line.text[within[-1] : end], board)
    match (*above, *below):
        case (Understood(), Understood(order=order)):
            return order
        case _:
            return None


def read_safely(
    board: Map,
    position: types.Position,
    power: types.Power | None,
    lines: Sequence[Line],
    *,
    s_stands: bool,
) -> tuple[Reading, ...]:
    """Read *lines* as orders to try; a line on which our code fails is not understood."""

    def read(some: Sequence[Line]) -> tuple[Reading, ...]:
        readings = readings_of(board, position, power, some, s_stands=s_stands)
        if power is None:
            return explain_anywhere(board, position.phase.kind, None, some, readings)
        return explain_orders(world_of(board, position, power), some, readings).readings

    readings, failing = read_all_others(read, lines)
    return (*readings, *map(_failed, failing))


def _with_waives(
    position: types.Position, power: types.Power | None, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Waive as many builds as a line names, or all that the email leaves."""
    adjusts = position.phase.kind is types.PhaseKind.ADJUSTMENTS
    due = position.due(power) if power and adjusts else 0
    built = [each for each in readings if isinstance(each, Understood) and _is_for_build(each)]
    left = max(due - sum(each.times for each in built), 0)
    for each in readings:
        if not isinstance(each, Understood) or each.times == 1:
            yield each
            continue
        times = each.times if each.times != ALL_REMAINING else left or int(not built)
        yield from (replace(each, order=types.Waive(), times=1) for _ in range(times))


def _is_for_build(reading: Understood) -> bool:
    return isinstance(reading.order, types.Build | types.Waive) and reading.times != ALL_REMAINING


def _without_doubt(
    position: types.Position, power: types.Power | None, reading: Reading
) -> Reading:
    if isinstance(reading, Understood):
        return _as_removal(position, power, reading)
    if not isinstance(reading, Unclear):
        return reading
    standing = (*position.units, *(each.unit for each in position.dislodged))
    own = {unit.province for unit in standing if unit.power == power}
    likely = [each for each in reading.orders if ordered_province(each) in own]
    if len(likely) != 1:
        return reading
    return Understood(reading.line, reading.column, reading.text, likely[0], reading.power)


def _as_removal(
    position: types.Position, power: types.Power | None, reading: Understood
) -> Understood:
    """Read a unit on its own as a removal, where removals are due."""
    removing = power is not None and position.due(power) < 0
    if removing and reading.bare and isinstance(reading.order, types.Build):
        return replace(reading, order=types.Disband(reading.order.unit))
    return reading


def with_typos_corrected(situation: Situation, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Correct misspelled orders, suggest corrections, or neither, as `typos` sets."""
    match situation.house_rules.typos:
        case Typos.STRICT:
            return tuple(
                replace(each, nearest=None) if isinstance(each, NotUnderstood) else each
                for each in readings
            )
        case Typos.SUGGEST:
            return tuple(readings)
        case Typos.REPAIR:
            return tuple(correct_typo(situation, each) for each in readings)
        case typos:
            assert_never(typos)


def correct_typo(situation: Situation, reading: Reading) -> Reading:
    """Return the order closest to *reading*, if the power could give it."""
    if not isinstance(reading, NotUnderstood) or reading.why is not Unread.UNKNOWN_WORD:
        return reading
    nearest, board, position = reading.nearest, situation.board, situation.position
    if nearest is None or visible_fault(
        board, position, situation.power, nearest, situation.rulebook, situation.visible
    ):
        return reading
    return Understood(reading.line, reading.column, reading.text, nearest, reading.power)


def lines_disowned(
    board: Map, game: str, lines: Sequence[Line], readings: Sequence[Reading]
) -> Iterator[int]:
    """Yield the numbers of *lines* of orders below, or behind, text that may disown them."""
    ordering = {
        each.line: each.column for each in reversed(readings) if isinstance(each, Understood)
    }
    disowning = False
    for line in lines:
        text = line.text
        if line.number not in ordering:
            if not text.strip():
                disowning = False
            elif may_disclaim_orders(text, board, {game}):
                disowning = True
            continue
        before, colon, _ = text[: ordering[line.number] - 1].partition(":")
        if disowning or (colon and may_disclaim_orders(before + colon, board, {game})):
            yield line.number


SPEAKER = "|".join(r"\s+".join(each) for each in SPEAKERS)
VERB = "|".join(sorted(RETREAT | DISBAND | REMOVE))
# Retreats without a unit: `retreat: Alb, OTB`, `I retreat to Tuscany`, `to Tus`, `disband it`.
UNNAMED = re.compile(
    rf"\W*(?:(?:{SPEAKER})\s+)?(?:(?=(?:{VERB})\b)|to\s+(?=\S))",
    re.IGNORECASE,
)
IT = re.compile(r"\s+(?:it|them|(?:my|the|that)\s+(?:unit|army|fleet))\b", re.IGNORECASE)


def first_possible_choice(
    board: Map, position: types.Position, text: str, readings: Sequence[Reading]
) -> Iterator[Reading]:
    """Read each line of *text* with alternatives as the first that is possible.

    Such lines are lists of retreats, and builds with a second choice. Other lines yield the
    *readings*. A list with a condition does not count.
    """
    planned = read_plan(text, board, position.phase.kind)
    lists = {each.line for each in planned if _is_list(each)}
    yield from (each for each in readings if each.line not in lists)
    for each in planned:
        if each.line in lists:
            yield _chosen(position, each) if isinstance(each, ReadConditionalOrder) else each


def with_dislodged_unit(
    board: Map, position: types.Position, power: types.Power | None, line: str
) -> str:
    """Return *line*, `retreat: Alb, OTB`, prefixed with the one unit *power* may mean."""
    own = [each.unit for each in position.dislodged if each.unit.power == power]
    found = UNNAMED.match(line)
    if len(own) != 1 or not found:
        return line
    choice = IT.sub("", line[found.end() :].strip(), count=1).replace(":", " ", 1)
    verb = "retreat " if found[0].strip().casefold().endswith("to") else ""
    named = f"{own[0].kind.value} {own[0].location} {verb}{choice}"
    retreats = types.PhaseKind.RETREATS
    read = any(
        isinstance(each, Understood) and ordered_province(each.order) == own[0].province
        for each in parse(line, board, retreats)
    )
    readings = [each for each in read_plan(named, board, retreats) if not isinstance(each, Prose)]
    return (
        named
        if not read and all(isinstance(each, ReadConditionalOrder) for each in readings)
        else line
    )


def _is_list(planned: PlanReading) -> bool:
    return (
        isinstance(planned, ReadConditionalOrder)
        and planned.wish.condition is None
        and len(planned.wish.orders) > 1
    )


def _chosen(position: types.Position, wished: ReadConditionalOrder) -> Understood:
    orders = wished.wish.orders
    order = next((each for each in orders if _can_be(position, each)), orders[0])
    return Understood(wished.line, wished.column, wished.text, order, wished.power, instead=orders)


def _can_be(position: types.Position, order: types.Order) -> bool:
    match order:
        case types.Retreat(unit, target):
            return any(
                types.province_of(target) in map(types.province_of, each.retreats)
                for each in position.dislodged
                if each.unit.province == types.province_of(unit.location)
            )
        case types.Build(unit):
            return all(each.province != unit.province for each in position.units)
        case (
            types.Hold()
            | types.Move()
            | types.SupportHold()
            | types.SupportMove()
            | types.Convoy()
            | types.Disband()
            | types.Waive()
        ):
            return True
        case _:
            assert_never(order)
