"""Chapters of a zine to the phases of a game.

Nothing is guessed. What looks like an order and is none, whose orders it does not say, or what
contradicts itself, is a doubt.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from judge.archive.names import location_of, order_of
from judge.archive.reading import Doubts
from judge.archive.record import RecordedPhase, WrittenOrder, YearChart
from judge.archive.report import Driven, Report, unit_of
from judge.archive.standing import Standing
from judge.archive.zine.chapters import Chapter, OrderLine
from judge.archive.zine.headings import phase_in
from judge.archive.zine.marks import FAILS, Marked
from judge.archive.zine.reasons import by_province, reason
from judge.notation.parser import parse
from judge.notation.readings import Unclear, Understood
from judge.rules.types import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Phase,
    PhaseKind,
    Position,
    Power,
    Retreat,
    Season,
    SupportHold,
    SupportMove,
    Waive,
    province_of,
)

KINDS = {
    "summer": PhaseKind.RETREATS,
    "autumn": PhaseKind.RETREATS,
    "winter": PhaseKind.ADJUSTMENTS,
}
REMOVES = re.compile(r"\bremove", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Given:
    """An order as it was understood, and of whom."""

    line: OrderLine
    marked: Marked
    power: Power
    order: Order | None


class ChapterTeller:
    """Tells what the chapters of one game come to, on *standing*."""

    def __init__(self, standing: Standing, doubts: Doubts) -> None:
        self._board = standing.board
        self._standing = standing
        self._doubts = doubts
        self._due: dict[Phase, datetime] = {}

    def phases(self, chapter: Chapter) -> Iterator[RecordedPhase]:
        """Yield the phases of which *chapter* has orders, retreats and adjustments apart."""
        when = self._when(chapter)
        if when is None:
            return
        season, year = when
        phases: dict[Phase, list[_Given]] = {}
        for given in self._given(chapter, season, year):
            phase = _phase_of(given, season, year)
            if phase is None:
                self._doubt(given, f"no order for {season}")
            else:
                phases.setdefault(phase, []).append(given)
        for phase in sorted(phases):
            last = phase == max(phases)
            yield self._standing.play(self._report(chapter, phase, phases[phase], last=last))
        if chapter.following and chapter.deadline:
            self._due[chapter.following] = chapter.deadline

    def chart(self, chapter: Chapter) -> YearChart | None:
        """Return the chart of *chapter*, if it has one and its year is told."""
        if not chapter.owners or chapter.heading.year is None:
            return None
        counts = Counter(chapter.owners.values())
        return YearChart(chapter.heading.year, dict(counts), chapter.owners)

    def _doubt(self, given: _Given, why: str) -> None:
        self._doubts.note(given.line.number, given.marked.text, why)

    def _when(self, chapter: Chapter) -> tuple[str, int] | None:
        """Return season and year, by the heading or else by what is due next."""
        heading, due, lines = chapter.heading, chapter.following, chapter.lines
        if not lines:
            return None
        if heading.season and heading.year:
            fall = heading.season == "autumn" and self._moves(chapter, heading.year)
            return ("fall" if fall else heading.season), heading.year
        if due is None:
            self._doubts.note(lines[0].number, "", "of which season these orders are is not told")
            return None
        self._doubts.note(lines[0].number, due.code, "the season is told by what is due next only")
        if due.kind is PhaseKind.MOVEMENT and due.season is Season.SPRING:
            return "fall", due.year - 1
        early = due.season is Season.SPRING or due.kind is PhaseKind.MOVEMENT
        return ("spring" if early else "fall"), due.year

    def _moves(self, chapter: Chapter, year: int) -> bool:
        """Tell whether Autumn is the season of moves here, as in Britain, and not of retreats."""
        ahead = self._standing.ahead
        if ahead and ahead.phase == Phase(Season.FALL, year, PhaseKind.MOVEMENT):
            return True
        return any(
            isinstance(read[0], Hold | SupportHold | SupportMove | Convoy)
            for line in chapter.lines
            for marked in line.orders
            if (read := order_of(self._board, marked.text, PhaseKind.MOVEMENT))
        )

    def _given(self, chapter: Chapter, season: str, year: int) -> Iterator[_Given]:
        kind = KINDS.get(season, PhaseKind.MOVEMENT)
        ahead = self._standing.ahead
        if ahead and ahead.phase not in _phases_of(season, year):
            ahead = None
        owners = self._block_owners(chapter, ahead)
        for line in chapter.lines:
            for marked in line.orders:
                power = line.power or owners.get(line.block)
                order, said = self._understood(marked, kind, power, ahead)
                power = power or said or _holder(order, ahead)
                if power is None:
                    self._doubts.note(line.number, marked.text, "whose order it is is not told")
                    continue
                given = _Given(line, marked, power, order)
                if order is None:
                    self._doubt(given, "no order that can be read")
                if marked.unknown:
                    self._doubt(given, f"no mark that is known: {marked.unknown}")
                yield given

    def _block_owners(self, chapter: Chapter, ahead: Position | None) -> Mapping[int, Power]:
        """Return whose the blocks are that name no power, if there is one for each power."""
        blocks = list(dict.fromkeys(line.block for line in chapter.lines if not line.power))
        named = any(line.power for line in chapter.lines)
        if ahead or named or len(blocks) != len(self._board.powers):
            return {}
        why = "no powers are named; they are taken to be in the order of the alphabet"
        self._doubts.note(chapter.lines[0].number, "", why)
        return dict(zip(blocks, self._board.powers, strict=True))

    def _understood(
        self, marked: Marked, kind: PhaseKind, power: Power | None, ahead: Position | None
    ) -> tuple[Order | None, Power | None]:
        """Return the order and whose it says that it is; `X-X` is a support to hold."""
        match parse(marked.text, self._board, kind, s_stands=True):
            case (Understood(order=order, power=said),):
                pass
            case (Unclear(orders=orders, power=said),):
                own = [each for each in orders if _holder(each, ahead) in {power, said} - {None}]
                if len(own) != 1:
                    return None, said
                order = own[0]
            case _:
                return None, None
        if isinstance(order, SupportMove):
            unit = order.supported
            if unit.province == province_of(order.target):
                return SupportHold(order.unit, unit), said
        return order, said

    def _report(
        self, chapter: Chapter, phase: Phase, given: Sequence[_Given], *, last: bool
    ) -> Report:
        moved = phase.kind is PhaseKind.MOVEMENT
        marked = chapter.nothing_failed or any(each.marked.words for each in given)
        told = marked or not moved
        others = by_province(each.order for each in given)
        orders = [self._written(each, others if told else None) for each in given]
        if moved:
            orders = _driven_out(orders)
        year_ends = phase.season is Season.FALL and last
        return Report(
            phase=phase,
            orders=tuple(orders),
            driven=tuple(self._destroyed(chapter, given)) if told else (),
            owners=chapter.owners if chapter.owners and year_ends else None,
            complete=False,
            deadline=self._due.get(phase),
            first_line=chapter.first_line,
            last_line=chapter.last_line,
            chart_line=chapter.chart_line,
            notes=tuple(chapter.notes),
        )

    def _written(self, given: _Given, others: Mapping[str, Order] | None) -> WrittenOrder:
        text, number = given.marked.text, given.line.number
        if others is None:
            return WrittenOrder(given.power, text, given.order, None, number)
        words = dict.fromkeys(given.marked.words)
        reasons = [word for word in words if word not in {FAILS, "dislodged", "destroyed"}]
        if FAILS in words and not reasons and given.order:
            why = reason(self._board, given.order, others)
            if why:
                reasons = [why]
            elif "dislodged" not in words:
                self._doubt(given, "marked as failed, though it cannot fail")
        fates = [word for word in words if word in {"dislodged", "destroyed"}]
        return WrittenOrder(given.power, text, given.order, (*reasons, *fates), number)

    def _destroyed(self, chapter: Chapter, given: Sequence[_Given]) -> Iterator[Driven]:
        owners = {name.province: g.power for g in given if (name := unit_of(g.order))}
        for place, number in chapter.destroyed:
            at = location_of(self._board, place)
            power = owners.get(province_of(at)) if at else None
            if at and power:
                yield Driven(power, province_of(at), (), number)
            else:
                self._doubts.note(number, place, "no unit that was ordered")


def _driven_out(orders: list[WrittenOrder]) -> list[WrittenOrder]:
    """Return *orders* with those dislodged in whose province another unit has come.

    That goes without saying only where the report marks nobody as dislodged: a list of those may
    stand apart, or nowhere.
    """
    if any({"dislodged", "destroyed"}.intersection(each.results or ()) for each in orders):
        return orders
    went = [each for each in orders if isinstance(each.order, Move) and each.results == ()]
    left = {unit.province for each in went if (unit := unit_of(each.order))}
    taken = {province_of(each.order.target) for each in went if isinstance(each.order, Move)}
    return [
        replace(each, results=(*each.results, "dislodged"))
        if each.results is not None and unit and unit.province in taken - left
        else each
        for each in orders
        for unit in [unit_of(each.order)]
    ]


def _holder(order: Order | None, ahead: Position | None) -> Power | None:
    """Return whose unit *order* is for, by the position *ahead*."""
    name = unit_of(order)
    units = [*ahead.units, *(each.unit for each in ahead.dislodged)] if ahead else []
    found = [unit.power for unit in units if name and unit.province == name.province]
    return found[0] if len(found) == 1 else None


def _phases_of(season: str, year: int) -> set[Phase | None]:
    """Return the phases whose orders may stand under the heading of *season*."""
    if season == "winter":
        return {
            Phase(Season.FALL, year, PhaseKind.RETREATS),
            phase_in(season, year, movement=False),
        }
    return {phase_in(season, year, movement=season in {"spring", "fall"})}


def _phase_of(given: _Given, season: str, year: int) -> Phase | None:
    """Return the phase that an order under the heading of *season* is for, None if for none."""
    moving = season in {"spring", "fall"}
    retreats = phase_in("fall" if season == "winter" else season, year, movement=False)
    match given.order:
        case Build() | Waive():
            return Phase(Season.WINTER, year, PhaseKind.ADJUSTMENTS)
        case Disband() if season == "winter" or REMOVES.search(given.marked.text):
            return Phase(Season.WINTER, year, PhaseKind.ADJUSTMENTS)
        case Retreat() | Disband():
            return retreats
        case Move() if not moving:
            return retreats
        case Hold() | SupportHold() | SupportMove() | Convoy() if not moving:
            return None
        case _:
            return phase_in(season, year, movement=moving)
