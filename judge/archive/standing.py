"""Who stands where, folded through the reports of a game: what several readers have in common.

Judges and gamemasters report orders and what came of them, hardly ever positions. A `Standing` is
told a `Report` for each phase, in the order of the file, and gives back the `RecordedPhase` with
the position before it; what contradicts what came before is a doubt with its line:

    standing = Standing(reading.board, reading.doubts)
    standing.put(position, line)  # where a source prints one; else it is the start of the board
    phases = [standing.play(Report(phase=..., orders=..., ...)) for each report]
    phases += standing.still_open()  # the phase that was about to be played

A report is believed: in a lenient reading its order lines, its list of dislodged units and its
chart of owners replace what was folded. Editions are counted where a phase is told again, and the
game goes on from the last. After a gap units are known again with the next report of movement,
centers with the next chart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from judge.archive.aftermath import Aftermath, aftermath
from judge.archive.reading import Doubts
from judge.archive.record import RecordedPhase, WrittenOrder
from judge.archive.report import Report, unit_of
from judge.rules.board import Map
from judge.rules.phase_context import map_index_of
from judge.rules.phase_sequence import next_position, sort_units
from judge.rules.types import Phase, PhaseKind, Position, Power, Province, Season, Unit, UnitKind


class Standing:
    """The board of one game as far as it is told.

    *ahead* is the position of the phase that comes next, None if it is not known.
    """

    def __init__(self, board: Map, doubts: Doubts) -> None:
        self.board = board
        self.ahead: Position | None = board.start
        self._doubts = doubts
        self._owners_known = True
        self._begun: dict[Phase, tuple[Position | None, bool, int]] = {}  # with the edition
        self._last: Phase | None = None

    def put(self, position: Position, line: int | None) -> None:
        """Take a *position* that the source prints, owners and all."""
        if self._last and self.ahead and self.ahead.phase == position.phase:
            for unit in sorted({*self.ahead.units} ^ {*position.units}, key=str):
                self._doubt(line, f"{unit.power} {unit}", "differs from what was told before")
        self.ahead, self._owners_known = position, True

    def play(self, report: Report) -> RecordedPhase:
        """Record *report*, and go on to the phase after it."""
        before, after = self._before(report), None
        edition = self._begun[report.phase][2] + 1 if report.phase in self._begun else 1
        self._begun[report.phase] = before, self._owners_known, edition
        self._last, self.ahead = report.phase, None
        if before and _results_known(report):
            after = aftermath(self.board, self._doubts, report, before)
            self.ahead = self._ahead(report, before, after)
        return RecordedPhase(
            phase=report.phase,
            position=before,
            orders=report.orders,
            removed=tuple((unit.power, unit) for unit in after.removed) if after else (),
            results_told=any(each.results is not None for each in report.orders),
            deadline=report.deadline,
            reported=report.reported,
            edition=edition,
            first_line=report.first_line,
            last_line=report.last_line,
            notes=report.notes,
        )

    def still_open(self) -> Iterator[RecordedPhase]:
        """Yield the phase that comes next, without orders, if its position is known."""
        if self._last and self.ahead:
            yield RecordedPhase(self.ahead.phase, self.ahead)

    def _doubt(self, line: int | None, text: object, why: str) -> None:
        self._doubts.note(line, str(text), why)

    def _before(self, report: Report) -> Position | None:
        """Return the position before *report*: as folded, or by its own lines."""
        position = self._expected(report)
        if report.phase.kind is PhaseKind.MOVEMENT:
            return self._lined_up(report, position)
        return position

    def _expected(self, report: Report) -> Position | None:
        phase, ahead, last = report.phase, self.ahead, self._last
        if ahead and ahead.phase == phase:
            return ahead
        if phase in self._begun:
            position, self._owners_known, _ = self._begun[phase]
            return position
        if ahead and last and last < phase < ahead.phase:
            return replace(ahead, phase=phase)  # Nobody had anything to order.
        known, self._owners_known = self._owners_known, False
        if last and phase < last:
            self._doubt(report.first_line, phase, f"comes after {last}")
        elif last and ahead and known:
            self._doubt(report.first_line, phase, f"{ahead.phase} is not told before it")
        return None

    def _lined_up(self, report: Report, expected: Position | None) -> Position:
        """Return the position that the lines of *report* show, and compare it with *expected*."""
        stood = {unit.province: unit for unit in expected.units} if expected else {}
        found: dict[Province, Unit] = {}
        for written in report.orders:
            unit = self._ordered(written, stood)
            if unit and unit.province in found:
                self._doubt(written.line, written.text, "a second line for this province")
            elif unit:
                found[unit.province] = unit
                if expected and stood.get(unit.province) != unit:
                    self._doubt(written.line, written.text, f"no {unit} stood there before")
        complete = report.complete and all(each.order for each in report.orders)
        for at, unit in stood.items():
            if complete and at not in found:
                self._doubt(report.first_line, f"{unit.power} {unit}", "has no line")
            found.setdefault(at, unit)
        units = sort_units(self.board, found.values())
        return Position(report.phase, units, expected.owners if expected else {})

    def _ordered(self, written: WrittenOrder, stood: Mapping[Province, Unit]) -> Unit | None:
        """Return the unit that *written* is for; what its name leaves out is looked up."""
        name = unit_of(written.order)
        if name is None:
            return None
        there = stood.get(name.province)
        kind = name.kind or (there.kind if there else None)
        if kind is None:
            self._doubt(written.line, written.text, "army or fleet is not told")
            return None
        location = name.province if kind is UnitKind.ARMY else name.location
        if location in map_index_of(self.board).of(kind):
            return Unit(written.power, kind, location)
        if there and there.kind is kind and location == there.province:
            return replace(there, power=written.power)  # A coast that goes without saying.
        self._doubt(written.line, written.text, f"no place for {kind.value} {location}")
        return None

    def _ahead(self, report: Report, before: Position, after: Aftermath) -> Position:
        """Return the position of the phase after *report*, with the centers that it tells."""
        dislodged = tuple(after.dislodged)
        units, owners = after.units.values(), before.owners
        position = next_position(self.board, report.phase, units, owners, dislodged)
        if report.owners is not None:
            if self._owners_known and report.phase.season is Season.FALL and not dislodged:
                self._compare_owners(report, position.owners)
            position = replace(position, owners=report.owners)
            self._owners_known = True
        elif not self._owners_known:
            position = replace(position, owners={})
        self._compare_counts(report, position)
        return replace(position, phase=report.following) if report.following else position

    def _compare_owners(self, report: Report, folded: Mapping[Province, Power]) -> None:
        told = report.owners or {}
        for center in sorted(folded.keys() | told.keys()):
            if folded.get(center) != told.get(center):
                text = f"{center} of {told.get(center, 'nobody')}"
                why = f"owned by {folded.get(center, 'nobody')} by what came before"
                self._doubt(report.chart_line, text, why)

    def _compare_counts(self, report: Report, position: Position) -> None:
        for power, told in report.counts.items():
            own = len(position.centers_of(power)) if self._owners_known else told[0]
            folded = own, len(position.units_of(power))
            if folded != told:
                text = f"{power}: {told[0]} centers, {told[1]} units"
                self._doubt(report.chart_line, text, f"{folded} by what came before")


def _results_known(report: Report) -> bool:
    """Tell whether it is known what came of the orders; adjustments come to what they say."""
    return report.phase.kind is PhaseKind.ADJUSTMENTS or all(
        each.results is not None for each in report.orders
    )
