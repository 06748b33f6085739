"""Orders in people's own words around those in notation.

Notation is read by `judge.notation`, and `judge.reading` explains the text around it on the board:
what is plain is carried out, what is nearly plain is offered, and what is in doubt is neither.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate, chain
from typing import assert_never

from judge.game.submission import ordered_province
from judge.mail.body import Line
from judge.notation.conditional_orders import is_retreat_remark
from judge.notation.parser import parse
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
)
from judge.notation.readings import WhyNotUnderstood as Why
from judge.reading.anywhere import read_anywhere
from judge.reading.policy import Given, ReadOrder, Status, TextRead
from judge.reading.signs import APOSTROPHES, QUOTES
from judge.rules import types
from judge.rules.board import Map

SHORT_LETTERS_MAX = 4  # of names that may begin several
ENDS = "".join((" .!?;:", *QUOTES, *APOSTROPHES))


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
    lines = tuple(Line(number, line) for number, line in enumerate(text.split("\n"), 1))
    readings = parse(text, board, kind)
    if not apart:
        return explain_anywhere(board, kind, power, lines, readings)
    of_line = {line: [each for each in readings if each.line == line.number] for line in lines}
    found = [
        explain_anywhere(board, kind, power, (line,), some) if some else ()
        for line, some in of_line.items()
    ]
    beyond = (each for each in readings if each.line > len(lines))
    return (*chain.from_iterable(found), *beyond)


def explain_anywhere(
    board: Map,
    kind: types.PhaseKind,
    power: types.Power | None,
    lines: Sequence[Line],
    readings: Sequence[Reading],
) -> tuple[Reading, ...]:
    """Return *readings* of *lines* with the orders in words, without knowing the units."""
    merger = _Merger(lines, readings)
    merger.found = read_anywhere(merger.text, board, kind, power, merger.given())
    for each in merger.found.orders:
        merger.take(each)
    merger.withdraw_corrected()
    merger.note_retreats()
    return tuple(sorted(merger.merged, key=lambda each: (each.line, each.column)))


class _Merger:
    """Puts the readings of notation in *lines* and the orders in people's own words together."""

    def __init__(self, lines: Sequence[Line], readings: Sequence[Reading]) -> None:
        self.lines = lines
        self.merged = list(readings)
        self.notation = [each for each in readings if isinstance(each, Understood)]
        self.in_words: list[Reading] = []
        self.found = TextRead(())
        self.added: list[Reading] = []
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
                self._add(read.start, read.end, self._understood(read))
            case Status.OFFERED:
                self._offer(read)
            case Status.ASKED:
                self._add(read.start, read.end, self._unclear(read))
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
            case Status.DOUBTED if not read.led:
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

    def note_retreats(self) -> None:
        """Note the retreats wished for beside the orders of their units, and ask about others."""
        for wish in self.found.wishes:
            ordered = [
                each
                for each in self.merged
                if isinstance(each, Understood) and ordered_province(each.order) == wish.province
            ]
            if not ordered or ordered[0].remark:
                self._ask(wish.start, wish.end, Why.DOUBTFUL)
                continue
            places = ", ".join((*wish.places, *(("OTB",) if wish.disbands else ())))
            self._replace(ordered[0], replace(ordered[0], remark=f"(retreat: {places})"))
            self.merged = [
                each
                for each in self.merged
                if not (isinstance(each, Prose) and self._overlaps(each, wish.start, wish.end))
            ]

    def _ask(self, start: int, end: int, why: Why) -> bool:
        """Ask about text in which nothing else was read; return whether that is so."""
        free = all(
            isinstance(each, Prose) or not self._overlaps(each, start, end) for each in self.merged
        )
        if free:
            line, column, text = self._place(start, end)
            self._add(start, end, NotUnderstood(line, column, text, why))
        return free

    def _leaves_to_notation(self, reading: Reading, read: ReadOrder) -> bool:
        """Return whether notation asks about the text of *read*, or *read* may be for its unit."""
        if not isinstance(reading, NotUnderstood | Unclear):
            return False
        if reading in self.added or reading in self.in_words:
            return False
        if self._overlaps(reading, read.start, read.end):
            asked = read.strict and _has_question(reading) and not _suggests(reading, read.order)
            unknown = isinstance(reading, NotUnderstood) and reading.why is Why.UNKNOWN_WORD
            return asked and not (unknown and read.status is Status.PLAIN)
        return read.several

    def _offer(self, read: ReadOrder) -> None:
        place = ordered_province(read.order)
        offered = (each.nearest for each in self.merged if isinstance(each, NotUnderstood))
        if any(each and ordered_province(each) == place for each in offered):
            return
        line, column, text = self._place(read.start, read.end)
        offer = NotUnderstood(line, column, text, Why.NOT_AN_ORDER, nearest=read.order)
        self._add(read.start, read.end, offer)

    def _understood(self, read: ReadOrder) -> Understood:
        return Understood(*self._place(read.start, read.end), read.order)

    def _unclear(self, read: ReadOrder) -> Unclear:
        orders = tuple(dict.fromkeys(read.orders))
        return Unclear(*self._place(read.start, read.end), "", orders)

    def _replace(self, before: Reading, after: Reading) -> None:
        self.merged[self.merged.index(before)] = after
        self.added.append(after)

    def _add(self, start: int, end: int, reading: Reading) -> None:
        """Add *reading* in place of those that did not understand its text."""
        unread = [each for each in self.merged if self._fails_within(each, start, end)]
        at = self.merged.index(unread[0]) if unread else len(self.merged)
        self.merged.insert(at, reading)
        for each in unread:
            self.merged.remove(each)
        self.added.append(reading)

    def _fails_within(self, reading: Reading, start: int, end: int) -> bool:
        """Return whether *reading* did not understand, or left aside, the text there."""
        if reading in self.added or isinstance(reading, Understood):
            return False
        return self._overlaps(reading, start, end)

    def _overlaps(self, reading: Reading, start: int, end: int) -> bool:
        first, last = self._span(reading)
        return first < end and start < last

    def _span(self, reading: Reading) -> tuple[int, int]:
        """Return where *reading* starts and ends in the text of all lines."""
        at = self.index.get(reading.line)
        if at is None:
            return -1, -1
        start = self.starts[at] + reading.column - 1
        return start, start + len(reading.text)

    def _place(self, start: int, end: int) -> tuple[int, int, str]:
        """Return the line, column and text from *start* to *end* in its first line."""
        at = bisect_right(self.starts, start) - 1
        line, column = self.lines[at], start - self.starts[at]
        return line.number_at(column), column + 1, line.text[column : end - self.starts[at]]


def _suggests(reading: NotUnderstood | Unclear, order: types.Order) -> bool:
    """Return whether *order* is what notation suggests, with the kind before it: `fank-con`."""
    near = reading.nearest if isinstance(reading, NotUnderstood) else None
    if near is None or isinstance(near, types.Waive) or isinstance(order, types.Waive):
        return False
    kind = order.unit.kind
    glued = near.unit.kind is None and kind and reading.text[:1].upper() == kind.value
    same = ordered_province(near) == order.unit.province
    return bool(glued) and same and replace(near, unit=order.unit) == order


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
