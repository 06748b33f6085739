"""Put what the reader of orders found in a text into the lines of an email.

What is plain is carried out, what is nearly plain is offered, and what is in doubt is neither;
notation in doubt is asked about.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import assert_never

from judge.game.submission import ordered_province
from judge.mail.body import Line
from judge.notation.order_text import write_short
from judge.notation.readings import NotUnderstood, Reading, Unclear, Understood
from judge.notation.readings import WhyNotUnderstood as Why
from judge.notation.strict_orders import StrictOrder, misfit, read_strictly, read_unit
from judge.notation.terms import keys_of
from judge.reading.policy import ReadOrder, RetreatWish, Status, TextRead
from judge.reading.world import FAR, World
from judge.reports.emails.receipts import OtherUnitsHold
from judge.rules import types

SUPPORTS = re.compile(
    r"(?<!\w)(?:s|sup|supp|supports?|u|unt|unterst|unterstützt|sout|soutient)\W*\Z", re.IGNORECASE
)

REMARK = re.compile(r"[ \t]*(?:\([^()\n]*\)|\[[^][\n]*\])")

SHORT_LETTERS_MAX = 4  # of names that may begin several


@dataclass(frozen=True, slots=True)
class LinesRead:
    """The *readings* of lines.

    *continued* covers the lines below the first of an order that was wrapped, *noted* retreats
    beside orders, and orders taken back. *rest* has the units that keep other orders where the
    rest holds.
    """

    readings: tuple[Reading, ...] = ()
    continued: tuple[NotUnderstood, ...] = ()
    noted: tuple[NotUnderstood, ...] = ()
    rest: tuple[OtherUnitsHold, ...] = ()


@dataclass(slots=True)
class Page:
    """The text of *lines*, and what was read in it so far."""

    lines: Sequence[Line]
    readings: list[Reading] = field(default_factory=list)
    continued: list[NotUnderstood] = field(default_factory=list)
    noted: list[NotUnderstood] = field(default_factory=list)
    kept: dict[tuple[int, str], list[str]] = field(default_factory=dict)
    spans: list[tuple[int, int]] = field(default_factory=list)
    asked: set[types.Province | None] = field(default_factory=set)
    unread: bool = False  # notation, of which nobody knows which unit it is for
    text: str = ""
    starts: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Join the lines; what is left out between two is a quotation, or a command."""
        above = [line.number for line in self.lines[:1]]
        above += [each.number for each in self.lines[:-1]]
        pairs = zip(self.lines, above, strict=True)
        gaps = ["\n" * (line.number > last + 1) + " " * line.begun for line, last in pairs]
        texts = [f"{gap}{line.text}" for gap, line in zip(gaps, self.lines, strict=True)]
        self.text = "\n".join(texts)
        starts = [0, *accumulate(len(text) + 1 for text in texts)][:-1]
        self.starts = [at + len(gap) for at, gap in zip(starts, gaps, strict=True)]

    def read(
        self, found: TextRead, world: World, standing: Sequence[types.Order] = ()
    ) -> LinesRead:
        """Return what was *found* in the text, in its order."""
        for each in found.orders:
            if not each.several:
                read = self.with_other_targets(self.as_torn(each, found, world), world)
                self.add_order(self.with_remark(read, found))
        self.note_retreats(found.wishes)
        self.ask_about_unread(found, world, repeats=bool(standing))
        self.ask_about_units(found, world)
        last = 0
        for start, end in sorted(found.recalled, key=lambda span: (span[0], -span[1])):
            if start >= last and self._is_free(start, end):
                said = NotUnderstood(*self._place(start, end), Why.NOT_AN_ORDER)
                self.noted.append(said)
                self._cover_lines_below(start, end)
                last = end
        kept = {ordered_province(each): each for each in standing}
        for each in found.orders:
            place = ordered_province(each.order)
            if each.several and each.rest and place in kept:
                self.keep(each, write_short(kept[place], world.board))
            elif each.several:
                self.add_for_all(each)
        order = sorted(range(len(self.readings)), key=lambda at: self.spans[at])
        return LinesRead(
            tuple(self.readings[at] for at in order),
            tuple(self.continued),
            tuple(self.noted),
            tuple(OtherUnitsHold(*where, tuple(others)) for where, others in self.kept.items()),
        )

    def as_torn(self, read: ReadOrder, found: TextRead, world: World) -> ReadOrder:
        """Return *read*, a question if a line break may end it: `A Den S`, then `F Hel - Kie`.

        If the second unit has an order elsewhere, only both lines together make sense.
        """
        match read.order:
            case types.SupportMove(supported=unit, target=target):
                alone: types.Order = types.Move(unit, target)
            case types.SupportHold(supported=unit):
                alone = types.Hold(unit)
            case _:
                return read
        ordered = {ordered_province(each.order) for each in found.orders if each is not read}
        free = unit.province in world.own and unit.province not in ordered
        torn = any(
            SUPPORTS.search(self.text, read.start, at)
            for at in self.starts
            if read.start < at < read.end
        )
        if not (read.strict and free and torn):
            return read
        return replace(read, status=Status.ASKED, orders=(*read.orders, alone))

    def with_other_targets(self, read: ReadOrder, world: World) -> ReadOrder:
        """Return *read*, a question if a short name out of reach may be others: `F Bre - Gol`."""
        move = read.order
        if read.status is not Status.PLAIN or not (read.strict and isinstance(move, types.Move)):
            return read
        unit, target = world.own.get(move.unit.province), types.province_of(move.target)
        [*_, word] = keys_of(self.text[read.start : read.end])
        if unit is None or world.reach(unit, target) < FAR or len(word) > SHORT_LETTERS_MAX:
            return read
        names = (*world.names.shortened.items(), *world.names.foreign.items())
        meant = {place for name, places in names if name.startswith(word) for place in places}
        if word.upper() in world.board.places or target not in meant or len(meant) == 1:
            return read
        others = (replace(move, target=place) for place in sorted(meant - {target}))
        return replace(read, status=Status.ASKED, orders=(move, *others))

    def with_remark(self, read: ReadOrder, found: TextRead) -> ReadOrder:
        """Return *read* with a remark in brackets behind it, if that orders nothing."""
        remark = REMARK.match(self.text, read.end)
        if not (read.strict and remark):
            return read
        spans = [(each.start, each.end) for each in found.orders]
        spans += ((each.start, each.end) for each in found.wishes)
        free = all(start >= remark.end() or end <= read.end for start, end in spans)
        return replace(read, end=remark.end()) if free else read

    def add_order(self, read: ReadOrder) -> None:
        """Add one order of the best explanation."""
        where, power = self._place(read.start, read.end), read.power
        anybody = len({ordered_province(each) for each in read.orders}) > 1
        plain = read.status is Status.PLAIN
        self.unread = self.unread or (read.guessed and not plain and (read.strict or anybody))
        match read.status:
            case Status.PLAIN if read.guessed:
                slip = NotUnderstood(*where, Why.UNKNOWN_WORD, read.order, power, slip=True)
                self._add(read, slip)
            case Status.PLAIN:
                self._add(read, Understood(*where, read.order, power, instead=read.instead))
            case Status.OFFERED if read.strict or not self._is_offered(read):
                self._add(read, NotUnderstood(*where, _reason(read), read.order, power))
            case Status.ASKED:
                orders = tuple(dict.fromkeys(read.orders))
                start, end = read.word or (0, 0)
                word = self.text[start:end].strip(" \t-\u2013\u2014>")
                self._add(read, Unclear(*where, word, orders, power))
            case Status.DOUBTED if read.strict:
                offered = read.order if read.introduced else None
                self._add(read, NotUnderstood(*where, Why.DOUBTFUL, offered, power))
            case Status.OFFERED | Status.DOUBTED:
                pass
            case status:
                assert_never(status)

    def add_for_all(self, read: ReadOrder) -> None:
        """Add one order of several that all units get, unless some line may be for its unit."""
        if ordered_province(read.order) in self.asked:
            return
        if self.unread:
            self.ask(read.start, read.end, Why.NOT_AN_ORDER)
        else:
            self.add_order(read)

    def _is_offered(self, read: ReadOrder) -> bool:
        place = ordered_province(read.order)
        near = (each.nearest for each in self.readings if isinstance(each, NotUnderstood))
        return any(each and ordered_province(each) == place for each in near)

    def note_retreats(self, wishes: Sequence[RetreatWish]) -> None:
        """Note the retreats wished for beside the orders of their units, and ask about others."""
        for wish in wishes:
            if not (wish.places or wish.disbands):
                self.ask(wish.start, wish.end, Why.NOT_AN_ORDER)
                continue
            found = (
                at
                for at, each in enumerate(self.readings)
                if isinstance(each, Understood) and ordered_province(each.order) == wish.province
            )
            at = next(found, None)
            if at is None:
                self.ask(wish.start, wish.end, Why.DOUBTFUL)
                continue
            order = self.readings[at]
            assert isinstance(order, Understood), "it was just found"
            assert not isinstance(order.order, types.Waive), "it is for a unit"
            unit = order.order.unit
            retreats = [types.Retreat(unit, place) for place in wish.places]
            disband = [types.Disband(unit)] if wish.disbands else []
            self.readings[at] = replace(order, retreats=(*retreats, *disband))
            where = self._place(wish.start, wish.end)
            self.noted.append(NotUnderstood(*where, Why.NOT_AN_ORDER))
            self._cover_lines_below(wish.start, wish.end)

    def ordered(self) -> set[types.Province | None]:
        """Return where the units stand of which some order was read."""
        return {ordered_province(order) for each in self.readings for order in _orders(each)}

    def ask_about_unread(self, found: TextRead, world: World, *, repeats: bool) -> None:
        """Ask about notation that orders nothing, and about earlier orders if none *repeats*.

        What is an order in another kind of phase is taken as one, and refused elsewhere.
        """
        ordered = self.ordered()
        for start, end, places in found.unread:
            if order := _order_of_any_phase(self.text[start:end], world):
                read = Understood(*self._place(start, end), order.order, order.power)
                self._add_at(start, end, read)
            elif not places or not ordered.issuperset(places):
                self.unread |= self.ask(start, end, Why.NOT_AN_ORDER)
        for start, end in found.others:
            self.ask(start, end, Why.ALL_UNITS)
        for start, end in found.repeats:
            if not (repeats and self.readings):
                self.ask(start, end, Why.NOT_AN_ORDER)

    def ask_about_units(self, found: TextRead, world: World) -> None:
        """Ask about units of the writer in doubt, or in words that order nothing.

        An order in another kind of phase is taken as one, and refused elsewhere.
        """
        ordered = self.ordered()
        for start, end, places, doubted in found.talk:
            if (ordered | self.asked).issuperset(places):
                continue
            text = self.text[start:end]
            order = None if doubted else _order_of_any_phase(text, world)
            if order and read_unit(text, world.board) is None and self._is_free(start, end):
                read = Understood(*self._place(start, end), order.order, order.power)
                self._add_at(start, end, read)
                continue
            if self.ask(start, end, Why.DOUBTFUL if doubted else Why.NOT_AN_ORDER):
                self.asked.update(places)

    def ask(self, start: int, end: int, why: Why) -> bool:
        """Ask about text in which nothing else was read; return whether that is so."""
        free = self._is_free(start, end)
        if free:
            self._add_at(start, end, NotUnderstood(*self._place(start, end), why))
        return free

    def _is_free(self, start: int, end: int) -> bool:
        return all(last <= start or end <= first for first, last in self.spans)

    def keep(self, read: ReadOrder, order: str) -> None:
        """Note that *order* stays, where the rest holds."""
        line, _, text = self._place(read.start, read.end)
        others = self.kept.setdefault((line, text), [])
        others += [] if order.endswith(" H") else [order]

    def _add(self, read: ReadOrder, reading: Reading) -> None:
        self._add_at(read.start, read.end, reading)

    def _add_at(self, start: int, end: int, reading: Reading) -> None:
        self.readings.append(reading)
        self.spans.append((start, end))
        self._cover_lines_below(start, end)

    def _cover_lines_below(self, start: int, end: int) -> None:
        first = bisect_right(self.starts, start) - 1
        last = bisect_right(self.starts, max(end - 1, start)) - 1
        for below in range(first + 1, last + 1):
            line = self.lines[below]
            text = line.text[: end - self.starts[below]]
            self.continued.append(NotUnderstood(line.number, 1, text, Why.NOT_AN_ORDER))

    def _place(self, start: int, end: int) -> tuple[int, int, str]:
        """Return the line and column of *start*, and the text from there to *end*."""
        at = bisect_right(self.starts, start) - 1
        line = self.lines[at]
        column = start - self.starts[at]
        if column < line.added:
            column = line.added
            column += len(line.text[column:]) - len(line.text[column:].lstrip(" :"))
        text = self.text[self.starts[at] + column : end]
        return line.number, column + 1, " ".join(map(str.strip, text.split("\n")))


def _order_of_any_phase(text: str, world: World) -> StrictOrder | None:
    """Return the order that *text* is in strict notation in some kind of phase.

    A move between places that are no neighbors is none: `A Mar st`.
    """
    found = (read_strictly(text, world.board, kind) for kind in (world.kind, *types.PhaseKind))
    order = next((each[0] for each in found if len(each) == 1), None)
    move = order is not None and isinstance(order.order, types.Move)
    return None if order and move and misfit(world.board, order.order) else order


def _reason(read: ReadOrder) -> Why:
    """Return why *read* is only offered."""
    if read.incomplete:
        return Why.INCOMPLETE
    return Why.UNKNOWN_WORD if read.strict and read.guessed else Why.NOT_AN_ORDER


def _orders(reading: Reading) -> Iterator[types.Order]:
    match reading:
        case Understood(order=order):
            yield order
        case NotUnderstood(nearest=nearest):
            yield from (nearest,) if nearest else ()
        case Unclear(orders=orders):
            yield from orders
        case _:
            pass
