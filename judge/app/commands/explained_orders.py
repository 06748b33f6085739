"""Orders in people's own words around those in notation.

Notation is read by `judge.notation`, and `judge.reading` explains the text around it on the board:
what is plain is carried out, what is nearly plain is offered, and what is in doubt is neither.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import assert_never

from judge.game.submission import ordered_province
from judge.game.visibility import provinces_held
from judge.mail.body import Line
from judge.notation.clauses import is_notation
from judge.notation.conditional_orders import is_retreat_remark
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
)
from judge.notation.readings import WhyNotUnderstood as Why
from judge.reading.matching import APOSTROPHES, QUOTES
from judge.reading.policy import Given, ReadOrder, Status, TextRead
from judge.reading.reader import read_text
from judge.reading.world import FAR, World, world_of
from judge.rules import types
from judge.rules.board import Map

ENDS = "".join((" .!?;:", *QUOTES, *APOSTROPHES))


@dataclass(frozen=True, slots=True)
class Explained:
    """The *readings* of lines, and those *added* by the best explanation.

    *continued* covers the lines below the first of an order that was wrapped.
    """

    readings: tuple[Reading, ...]
    added: frozenset[Reading] = frozenset()
    continued: tuple[Understood, ...] = ()


def explain_orders(  # noqa: PLR0913 - what the writer sees and has said
    board: Map,
    position: types.Position,
    power: types.Power,
    lines: Sequence[Line],
    readings: Sequence[Reading],
    *,
    standing: Sequence[types.Order] = (),
    disowned: frozenset[int] = frozenset(),
) -> Explained:
    """Return *readings* of *lines* with the orders in words, and what those say of notation.

    *position* is what *power* sees. Units with *standing* orders keep them if the rest holds.
    *disowned* are lines of notation below words that may disown them.
    """
    if not lines:
        return Explained(tuple(readings))
    merger = _Merger(lines, disowned)
    world = world_of(board, position, power)
    merger.settle(readings, frozenset(provinces_held(position, power)), world)
    merger.found = read_text(merger.text, world, given=merger.given())
    kept = {ordered_province(each) for each in standing}
    for each in sorted(merger.found.orders, key=lambda read: read.several):
        if not (each.rest and ordered_province(each.order) in kept):
            merger.take(each)
    merger.withdraw_corrected()
    merger.doubt_holds()
    return Explained(tuple(merger.merged), frozenset(merger.added), tuple(merger.continued))


class _Merger:
    """Puts the readings of notation in *lines* and the orders in people's own words together."""

    def __init__(self, lines: Sequence[Line], disowned: frozenset[int]) -> None:
        self.lines = lines
        self.disowned = disowned
        self.merged: list[Reading] = []
        self.notation: list[Understood] = []
        self.in_words: list[Reading] = []
        self.found = TextRead(())
        self.added: list[Reading] = []
        self.continued: list[Understood] = []
        above = [line.number for line in lines[:1]] + [
            each.number_at(len(each.text)) for each in lines[:-1]
        ]
        gaps = [  # left out between two lines is a quotation, or a command
            "\n" if line.number > last + 1 else "" for line, last in zip(lines, above, strict=True)
        ]
        texts = [f"{gap}{line.text}" for gap, line in zip(gaps, lines, strict=True)]
        self.text = "\n".join(texts)
        ends = accumulate(len(text) + 1 for text in texts)
        starts = [0, *ends][:-1]
        self.starts = [at + len(gap) for at, gap in zip(starts, gaps, strict=True)]
        self.index = {number: at for at, line in enumerate(lines) for number in _numbers_of(line)}

    def settle(
        self,
        readings: Sequence[Reading],
        own: frozenset[types.Province],
        world: World,
    ) -> None:
        """Sort out which of *readings* are notation, and leave the others to be explained."""
        moving = world.kind is types.PhaseKind.MOVEMENT
        for each in readings:
            in_words = moving and (_names_another(each, world) or not is_notation(each.text))
            match each:
                case Understood() if in_words and ordered_province(each.order) in own:
                    line, column, text, why = each.line, each.column, each.text, Why.NOT_AN_ORDER
                    order, power = each.order, each.power
                    self.in_words.append(NotUnderstood(line, column, text, why, order, power))
                    self.merged.append(self.in_words[-1])
                    continue
                case Understood():
                    self.notation.append(each)
                case _:
                    pass
            self.merged.append(each)

    def given(self) -> tuple[Given, ...]:
        """Return the stretches of text that notation reads, without the marks that end them."""
        found: list[Given] = []
        for number, each in sorted(enumerate(self.notation), key=lambda one: self._span(one[1])):
            start, end = self._span(each)
            if each.remark and not is_retreat_remark(each.remark):
                end = max(self.text.rfind(each.remark, start, end), start + 1)
            while start < end and self.text[start] in ENDS:
                start += 1  # a quotation mark
            span = start, len(self.text[:end].rstrip(ENDS))
            if span[0] >= 0 and found and span[0] < found[-1].end:
                before = found.pop()
                end, orders = max(before.end, span[1]), (*before.orders, (number, each.order))
                found.append(Given(before.start, end, orders))
            elif span[0] >= 0:
                found.append(Given(*span, ((number, each.order),)))
        return tuple(found)

    def take(self, read: ReadOrder) -> None:
        """Take one order of the best explanation."""
        if read.given is not None:
            self._take_notation(read, self.notation[read.given])
            return
        if any(self._leaves_to_notation(each, read) for each in self.merged):
            return
        match read.status:
            case Status.PLAIN:
                self._add(read, self._understood(read, read.order))
            case Status.OFFERED:
                self._offer(read)
            case Status.ASKED:
                self._add(read, self._unclear(read, read.orders))
            case Status.DOUBTED:
                pass
            case status:
                assert_never(status)

    def _take_notation(self, read: ReadOrder, before: Understood) -> None:
        """Take what the text around it says of an order in notation."""
        if before.instead:
            return
        line, column, text, power = before.line, before.column, before.text, before.power
        match read.status:
            case Status.DOUBTED if not read.led or line in self.disowned:
                why = Why.DOUBTFUL
            case Status.OFFERED:
                why = Why.NOT_AN_ORDER
            case Status.ASKED:
                self._replace(before, Unclear(line, column, text, "", read.orders, power))
                return
            case _:
                return
        self._replace(before, NotUnderstood(line, column, text, why, before.order, power))

    def withdraw_corrected(self) -> None:
        """Withdraw the notation that words below correct."""
        if not self.found.fixes:
            return
        said = {read.given for read in self.found.orders}
        corrected = {
            ordered_province(read.order) for read in self.found.orders if read.given is None
        }
        for number, each in enumerate(self.notation):
            if number in said or each not in self.merged:
                continue
            if ordered_province(each.order) in corrected:
                self.merged.remove(each)

    def doubt_holds(self) -> None:
        """Leave out each `all units hold` that is in doubt or in quotation marks."""
        for each in list(self.merged):
            if isinstance(each, Prose) and each.hold:
                start, end = self._span(each)
                if any(start < last and first < end for first, last in self.found.doubts):
                    self._replace(each, replace(each, hold=False))

    def _leaves_to_notation(self, reading: Reading, read: ReadOrder) -> bool:
        """Return whether notation asks about the text of *read*, or *read* may be for its unit."""
        if not isinstance(reading, NotUnderstood | Unclear):
            return False
        if reading in self.added or reading in self.in_words:
            return False
        if self._overlaps(reading, read):
            return read.strict and _has_question(reading)
        return read.several

    def _offer(self, read: ReadOrder) -> None:
        place = ordered_province(read.order)
        offered = (each.nearest for each in self.merged if isinstance(each, NotUnderstood))
        if any(each and ordered_province(each) == place for each in offered):
            return
        line, column, text = self._place(read)
        why = Why.NOT_AN_ORDER
        self._add(read, NotUnderstood(line, column, text, why, nearest=read.order))

    def _understood(self, read: ReadOrder, order: types.Order) -> Understood:
        line, column, text = self._place(read)
        return Understood(line, column, text, order)

    def _unclear(self, read: ReadOrder, orders: tuple[types.Order, ...]) -> Unclear:
        line, column, text = self._place(read)
        return Unclear(line, column, text, "", tuple(dict.fromkeys(orders)))

    def _replace(self, before: Reading, after: Reading) -> None:
        self.merged[self.merged.index(before)] = after
        self.added.append(after)

    def _add(self, read: ReadOrder, reading: Reading) -> None:
        """Add *reading* in place of those that did not understand its text."""
        unread = [each for each in self.merged if self._fails_within(each, read)]
        at = self.merged.index(unread[0]) if unread else len(self.merged)
        self.merged.insert(at, reading)
        for each in unread:
            self.merged.remove(each)
        self.added.append(reading)
        first = bisect_right(self.starts, read.start) - 1
        last = bisect_right(self.starts, max(read.end - 1, read.start)) - 1
        for below in range(first + 1, last + 1):
            line = self.lines[below]
            text = line.text[: read.end - self.starts[below]]
            self.continued.append(Understood(line.number_at(0), 1, text, read.order))

    def _fails_within(self, reading: Reading, read: ReadOrder) -> bool:
        """Return whether *reading* did not understand, or left aside, the text of *read*."""
        if reading in self.added or isinstance(reading, Understood):
            return False
        if isinstance(reading, Prose) and reading.hold:
            return False
        return self._overlaps(reading, read)

    def _overlaps(self, reading: Reading, read: ReadOrder) -> bool:
        start, end = self._span(reading)
        return start < read.end and read.start < end

    def _span(self, reading: Reading) -> tuple[int, int]:
        """Return where *reading* starts and ends in the text of all lines."""
        at = self.index.get(reading.line)
        if at is None:
            return -1, -1
        start = self.starts[at] + reading.column - 1
        return start, start + len(reading.text)

    def _place(self, read: ReadOrder) -> tuple[int, int, str]:
        """Return the line, column and text of *read* in its first line."""
        at = bisect_right(self.starts, read.start) - 1
        line, column = self.lines[at], read.start - self.starts[at]
        end = min(read.end - self.starts[at], len(line.text))
        return line.number_at(column), column + 1, line.text[column:end]


def _names_another(reading: Reading, world: World) -> bool:
    """Return whether a move has the wrong kind and is impossible: `A Nwg-StP` of F NWG."""
    if not (isinstance(reading, Understood) and isinstance(reading.order, types.Move)):
        return False
    name, to = reading.order.unit, types.province_of(reading.order.target)
    unit = world.own.get(name.province)
    return bool(unit and name.kind not in (None, unit.kind) and world.reach(unit, to) >= FAR)


def _has_question(reading: NotUnderstood | Unclear) -> bool:
    """Return whether more than that it was not understood is said of *reading*."""
    if isinstance(reading, Unclear) or reading.nearest:
        return True
    return reading.why not in {
        Why.NOT_AN_ORDER,
        Why.UNKNOWN_WORD,
        Why.DOUBTFUL,
    }


def _numbers_of(line: Line) -> Iterator[int]:
    yield line.number
    yield from (number for _, number in line.breaks)
