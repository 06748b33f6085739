"""Orders in people's own words beside those in notation: what `judge.reading` adds and vetoes.

Notation is read by `judge.notation`. In prose the best explanation on the board decides: what is
plain is carried out, what is nearly plain is offered, and what is in doubt is not carried out.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import accumulate

from judge.game.submission import ordered_province
from judge.game.visibility import provinces_held
from judge.mail.body import Line
from judge.notation.readings import (
    NotUnderstood,
    Prose,
    Reading,
    Unclear,
    Understood,
)
from judge.notation.readings import WhyNotUnderstood as Why
from judge.notation.terms import ARROW, DASH
from judge.reading.policy import CARRIED_OUT_MAX, ReadOrder, Status
from judge.reading.reader import read_text
from judge.reading.words import LANGUAGES, roles_in
from judge.reading.world import world_of
from judge.rules import types
from judge.rules.board import Map


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
    """Return *readings* of *lines* with the orders that the best explanation adds or doubts.

    *position* is what *power* sees. Units with *standing* orders keep them if the rest holds.
    *disowned* are lines of notation below words that may disown them.
    """
    if not lines:
        return Explained(tuple(readings))
    own = frozenset(provinces_held(position, power))
    merger = _Merger(lines, list(readings), position.phase.kind, disowned, own)
    kept = {ordered_province(each) for each in standing}
    found = read_text(merger.text, world_of(board, position, power))
    merger.draft, merger.fixes = found.draft, found.fixes
    for each in sorted(found.orders, key=lambda read: read.several):
        if not (each.rest and ordered_province(each.order) in kept):
            merger.take(each)
    merger.doubt_unread(found.doubts)
    merger.ask_about_routes()
    return Explained(tuple(merger.merged), frozenset(merger.added), tuple(merger.continued))


class _Merger:
    """Adds orders to the readings of *lines*, or doubts those."""

    def __init__(
        self,
        lines: Sequence[Line],
        readings: list[Reading],
        kind: types.PhaseKind,
        disowned: frozenset[int],
        own: frozenset[types.Province],
    ) -> None:
        self.lines = lines
        self.disowned = disowned
        self.own = own
        self.kind = kind
        self.merged = readings
        self.draft = self.fixes = False
        self.added: list[Reading] = []
        self.continued: list[Understood] = []
        self.confirmed: list[Reading] = []
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

    def take(self, read: ReadOrder) -> None:  # noqa: C901, PLR0912 - one flat match
        """Take one order of the best explanation."""
        before = self._reading_of(read)
        if before.instead if before else self._leaves_to_notation(read):
            return
        if before:
            self.confirmed.append(before)
        agree = before is not None and _is_same(before.order, read.order)
        certain = read.cost <= CARRIED_OUT_MAX and not self.draft and not read.loose
        if agree and certain and read.status is Status.OFFERED:
            return
        match read.status:
            case Status.PLAIN if before is None:
                self._add(read, self._understood(read, read.order))
            case Status.PLAIN | Status.OFFERED if before is None:
                self._offer(read)
            case Status.ASKED if before is None:
                self._add(read, self._unclear(read, read.orders))
            case Status.DOUBTED if before is None:
                pass
            case Status.PLAIN if before:
                self._compare(read, before)
            case Status.DOUBTED if before and (not read.led or before.line in self.disowned):
                self._doubt(read, before)
            case Status.OFFERED | Status.ASKED if before and (
                self.draft or read.loose or not read.strict
            ):
                self._doubt(read, before)
            case _:
                pass

    def doubt_unread(self, doubts: Sequence[tuple[int, int]]) -> None:
        """Doubt the orders of notation in *doubts* that the best explanation did not see."""
        for each in list(self.merged):
            if not isinstance(each, Understood) or each.instead:
                continue
            if each in self.confirmed or each in self.added:
                continue
            start, end = self._span(each)
            if any(start < last and first < end for first, last in doubts):
                line, column, text, why = each.line, each.column, each.text, Why.DOUBTFUL
                self._replace(each, NotUnderstood(line, column, text, why, each.order, each.power))

    def ask_about_routes(self) -> None:
        """Offer the routes that no dash or `via` gives."""
        for each in list(self.merged):
            if isinstance(each, Understood) and _wanders(each):
                line, column, text, why = each.line, each.column, each.text, Why.NOT_AN_ORDER
                self._replace(each, NotUnderstood(line, column, text, why, each.order, each.power))

    def _leaves_to_notation(self, read: ReadOrder) -> bool:
        """Return whether *read* is in notation that is asked about, or holds beside a question."""
        asked = [
            each
            for each in self.merged
            if isinstance(each, NotUnderstood | Unclear) and each not in self.added
        ]
        understood = [each for each in self.merged if isinstance(each, Understood)]
        if any(self._is_another(each, read) for each in understood):
            return True
        if self.kind is types.PhaseKind.ADJUSTMENTS and any(each.instead for each in understood):
            return True
        if read.several and any(not self._overlaps(each, read) for each in asked):
            return True
        return read.strict and any(
            self._overlaps(each, read) for each in asked if _has_question(each)
        )

    def _is_another(self, reading: Understood, read: ReadOrder) -> bool:
        """Return whether the text of *read* is another order, if one that cannot be given.

        That may be of another phase, as `A Ven-Rom` in winter, or for a unit that is not there.
        """
        adjusts = isinstance(reading.order, types.Build | types.Waive)
        in_winter = self.kind is types.PhaseKind.ADJUSTMENTS
        if adjusts != in_winter and not isinstance(reading.order, types.Disband):
            return self._overlaps(reading, read)
        theirs = not in_winter and ordered_province(reading.order) not in self.own
        start, end = self._span(reading)
        return theirs and start <= read.start and read.end <= end

    def _reading_of(self, read: ReadOrder) -> Understood | None:
        """Return the order that was read for the same unit, or the same adjustment."""
        for each in self.merged:
            if not isinstance(each, Understood):
                continue
            if self.kind is types.PhaseKind.ADJUSTMENTS:
                if _is_same(each.order, read.order):
                    return each
            elif ordered_province(each.order) == ordered_province(read.order):
                return each
        return None

    def _compare(self, read: ReadOrder, before: Understood) -> None:
        """Keep notation, and the order on which both agree; ask about prose otherwise."""
        order = before.order
        if _wanders(before) and not read.strict:  # `Liverpool heads east to Yorkshire`
            self._replace(before, self._understood(read, read.order))
            return
        if read.strict or _is_same(order, read.order):
            return
        if isinstance(order, types.Hold) and isinstance(read.order, types.SupportHold):
            self._replace(before, self._understood(read, read.order))
        elif (
            self.fixes and self._span(before)[1] <= read.start
        ):  # `Wait, no:` and the like between them were read
            self.merged.remove(before)
            self._add(read, self._understood(read, read.order))
        elif before not in self.added:
            self._replace(before, self._unclear(read, (read.order, order)))
            self.merged[:] = [each for each in self.merged if not self._fails_within(each, read)]

    def _doubt(self, read: ReadOrder, before: Understood) -> None:
        if before in self.added:
            return
        why = Why.NOT_AN_ORDER
        if read.status is Status.DOUBTED:
            why = Why.DOUBTFUL
        line, column, text = before.line, before.column, before.text
        self._replace(before, NotUnderstood(line, column, text, why, before.order, before.power))

    def _offer(self, read: ReadOrder) -> None:
        place = ordered_province(read.order)
        if any(
            isinstance(each, Understood) and self._overlaps(each, read) for each in self.merged
        ):
            return  # The text is an order, if one that cannot be given.
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


@cache
def _route() -> re.Pattern[str]:
    via = "|".join(each for language in LANGUAGES for each in roles_in(language)["via"])
    return re.compile(rf"{DASH}|{ARROW}|\b(?:{via})\b", re.IGNORECASE)


def _wanders(reading: Reading) -> bool:
    """Return whether *reading* is a route that its text does not give, as dashes or `via` do."""
    if not (isinstance(reading, Understood) and isinstance(reading.order, types.Move)):
        return False
    return bool(reading.order.route) and not _route().search(reading.text)


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


def _is_same(first: types.Order, second: types.Order) -> bool:
    """Return whether two orders mean the same, however fully they name units."""
    return _plain(first) == _plain(second)


def _plain(order: types.Order) -> types.Order:
    match order:
        case types.Waive():
            return order
        case types.Build():
            return order
        case types.Move():
            return replace(order, unit=_bare(order.unit), via_convoy=False, route=())
        case types.SupportHold() | types.SupportMove():
            return replace(order, unit=_bare(order.unit), supported=_bare(order.supported))
        case types.Convoy():
            return replace(order, unit=_bare(order.unit), army=_bare(order.army))
        case _:
            return replace(order, unit=_bare(order.unit))


def _bare(unit: types.UnitName) -> types.UnitName:
    return types.UnitName(None, unit.province)
