"""Read lines of an email as orders."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import assert_never

from judge.app.commands.page_of_orders import LinesRead, Page
from judge.app.commands.prose import ALL_ORDERS, NotOrders, text_without_orders
from judge.app.commands.situation import Situation
from judge.game.house_rules import Typos
from judge.game.submission import ordered_province
from judge.game.visibility import visible_fault
from judge.mail.body import Line
from judge.mail.reader.email_text import LEFT_OUT, FailingLine, read_all_others
from judge.notation.readings import NotUnderstood, Reading, Understood
from judge.notation.readings import WhyNotUnderstood as Unread
from judge.reading.anywhere import anywhere, read_anywhere
from judge.reading.reader import read_text
from judge.reading.tokens import TOKEN, TOKENS_MAX
from judge.reading.world import World, world_of
from judge.reports.emails.receipts import OtherUnitsHold
from judge.rules import types
from judge.rules.board import Map

PIECES_MAX = 2  # of a long letter


@dataclass(frozen=True, slots=True)
class OrdersRead:
    """Lines of orders, each piece of their text as one reading.

    *slips* are the corrected readings, *rest* has the units that keep other orders, *noted*
    retreats beside orders and orders taken back, *aside* the text that is no order.
    """

    readings: tuple[Reading, ...]
    slips: frozenset[Reading] = frozenset()
    rest: tuple[OtherUnitsHold, ...] = ()
    noted: tuple[NotUnderstood, ...] = ()
    aside: NotOrders = ALL_ORDERS

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
    seen = situation.seen
    world = world_of(board, seen, power, s_stands=situation.house_rules.s_stands)
    explained = read_on_board(world, lines, situation.standing)
    original = explained.readings
    corrected = with_typos_corrected(situation, original)
    return OrdersRead(
        readings=corrected,
        slips=frozenset(corrected) - frozenset(original),
        rest=explained.rest,
        noted=explained.noted,
        aside=text_without_orders(
            board,
            situation.seen,
            power,
            lines,
            (*corrected, *explained.continued, *explained.noted),
        ),
    )


def read_with_rest(
    board: Map,
    position: types.Position | None,
    power: types.Power | None,
    lines: Sequence[Line],
) -> tuple[tuple[Reading, ...], NotOrders]:
    """Return the orders in *lines*, without a *position* those of any phase, and other text."""
    text, kind = "\n".join(line.text for line in lines), types.PhaseKind.MOVEMENT
    found = read_for_phase(text, board, position.phase.kind if position else kind)
    readings = tuple(replace(each, line=lines[each.line - 1].number) for each in found)
    rest = text_without_orders(board, position, power, lines, readings)
    return readings, rest


def read_without_position(
    board: Map, power: types.Power | None, lines: tuple[Line, ...]
) -> tuple[tuple[Line, ...], NotOrders]:
    """Return those of *lines*, which nothing can be ordered by, with orders, and other text."""
    readings, rest = read_with_rest(board, None, power, lines)
    ordering = {
        each.line
        for each in readings
        if isinstance(each, Understood)
        or (isinstance(each, NotUnderstood) and each.nearest is not None)
    }
    if ordering:
        return tuple(line for line in lines if line.number in ordering), rest
    return (), text_without_orders(board, None, power, lines, ())


def provinces_named(
    board: Map, position: types.Position, power: types.Power | None, units: Sequence[str]
) -> tuple[types.Province, ...]:
    """Return where *units* stand, which are written as in orders."""
    world = replace(world_of(board, position, power), kind=types.PhaseKind.MOVEMENT)
    holds = tuple(Line(number, f"{unit} H") for number, unit in enumerate(units))
    readings = read_on_board(world, holds).readings
    places = (ordered_province(each.order) for each in readings if isinstance(each, Understood))
    return tuple(place for place in places if place)


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
        if power is None:
            text = "\n".join(line.text for line in some)
            return read_for_phase(text, board, position.phase.kind)
        return read_on_board(world_of(board, position, power, s_stands=s_stands), some).readings

    readings, failing = read_all_others(read, lines)
    return (*readings, *map(_failed, failing))


def read_on_board(
    world: World, lines: Sequence[Line], standing: Sequence[types.Order] = ()
) -> LinesRead:
    """Read the orders in *lines*; units with *standing* orders keep them if the rest holds.

    *world* is what the writer sees. A long letter is read in pieces; then the rest holds only if
    its writer says so again.
    """
    pieces = _pieces(lines)
    pages = [Page(each, unread=len(pieces) > 1) for each in pieces[:PIECES_MAX]]
    read = [page.read(read_text(page.text, world), world, standing) for page in pages]
    return LinesRead(
        (*(each for part in read for each in part.readings), *_beyond(pieces)),
        tuple(each for part in read for each in part.continued),
        tuple(each for part in read for each in part.noted),
        tuple(each for part in read for each in part.rest),
    )


def read_for_phase(
    text: str,
    board: Map,
    kind: types.PhaseKind = types.PhaseKind.MOVEMENT,
    power: types.Power | None = None,
    *,
    apart: bool = False,
) -> tuple[Reading, ...]:
    """Read *text*, without knowing the units, as orders of *power* for a phase of *kind*.

    Lines are *apart* where they depend on different conditions.
    """
    lines = [Line(number, line) for number, line in enumerate(text.split("\n"), 1)]
    pieces = [[line] for line in lines if line.text.strip()] if apart else _pieces(lines)
    readings: list[Reading] = []
    for piece in pieces if apart else pieces[:PIECES_MAX]:
        page = Page(piece)
        world = anywhere(page.text, board, kind, power)
        readings += page.read(read_anywhere(page.text, world), world).readings
    return (*readings, *(() if apart else _beyond(pieces)))


def read_for_any_phase(text: str, board: Map) -> tuple[Reading, ...]:
    """Read *text* as orders for the kind of phase in which it orders most."""
    read = [read_for_phase(text, board, kind) for kind in types.PhaseKind]
    return max(read, key=lambda each: sum(isinstance(one, Understood) for one in each))


def _pieces(lines: Sequence[Line]) -> list[list[Line]]:
    """Return *lines* in pieces of no more words and signs than are read at once."""
    pieces: list[list[Line]] = [[]]
    left = TOKENS_MAX
    for line in lines:
        size = 1 + sum(1 for _ in TOKEN.finditer(line.text))
        if size > left and pieces[-1]:
            pieces.append([])
            left = TOKENS_MAX
        pieces[-1].append(line)
        left -= size
    return pieces


def _beyond(pieces: Sequence[Sequence[Line]]) -> Iterator[NotUnderstood]:
    for line, *_ in pieces[PIECES_MAX : PIECES_MAX + 1]:
        yield NotUnderstood(line.number, 1, line.text, Unread.TOO_MANY)


def with_typos_corrected(situation: Situation, readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """Correct misspelled orders, suggest corrections, or neither, as `typos` sets."""
    match situation.house_rules.typos:
        case Typos.STRICT:
            return tuple(
                replace(each, nearest=None) if isinstance(each, NotUnderstood) else each
                for each in readings
            )
        case Typos.SUGGEST:
            return tuple(
                correct_typo(situation, each)
                if isinstance(each, NotUnderstood) and each.slip
                else each
                for each in readings
            )
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
